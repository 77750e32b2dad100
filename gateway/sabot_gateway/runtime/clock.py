"""The port `Clock`: the only place where the gateway learns what time it is.

`now_ms` is UTC and goes into facts; it may be set by a person and jump. `monotonic_ms` never goes back and
measures how long something took: waiting is always counted with it.
"""

import time
from typing import Protocol


class Clock(Protocol):
    def now_ms(self) -> int:
        """UTC in milliseconds."""

    def monotonic_ms(self) -> int:
        """Milliseconds since some moment that stays the same while the process runs."""


class SystemClock:
    """The machine's own clocks."""

    def now_ms(self) -> int:
        return time.time_ns() // 1_000_000

    def monotonic_ms(self) -> int:
        return time.monotonic_ns() // 1_000_000
