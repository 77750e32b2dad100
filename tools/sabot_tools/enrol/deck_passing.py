"""A deck, card by card over the shoe's reader in a stated order: 52 tags, each once, none of them known.

Owns the order, and what is refused on the way. A doubtful reading is never taken: the same card is asked for again.
"""

from collections.abc import Sequence
from typing import Final

from sabot_gateway.model.card import RANKS, SUITS, Card, card_from_text
from sabot_gateway.model.event import CardDoubted, CardScanned, DeviceEvent
from sabot_gateway.model.tag import Tag
from sabot_tools.enrol.dialogue import DOUBTS, QUIT, UNDO, WhyNot, stopped

SHOE: Final = 0  # the shoe's reader on the wire
# Suit by suit, each from the deuce to the ace.
ORDER: Final = tuple(card_from_text(rank + suit) for suit in SUITS for rank in RANKS)

_RANKS: Final = {"T": "10", "J": "jack", "Q": "queen", "K": "king", "A": "ace"}
_SUITS: Final = ("clubs", "diamonds", "hearts", "spades")


def spoken(card: Card) -> str:
    """A card as a person says it: `7 of hearts`."""
    rank = RANKS[card >> 2]
    return f"{_RANKS.get(rank, rank)} of {_SUITS[card & 3]}"


class DeckPassing:
    """Collects the tags of one deck; `deck` is whole when it is done."""

    def __init__(self, name: str, why_not: WhyNot) -> None:
        self.deck: dict[Card, Tag] = {}
        self._name = name
        self._why_not = why_not
        self._is_confirmed = False
        self._is_mute = False

    @property
    def is_done(self) -> bool:
        return len(self.deck) == len(ORDER) and (self._is_confirmed or self._is_mute)

    def opening(self) -> Sequence[str]:
        return (
            f"Deck {self._name}: pass the cards over the shoe one by one: clubs, diamonds, hearts, spades, each from "
            "the 2 to the ace.",
            f"{UNDO} and Enter takes the last card back, {QUIT} and Enter stops.",
            self._next(),
        )

    def heard(self, event: DeviceEvent) -> Sequence[str]:
        match event:
            case CardScanned(reader=reader) if reader != SHOE:
                return (f"Read at reader {reader}, which is not the shoe: not taken. {self._next()}",)
            case CardScanned(tag=tag):
                return (self._pass(tag),)
            case CardDoubted(reader=reader, reason=reason) if reader == SHOE:
                return (f"Doubtful, not taken: {DOUBTS[reason]}. {self._next()}",)
            case _:
                return ()

    def typed(self, word: str) -> Sequence[str]:
        if word == QUIT:
            raise stopped()
        if word == UNDO:
            if not self.deck:
                return (f"There is no card to take back. {self._next()}",)
            card, _ = self.deck.popitem()
            return (f"The {spoken(card)} was taken back. {self._next()}",)
        if not word and len(self.deck) == len(ORDER):
            self._is_confirmed = True
            return ()
        return (self._next(),)

    def ended(self) -> None:
        self._is_mute = True  # readings go on; without a keyboard a whole deck needs no confirmation

    def _pass(self, tag: Tag) -> str:
        for card, known in self.deck.items():
            if known == tag:
                return f"This card was passed already, as the {spoken(card)}: not taken. {self._next()}"
        if len(self.deck) == len(ORDER):
            return f"A 53rd card: not taken, and something is wrong with the deck. {self._next()}"
        if why := self._why_not(tag):
            return f"This card's tag {why}: not taken. {self._next()}"
        self.deck[ORDER[len(self.deck)]] = tag
        return self._next()

    def _next(self) -> str:
        if len(self.deck) == len(ORDER):
            return f"{len(ORDER)} cards: Enter registers deck {self._name}."
        return f"next: {spoken(ORDER[len(self.deck)])} ({len(self.deck)} of {len(ORDER)})"
