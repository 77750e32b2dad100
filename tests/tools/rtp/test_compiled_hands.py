"""The compiled path against the single-hand path and the textbooks: no hand may be worth two things."""

from itertools import combinations

import numpy as np
import pytest

from sabot_gateway.model.card import DECK, Card
from sabot_gateway.rules.hand import CATS5, best5, rank5
from sabot_gateway.rules.hand_count import count_best5
from sabot_tools.rtp.deck_kernel import classes_of, count_seven, count_six, every_five
from sabot_tools.rtp.rank_table import Array, rank_sets, rank_table

pytestmark = pytest.mark.slow  # compiles the kernels

BEST_FIVE_OF = {
    6: [188, 1_656, 14_664, 165_984, 205_792, 361_620, 732_160, 2_532_816, 9_730_740, 6_612_900],
    7: [4_324, 37_260, 224_848, 3_473_184, 4_047_644, 6_180_020, 6_461_620, 31_433_400, 58_627_800, 23_294_460],
}


def test_all_five_card_hands_are_worth_the_same_on_both_paths() -> None:
    table = rank_table()
    compiled = table.strength[every_five(table)].tolist()
    assert len(compiled) == 2_598_960
    assert all(rank5(cards) == strength for cards, strength in zip(combinations(DECK, 5), compiled, strict=True))


@pytest.mark.parametrize("wheel", [True, False])
@pytest.mark.parametrize("cards", [5, 6, 7])
def test_every_set_of_ranks_is_worth_the_same_on_both_paths(cards: int, wheel: bool) -> None:
    hands = np.array([_off_suit(counts) for counts in rank_sets(cards).tolist()], dtype=np.int64)
    assert len(hands) == {5: 6_175, 6: 18_395, 7: 49_205}[cards]
    assert _strengths(hands, wheel) == [best5(hand, wheel) for hand in hands.tolist()]


def _off_suit(counts: list[int]) -> list[Card]:
    """These ranks in suits that make no flush: each rank goes on where the last one stopped."""
    suit = 0
    hand = []
    for rank, count in enumerate(counts):
        for _ in range(count):
            hand.append(Card(rank * 4 + suit % 4))
            suit += 1
    return hand


@pytest.mark.parametrize("wheel", [True, False])
@pytest.mark.parametrize("cards", [5, 6, 7])
def test_random_hands_are_worth_the_same_on_both_paths(cards: int, wheel: bool) -> None:
    chance = np.random.default_rng(20_07)
    hands = np.argsort(chance.random((60_000, 52)), axis=1)[:, :cards]
    assert _strengths(hands, wheel) == [best5(hand, wheel) for hand in hands.tolist()]


def _strengths(hands: Array, wheel: bool) -> list[int]:
    table = rank_table(wheel)
    strengths: list[int] = table.strength[classes_of(table, hands)].tolist()
    return strengths


@pytest.mark.parametrize("wheel", [True, False])
def test_tcp_25_all_six_card_hands_dealt_one_by_one_give_the_counts(wheel: bool) -> None:
    table = rank_table(wheel)
    found = np.zeros(len(table.strength), dtype=np.int64)
    count_six(table, found)
    _hold_against(6, wheel, np.bincount(table.category, found).astype(np.int64).tolist())


@pytest.mark.parametrize("wheel", [True, False])
def test_uth_38_all_seven_card_hands_dealt_one_by_one_give_the_counts(wheel: bool) -> None:
    table = rank_table(wheel)
    found = np.zeros(len(table.strength), dtype=np.int64)
    for first in range(46):
        count_seven(table, found, first)
    _hold_against(7, wheel, np.bincount(table.category, found).astype(np.int64).tolist())


def _hold_against(cards: int, wheel: bool, dealt: list[int]) -> None:
    counted = count_best5(cards, wheel=wheel)
    assert dealt == [counted[category] for category in CATS5]
    if wheel:
        assert dealt[::-1] == BEST_FIVE_OF[cards]
