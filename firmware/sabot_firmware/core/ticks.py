"""Milliseconds that wrap around, as MicroPython's time.ticks_ms() gives them.

Owns the arithmetic of ticks and their extension to an uptime that never wraps. Reads no clock.
Limit: two ticks compare rightly only when less than half a period (6.2 days) lies between them, so whoever
keeps a tick must forget it in time; each class here that keeps one says how it does.
Every intermediate value fits a 31-bit small integer: on a 32-bit board nothing here allocates.
"""

# MicroPython's TICKS_PERIOD on the rp2, esp32 and 32-bit unix ports: 2**30 ms, 12.4 days.
MASK = (1 << 30) - 1
_HALF = 1 << 29


def ticks_diff(later: int, earlier: int) -> int:
    """Milliseconds from `earlier` to `later`, negative when `later` came first."""
    distance = (later - earlier) & MASK
    return distance if distance < _HALF else distance - MASK - 1


def ticks_add(ticks: int, delta_ms: int) -> int:
    """The ticks `delta_ms` after `ticks`."""
    return (ticks + delta_ms) & MASK


class Uptime:
    """Turns ticks into milliseconds since start; asked at least every 6 days, it never goes backwards."""

    def __init__(self, now_ms: int) -> None:
        self._last = now_ms
        self.ms = 0

    def at(self, now_ms: int) -> int:
        """The uptime at these ticks; ticks a little older than the last ones give the last uptime again."""
        passed = ticks_diff(now_ms, self._last)
        if passed > 0:
            self.ms += passed
            self._last = now_ms
        return self.ms
