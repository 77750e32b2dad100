"""What lies on one table: chips on the spots, cards in hands and in the rack, each in one place at a time.

Owns the things; the rig only learns where they are. Chips come from somewhere (a
player's purse, the bank's tray) and go somewhere, so nothing is lost on the way.
"""

from collections.abc import Iterable, Sequence

from sabot_tools.twin.card import Card
from sabot_tools.twin.chip import Chip, Tray, worth
from sabot_tools.twin.layout import Place
from sabot_tools.twin.rig import Rig


class Felt:
    def __init__(self, rig: Rig) -> None:
        self._rig = rig
        self._chips: dict[Place, list[Chip]] = {}
        self._rack: list[Card] = []

    @property
    def places(self) -> tuple[Place, ...]:
        """Every spot on which chips lie."""
        return tuple(place for place, chips in self._chips.items() if chips)

    def cents(self, place: Place) -> int:
        return worth(self._chips.get(place, ()))

    def count(self, place: Place) -> int:
        """Chips on a spot."""
        return len(self._chips.get(place, ()))

    def add(self, place: Place, chips: Iterable[Chip]) -> None:
        """Lay chips on a spot, beside what lies there."""
        self._put(place, [*self._chips.get(place, ()), *chips])

    def lift(self, place: Place) -> list[Chip]:
        """Take everything off a spot."""
        chips = self._chips.get(place, [])
        self._put(place, [])
        return chips

    def lift_exactly(self, place: Place, cents: int, change: Tray) -> list[Chip]:
        """Take an amount off a spot; a chip too large for it is changed first."""
        pile = Tray(self.lift(place))
        taken = pile.pay(cents, change)
        self._put(place, pile.take_all())
        return taken

    def take_off(self, place: Place, chips: Sequence[Chip]) -> None:
        """Take these very chips off a spot again."""
        self._put(place, [chip for chip in self._chips.get(place, ()) if chip not in chips])

    def smallest(self, place: Place) -> int:
        """The worth of the smallest chip on a spot; 0 where none lies."""
        return min((chip.cents for chip in self._chips.get(place, ())), default=0)

    def can_pay(self, place: Place, cents: int) -> bool:
        """Whether the chips on a spot make this amount without change."""
        return Tray(self._chips.get(place, ())).has_exactly(cents)

    def push(self, place: Place, to: Place, cents: int) -> None:
        """Push an amount over the felt, from one spot straight to another."""
        pile = Tray(self._chips.get(place, ()))
        pushed = pile.take(cents)
        self._put(place, pile.take_all())
        self.add(to, pushed)

    def straddle(self, place: Place, other: Place) -> None:
        """Let the chips of a spot lie so that the antenna of another, empty one reads them too."""
        self._rig.lay(other, tuple(chip.uid for chip in self._chips.get(place, ())))

    def straighten(self, other: Place) -> None:
        """Push them back to where they belong."""
        self._rig.lay(other, ())

    def collect(self, cards: Iterable[Card]) -> None:
        """Put cards into the discard rack."""
        self._rack += [card for card in cards if card not in self._rack]
        self._rig.fill_rack(tuple(card.uid for card in self._rack))

    def empty_rack(self) -> None:
        """Take the deck out of the rack."""
        self._rack = []
        self._rig.fill_rack(())

    def _put(self, place: Place, chips: list[Chip]) -> None:
        self._chips[place] = chips
        self._rig.lay(place, tuple(chip.uid for chip in chips))
