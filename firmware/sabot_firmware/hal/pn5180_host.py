"""The PN5180's host interface: one instruction at a time over SPI, paced by BUSY, in steps that never wait.

Source: NXP "PN5180A0xx/C3 High-performance multiprotocol full NFC frontend" data sheet, section 11.4 (SPI mode 0,
most significant bit first, at most 7 Mbit/s; NSS low, exchange, wait for BUSY high, NSS high, wait for BUSY low;
an answer is fetched by a second exchange of its own) and 11.4.3.3 (instruction codes below).
Limits: one instruction under way; at most 16 bytes each way (an inventory request has 14, its answer 10).
A step that must wait for BUSY to fall comes back later; it never leaves the chip selected, so other chips may share
the bus. BUSY rises within microseconds of an exchange: one that does not is stuck.
Owns instructions. Knows no protocol of the air.
"""

from sabot_firmware.core.ticks import ticks_add, ticks_diff
from sabot_firmware.hal.errors import ReaderError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot_firmware.hal.bus import Pin, SpiBus

WRITE_REGISTER = 0x00
OR_REGISTER = 0x01
AND_REGISTER = 0x02
READ_REGISTER = 0x04
READ_EEPROM = 0x07
SEND_DATA = 0x09
READ_DATA = 0x0A
LOAD_RF_CONFIG = 0x11
RF_ON = 0x16
RF_OFF = 0x17

ROOM = 16

# BUSY falls within 0.1 ms of most instructions; RF_ON and LOAD_RF_CONFIG take up to a few milliseconds.
_FALL_SPINS = 40
_BUSY_MS = 50
# At 2 µs or more for each look, this is over 0.4 ms.
_RISE_SPINS = 200
_IDLE, _BEGIN, _PENDING, _TOLD, _FETCHED = range(5)


class Pn5180Host:
    """Sends instructions and fetches their answers; `answer[:n]` holds the last one."""

    def __init__(self, spi: "SpiBus", nss: "Pin", busy: "Pin") -> None:
        self._spi = spi
        self._nss = nss
        self._busy = busy
        self._out = bytearray(2 + ROOM)
        self._out_view = memoryview(self._out)
        self.answer = bytearray(ROOM)
        self._answer_view = memoryview(self.answer)
        self._out_size = 0
        self._in_size = 0
        self._state = _IDLE
        self._until = 0
        nss(1)

    def clear(self) -> None:
        """Forget the instruction under way: the chip was reset."""
        self._nss(1)
        self._state = _IDLE

    def write(self, code: int, register: int, value: int) -> None:
        """Begin WRITE_REGISTER, OR_REGISTER or AND_REGISTER (32 bits, least significant byte first)."""
        out = self._out
        out[0] = code
        out[1] = register
        for at in range(4):
            out[2 + at] = value & 0xFF
            value >>= 8
        self._begin(6, 0)

    def read(self, register: int) -> None:
        """Begin READ_REGISTER; value() gives it when done."""
        self.instruct(READ_REGISTER, register, -1, 4)

    def instruct(self, code: int, first: int, second: int, answer_size: int) -> None:
        """Begin an instruction with one parameter, or two (-1 = none), and an answer of this size."""
        self._out[0] = code
        self._out[1] = first
        self._out[2] = second & 0xFF
        self._begin(2 if second < 0 else 3, answer_size)

    def send(self, data: "bytes | bytearray | memoryview", size: int) -> None:
        """Begin SEND_DATA of `data[:size]`, whole bytes."""
        self._out[0] = SEND_DATA
        self._out[1] = 0
        for at in range(size):
            self._out[2 + at] = data[at]
        self._begin(2 + size, 0)

    def value(self, shift: int, bits: int) -> int:
        """Some bits of the register just read; never the whole 32, which would not be a small integer."""
        result = 0
        for bit in range(bits):
            at = shift + bit
            result |= (self.answer[at >> 3] >> (at & 7) & 1) << bit
        return result

    def _begin(self, out_size: int, in_size: int) -> None:
        assert self._state == _IDLE, "an instruction is under way"
        assert in_size <= ROOM
        self._out_size = out_size
        self._in_size = in_size
        self._state = _BEGIN

    def step(self, now_ms: int) -> bool:
        """Go on; True when the instruction is done. ReaderError("busy_stuck") when the chip stands still."""
        if self._state == _IDLE:
            return True
        if self._state == _BEGIN:
            self._until = ticks_add(now_ms, _BUSY_MS)
            self._state = _PENDING
        if self._state == _PENDING:
            if not self._has_fallen(now_ms):
                return False
            self._exchange(_TOLD)
        if not self._has_fallen(now_ms):
            return False
        if self._state == _TOLD and self._in_size:
            self._exchange(_FETCHED)
            if not self._has_fallen(now_ms):
                return False
        self._state = _IDLE
        return True

    def _exchange(self, state: int) -> None:
        try:
            self._nss(0)
            if state == _TOLD:
                self._spi.write(self._out_view[: self._out_size])
            else:
                self._spi.readinto(self._answer_view[: self._in_size], 0xFF)
            for _ in range(_RISE_SPINS):
                if self._busy():
                    self._state = state
                    return
        finally:
            self._nss(1)
        raise ReaderError("busy_stuck")

    def _has_fallen(self, now_ms: int) -> bool:
        for _ in range(_FALL_SPINS):
            if not self._busy():
                return True
        if ticks_diff(now_ms, self._until) >= 0:
            raise ReaderError("busy_stuck")
        return False
