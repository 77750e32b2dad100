"""A PN5180 as its data sheet describes it (NXP PN5180A0xx/C3), from NSS and BUSY to ISO 15693 tags.

Owns the chip's side: BUSY rises after an exchange and falls when the instruction is done and NSS is high, bytes
sent while it is busy are lost, an answer waits for an exchange of its own, SEND_DATA outside WaitTransmit is a
general error, a request carries SOF and data only as TX_CONFIG says, tags answer in slots and collide.
Written without the driver. Faults: `hangs` (BUSY stands still), `is_noisy` (every slot), `brown_out()`.
Tags by `twist`: "crc" answers damaged, "once" only the first time, "flags", "length", "family", "alien".
"""

from sabot_firmware.fake.tag import Fields, Tag

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot_firmware.fake.clock import Clock
    from sabot_firmware.fake.wire import Pin

_BOOT_US = 2500
_WORK_US = 60
_SLOW_US = 900  # LOAD_RF_CONFIG, RF_ON
_BYTE_TX_US = 302
_T1_US = 320
_ANSWER_US = 4300
_SOF_US = 150
_SYSTEM_CONFIG, _IRQ_STATUS, _IRQ_CLEAR, _RX_STATUS, _TX_CONFIG, _RF_STATUS = 0x00, 0x02, 0x03, 0x13, 0x18, 0x1D
_RX, _TX, _IDLE, _RFOFF, _RFON, _SOF, _ERROR = 1 << 0, 1 << 1, 1 << 2, 1 << 8, 1 << 9, 1 << 14, 1 << 17
_TIMER1, _TIMER1_RELOAD, _TIMER1_CONFIG = 1 << 12, 0x0C, 0x0F
_PARAMETERS = {0x00: 5, 0x01: 5, 0x02: 5, 0x04: 1, 0x07: 2, 0x0A: 1, 0x11: 2, 0x16: 1, 0x17: 1}


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
        self.errors = 0  # instructions the data sheet forbids at that moment
        self.requests: "list[bytes]" = []
        self.field_on = False
        busy.source = self._busy_level
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
        self._events: "list[tuple[int, int, int, bytes]]" = []  # at, irq bits, RX_STATUS, data
        self._irqs = _IDLE
        self._rx_status = 0
        self._rx = b""
        self._answer = b""
        self._in = b""
        self._out = b""
        self._is_selected = False
        self._exchanged = False
        self._boot_us = self._clock.us + _BOOT_US
        self._done_us = 0
        self._mask = (0, 0)
        self._slot = -1
        self._slots = 16
        self._is_waiting = False
        self.field_on = False
        self._fields.power_off()

    # The SPI side.

    def select(self) -> None:
        self._is_selected = True
        self._in = b""
        self._exchanged = False
        self._out = self._answer
        self._is_lost = self._clock.us < self._done_us or self._clock.us < self._boot_us or self.hangs

    def exchange(self, byte: int) -> int:
        if self._is_lost:
            self.errors += 0 if self.hangs else 1
            return 0xFF
        self._exchanged = True
        self._in += bytes([byte])
        if self._out:
            answer, self._out = self._out[0], self._out[1:]
            return answer
        return 0xFF

    def deselect(self) -> None:
        self._is_selected = False
        if not self._exchanged or self._is_lost:
            return
        self._exchanged = False
        if self._answer:
            self._answer = b""
            self._done_us = self._clock.us + 10
        else:
            self._done_us = self._clock.us + self._instruct(self._in)

    def _busy_level(self) -> int:
        self._clock.pass_us(3)  # what a call of a pin costs in MicroPython, at least
        if self.hangs:
            return self.stuck_level
        return 1 if self._exchanged or self._clock.us < self._done_us or self._clock.us < self._boot_us else 0

    # Instructions.

    def _instruct(self, data: bytes) -> int:
        code = data[0]
        self._happen()
        if code != 0x09 and _PARAMETERS.get(code, -1) != len(data) - 1:
            return self._wrong()
        if code in (0x00, 0x01, 0x02):
            self._write(code, data[1], int.from_bytes(data[2:], "little"))
        elif code == 0x04:
            self._answer = self._read(data[1]).to_bytes(4, "little")
        elif code == 0x07:
            memory = {0x10: self.version, 0x12: b"\x05\x03"}
            self._answer = memory.get(data[1], b"\x00" * data[2])[: data[2]]
        elif code == 0x09:
            return self._send(data[2:])
        elif code == 0x0A:
            self._fetches += 1
            flip = 0x10 if self._fetches == self.garbled_fetch else 0
            self._answer = bytes([byte ^ flip for byte in self._rx]) + b"\xff" * 16
        elif code == 0x11:
            if data[1:] == b"\x0d\x8d":
                self._registers[_TX_CONFIG] = 0x7C0
            return _SLOW_US
        elif code == 0x16:
            self.field_on = True
            self._irqs |= _RFON
            return _SLOW_US
        else:
            self.field_on = False
            self._events = []
            self._slot = -1
            self._fields.power_off()
            self._irqs |= _RFOFF
        return _WORK_US

    def _wrong(self) -> int:
        self.errors += 1
        self._irqs |= _ERROR
        return _WORK_US

    def _write(self, code: int, register: int, value: int) -> None:
        if register == _IRQ_CLEAR:
            self._irqs &= ~value
            return
        old = self._registers.get(register, 0)
        new = value if code == 0 else old | value if code == 1 else old & value
        self._registers[register] = new
        if register == _SYSTEM_CONFIG and (old ^ new) & 7:
            # Idle ends what is going on; transceive enters WaitTransmit.
            self._events = []
            self._is_waiting = new & 7 == 3

    def _read(self, register: int) -> int:
        if register == _IRQ_STATUS:
            return self._irqs
        if register == _RX_STATUS:
            return self._rx_status
        if register == _RF_STATUS:
            return (1 if self._is_waiting else 0) << 24 | (1 << 17 if self.field_on else 0)
        return self._registers.get(register, 0)

    def _happen(self) -> None:
        while self._events and self._events[0][0] <= self._clock.us:
            _, irqs, status, data = self._events.pop(0)
            self._irqs |= irqs
            if irqs & _RX:
                self._rx_status = status
                self._rx = data

    # The air.

    def _send(self, data: bytes) -> int:
        config = self._registers[_TX_CONFIG]
        if self.fails:
            self.fails -= 1
            return self._wrong()
        if not self._is_waiting or bool(config & 0x400) != bool(data):
            return self._wrong()
        self._is_waiting = False
        self._rx_status = 0
        sent_us = self._clock.us + (_BYTE_TX_US * (len(data) + 3) if data else 80)
        self._events = [(sent_us, _TX, 0, b"")]
        if data:
            self.requests = self.requests[-31:] + [data]
            self._slot = -1
            if config & 0xC0 == 0xC0 and data[0] in (0x06, 0x26) and data[1] == 0x01:
                bits = data[2]
                self._slots = 1 if data[0] & 0x20 else 16
                if len(data) == 3 + (bits + 7) // 8:
                    self._mask = (bits, int.from_bytes(data[3:], "little") & ((1 << bits) - 1))
                    self._slot = 0
        elif self._slot >= 0:
            self._slot = self._slot + 1 if self._slot < self._slots - 1 else -1
        if self.field_on and self._slot >= 0:
            self._answers(sent_us + _T1_US)
        self._start_timer(sent_us)
        return _WORK_US

    def _start_timer(self, sent_us: int) -> None:
        config = self._registers.get(_TIMER1_CONFIG, 0)
        if config & 1 and config & 1 << 11:
            at_us = sent_us + self._registers.get(_TIMER1_RELOAD, 0) * 100 // 678
            if len(self._events) > 1 and config & 1 << 20 and self._events[1][0] <= at_us:
                return
            self._events.append((at_us, _TIMER1, 0, b""))
            self._events.sort(key=lambda event: event[0])

    def _answers(self, at_us: int) -> None:
        bits, mask = self._mask
        speaking: "list[Tag]" = []
        for tag in self._fields.present():
            number = int.from_bytes(tag.uid, "little")
            slot = number >> bits & 15
            if tag.twist == "alien":
                slot = (slot + 1) & 15
            if number & ((1 << bits) - 1) == mask and (slot == self._slot or self._slots == 1):
                speaking.append(tag)
        if not speaking and not self.is_noisy:
            return
        self._events.append((at_us + _SOF_US, _SOF, 0, b""))
        data, status = self._heard(speaking)
        self._events.append((at_us + _ANSWER_US, _RX, status, data))

    def _heard(self, speaking: "list[Tag]") -> "tuple[bytes, int]":
        if self.is_noisy or len(speaking) > 1:
            return b"", 1 << 18 | 5
        tag = speaking[0]
        data = b"\x00\x00" + tag.uid
        if tag.twist == "crc" or tag.twist == "once":
            if tag.twist == "once":
                tag.twist = ""
            return data, 1 << 16 | 10
        if tag.twist == "flags":
            data = b"\x01\x0f" + tag.uid
        elif tag.twist == "length":
            data = data[:7]
        elif tag.twist == "family":
            data = data[:9] + b"\xd0"
        return data, len(data)
