"""The hardware watchdog, fed only while every task shows that it is alive.

Source: MicroPython documentation, machine.WDT: it cannot be stopped; on the rp2 its longest time is 8,388 ms.
A single feeding task would keep a board alive whose scan loop is dead: here each task reports in turn, and the
dog is fed when all have since the last feeding.
Limit: once armed, any pause longer than `TIMEOUT_MS` resets the board, a flash erase (at most 0.4 s) included.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Timer(Protocol):
        """machine.WDT, already armed."""

        def feed(self) -> object: ...


TIMEOUT_MS = 8000


class Watchdog:
    """Feeds the timer when every one of `tasks` has reported."""

    def __init__(self, timer: "Timer", tasks: int) -> None:
        assert 0 < tasks <= 30
        self._timer = timer
        self._all = (1 << tasks) - 1
        self._reported = 0

    def alive(self, task: int) -> None:
        """Task number `task` (from 0) goes on."""
        self._reported |= 1 << task
        if self._reported & self._all == self._all:
            self._reported = 0
            self._timer.feed()

    def missing(self) -> "tuple[int, ...]":
        """The tasks that have not reported since the last feeding."""
        return tuple([task for task in range(30) if self._all & ~self._reported & 1 << task])

    def force(self) -> None:
        """Feed although some are missing: for a long step at start that is known to end."""
        self._timer.feed()
