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


class Pn532Chip:
    """The chip behind its ports; `sent` holds (ready_us, frame)."""

    def __init__(self, clock: "Clock", fields: Fields, reset: "Pin") -> None:
        self.clock = clock
        self.fields = fields
        self.ic = 0x32
        self.damaged = 0  # this many coming frames get a wrong checksum
        self.hangs = False
        self.garbage = b""  # sent in place of the next answer
        self.resets = 0
        self.field_on = False
        self.frames: "list[tuple[int, bytes]]" = []
        self.commands: "list[bytes]" = []
        self._input = b""
        self._last = b""
        self._awake_us = -1
        self._ready_us = 0
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
        self._input = b""
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
        self._input = (self._input + bytes([byte]))[-300:]
        start = self._input.find(b"\x00\xff")
        if start < 0:
            return
        body = self._input[start + 2 :]
        if len(body) >= 2 and body[:2] in (b"\x00\xff", b"\xff\x00"):
            self._input = b""
            self._handshake(body[:2] == b"\x00\xff")
        elif len(body) >= 2 and sum(body[:2]) & 0xFF:
            self._input = self._input[start + 2 :]
        elif len(body) >= 2 and len(body) >= body[0] + 3:
            self._input = b""
            if sum(body[2 : body[0] + 3]) & 0xFF == 0 and body[2] == 0xD4:
                self._command(body[3 : body[0] + 2])

    def _handshake(self, is_ack: bool) -> None:
        if is_ack:
            self.frames = []
        elif self._last:
            self._queue(self._last, _ACK_US)

    def _command(self, command: bytes) -> None:
        self.commands = self.commands[-31:] + [command]
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
        frame = _ERROR
        if payload:
            body = b"\xd5" + payload
            wrong = 0
            if self.damaged:
                self.damaged -= 1
                wrong = 1
            ends = bytes([(wrong - sum(body)) & 0xFF, 0])
            frame = b"\x00\x00\xff" + bytes([len(body), -len(body) & 0xFF]) + body + ends
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


class SpiPort:
    """The chip's SPI side: least significant bit first, a code, then status, frame in or frame out."""

    def __init__(self, chip: Pn532Chip) -> None:
        self._chip = chip
        self._code = -1
        self._out = b""

    def select(self) -> None:
        self._code = -1
        self._out = b""
        self._chip.wake()

    def deselect(self) -> None:
        self._code = -1

    def exchange(self, byte: int) -> int:
        if not self._chip.is_awake() or self._chip.hangs:
            return 0x00 if self._chip.hangs else 0xFF
        byte = _reversed(byte)
        if self._code < 0:
            self._code = byte
            return 0
        if self._code == 1:
            self._chip.take(byte)
            return 0
        frames = self._chip.frames
        is_ready = bool(frames) and frames[0][0] <= self._chip.clock.us
        if self._code == 2:
            return _reversed(1 if is_ready else 0)
        if not self._out and is_ready:
            # The frame is gone once its first byte is out; a reader that stops early has lost the rest.
            self._out = frames.pop(0)[1]
        elif not self._out:
            return 0
        answer, self._out = self._out[0], self._out[1:]
        return _reversed(answer)


class UartPort:
    """The chip's high-speed UART; `sent` holds (ready_us, byte)."""

    def __init__(self, chip: Pn532Chip, uart: "type[Uart]") -> None:
        self._chip = chip
        self._byte_us = uart.BYTE_US
        self._stream: "list[tuple[int, int]]" = []

    @property
    def sent(self) -> "list[tuple[int, int]]":
        while self._chip.frames and self._chip.frames[0][0] <= self._chip.clock.us:
            at, frame = self._chip.frames.pop(0)
            for byte in frame:
                at += self._byte_us
                self._stream.append((at, byte))
        return self._stream

    def take(self, byte: int) -> None:
        if byte == 0x55:
            self._chip.wake()
        self._chip.take(byte)


def _reversed(byte: int) -> int:
    return sum([(byte >> bit & 1) << (7 - bit) for bit in range(8)])
