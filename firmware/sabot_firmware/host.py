"""What only the board itself can do for the application: say why it started, restart, keep a clock, watch.

Owns the list; main.py fills it from `machine`, a simulation from whatever it runs on.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from sabot_firmware.hal.watchdog import Timer


class Host:
    """The board; every default does nothing."""

    def __init__(self, board: str = "unknown", reset_cause: str = "unknown") -> None:
        self.board = board
        self.reset_cause = reset_cause  # a name of the wire's choice `reset`
        self.timer: "Timer" = _NoTimer()  # machine.WDT, already armed by boot.py
        self.restart: "Callable[[], None]" = _nothing  # on a board it does not return
        self.set_clock: "Callable[[int], None]" = _no_clock  # takes seconds since 1970
        # Fills a buffer with the flash that code runs from, from an offset on; OSError beyond its end.
        self.read_image: "Callable[[int, bytearray | memoryview], None] | None" = None
        self.temperature: "Callable[[], int] | None" = None  # degrees inside the chip


class _NoTimer:
    def feed(self) -> None:
        return


def _nothing() -> None:
    return


def _no_clock(utc_s: int) -> None:
    assert utc_s >= 0
