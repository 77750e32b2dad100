"""What the drivers of both reader chips have in common: an inventory that is asked for, a reset line, time to wait.

Owns the life before the first question: unknown, held in reset, booting, then the chip's own states from READY on.
Knows no chip. Interface: reader.py; a driver adds poll() and says what it is asked at the moment.
"""

from sabot_firmware.core.ticks import ticks_add

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot_firmware.hal.bus import Antennas, Pin

# States of every chip; its own lie between and behind. From SETTLING on it works on a question.
UNKNOWN, HELD, BOOTING = 0, 1, 2
READY, SETTLING = 4, 5


class ChipReader:
    """A reader chip behind a reset line and perhaps an antenna multiplexer."""

    def __init__(self, reset: "Pin", antennas: "Antennas | None") -> None:
        self.errors = 0
        self.is_busy = True
        self._reset_pin = reset
        self._antennas = antennas
        self._antenna = -1
        self._wanted = False  # an inventory was asked for
        self._proving = False
        self._state = UNKNOWN
        self._until = 0

    def start(self, antenna: int) -> None:
        """Begin an inventory of this antenna."""
        if self._is_asked():
            self._state = UNKNOWN  # the chip still works on the old question: only a reset surely ends it
        self._antenna = antenna
        self._wanted = True
        self.is_busy = True

    def reset(self) -> None:
        """Start the chip from scratch; an inventory under way is lost."""
        self._wanted = False
        self._proving = False
        self._state = UNKNOWN
        self.is_busy = True

    def self_test(self) -> None:
        """Reset and have the chip prove itself; poll then gives ()."""
        self.reset()
        self._proving = True

    def _is_asked(self) -> bool:
        return self._state >= SETTLING

    def _wait(self, state: int, now_ms: int, for_ms: int) -> None:
        self._state = state
        self._until = ticks_add(now_ms, for_ms)
