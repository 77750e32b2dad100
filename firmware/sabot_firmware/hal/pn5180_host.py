"""The PN5180's host interface: one instruction at a time over SPI, paced by BUSY, in steps that never wait.

Source: NXP "PN5180A0xx/C3 High-performance multiprotocol full NFC frontend" data sheet, section 11.4 (SPI mode 0,
most significant bit first, at most 7 Mbit/s; NSS low, exchange, wait for BUSY high, NSS high, wait for BUSY low;
an answer is fetched by a second exchange of its own) and 11.4.3.3 (instructions).
Limits: one instruction under way. A step that must wait for BUSY to fall comes back later; it never leaves the chip
selected, so other chips may share the bus. BUSY rises within microseconds of an exchange: one that does not is stuck.
Owns exchanges. Knows no instruction: it is given each as the bytes that go over the bus, and allocates nothing.
"""

from sabot_firmware.core.ticks import ticks_add, ticks_diff
from sabot_firmware.hal.errors import ReaderError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot_firmware.hal.bus import Data, Pin, Room, SpiBus

# BUSY falls within 0.1 ms of most instructions; RF_ON and LOAD_RF_CONFIG take up to a few milliseconds.
_FALL_SPINS = 40
_BUSY_MS = 50
# At 2 µs or more for each look, this is over 0.4 ms.
_RISE_SPINS = 200
_IDLE, _BEGUN, _TOLD, _DONE = range(4)
NO_ROOM = bytearray(0)


class Pn5180Host:
    """Sends instructions and fetches their answers."""

    def __init__(self, spi: "SpiBus", nss: "Pin", busy: "Pin") -> None:
        self._spi = spi
        self._nss = nss
        self._busy = busy
        self._instruction: "Data" = b""
        self._room: "Room" = NO_ROOM
        self._state = _IDLE
        self._is_waiting = False
        self._until = 0
        nss(1)

    def clear(self) -> None:
        """Forget the instruction under way: the chip was reset."""
        self._nss(1)
        self._state = _IDLE

    def begin(self, instruction: "Data", room: "Room" = NO_ROOM) -> None:
        """Begin an instruction; its answer, if it has one, will fill `room`."""
        assert self._state == _IDLE, "an instruction is under way"
        self._instruction = instruction
        self._room = room
        self._state = _BEGUN
        self._is_waiting = False

    def step(self, now_ms: int) -> bool:
        """Go on; True when the instruction is done. ReaderError("busy_stuck") when the chip stands still."""
        while self._state != _IDLE:
            if self._busy() and not self._turns(0, _FALL_SPINS):
                return self._wait(now_ms)
            if self._state == _DONE:
                self._state = _IDLE
            elif not self._exchange():
                raise ReaderError("busy_stuck")
        return True

    def _exchange(self) -> bool:
        """Send the instruction or fetch its answer; False when BUSY does not rise."""
        try:
            self._nss(0)
            if self._state == _BEGUN:
                self._spi.write(self._instruction)
                self._state = _TOLD if self._room else _DONE
            else:
                self._spi.readinto(self._room, 0xFF)
                self._state = _DONE
            return self._busy() == 1 or self._turns(1, _RISE_SPINS)
        finally:
            self._nss(1)

    def _turns(self, level: int, spins: int) -> bool:
        """Say whether BUSY comes to this level before so many looks are over."""
        busy = self._busy
        for _ in range(spins):
            if busy() == level:
                return True
        return False

    def _wait(self, now_ms: int) -> bool:
        if not self._is_waiting:
            self._is_waiting = True
            self._until = ticks_add(now_ms, _BUSY_MS)
        elif ticks_diff(now_ms, self._until) >= 0:
            raise ReaderError("busy_stuck")
        return False
