"""A PN532 as its manual describes it (NXP UM0701-02, AN10609_3), from its host interface to the cards.

Owns the chip's side: asleep after reset until woken, low-battery mode until SAMConfiguration, ACK then answer,
silence for a damaged frame, repetition on NACK, an end on ACK, automatic RATS and endless retries until told
otherwise, two targets at most, cards halted until the field goes off. Written without the driver: it parses
frames its own way. Faults: `damaged` answers with a wrong checksum, `hangs`, `garbage`, `brown_out()`.
"""

from sabot_firmware.fake.tag import Fields, Tag

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot_firmware.fake.clock import Clock
    from sabot_firmware.fake.wire import Pin, Uart

_BOOT_US = 2000
_WAKE_US = 1500
_ACK_US = 300
_TRY_US = 5000
_CASCADE_US = 3000
_ATS = b"\x05\x78\x80\x70\x02"
_ERROR = b"\x00\x00\xff\x01\xff\x7f\x81\x00"
_REVERSED = bytes([sum([(byte >> bit & 1) << (7 - bit) for bit in range(8)]) for byte in range(256)])


class Pn532Chip:
    """The chip behind its ports; `frames` holds (ready_us, frame)."""

    def __init__(self, clock: "Clock", fields: Fields, reset: "Pin") -> None:
        self.clock = clock
        self.fields = fields
        self.ic = 0x32
        self.damaged = 0  # this many coming frames get a wrong checksum
        self.hangs = False
        self.garbage = b""  # sent in place of the next answer
        self.resets = 0
        self.field_on = False
        self.frames: "list[tuple[int, bytes | bytearray]]" = []
        self.commands: "list[bytes]" = []
        self._input = bytearray(264)
        self._power_up()
        reset.on_change = self._reset

    def brown_out(self) -> None:
        """The supply dipped: everything set up is gone, in the middle of whatever it was."""
        self._power_up()

    def _reset(self, level: int) -> None:
        if not level:
            self.resets += 1
            self.hangs = False
            self._power_up()

    def _power_up(self) -> None:
        self.frames = []
        self._count = 0  # of bytes in `_input`
        self._wanted = 2  # so many must be there before they can mean anything more
        self._last = b""
        self._awake_us = -1
        self._ready_us = self.clock.us + _BOOT_US
        self.is_low_battery = True
        self.parameters = 0x14
        self.passive_retries = 0xFF
        self._field(False)

    def wake(self) -> None:
        """The host touched the interface."""
        if self._awake_us < 0 and self.clock.us >= self._ready_us:
            self._awake_us = self.clock.us + _WAKE_US

    def is_awake(self) -> bool:
        """Whether the interface listens."""
        return 0 <= self._awake_us <= self.clock.us

    def take(self, byte: int) -> None:
        """One byte from the host."""
        if not self.is_awake() or self.hangs:
            return
        count = self._count
        self._input[count] = byte
        self._count = count + 1
        if count + 1 >= self._wanted:
            self._parse()

    def _listen(self, dropped: int) -> None:
        """Forget so many bytes; two of the rest can be a start code."""
        left = self._count = self._count - dropped
        for at in range(left):
            self._input[at] = self._input[at + dropped]
        self._wanted = 2

    def _parse(self) -> None:
        heard = self._input
        size, total = heard[2], heard[2] + heard[3]
        if heard[0] != 0x00 or heard[1] != 0xFF:
            self._listen(1)  # no start code: it may begin with the next byte
        elif self._count < 4:
            self._wanted = 4
        elif total == 0xFF and size in (0x00, 0xFF):
            self._listen(self._count)
            self._handshake(size == 0x00)
        elif total & 0xFF:
            self._listen(2)
        elif self._count < size + 5:
            self._wanted = size + 5
        else:
            self._listen(self._count)
            if sum(heard[4 : size + 5]) & 0xFF == 0 and heard[4] == 0xD4:
                self._command(bytes(heard[5 : size + 4]))

    def _handshake(self, is_ack: bool) -> None:
        if is_ack:
            self.frames = []
        elif self._last:
            self._queue(self._last, _ACK_US)

    def _command(self, command: bytes) -> None:
        self.commands.append(command)
        if len(self.commands) > 32:
            self.commands.pop(0)
        self.frames = [(self.clock.us + _ACK_US, b"\x00\x00\xff\x00\xff\x00")]
        answer, work_us = self._answer(command)
        if self.garbage:
            self.frames.append((self.clock.us + 1000, self.garbage))
            self.garbage = b""
        elif answer is None:
            self._last = b""
        else:
            self._last = answer
            self._queue(answer, _ACK_US + work_us)

    def _queue(self, payload: bytes, after_us: int) -> None:
        frame: "bytes | bytearray" = _ERROR
        if payload:
            frame = sound = _framed(payload)
            if self.damaged:
                self.damaged -= 1
                sound[-2] = sound[-2] + 1 & 0xFF
        self.frames.append((self.clock.us + after_us, frame))

    def _answer(self, command: bytes) -> "tuple[bytes | None, int]":
        code = command[0]
        if code == 0x02:
            return bytes([0x03, self.ic, 1, 6, 7]), 200
        if code == 0x14 and command[1] == 1:
            self.is_low_battery = False
            return b"\x15", 200
        if self.is_low_battery:
            return b"", 200
        if code == 0x00 and command[1] == 0:
            return b"\x01" + command[1:], 300
        if code == 0x12 and len(command) == 2:
            self.parameters = command[1]
            return b"\x13", 200
        if code == 0x32:
            return self._configure(command)
        if code == 0x4A and command[2] == 0 and command[1] in (1, 2):
            return self._list(command[1])
        return b"", 200

    def _configure(self, command: bytes) -> "tuple[bytes | None, int]":
        if command[1] == 1 and len(command) == 3:
            self._field(bool(command[2] & 1))
        elif command[1] == 5 and len(command) == 5:
            self.passive_retries = command[4]
        else:
            return b"", 200
        return b"\x33", 300

    def _field(self, on: bool) -> None:
        self.field_on = on
        if not on:
            self.fields.power_off()

    def _list(self, most: int) -> "tuple[bytes | None, int]":
        self._field_up()
        found: "list[Tag]" = [tag for tag in self.fields.present() if not tag.is_halted and tag.twist != "crc"][:most]
        if not found:
            return (None, 0) if self.passive_retries == 0xFF else (b"\x4b\x00", _TRY_US * (self.passive_retries + 1))
        answer = bytes([0x4B, len(found)])
        for number in range(len(found)):
            answer += bytes([number + 1]) + self._target(found[number])
            found[number].is_halted = True
        return answer, _CASCADE_US * len(found)

    def _field_up(self) -> None:
        self.field_on = True

    def _target(self, tag: Tag) -> bytes:
        size = len(tag.uid)
        select = 0x20 if size == 10 else 0x08 if size == 4 else 0x00
        length = 5 if tag.twist == "length" else size
        target = bytes([0x00, {4: 0x04, 7: 0x44, 10: 0x84}.get(size, 0x04), select, length]) + tag.uid
        return target + _ATS if select & 0x20 and self.parameters & 0x10 else target


