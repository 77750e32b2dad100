"""Category counts of the whole deck, and the published returns that rest on them (TCP-44 to TCP-47)."""

from itertools import combinations
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot_gateway.model.card import DECK
from sabot_gateway.rules.hand import CATS3, CATS5, Category, rank3
from sabot_gateway.rules.hand_count import count_best5, count_mini_royals, count_three
from sabot_gateway.rules.published_return import is_as_published, percent_text, return_of

# From the royal flush down to the high card; the five- and seven-card rows are printed in every textbook.
BEST_FIVE_OF = {
    5: [4, 36, 624, 3_744, 5_108, 10_200, 54_912, 123_552, 1_098_240, 1_302_540],
    6: [188, 1_656, 14_664, 165_984, 205_792, 361_620, 732_160, 2_532_816, 9_730_740, 6_612_900],
    7: [4_324, 37_260, 224_848, 3_473_184, 4_047_644, 6_180_020, 6_461_620, 31_433_400, 58_627_800, 23_294_460],
}
ANTE_BONUS = {"straight": 1, "trips": 4, "straight_flush": 5}
PAIR_PLUS = {"pair": 1, "flush": 3, "straight": 6, "trips": 30, "straight_flush": 40, "mini_royal": 200}
SIX_CARD = {
    "trips": 5,
    "straight": 10,
    "flush": 20,
    "full_house": 25,
    "quads": 50,
    "straight_flush": 200,
    "royal_flush": 1000,
}


@pytest.mark.parametrize("cards", [5, 6, 7])
def test_stu_78_every_category_occurs_as_often_as_the_textbooks_say(cards: int) -> None:
    counts = count_best5(cards)
    assert [counts[category] for category in reversed(CATS5)] == BEST_FIVE_OF[cards]


@pytest.mark.parametrize("cards", [5, 6, 7])
def test_tcp_57_without_the_wheel_the_counts_still_cover_the_deck(cards: int) -> None:
    counts = count_best5(cards, wheel=False)
    assert sum(counts.values()) == comb(52, cards)
    assert counts[Category.STRAIGHT] < count_best5(cards)[Category.STRAIGHT]
    assert counts[Category.ROYAL_FLUSH] == count_best5(cards)[Category.ROYAL_FLUSH]


def test_tcf_80_every_three_card_category_occurs_as_often_as_it_should() -> None:
    counts = count_three()
    assert [counts[category] for category in reversed(CATS3)] == [48, 52, 720, 1_096, 3_744, 16_440]
    assert count_mini_royals() == 4


def test_tcf_81_without_the_low_ace_60_straights_and_4_straight_flushes_fewer() -> None:
    with_ace, without = count_three(), count_three(ace_low=False)
    assert with_ace[Category.STRAIGHT] - without[Category.STRAIGHT] == 60
    assert with_ace[Category.STRAIGHT_FLUSH] - without[Category.STRAIGHT_FLUSH] == 4


def test_tcf_46_the_dealer_qualifies_with_15380_of_22100_hands() -> None:
    lowest = min(
        rank3(cards) for cards in combinations(DECK, 3) if max(card >> 2 for card in cards) == 10 and _is_high(cards)
    )
    assert sum(rank3(cards) >= lowest for cards in combinations(DECK, 3)) == 15_380


def _is_high(cards: tuple[int, ...]) -> bool:
    """Queen high as the rule book says it, without the code under test: three ranks, no sequence, no common suit."""
    low, middle, high = sorted(card >> 2 for card in cards)
    return low < middle < high and high - low > 2 and len({card & 3 for card in cards}) > 1


@pytest.mark.parametrize(
    ("bet", "table", "published"),
    [("ante_bonus", ANTE_BONUS, "96.63"), ("pair_plus", PAIR_PLUS, "95.62"), ("six_card", SIX_CARD, "89.78")],
)
def test_tcp_45_to_47_the_published_returns_are_exact(bet: str, table: dict[str, int], published: str) -> None:
    assert percent_text(return_of(bet, table)) == published
    assert is_as_published(bet, return_of(bet, table))


@pytest.mark.parametrize(
    ("bet", "table"),
    [
        ("ante_bonus", {**ANTE_BONUS, "trips": 3}),
        ("pair_plus", {**PAIR_PLUS, "mini_royal": 100}),
        ("pair_plus", {line: odds for line, odds in PAIR_PLUS.items() if line != "mini_royal"}),
        ("six_card", {**SIX_CARD, "quads": 51}),
    ],
)
def test_a_tcp_01_to_03_another_table_is_not_the_published_one(bet: str, table: dict[str, int]) -> None:
    assert not is_as_published(bet, return_of(bet, table))


def test_a_tcp_02_the_other_table_of_the_searched_grid_has_the_same_return() -> None:
    other = {"pair": 1, "flush": 3, "straight": 5, "trips": 25, "straight_flush": 35, "mini_royal": 500}
    assert return_of("pair_plus", other) == return_of("pair_plus", PAIR_PLUS)


def test_a_tcp_03_without_the_wheel_the_six_card_bonus_returns_87_68() -> None:
    assert percent_text(return_of("six_card", SIX_CARD, six_card_wheel=False)) == "87.68"
    assert not is_as_published("six_card", return_of("six_card", SIX_CARD, six_card_wheel=False))


def test_tcp_45_without_any_bonus_the_base_game_returns_91_34() -> None:
    assert percent_text(return_of("ante_bonus", {})) == "91.34"


@pytest.mark.parametrize(
    ("bet", "table"),
    [("blind", {}), ("six_card", {"mini_royal": 5}), ("ante_bonus", {"flush": 1}), ("ante_bonus", {"trips": -1})],
)
def test_a_bet_or_line_that_does_not_exist_is_refused(bet: str, table: dict[str, int]) -> None:
    with pytest.raises(ValueError):
        return_of(bet, table)


@given(st.dictionaries(st.sampled_from(sorted(SIX_CARD)), st.integers(0, 5000)), st.sampled_from(sorted(SIX_CARD)))
def test_raising_one_line_of_a_side_bet_never_lowers_its_return(table: dict[str, int], line: str) -> None:
    raised = {**table, line: table.get(line, -1) + 1}
    assert return_of("six_card", raised) > return_of("six_card", table)
