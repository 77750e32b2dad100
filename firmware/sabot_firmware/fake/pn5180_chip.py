"""A PN5180 as its data sheet describes it (NXP PN5180A0xx/C3), from NSS and BUSY to ISO 15693 tags.

Owns the chip's side: BUSY rises after an exchange and falls when the instruction is done and NSS is high, bytes
sent while it is busy are lost, an answer waits for an exchange of its own, SEND_DATA outside WaitTransmit is a
general error, a request carries SOF and data only as TX_CONFIG says, tags answer in slots and collide.
Written without the driver. Faults: `hangs` (BUSY stands still), `is_noisy` (every slot), `brown_out()`.
Tags by `twist`: "crc" answers damaged, "once" only the first time, "flags", "length", "family", "alien".
An inventory of fourteen tags is two thousand bytes and three thousand looks at BUSY: what they all pass through is
short and allocates nothing.
"""

from sabot_firmware.fake.tag import Fields, Tag

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from sabot_firmware.fake.clock import Clock
    from sabot_firmware.fake.wire import Pin

_ROOM = 264  # the longest instruction
_BOOT_US = 2500
_LOOK_US = 5  # what a look at a pin costs in MicroPython: a call in a loop, at least
_WORK_US = 60
_SLOW_US = 900  # LOAD_RF_CONFIG, RF_ON
_BYTE_TX_US = 302
_T1_US = 320
_ANSWER_US = 4300
_SOF_US = 150
_SYSTEM_CONFIG, _IRQ_STATUS, _IRQ_CLEAR, _RX_STATUS, _TX_CONFIG, _RF_STATUS = 0x00, 0x02, 0x03, 0x13, 0x18, 0x1D
_RX, _TX, _IDLE, _RFOFF, _RFON, _SOF, _ERROR = 1 << 0, 1 << 1, 1 << 2, 1 << 8, 1 << 9, 1 << 14, 1 << 17
_TIMER1, _TIMER1_RELOAD, _TIMER1_CONFIG = 1 << 12, 0x0C, 0x0F
_WRITE, _OR, _AND = 0, 1, 2
_PARAMETERS = {0x00: 5, 0x01: 5, 0x02: 5, 0x04: 1, 0x07: 2, 0x0A: 1, 0x11: 2, 0x16: 1, 0x17: 1}
_NEVER = -1
_SILENT = 0xFF  # the slot of a tag that was not asked
_ONE_BYTE = [bytes([slot]) for slot in range(16)]
_INTEGRITY, _COLLISION = 1 << 16, 1 << 18


