"""Arrays for the compiled kernels, derived from the same first principles as the single-hand path.

A set of n ranks is a number 0 to `sizes[n]`; adding a rank is one look-up in
`grow[n]`. Strengths are replaced by their class, 0 (weakest) to 7461, so that
a kernel can count by class; `strength[class]` leads back.
"""

from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sabot_gateway.rules.hand import CATS5, Category
from sabot_gateway.rules.hand_table import flush_strength, strength_of_counts

Array = NDArray[Any]

MOST = 7  # cards in the largest hand


class RankTable(NamedTuple):
    """`grow4[i * 13 + rank]` is set i of four ranks with one rank more, or -1 where a fifth of a kind would arise."""

    grow0: Array
    grow1: Array
    grow2: Array
    grow3: Array
    grow4: Array
    grow5: Array
    grow6: Array
    five: Array  # class by set of five ranks, flushes aside
    six: Array
    seven: Array
    seven_row: Array  # class by set of six ranks * 13 + seventh rank
    flush: Array  # class by mask of the ranks in the suit, five to seven of them
    strength: Array  # packed strength by class
    category: Array  # place in CATS5 by class


@lru_cache(maxsize=2)
def rank_table(wheel: bool = True) -> RankTable:
    codes = [_codes(count) for count in range(MOST + 1)]
    grow = [_grow(codes[count], codes[count + 1]) for count in range(MOST)]
    by_ranks = {count: _strengths(codes[count], wheel) for count in (5, 6, 7)}
    masks = [mask for mask in range(1 << 13) if 5 <= mask.bit_count() <= MOST]
    by_mask = np.zeros(1 << 13, dtype=np.int64)
    by_mask[masks] = [flush_strength(mask, wheel) for mask in masks]
    five_suited = [mask for mask in masks if mask.bit_count() == 5]
    strength = np.unique(np.concatenate([by_ranks[5], by_mask[five_suited]]))
    classes = {count: np.searchsorted(strength, by_ranks[count]).astype(np.uint16) for count in by_ranks}
    return RankTable(
        grow0=grow[0],
        grow1=grow[1],
        grow2=grow[2],
        grow3=grow[3],
        grow4=grow[4],
        grow5=grow[5],
        grow6=grow[6],
        five=classes[5],
        six=classes[6],
        seven=classes[7],
        seven_row=np.where(grow[6] >= 0, classes[7][np.maximum(grow[6], 0)], 0).astype(np.uint16),
        flush=np.searchsorted(strength, by_mask).astype(np.uint16),
        strength=strength,
        category=((strength >> 20) - 1).astype(np.uint8),
    )


def first_class(table: RankTable, category: Category) -> int:
    """The weakest class of a category."""
    return int(np.searchsorted(table.strength, CATS5.index(category) + 1 << 20))


def _codes(count: int) -> Array:
    """Each set of ranks as base-five digits, deuce first, in ascending order."""
    codes = [
        sum(5**rank for rank in ranks) for ranks in combinations_with_replacement(range(13), count) if _fits(ranks)
    ]
    return np.array(sorted(codes), dtype=np.int64)


def _fits(ranks: tuple[int, ...]) -> bool:
    """At most four of a rank; the ranks come sorted."""
    return all(ranks[place] != ranks[place + 4] for place in range(len(ranks) - 4))


def _grow(codes: Array, larger: Array) -> Array:
    grown = codes[:, None] + 5 ** np.arange(13, dtype=np.int64)[None, :]
    place = np.minimum(np.searchsorted(larger, grown), len(larger) - 1)
    has_room = codes[:, None] // 5 ** np.arange(13, dtype=np.int64)[None, :] % 5 < 4
    return np.where(has_room, place, -1).astype(np.int32).ravel()


def digits(codes: Array) -> Array:
    """One row per code: how often each rank, deuce first, occurs."""
    return (codes[:, None] // 5 ** np.arange(13, dtype=np.int64)[None, :] % 5).astype(np.int64)


def rank_sets(count: int) -> Array:
    """All sets of `count` ranks in the order of their numbers, as counts per rank."""
    return digits(_codes(count))


def _strengths(codes: Array, wheel: bool) -> Array:
    return np.array([strength_of_counts(counts, wheel) for counts in digits(codes).tolist()], dtype=np.int64)
