"""Random numbers that are the same on both Pythons, so that a seed names one run for ever.

Knuth's 64-bit MMIX linear congruential generator; only its high bits are used, the low ones have short periods.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_MASK = (1 << 64) - 1


class Seeded:
    """A stream of numbers that a seed fixes."""

    def __init__(self, seed: int) -> None:
        self._state = (seed * 2 + 1) & _MASK
        self.below(2)

    def below(self, limit: int) -> int:
        """An integer from 0 to limit - 1."""
        self._state = (self._state * 6364136223846793005 + 1442695040888963407) & _MASK
        return (self._state >> 33) % limit

    def chance(self, percent: int) -> bool:
        """True in about this many of a hundred calls."""
        return self.below(100) < percent

    def bytes(self, size: int) -> bytes:
        """This many bytes."""
        return bytes([self.below(256) for _ in range(size)])

    def shuffle(self, items: "list[Any]") -> None:
        """Put the items into a random order, in place."""
        for last in range(len(items) - 1, 0, -1):
            other = self.below(last + 1)
            items[last], items[other] = items[other], items[last]
