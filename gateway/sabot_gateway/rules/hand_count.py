"""How many hands of each category a deck holds, exactly, without dealing them one by one.

For five to seven cards every set of ranks is weighed by its possible suits;
hands with five cards of a suit are taken out and counted suit by suit instead.
Invariant: the counts add up to all combinations of the deck.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, lru_cache
from itertools import combinations, combinations_with_replacement
from types import MappingProxyType
from typing import Final

from sabot_gateway.model.card import DECK
from sabot_gateway.rules.hand import Category, category_of, is_mini_royal, rank3
from sabot_gateway.rules.hand_table import flush_strength, strength_of_counts

_RANKS: Final = 13
_SUITS: Final = 4


@lru_cache(maxsize=2)
def count_three(*, ace_low: bool = True) -> Mapping[Category, int]:
    """All 22,100 three-card hands by category."""
    found: dict[Category, int] = {}
    for cards in combinations(DECK, 3):
        category = category_of(rank3(cards, ace_low))
        found[category] = found.get(category, 0) + 1
    return MappingProxyType(found)


@lru_cache(maxsize=1)
def count_mini_royals() -> int:
    """TCP-24: how many of the straight flushes are mini royals."""
    return sum(is_mini_royal(cards) for cards in combinations(DECK, 3))


@lru_cache(maxsize=6)
def count_best5(cards: int, *, wheel: bool = True) -> Mapping[Category, int]:
    """All hands of five, six or seven `cards` by the category of their best five."""
    if cards not in (5, 6, 7):
        raise ValueError(f"the best five are taken from five, six or seven cards, not {cards}")
    found: dict[Category, int] = {}
    for strength, hands in (*_without_flush(cards, wheel), *_with_flush(cards, wheel)):
        category = category_of(strength)
        found[category] = found.get(category, 0) + hands
    return MappingProxyType(found)


def _without_flush(cards: int, wheel: bool) -> Iterator[tuple[int, int]]:
    for ranks in combinations_with_replacement(range(_RANKS), cards):
        counts = [0] * _RANKS
        for rank in ranks:
            counts[rank] += 1
        if max(counts) <= _SUITS:
            present = [count for count in counts if count]
            hands = _product(_choose(_SUITS, count) for count in present) - _SUITS * _suited(present)
            yield strength_of_counts(counts, wheel), hands


def _suited(present: list[int]) -> int:
    """In how many ways ranks with these numbers of cards can put five or more into one given suit."""
    ways = 0
    for size in range(5, len(present) + 1):
        for inside in combinations(range(len(present)), size):
            # A rank inside has one card of the suit and the rest elsewhere; a rank outside has all elsewhere.
            ways += _product(_choose(_SUITS - 1, count - (place in inside)) for place, count in enumerate(present))
    return ways


def _with_flush(cards: int, wheel: bool) -> Iterator[tuple[int, int]]:
    elsewhere = _RANKS * (_SUITS - 1)
    for size in range(5, cards + 1):
        for ranks in combinations(range(_RANKS), size):
            hands = _SUITS * _choose(elsewhere, cards - size)
            yield flush_strength(sum(1 << rank for rank in ranks), wheel), hands


@cache
def _choose(things: int, taken: int) -> int:
    """In how many ways `taken` of `things` can be picked."""
    ways = 1
    for step in range(taken):
        ways = ways * (things - step) // (step + 1)
    return ways


def _product(factors: Iterable[int]) -> int:
    total = 1
    for factor in factors:
        total *= factor
    return total