def _framed(payload: bytes) -> bytearray:
    size = len(payload)
    frame = bytearray(size + 8)
    frame[2] = 0xFF
    frame[3] = size + 1
    frame[4] = -(size + 1) & 0xFF
    frame[5] = 0xD5
    for at in range(size):
        frame[6 + at] = payload[at]
    frame[6 + size] = -(0xD5 + sum(payload)) & 0xFF
    return frame


class SpiPort:
    """The chip's SPI side: least significant bit first, a code, then status, frame in or frame out."""

    def __init__(self, chip: Pn532Chip) -> None:
        self._chip = chip
        self._code = -1
        self._out: "bytes | bytearray" = b""
        self._at = 0  # of the frame out

    def select(self) -> None:
        self._code = -1
        self._out = b""
        self._at = 0
        self._chip.wake()

    def deselect(self) -> None:
        self._code = -1

    def exchange(self, byte: int) -> int:
        chip = self._chip
        if chip.hangs:
            return 0x00
        if not chip.is_awake():
            return 0xFF
        code = self._code
        if code == 3:
            return self._give()
        if code == 1:
            chip.take(_REVERSED[byte])
        elif code < 0:
            self._code = _REVERSED[byte]
        elif code == 2 and self._is_ready():
            return _REVERSED[1]
        return 0

    def _is_ready(self) -> bool:
        frames = self._chip.frames
        return bool(frames) and frames[0][0] <= self._chip.clock.us

    def _give(self) -> int:
        if self._at == len(self._out):
            if not self._is_ready():
                return 0
            # The frame is gone once its first byte is out; a reader that stops early has lost the rest.
            self._out = self._chip.frames.pop(0)[1]
            self._at = 0
        byte = self._out[self._at]
        self._at += 1
        return _REVERSED[byte]


class UartPort:
    """The chip's high-speed UART."""

    def __init__(self, chip: Pn532Chip, uart: "type[Uart]") -> None:
        self._chip = chip
        self._byte_us = uart.BYTE_US
        self._out: "bytes | bytearray" = b""
        self._at = 0
        self._next_us = 0  # when the next byte of the frame is out

    def take(self, byte: int) -> None:
        if byte == 0x55:
            self._chip.wake()
        self._chip.take(byte)

    def give(self, now_us: int) -> int:
        if self._at == len(self._out):
            frames = self._chip.frames
            if not frames or frames[0][0] > now_us:
                return -1
            ready_us, self._out = frames.pop(0)
            self._at = 0
            self._next_us = max(ready_us + self._byte_us, self._next_us)
        if self._next_us > now_us:
            return -1
        self._next_us += self._byte_us
        self._at += 1
        return self._out[self._at - 1]
