"""What a hand is worth, by the twin's own reckoning: three cards, or the best five of several.

Independent of the gateway's rules: written from the rule book, with other means,
so that the two can be held against each other. A score compares as tuples do: the
rank of the combination, then the cards that decide between equals (TCF-55 to TCF-57, STU-78, TCP-28).
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Final, NamedTuple

from sabot_tools.twin.card import rank_of

# Lowest first; with three cards a straight is rarer than a flush, and trips than both.
THREE: Final = ("high_card", "pair", "flush", "straight", "trips", "straight_flush")
FIVE: Final = (
    "high_card",
    "pair",
    "two_pair",
    "trips",
    "straight",
    "flush",
    "full_house",
    "quads",
    "straight_flush",
    "royal_flush",
)
ACE, QUEEN, KING = 14, 12, 13

_SHAPES: Final = {
    (3,): "trips",
    (2, 1): "pair",
    (4, 1): "quads",
    (3, 2): "full_house",
    (3, 1, 1): "trips",
    (2, 2, 1): "two_pair",
    (2, 1, 1, 1): "pair",
}


class Score(NamedTuple):
    """Comparable; `name` follows from `rank`, `ranks` break ties."""

    rank: int
    ranks: tuple[int, ...]
    name: str


def score(faces: Sequence[str], ace_low: bool = True) -> Score:
    """The score of exactly three or five cards."""
    found = _by_ranks(sorted(map(rank_of, faces), reverse=True), ace_low)
    is_flush = len({face[1] for face in faces}) == 1
    return _named(len(faces), *found, is_flush)


def best(faces: Sequence[str], ace_low: bool = True) -> Score:
    """The best five of more cards."""
    return max(score(five, ace_low) for five in combinations(faces, 5))


def is_mini_royal(faces: Sequence[str]) -> bool:
    """TCP-24: ace, king and queen of one suit."""
    return {face[0] for face in faces} == set("AKQ") and len({face[1] for face in faces}) == 1


def _by_ranks(ranks: list[int], ace_low: bool) -> tuple[str, tuple[int, ...], int]:
    # The shape of equal ranks, the deciding ranks, and the top of a straight (0: none).
    counts = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    deciding = tuple(rank for _, rank in counts)
    name = _SHAPES.get(tuple(count for count, _ in counts), "high_card")
    top = 0
    if len(counts) == len(ranks):
        if ranks[0] - ranks[-1] == len(ranks) - 1:
            top = ranks[0]
        elif ace_low and ranks[0] == ACE and ranks[1] == len(ranks):
            top = ranks[1]  # TCP-40: the ace counts as one below the deuce
    return name, deciding, top


def _named(size: int, name: str, deciding: tuple[int, ...], top: int, is_flush: bool) -> Score:
    if top:
        name = "straight_flush" if is_flush else "straight"
        if is_flush and top == ACE and size == len(("T", "J", "Q", "K", "A")):
            name = "royal_flush"
        deciding = (top,)
    elif is_flush:
        name = "flush"
    order = THREE if size == len(("A", "2", "3")) else FIVE
    return Score(order.index(name), deciding, name)
