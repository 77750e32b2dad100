"""The tables behind `hand.best5`: one addition per card, then one look-up.

Each card has a key that counts its rank (a digit in base five: a rank occurs at
most four times) and its suit. The keys of a hand are added up:

    rank digits << 16 | spades | hearts | diamonds | clubs      (4 bits per suit)

Suit counters start at 3, so the top bit of a counter shows five or more cards of
that suit. Without such a bit the rank digits alone decide. Answers are computed
once from first principles and remembered: at most 49,205 rank patterns for
seven cards, and nothing is built before it is asked for.
"""

from collections.abc import Sequence
from typing import Final

from sabot_gateway.model.card import Card

FIVE: Final = (5, 6, 7)  # numbers of cards from which the best five may be taken
RANK_SHIFT: Final = 16
SUIT_START: Final = 0x3333
FLUSH_BITS: Final = 0x8888
CARD_KEY: Final = [5 ** (card >> 2) << RANK_SHIFT | 1 << 4 * (card & 3) for card in range(52)]

_HIGH, _PAIR, _TWO_PAIR, _TRIPS, _STRAIGHT, _FLUSH, _FULL, _QUADS, _STRAIGHT_FLUSH, _ROYAL = range(1, 11)
_ACE: Final = 14


class Lookup:
    """Best-of-`count` strengths for one reading of the low ace."""

    __slots__ = ("_count", "_strength_by_suited", "_wheel", "strength_by_ranks")

    def __init__(self, count: int, *, wheel: bool) -> None:
        self._count = count
        self._wheel = wheel
        self.strength_by_ranks: dict[int, int] = {}
        self._strength_by_suited: dict[int, int] = {}

    def strength(self, cards: Sequence[Card]) -> int:
        key = SUIT_START
        for card in cards:
            key += CARD_KEY[card]
        flush = key & FLUSH_BITS
        if flush:
            return self._of_suit(cards, flush.bit_length() - 1 >> 2)
        pattern = key >> RANK_SHIFT
        try:
            return self.strength_by_ranks[pattern]
        except KeyError:
            strength = self.strength_by_ranks[pattern] = strength_of_counts(_counts(pattern), self._wheel)
            return strength

    def _of_suit(self, cards: Sequence[Card], suit: int) -> int:
        """Seven cards with five of a suit hold neither quads nor a full house: the suit alone decides."""
        mask = 0
        for card in cards:
            if card & 3 == suit:
                mask |= 1 << (card >> 2)
        try:
            return self._strength_by_suited[mask]
        except KeyError:
            strength = self._strength_by_suited[mask] = flush_strength(mask, self._wheel)
            return strength


def flush_strength(mask: int, wheel: bool) -> int:
    """The best five of five to seven cards of one suit, given as a mask of ranks."""
    top = _straight_top(mask, wheel)
    if top:
        return pack(_ROYAL if top == _ACE else _STRAIGHT_FLUSH, top)
    return pack(_FLUSH, *_ranks_of(mask)[:5])


def pack(level: int, *ranks: int) -> int:
    packed = level
    for place in range(5):
        packed = packed << 4 | (ranks[place] if place < len(ranks) else 0)
    return packed


def strength_of_counts(counts: Sequence[int], wheel: bool) -> int:
    """The best five when no suit has five cards; `counts` says how often each rank, deuce first, occurs."""
    # Ranks with the most cards first, then the higher rank.
    order = sorted(((count, rank) for rank, count in enumerate(counts, start=2) if count), reverse=True)
    first_count, first = order[0]
    others = sorted((rank for _, rank in order[1:]), reverse=True)
    if first_count == 4:
        return pack(_QUADS, first, first, first, first, others[0])
    second_count, second = order[1]
    if first_count == 3 and second_count >= 2:
        # The second of two trips counts as a pair; a higher pair elsewhere may beat it.
        pair = max(rank for count, rank in order[1:] if count >= 2)
        return pack(_FULL, first, first, first, pair, pair)
    top = _straight_top(sum(1 << rank - 2 for _, rank in order), wheel)
    if top:
        return pack(_STRAIGHT, top)
    if first_count == 3:
        return pack(_TRIPS, first, first, first, *others[:2])
    if first_count == 2 and second_count == 2:
        kicker = max(rank for rank in others if rank != second)
        return pack(_TWO_PAIR, first, first, second, second, kicker)
    if first_count == 2:
        return pack(_PAIR, first, first, *others[:3])
    return pack(_HIGH, first, *others[:4])


def _straight_top(mask: int, wheel: bool) -> int:
    """The highest rank of the best straight in a mask of ranks, or 0."""
    run = mask & mask << 1 & mask << 2 & mask << 3 & mask << 4
    if run:
        return run.bit_length() + 1
    # STU-37: the ace counts one below 2-3-4-5 only.
    return 5 if wheel and mask & 0x100F == 0x100F else 0


def _ranks_of(mask: int) -> list[int]:
    return [rank for rank in range(_ACE, 1, -1) if mask >> rank - 2 & 1]


def _counts(pattern: int) -> list[int]:
    counts = []
    for _ in range(13):
        pattern, count = divmod(pattern, 5)
        counts.append(count)
    return counts
