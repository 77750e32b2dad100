"""Tagged chips, and trays of them: what can be paid out exactly, and what must be changed first.

Owns the chips that are not on the felt. No chip is ever in two trays, so money is
conserved by construction; `TrayEmptyError` says that a house has run out of small change.
Tags are ISO 15693 numbers of eight bytes.
"""

from collections import deque
from collections.abc import Iterable
from typing import Final, NamedTuple

# Cents: coins down to one cent, for rakes and split pots are exact.
VALUES: Final = (1_000_000, 200_000, 50_000, 10_000, 2_500, 1_000, 500, 200, 100, 50, 20, 10, 5, 2, 1)
EACH: Final = 60  # chips of each value at one table

_HEAD = b"\xe0\x04"  # ISO 15693, NXP


class Chip(NamedTuple):
    uid: bytes
    cents: int


class TrayEmptyError(Exception):
    """An amount cannot be paid with the chips at hand."""


def chips_of_table(number: int, each: int = EACH) -> tuple[Chip, ...]:
    """The chips that a house gives to one of its tables."""
    return tuple(
        Chip(_HEAD + bytes((at + 1,)) + number.to_bytes(3, "big") + serial.to_bytes(2, "big"), cents)
        for at, cents in enumerate(VALUES)
        for serial in range(1, each + 1)
    )


def worth(chips: Iterable[Chip]) -> int:
    """What chips amount to, in cents."""
    return sum(chip.cents for chip in chips)


class Tray:
    """Chips by value: the bank's float, or what a player has in front of him.

    What came in last goes out last: a chip just collected does not turn up on another spot in the same moment.
    """

    def __init__(self, chips: Iterable[Chip] = ()) -> None:
        self._chips: dict[int, deque[Chip]] = {}
        self.put(chips)

    @property
    def cents(self) -> int:
        return sum(cents * len(chips) for cents, chips in self._chips.items())

    @property
    def count(self) -> int:
        return sum(map(len, self._chips.values()))

    def put(self, chips: Iterable[Chip]) -> None:
        for chip in chips:
            self._chips.setdefault(chip.cents, deque()).append(chip)

    def has_exactly(self, cents: int) -> bool:
        """Say whether the chips at hand make this amount, largest first."""
        return not cents - sum(value * count for value, count in self._split(cents))

    def take(self, cents: int) -> list[Chip]:
        """Chips worth exactly this much, as few as possible."""
        parts = self._split(cents)
        if sum(value * count for value, count in parts) != cents:
            raise TrayEmptyError(f"no chips for {cents} cents")
        return [self._chips[value].popleft() for value, count in parts for _ in range(count)]

    def take_all(self) -> list[Chip]:
        chips = [chip for held in self._chips.values() for chip in held]
        self._chips.clear()
        return chips

    def pay(self, cents: int, change: "Tray") -> list[Chip]:
        """The same, changing a large chip where the small ones are missing."""
        if not self.has_exactly(cents):
            if self.cents < cents:
                raise TrayEmptyError(f"{self.cents} cents at hand, {cents} wanted")
            self.recolour(change)
            if not self.has_exactly(cents):
                self._break(cents, change)
        return self.take(cents)

    def recolour(self, change: "Tray") -> None:
        """Change everything into as few chips as possible: the same worth, in a smaller pile."""
        cents = self.cents
        change.put(self.take_all())
        self.put(change.take(cents))

    def _break(self, cents: int, change: "Tray") -> None:
        # The part that cannot be made is changed as one payment and its remainder.
        whole = self.cents
        change.put(self.take_all())
        self.put(change.take(cents))
        self.put(change.take(whole - cents))

    def _split(self, cents: int) -> list[tuple[int, int]]:
        parts = []
        for value in sorted(self._chips, reverse=True):
            count = min(cents // value, len(self._chips[value]))
            if count:
                parts.append((value, count))
                cents -= value * count
        return parts