class Pn5180Chip:
    """The chip on its SPI bus, with BUSY and RST."""

    def __init__(self, clock: "Clock", fields: Fields, busy: "Pin", reset: "Pin") -> None:
        self._clock = clock
        self._fields = fields
        self.version = b"\x05\x03"
        self.hangs = False
        self.stuck_level = 0
        self.is_noisy = False
        self.garbled_fetch = 0  # the n-th READ_DATA from now on arrives damaged, as the bus has no checksum
        self._fetches = 0
        self.fails = 0  # this many coming SEND_DATA end in a general error
        self.resets = 0
        self.collisions = 0  # slots of 16 in which several tags spoke at once
        self.errors = 0  # instructions the data sheet forbids at that moment
        self.requests: "list[bytes]" = []
        self.field_on = False
        self._in = bytearray(_ROOM)
        self._values = bytearray(72)  # of the registers that were read
        self._hearing: "Callable[[int], int]" = self._hear
        self._telling: "Callable[[int], int]" = self._tell
        self._losing: "Callable[[int], int]" = self._lose
        busy.source = self.busy
        reset.on_change = self._reset
        self._power_up()

    def brown_out(self) -> None:
        """The supply dipped: registers and field are gone."""
        self._power_up()

    def _reset(self, level: int) -> None:
        if not level:
            self.resets += 1
            self.hangs = False
            self._power_up()

    def _power_up(self) -> None:
        self._registers = {_SYSTEM_CONFIG: 0, _TX_CONFIG: 0}
        self._irqs = _IDLE
        self._rx_status = 0
        self._rx = b""
        self._size = 0  # bytes of this exchange that are in
        self._is_answering = False
        self._answer: "bytes | bytearray" = b""
        self._answer_size = 0
        self._told = 0  # bytes of this exchange that are out
        self.exchange: "Callable[[int], int]" = self._losing  # until it is selected
        self._boot_us = self._clock.us + _BOOT_US
        self._done_us = 0
        self._fall_quiet()
        self._slot = -1
        self._slots = 16
        self._asked: "list[Tag]" = []  # who heard the request
        self._places = b""  # the slot of each
        self._speaker = 0
        self._is_waiting = False
        self.field_on = False
        self._fields.power_off()

    def _fall_quiet(self) -> None:
        self._sent_us = self._sof_us = self._rx_us = self._timer_us = _NEVER
        self._is_on_air = False
        self._coming = b""
        self._coming_status = 0

    # The SPI side.

    def select(self) -> None:
        now_us = self._clock.us
        if now_us < self._done_us or now_us < self._boot_us or self.hangs:
            self.exchange = self._losing
        else:
            self.exchange = self._telling if self._is_answering else self._hearing

    def deselect(self) -> None:
        if self._told:
            self._told = 0
            self._is_answering = False
            self._done_us = self._clock.us + 10
        elif self._size:
            self._done_us = self._clock.us + self._instruct(self._size)
            self._size = 0

    def _hear(self, byte: int) -> int:
        size = self._size
        self._in[size] = byte
        self._size = size + 1
        return 0xFF

    def _tell(self, _: int) -> int:
        at = self._told
        self._told = at + 1
        return self._answer[at] if at < self._answer_size else 0xFF

    def _lose(self, _: int) -> int:
        self.errors += 0 if self.hangs else 1
        return 0xFF

    def busy(self, level: "int | None" = None) -> int:
        """BUSY, looked at as a pin is."""
        assert level is None, "BUSY is an output of the chip"
        clock = self._clock
        now_us = clock.us = clock.us + _LOOK_US
        if self.hangs:
            return self.stuck_level
        return 1 if now_us < self._done_us or self._size or self._told or now_us < self._boot_us else 0

    # Instructions.

    def _instruct(self, size: int) -> int:
        code = self._in[0]
        if self._is_on_air:
            self._happen()
        if code == 0x05:
            return self._read_many(size)
        if code == 0x03:
            return self._write_many(size)
        if code == 0x09:
            return self._send(size - 2)
        if _PARAMETERS.get(code, -1) != size - 1:
            return self._wrong()
        if code == 0x0A:
            self._fetch()
        elif code <= _AND:
            self._write(code, self._in[1], 2)
        elif code == 0x04:
            self._read(self._in[1], 0)
            self._answers_with(self._values, 4)
        elif code == 0x07:
            self._read_eeprom(self._in[1], self._in[2])
        elif code == 0x11:
            if self._in[1] == 0x0D and self._in[2] == 0x8D:
                self._registers[_TX_CONFIG] = 0x7C0
            return _SLOW_US
        else:
            return self._switch(code == 0x16)
        return _WORK_US

    def _switch(self, is_on: bool) -> int:
        self.field_on = is_on
        if is_on:
            self._irqs |= _RFON
            return _SLOW_US
        self._fall_quiet()
        self._slot = -1
        self._fields.power_off()
        self._irqs |= _RFOFF
        return _WORK_US

    def _wrong(self) -> int:
        self.errors += 1
        self._irqs |= _ERROR
        return _WORK_US

    def _answers_with(self, answer: "bytes | bytearray", size: int) -> None:
        self._answer = answer
        self._answer_size = min(size, len(answer))
        self._is_answering = True

    def _fetch(self) -> None:
        self._fetches += 1
        rx = self._rx
        if self._fetches == self.garbled_fetch:
            rx = bytes([byte ^ 0x10 for byte in rx])
        self._answers_with(rx, len(rx))

    def _read_eeprom(self, address: int, size: int) -> None:
        memory = {0x10: self.version, 0x12: b"\x05\x03"}
        self._answers_with(memory.get(address, b"\x00" * size), size)

    def _read_many(self, size: int) -> int:
        if not 2 <= size <= 19:
            return self._wrong()
        for at in range(1, size):
            self._read(self._in[at], 4 * at - 4)
        self._answers_with(self._values, 4 * size - 4)
        return _WORK_US

    def _write_many(self, size: int) -> int:
        if size % 6 != 1 or not 7 <= size <= 253:
            return self._wrong()
        at = 1
        while at < size:
            how = self._in[at + 1] - 1
            if not 0 <= how <= 2:
                return self._wrong()
            self._write(how, self._in[at], at + 2)
            at += 6
        return _WORK_US

    def _write(self, how: int, register: int, at: int) -> None:
        if register == _IRQ_CLEAR:
            self._irqs &= ~self._low(at)
            return
        value = self._registers.get(register, 0)
        if how == _AND:
            value = value & self._low(at) | (value >> 24 & self._in[at + 3]) << 24
        elif how == _OR:
            value |= self._low(at) | self._in[at + 3] << 24
        else:
            value = self._low(at) | self._in[at + 3] << 24
        self._set(register, value)

    def _low(self, at: int) -> int:
        # Without the highest byte: 32 bits are no small integer on a 32-bit machine.
        return self._in[at] | self._in[at + 1] << 8 | self._in[at + 2] << 16

    def _set(self, register: int, value: int) -> None:
        changed = self._registers.get(register, 0) ^ value
        self._registers[register] = value
        if register == _SYSTEM_CONFIG and changed & 7:
            # Idle ends what is going on; transceive enters WaitTransmit.
            self._fall_quiet()
            self._is_waiting = value & 7 == 3

    def _read(self, register: int, at: int) -> None:
        if register == _IRQ_STATUS:
            value = self._irqs
        elif register == _RX_STATUS:
            value = self._rx_status
        elif register == _RF_STATUS:
            value = (1 if self._is_waiting else 0) << 24 | (1 << 17 if self.field_on else 0)
        else:
            value = self._registers.get(register, 0)
        values = self._values
        values[at] = value & 0xFF
        values[at + 1] = value >> 8 & 0xFF
        values[at + 2] = value >> 16 & 0xFF
        values[at + 3] = value >> 24

    def _happen(self) -> None:
        now_us = self._clock.us
        if 0 <= self._sent_us <= now_us:
            self._sent_us = _NEVER
            self._irqs |= _TX
        if 0 <= self._sof_us <= now_us:
            self._sof_us = _NEVER
            self._irqs |= _SOF
        if 0 <= self._rx_us <= now_us:
            self._rx_us = _NEVER
            self._irqs |= _RX
            self._rx, self._rx_status = self._coming, self._coming_status
        if 0 <= self._timer_us <= now_us:
            self._timer_us = _NEVER
            self._irqs |= _TIMER1

    # The air.

    def _send(self, size: int) -> int:
        config = self._registers[_TX_CONFIG]
        if self.fails:
            self.fails -= 1
            return self._wrong()
        if not self._is_waiting or bool(config & 0x400) != (size > 0):
            return self._wrong()
        self._fall_quiet()
        self._is_waiting = False
        self._is_on_air = True
        self._rx_status = 0
        self._sent_us = self._clock.us + (_BYTE_TX_US * (size + 3) if size > 0 else 80)
        if size > 0:
            self.requests.append(bytes(self._in[2 : 2 + size]))
            if len(self.requests) > 32:
                self.requests.pop(0)
            self._slot = -1
            if config & 0xC0 == 0xC0 and self._in[3] == 0x01:
                self._ask(self._in[2], self._in[4], size)
        elif self._slot >= 0:
            self._slot = self._slot + 1 if self._slot < self._slots - 1 else -1
        if self.field_on and self._slot >= 0:
            self._answers(self._sent_us + _T1_US)
        self._start_timer()
        return _WORK_US

    def _start_timer(self) -> None:
        config = self._registers.get(_TIMER1_CONFIG, 0)
        if config & 1 and config & 1 << 11:
            at_us = self._sent_us + self._registers.get(_TIMER1_RELOAD, 0) * 100 // 678
            if not (config & 1 << 20 and 0 <= self._sof_us <= at_us):
                self._timer_us = at_us

    def _ask(self, flags: int, bits: int, size: int) -> None:
        # A tag compares the mask with its UID once, when it hears the request, and then counts slots.
        if flags not in (0x06, 0x26) or size != 3 + (bits + 7) // 8:
            return
        self._slot = 0
        self._slots = 1 if flags & 0x20 else 16
        self._asked = list(self._fields.present()) if self.field_on else []
        self._places = bytes([self._place_of(tag, bits) for tag in self._asked])

    def _place_of(self, tag: Tag, bits: int) -> int:
        uid = tag.uid
        if len(uid) != 8 or not self._is_meant(uid, bits):
            return _SILENT  # of another kind, or not asked
        if self._slots == 1:
            return 0
        at = bits >> 3
        following = uid[at] | (uid[at + 1] << 8 if at < 7 else 0)
        return (following >> (bits & 7)) + (1 if tag.twist == "alien" else 0) & 15

    def _is_meant(self, uid: bytes, bits: int) -> bool:
        at = 0
        while bits >= 8:
            if uid[at] != self._in[5 + at]:
                return False
            at += 1
            bits -= 8
        return bits == 0 or (uid[at] ^ self._in[5 + at]) & ((1 << bits) - 1) == 0

    def _answers(self, at_us: int) -> None:
        count = self._count()
        if not count and not self.is_noisy:
            return
        self._sof_us = at_us + _SOF_US
        self._rx_us = at_us + _ANSWER_US
        if self.is_noisy or count > 1:
            self.collisions += 1 if self._slots == 16 else 0
            self._coming_status = _COLLISION | 5
        else:
            self._speak(self._asked[self._speaker])

    def _count(self) -> int:
        """How many tags have this slot; `_speaker` is the last of them."""
        at, count = -1, 0
        while True:
            at = self._places.find(_ONE_BYTE[self._slot], at + 1)
            if at < 0:
                return count
            # One that was taken away meanwhile says nothing any more.
            if self._asked[at] in self._fields.present():
                self._speaker = at
                count += 1

    def _speak(self, tag: Tag) -> None:
        data = b"\x00\x00" + tag.uid
        status = len(data)
        if tag.twist == "crc" or tag.twist == "once":
            if tag.twist == "once":
                tag.twist = ""
            status |= _INTEGRITY
        elif tag.twist == "flags":
            data = b"\x01\x0f" + tag.uid
        elif tag.twist == "length":
            data = data[:7]
            status = 7
        elif tag.twist == "family":
            data = data[:9] + b"\xd0"
        self._coming, self._coming_status = data, status
