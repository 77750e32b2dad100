"""Playing cards as small integers, and their two-letter text.

A card is `rank * 4 + suit`, 0 to 51: rank 0 is the deuce and 12 the ace, suits
run c d h s. Integers order, hash and index tables for free; text (`As`, `Td`)
is for people, tests and files. Suits never rank (STU-78).
"""

from collections.abc import Iterable
from typing import Final, NewType

Card = NewType("Card", int)

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
DECK: Final[tuple[Card, ...]] = tuple(Card(number) for number in range(52))

_TEXT: Final = tuple(rank + suit for rank in RANKS for suit in SUITS)
_CARD: Final = {text: Card(number) for number, text in enumerate(_TEXT)}


def card_from_text(text: str) -> Card:
    """The card named by exactly two letters (`As`); ValueError says what was wrong."""
    try:
        return _CARD[text]
    except (KeyError, TypeError):
        raise ValueError(f"{text!r} is not a card: write a rank of {RANKS} and a suit of {SUITS}, such as As") from None


def text_from_card(card: Card) -> str:
    return _TEXT[card]


def cards_from_text(text: str) -> tuple[Card, ...]:
    """`As3sQh` or `As 3s Qh` as cards, so that a test reads like poker."""
    packed = text.replace(" ", "")
    return tuple(card_from_text(packed[i : i + 2]) for i in range(0, len(packed), 2))


def text_from_cards(cards: Iterable[Card]) -> str:
    return " ".join(map(text_from_card, cards))


def rank_of(card: Card) -> int:
    """0 for a deuce to 12 for an ace."""
    return card >> 2


def suit_of(card: Card) -> int:
    """0 clubs, 1 diamonds, 2 hearts, 3 spades."""
    return card & 3
