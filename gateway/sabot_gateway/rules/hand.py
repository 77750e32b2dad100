"""What a poker hand is worth: one integer per hand, stronger is greater.

A strength packs the category and the ranks that break ties, most significant
first, so it can be read back without a table:

    five cards    level << 20 | r1 << 16 | r2 << 12 | r3 << 8 | r4 << 4 | r5
    three cards   level << 12 | r1 <<  8 | r2 <<  4 | r3

Ranks are 2 to 14 in order of comparison; unused places are 0; `level` counts
from 1 in `CATS5` or `CATS3`. The two spaces differ (with three cards a straight
beats a flush, and trips beat both: TCF-80, TCP-28), hence no three-card strength
may be compared with a five-card one. Every three-card strength is below
`1 << 20`, every five-card strength above.

Cards must be distinct; whoever reads them from outside checks that. How the
tables behind `best5` are made is the business of `hand_table`.
"""

from collections.abc import Sequence
from enum import StrEnum
from typing import Final, NoReturn

from sabot_gateway.model.card import Card
from sabot_gateway.rules.hand_table import CARD_KEY, COUNTS, RANK_SHIFT, SUIT_MASK, Lookup
from sabot_gateway.rules.hand_three import three_card_strength


class Category(StrEnum):
    """The name of a combination. Which one is higher depends on the game: compare strengths, or use `reaches`."""

    HIGH_CARD = "high_card"
    PAIR = "pair"
    TWO_PAIR = "two_pair"
    TRIPS = "trips"
    STRAIGHT = "straight"
    FLUSH = "flush"
    FULL_HOUSE = "full_house"
    QUADS = "quads"
    STRAIGHT_FLUSH = "straight_flush"
    ROYAL_FLUSH = "royal_flush"

    def _no_order(self, _other: str, /) -> NoReturn:
        raise TypeError("categories have no order of their own (three and five cards differ): use reaches()")

    __lt__ = __le__ = __gt__ = __ge__ = _no_order


# STU-78: from weakest to strongest; the royal flush is a category of its own.
CATS5: Final = (
    Category.HIGH_CARD,
    Category.PAIR,
    Category.TWO_PAIR,
    Category.TRIPS,
    Category.STRAIGHT,
    Category.FLUSH,
    Category.FULL_HOUSE,
    Category.QUADS,
    Category.STRAIGHT_FLUSH,
    Category.ROYAL_FLUSH,
)
# TCF-80, TCP-28.
CATS3: Final = (
    Category.HIGH_CARD,
    Category.PAIR,
    Category.FLUSH,
    Category.STRAIGHT,
    Category.TRIPS,
    Category.STRAIGHT_FLUSH,
)

_FIVE_CARDS: Final = 1 << 20
_LEVEL3: Final = {category: level for level, category in enumerate(CATS3, start=1)}
_LEVEL5: Final = {category: level for level, category in enumerate(CATS5, start=1)}
_WITH_WHEEL: Final = {count: Lookup(count, wheel=True) for count in COUNTS}
_WITHOUT_WHEEL: Final = {count: Lookup(count, wheel=False) for count in COUNTS}
_FIVE: Final = _WITH_WHEEL[5].by_ranks
_FIVE_FLUSH: Final = _WITH_WHEEL[5].flush
_SEVEN: Final = _WITH_WHEEL[7].by_ranks
_SEVEN_FLUSH: Final = _WITH_WHEEL[7].flush


def rank3(cards: Sequence[Card], ace_low: bool = True) -> int:
    """The strength of three cards; with `ace_low` A-2-3 is the lowest straight (TCF-81, TCP-40)."""
    first, second, third = cards
    return three_card_strength(first, second, third, ace_low)


def rank5(cards: Sequence[Card], wheel: bool = True) -> int:
    """The strength of exactly five cards; with `wheel` A-2-3-4-5 is the lowest straight (STU-37)."""
    a, b, c, d, e = cards
    if wheel:
        key = CARD_KEY[a] + CARD_KEY[b] + CARD_KEY[c] + CARD_KEY[d] + CARD_KEY[e]
        if not _FIVE_FLUSH[key & SUIT_MASK]:
            try:
                return _FIVE[key >> RANK_SHIFT]
            except KeyError:
                pass  # the first time that these ranks are asked for
    return _best(cards, wheel)


def best5(cards: Sequence[Card], wheel: bool = True) -> int:
    """The strength of the best five of five, six or seven cards (UTH-38, TCP-25)."""
    if wheel:
        # Seven cards are the commonest question by far: tried first and written out, this is where the time goes.
        try:
            a, b, c, d, e, f, g = cards
            key = CARD_KEY[a] + CARD_KEY[b] + CARD_KEY[c] + CARD_KEY[d] + CARD_KEY[e] + CARD_KEY[f] + CARD_KEY[g]
            if not _SEVEN_FLUSH[key & SUIT_MASK]:
                return _SEVEN[key >> RANK_SHIFT]
        except (ValueError, KeyError):
            pass  # another number of cards, or the first time that these ranks are asked for
    return _best(cards, wheel)


def category_of(strength: int) -> Category:
    if strength < _FIVE_CARDS:
        return CATS3[(strength >> 12) - 1]
    return CATS5[(strength >> 20) - 1]


def tiebreak_of(strength: int) -> tuple[int, ...]:
    """The ranks (2 to 14) that order hands of one category, most important first: 9-9-9-4-4 is (9, 9, 9, 4, 4)."""
    shifts = (8, 4, 0) if strength < _FIVE_CARDS else (16, 12, 8, 4, 0)
    return tuple(rank for shift in shifts if (rank := strength >> shift & 15))


def reaches(strength: int, category: Category) -> bool:
    """Whether a hand is of `category` or better, in the order of its own number of cards."""
    if strength < _FIVE_CARDS:
        return strength >> 12 >= _LEVEL3[category]
    return strength >> 20 >= _LEVEL5[category]


def is_mini_royal(cards: Sequence[Card]) -> bool:
    """TCP-24: ace, king and queen of one suit."""
    first, second, third = sorted(cards)
    return first >= 40 and second == first + 4 and third == first + 8


def _best(cards: Sequence[Card], wheel: bool) -> int:
    lookup = (_WITH_WHEEL if wheel else _WITHOUT_WHEEL).get(len(cards))
    if lookup is None:
        raise ValueError(f"the best five are taken from five, six or seven cards, not {len(cards)}")
    return lookup.strength(cards)
