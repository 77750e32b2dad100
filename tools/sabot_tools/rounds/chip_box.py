"""The chips of a simulated house, and which of them lie on which spot.

Physical bookkeeping only: tags move from the box to a spot and back, so that a
script can speak of amounts. What the movement means is for the table to say.
"""

from collections.abc import Iterable, Mapping
from typing import Final

from sabot_gateway.model.felt import FeltSpot
from sabot_gateway.model.tag import Chip, ChipState, Tag
from sabot_tools.rounds.words import text_from_cents

Place = tuple[int, FeltSpot]

VALUES: Final = (1_000_000, 500_000, 100_000, 50_000, 10_000, 5_000, 2_500, 1_000, 500, 200, 100, 50, 20, 10, 5, 2, 1)
EACH: Final = 60  # chips of one value in the house
ODD: Final = ("unknown", "foreign", "withdrawn")  # chips that should not be on any felt


class NotThereError(ValueError):
    """A script moves chips that are not where it takes them from; the text says which."""


class ChipBox:
    """Gives out chips, takes them back; no chip is ever in two places."""

    def __init__(self) -> None:
        self._free = {value: [_tag(value, number) for number in range(EACH, 0, -1)] for value in VALUES}
        self._free_odd = {
            kind: [Tag(f"0dd{ODD.index(kind)}{number:04x}") for number in range(9, 0, -1)] for kind in ODD
        }
        self._felt: dict[Place, list[Tag]] = {}
        self.register: Mapping[Tag, Chip] = {
            **{tag: Chip(value) for value, tags in self._free.items() for tag in tags},
            **{tag: Chip(500, ChipState.FOREIGN) for tag in self._free_odd["foreign"]},
            **{tag: Chip(500, ChipState.WITHDRAWN) for tag in self._free_odd["withdrawn"]},
        }

    def at(self, place: Place) -> tuple[Tag, ...]:
        return tuple(self._felt.get(place, ()))

    def cents_at(self, place: Place) -> int:
        return sum(self._value(tag) for tag in self.at(place))

    def places(self) -> tuple[Place, ...]:
        """Every spot on which something lies."""
        return tuple(place for place, tags in self._felt.items() if tags)

    def add(self, place: Place, stack: Iterable[int]) -> None:
        """Lay chips of these amounts on a spot, each amount in as few chips as the house has values for."""
        for amount in stack:
            self._felt.setdefault(place, []).extend(self._drawn(amount))

    def add_odd(self, place: Place, kind: str) -> Tag:
        tag = self._free_odd[kind].pop()
        self._felt.setdefault(place, []).append(tag)
        return tag

    def remove(self, place: Place, amount: int | None = None) -> None:
        """Take an amount (or everything) off a spot; a chip too large for it is changed, as a dealer would."""
        held = self._felt.get(place, [])
        if not held:
            raise NotThereError(f"nothing lies on {place[1]} of seat {place[0]}.")
        worth = self.cents_at(place)
        rest = 0 if amount is None else worth - amount
        if rest < 0:
            raise NotThereError(f"only {text_from_cents(worth)} lies on {place[1]} of seat {place[0]}.")
        self._felt[place] = []
        kept: list[Tag] = []
        # The largest chips that fit stay where they are, so that only what must move has moved.
        for tag in sorted(held, key=self._value, reverse=True):
            if amount is not None and self._value(tag) <= rest and self._value(tag):
                kept.append(tag)
                rest -= self._value(tag)
            else:
                self._put_back(tag)
        self._felt[place] = kept
        self.add(place, (rest,) if rest else ())

    def remove_odd(self, place: Place) -> None:
        """Take the chips without value off a spot."""
        held = self._felt.get(place, [])
        if all(map(self._value, held)):
            raise NotThereError(f"every chip on {place[1]} of seat {place[0]} is in order.")
        self._felt[place] = [tag for tag in held if self._value(tag)]

    def move(self, source: Place, target: Place) -> None:
        """The very same chips on another spot."""
        if not self._felt.get(source):
            raise NotThereError(f"nothing lies on {source[1]} of seat {source[0]}.")
        self._felt.setdefault(target, []).extend(self._felt.pop(source))

    def exchange(self, place: Place) -> None:
        """Other chips of the same worth on a spot."""
        held = self._felt.get(place, [])
        if not held:
            raise NotThereError(f"nothing lies on {place[1]} of seat {place[0]}.")
        self._felt[place] = self._drawn(self.cents_at(place))
        for tag in held:
            self._put_back(tag)

    def _drawn(self, amount: int) -> list[Tag]:
        tags: list[Tag] = []
        for value in VALUES:
            while amount >= value and self._free[value]:
                tags.append(self._free[value].pop())
                amount -= value
        if amount:
            raise NotThereError("the house has run out of chips.")
        return tags

    def _put_back(self, tag: Tag) -> None:
        value = self._value(tag)
        if value:
            self._free[value].append(tag)

    def _value(self, tag: Tag) -> int:
        chip = self.register.get(tag)
        return chip.value_cents if chip is not None and chip.state is ChipState.IN_PLAY else 0


def _tag(value: int, number: int) -> Tag:
    return Tag(f"c{value:07x}{number:04x}")
