"""Hands up to a relabelling of suits: one hand of each class, and how many hands it stands for (STU-78).

Of all relabellings the representative is the one whose suits, read as masks of
ranks, never rise from clubs to spades.
"""

from itertools import combinations
from math import factorial


def three_card_classes() -> tuple[list[tuple[int, ...]], list[int]]:
    """The 1,755 classes of three cards and their weights."""
    hands: list[tuple[int, ...]] = []
    weights: list[int] = []
    for cards in combinations(range(52), 3):
        masks = [sum(1 << (card >> 2) for card in cards if card & 3 == suit) for suit in range(4)]
        if masks == sorted(masks, reverse=True):
            hands.append(cards)
            weights.append(_orderings(masks))
    return hands, weights


def _orderings(masks: list[int]) -> int:
    ways = factorial(len(masks))
    for mask in set(masks):
        ways //= factorial(masks.count(mask))
    return ways
