"""What was made of a value, remembered by which object it is: for frozen values that come again as the same object.

Cheaper than a cache by equality, which must hash the value each time: most lamps of a picture are the very lamps of
the picture before. A value that is equal but another object is made anew; nothing else can differ. Each value is kept
with what was made of it, so no other object can have its identity meanwhile.
"""

from collections.abc import Callable, Iterable
from typing import Final, Generic, TypeVar

MOST: Final = 4_096  # values; then all are forgotten, and those still in use come back one by one

T = TypeVar("T")
R = TypeVar("R")


class Remembered(Generic[T, R]):
    __slots__ = ("_known", "_make")

    def __init__(self, make: Callable[[T], R]) -> None:
        self._make = make
        self._known: dict[int, tuple[T, R]] = {}

    def all_of(self, values: Iterable[T]) -> list[R]:
        """What was made of each, in order."""
        known = self._known
        made = []
        for value in values:
            kept = known.get(id(value))
            if kept is None:
                if len(known) >= MOST:
                    known.clear()
                kept = known[id(value)] = (value, self._make(value))
            made.append(kept[1])
        return made
