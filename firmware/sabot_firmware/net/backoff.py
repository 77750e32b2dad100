"""How long to wait before the next attempt to connect: doubling, with jitter, never long.

Owns the waiting times. Full jitter (Marc Brooker, "Exponential Backoff And Jitter", 2015) keeps five hundred tables
that lost one broker together from coming back together; the floor keeps a table from hammering it alone.
"""

import os

# The first retry is quick, because most drops are a moment of radio; the last is short, because a dealer waits.
FLOOR_MS = 200
CEILING_MS = 15000


class Backoff:
    """Waiting times of one link."""

    def __init__(self, floor_ms: int = FLOOR_MS, ceiling_ms: int = CEILING_MS) -> None:
        self._floor_ms = floor_ms
        self._ceiling_ms = ceiling_ms
        self._span_ms = floor_ms

    def succeeded(self) -> None:
        """The connection stood: start over with short waits."""
        self._span_ms = self._floor_ms

    def next_ms(self) -> int:
        """The wait before the next attempt."""
        span = self._span_ms
        self._span_ms = min(2 * span, self._ceiling_ms)
        return self._floor_ms + random_below(span)


def random_below(limit: int) -> int:
    """An integer from 0 to limit - 1; the small bias of the remainder does not matter for jitter."""
    return int.from_bytes(os.urandom(3), "big") % limit
