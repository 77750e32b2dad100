"""The decks of a simulated house: which cards are in the shoe, on the felt, in the rack or on the floor.

Physical bookkeeping only. `deal_order` is the order in which a dealer's hands
move at each game (TCF-29, STU-27, TCP-55, UTH-19, THE-51), written here once
more on purpose: a script must not take it from the code that it tests.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from sabot_gateway.model.card import DECK, Card, text_from_card
from sabot_gateway.model.game import Game
from sabot_gateway.model.tag import CardTag, Deck, Tag

DEALER: Final = 0  # whose hand is the dealer's

DECKS: Final = {
    "A": Deck("A", "blue"),
    "B": Deck("B", "red"),
    "C": Deck("C", "blue", uses=3),  # has served before
}
PACKETS: Final = frozenset({Game.UTH})  # UTH-19: two cards at once to each player


class CardBox:
    """The cards by deck and place; the deck in use is the one that the next card comes from."""

    def __init__(self) -> None:
        self.in_use = "A"
        self.register: Mapping[Tag, CardTag] = {
            tag_of(card, deck): CardTag(card, deck) for deck in DECKS for card in DECK
        }
        self.planned: dict[int, list[Card]] = {}  # hands as the script wants them dealt
        self.hands: dict[int, list[Tag]] = {}
        self.out: list[Tag] = []  # everything out of the shoe in this coup, in order
        self.rack: list[Tag] = []
        self.floor: set[Tag] = set()

    def tag(self, card: Card) -> Tag:
        return tag_of(card, self.in_use)

    def whole(self) -> list[Tag]:
        """The deck in use without what fell on the floor."""
        return [tag for card in DECK if (tag := self.tag(card)) not in self.floor]

    def stub(self) -> list[Tag]:
        """What has neither left the shoe nor reached the rack."""
        gone = {*self.out, *self.rack}
        return [tag for tag in self.whole() if tag not in gone]

    def deal_order(self, game: Game, button: int = 0) -> list[tuple[int, Card]]:
        """The planned hands card by card; the dealer comes last, at hold'em the button."""
        seats = sorted(self.planned, key=lambda seat: (seat == DEALER, seat <= button, seat))
        if game in PACKETS:
            return [(seat, card) for seat in seats for card in self.planned[seat]]
        longest = max(map(len, self.planned.values()), default=0)
        return [
            (seat, self.planned[seat][nth]) for nth in range(longest) for seat in seats if nth < len(self.planned[seat])
        ]

    def laid(self, seat: int | None, tag: Tag) -> None:
        """A card has left the shoe, for a hand or for none."""
        self.out.append(tag)
        if seat is not None:
            self.hands.setdefault(seat, []).append(tag)

    def discard(self, tags: Iterable[Tag]) -> None:
        """Into the rack, each card once, except what fell on the floor."""
        for tag in tags:
            if tag not in self.rack and tag not in self.floor:
                self.rack.append(tag)

    def gather(self) -> None:
        """The deck is taken out of the rack to be shuffled: a new coup can be dealt."""
        self.planned.clear()
        self.hands.clear()
        self.out.clear()
        self.rack.clear()


def tag_of(card: Card, deck: str) -> Tag:
    return Tag(f"ca{'ABC'.index(deck)}{card:02x}")


def card_names(cards: Sequence[Card]) -> str:
    return " ".join(map(text_from_card, cards))
