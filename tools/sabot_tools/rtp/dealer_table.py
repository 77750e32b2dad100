"""How many dealer hands lie below a given class, when some cards are gone: by look-up, not by dealing.

The dealer shows one card and holds four more. Were there no flushes, a hand
would be its ranks, and its number of suits a product of binomials over what is
left of each rank. Flushes can only be in the suit of the card shown: they are
taken out at the class of their ranks and put back at their class as flushes.

    below(x) = ranks_below(x) - suited sets whose ranks lie below x + suited sets whose flush lies below x

Both parts are small tables: the first by the set of ranks that is gone and the
rank shown, the second by the mask of ranks gone in the suit shown.
"""

from functools import lru_cache
from itertools import combinations
from typing import Final, NamedTuple

import numpy as np

from sabot_tools.rtp.compiled import compiled
from sabot_tools.rtp.rank_table import Array, RankTable, rank_sets, rank_table

CLASSES: Final = 7462
MASKS: Final = 1 << 13
_SUITED: Final = 495  # ways to add four more ranks to the one shown
_CHOOSE: Final = np.array([[1, 0, 0, 0, 0], [1, 1, 0, 0, 0], [1, 2, 1, 0, 0], [1, 3, 3, 1, 0], [1, 4, 6, 4, 1]])


class DealerTable(NamedTuple):
    """Tables by `up` (rank of the card shown); `row` numbers the masks of at most six ranks."""

    rank_place: Array  # [up, class] sets of four ranks that make a hand below this class
    suited_ranks_place: Array  # [up, class] suited sets whose ranks alone lie below this class
    suited_flush_place: Array  # [up, class] suited sets whose flush lies below this class
    row: Array  # [mask]
    suited: Array  # [up, row, place] suited sets before this place that can still be dealt
    rank: Array  # [up, place, 0..3] the ranks of the set of four at this place
    number: Array  # [up, place, 0..3] and how many cards of each; unused entries take none


@lru_cache(maxsize=1)
def dealer_table() -> DealerTable:
    table = rank_table(True)  # STU-37: the ace may count one
    four = rank_sets(4)
    ranks = np.argsort(four == 0, axis=1, kind="stable")[:, :4]
    numbers = np.take_along_axis(four, ranks, axis=1)
    rank = np.zeros((13, *ranks.shape), dtype=np.int8)
    number = np.zeros((13, *ranks.shape), dtype=np.int8)
    rank_place = np.zeros((13, CLASSES + 1), dtype=np.int32)
    ranks_place = np.zeros((13, CLASSES + 1), dtype=np.int32)
    flush_place = np.zeros((13, CLASSES + 1), dtype=np.int32)
    masks = np.array([mask for mask in range(MASKS) if mask.bit_count() <= 6])
    row = np.full(MASKS, -1, dtype=np.int32)
    row[masks] = np.arange(len(masks))
    suited = np.zeros((13, len(masks), _SUITED + 1), dtype=np.int16)
    every = np.arange(CLASSES + 1)
    for up in range(13):
        grown = table.grow4[np.arange(len(four)) * 13 + up]
        # Five of a rank do not exist: such a set sorts last and has no suits left, so it never counts.
        classes = np.where(grown >= 0, table.five[np.maximum(grown, 0)], CLASSES).astype(np.int64)
        order = np.argsort(classes, kind="stable")
        rank[up], number[up] = ranks[order], numbers[order]
        rank_place[up] = np.searchsorted(classes[order], every)
        sets = np.array([sum(1 << other for other in others) for others in combinations(_others(up), 4)])
        by_ranks = np.array([_class_of_ranks(table, int(others) | 1 << up) for others in sets])
        by_rank_class = np.argsort(by_ranks, kind="stable")
        sets, by_ranks = sets[by_rank_class], by_ranks[by_rank_class]
        by_flush = table.flush[sets | 1 << up].astype(np.int64)
        assert np.all(by_flush[1:] > by_flush[:-1]), "suited sets have one order, as ranks and as flushes"
        ranks_place[up] = np.searchsorted(by_ranks, every)
        flush_place[up] = np.searchsorted(by_flush, every)
        free = (sets[None, :] & masks[:, None]) == 0
        suited[up, :, 1:] = np.cumsum(free, axis=1)
    return DealerTable(rank_place, ranks_place, flush_place, row, suited, rank, number)


def _others(up: int) -> list[int]:
    return [rank for rank in range(13) if rank != up]


def _class_of_ranks(table: RankTable, mask: int) -> int:
    place = 0
    for step, rank in zip(table[:5], [rank for rank in range(13) if mask >> rank & 1], strict=True):
        place = int(step[place * 13 + rank])
    return int(table.five[place])


@compiled
def ranks_below(dealer: DealerTable, gone: Array, up: int, below: Array) -> None:
    """Fills `below[place]`: hands (sets of four ranks, times their suits) before this place without the cards gone."""
    left = np.empty(13, dtype=np.int64)
    for rank in range(13):
        left[rank] = 4 - gone[rank]
    left[up] -= 1
    total = 0
    places = dealer.rank.shape[1]
    for place in range(places):
        below[place] = total
        ways = 1
        for entry in range(4):
            ways *= _CHOOSE[left[dealer.rank[up, place, entry]], dealer.number[up, place, entry]]
        total += ways
    below[places] = total
