"""The tables behind `hand.best5`: one addition per card, then one look-up.

Each card has a key, and the keys of a hand are added up. The sum holds

    (sum of rank keys) * 256 + (sum of suit keys)

Rank keys are the smallest numbers, taken rank by rank, for which two different
sets of up to seven ranks (at most four of a kind) never have the same sum. Suit
keys are the smallest for which the sum tells whether five cards share a suit,
and which. `BIAS` centres the sums on zero, so that every one fits the single
30-bit digit in which CPython adds fastest.

Answers are worked out once from first principles and remembered: at most 49,205
sets of ranks for seven cards, and nothing is built before it is asked for.
"""

from collections.abc import Sequence
from typing import Final

from sabot_gateway.model.card import Card

COUNTS: Final = (5, 6, 7)  # numbers of cards from which the best five may be taken
RANK_KEYS: Final = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)
SUIT_KEYS: Final = (0, 1, 25, 32)
SUIT_MASK: Final = 255
RANK_SHIFT: Final = 8
BIAS: Final = 599_186  # the largest for which seven of them, shifted, stay below 2**30
CARD_KEY: Final = [(RANK_KEYS[card >> 2] - BIAS << RANK_SHIFT) + SUIT_KEYS[card & 3] for card in range(52)]

_HIGH, _PAIR, _TWO_PAIR, _TRIPS, _STRAIGHT, _FLUSH, _FULL, _QUADS, _STRAIGHT_FLUSH, _ROYAL = range(1, 11)
_ACE: Final = 14


def flush_table(count: int) -> list[int]:
    """For each sum of suit keys of `count` cards: 0, or 1 + the suit that at least five of them share."""
    table = [0] * (SUIT_MASK + 1)
    for suit, key in enumerate(SUIT_KEYS):
        for others in _suit_sums(count - 5):
            table[5 * key + others] = suit + 1
    return table


class Lookup:
    """Best-of-`count` strengths for one reading of the low ace; `by_ranks` may be read directly."""

    __slots__ = ("_by_suited", "_wheel", "by_ranks", "flush")

    def __init__(self, count: int, *, wheel: bool) -> None:
        self._wheel = wheel
        self._by_suited: dict[int, int] = {}
        self.by_ranks: dict[int, int] = {}
        self.flush = flush_table(count)

    def strength(self, cards: Sequence[Card]) -> int:
        key = 0
        for card in cards:
            key += CARD_KEY[card]
        suit = self.flush[key & SUIT_MASK]
        if suit:
            return self._of_suit(cards, suit - 1)
        ranks = key >> RANK_SHIFT
        try:
            return self.by_ranks[ranks]
        except KeyError:
            counts = [0] * 13
            for card in cards:
                counts[card >> 2] += 1
            strength = self.by_ranks[ranks] = strength_of_counts(counts, self._wheel)
            return strength

    def _of_suit(self, cards: Sequence[Card], suit: int) -> int:
        """Seven cards with five of a suit hold neither quads nor a full house: the suit alone decides."""
        mask = 0
        for card in cards:
            if card & 3 == suit:
                mask |= 1 << (card >> 2)
        try:
            return self._by_suited[mask]
        except KeyError:
            strength = self._by_suited[mask] = flush_strength(mask, self._wheel)
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


def _suit_sums(count: int) -> list[int]:
    sums = {0}
    for _ in range(count):
        sums = {total + key for total in sums for key in SUIT_KEYS}
    return sorted(sums)
