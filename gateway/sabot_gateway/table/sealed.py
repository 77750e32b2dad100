"""A card that nobody may see yet (law 7).

The table knows every card the moment it leaves the shoe; the players do not. A
sealed card therefore has no text: whatever prints, formats, logs or serialises
it gets a blank. Two doors open it, each with its reason in its name: one for
the rules, which decide without telling, and one for the snapshot, which stays
beside the journal. What the table shows is decided in `exposure` alone.
"""

from collections.abc import Iterable
from typing import Final, NoReturn

from sabot_gateway.model.card import Card
from sabot_gateway.model.tag import Tag

BLANK: Final = "??"


class SealedCard:
    """A card face down; `card` None inside when its tag could not be read as a card."""

    __slots__ = ("_card", "_tag")

    def __init__(self, card: Card | None, tag: Tag) -> None:
        self._card = card
        self._tag = tag

    def __repr__(self) -> str:
        return BLANK

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return BLANK

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SealedCard) and other._card == self._card and other._tag == self._tag

    def __hash__(self) -> int:
        return hash(self._tag)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a sealed card leaves the table only through the snapshot")

    def __copy__(self) -> "SealedCard":
        return self

    def __deepcopy__(self, memo: object) -> "SealedCard":
        return self

    @property
    def is_read(self) -> bool:
        """Whether the table knows which card it is."""
        return self._card is not None

    def has_tag(self, tags: Iterable[Tag]) -> bool:
        """Whether this very card is among `tags`."""
        return self._tag in tags


Hand = tuple[SealedCard, ...]


def unsealed_for_rules(hand: Iterable[SealedCard]) -> tuple[Card, ...]:
    """The cards a decision is made on; cards that were not read are missing, so that their hand counts short."""
    return tuple(sealed._card for sealed in hand if sealed._card is not None)


def unsealed_for_snapshot(sealed: SealedCard) -> tuple[Card | None, Tag]:
    """Card and tag, for the store beside the journal only."""
    return sealed._card, sealed._tag
