"""The three-card games: published and independently computed returns to the last unit."""

from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sabot_gateway.model.card import DECK, Card
from sabot_gateway.model.game import Game
from sabot_gateway.model.money import Odds
from sabot_gateway.rules.hand import rank3
from sabot_gateway.rules.published_return import return_of
from sabot_tools.rtp.bet_return import percent
from sabot_tools.rtp.side_bet import best5_bet, three_card_bet
from sabot_tools.rtp.three_card import AnteRules, DealerHands, ante_play

ONE_FOUR_FIVE = {"straight": Odds(1), "trips": Odds(4), "straight_flush": Odds(5)}
FRENCH_WIN = {"trips": Odds(4), "straight_flush": Odds(5)}
PAIR_PLUS = {"pair": Odds(1), "flush": Odds(3), "straight": Odds(6), "trips": Odds(30), "straight_flush": Odds(40)}
SIX_CARD = {
    "trips": Odds(5),
    "straight": Odds(10),
    "flush": Odds(20),
    "full_house": Odds(25),
    "quads": Odds(50),
    "straight_flush": Odds(200),
    "royal_flush": Odds(1000),
}


@pytest.mark.parametrize(
    ("strategy", "net", "raised"),
    [
        ("optimal", -13_733_780, 14_900),
        ("q-6-4", -13_733_780, 14_900),
        ("any-queen", -14_043_800, 15_380),
        ("always", -31_163_984, 22_100),
    ],
)
def test_tcp_45_ante_and_play_over_all_407170400_deals(strategy: str, net: int, raised: int) -> None:
    found = ante_play(Game.TCP, AnteRules(ante_bonus=ONE_FOUR_FIVE), strategy)
    assert found.net == net
    assert found.deals == 407_170_400
    assert dict(found.counts)["hands raised"] == raised


def test_tcp_45_the_base_game_behind_the_published_return_is_enumerated() -> None:
    assert ante_play(Game.TCP, AnteRules()).rtp == return_of("ante_bonus", {})


@pytest.mark.parametrize(("bonus", "expected"), [({}, "92.4387"), (ONE_FOUR_FIVE, "97.7237")])
def test_a_tcf_03_the_french_ante_in_each_bonus_mode(bonus: dict[str, Odds], expected: str) -> None:
    assert percent(ante_play(Game.TCF, AnteRules(ante_win=FRENCH_WIN, ante_bonus=bonus)).rtp) == expected


def test_a_tcf_03_the_french_bonus_staked_apart_returns_nine_percent() -> None:
    assert percent(three_card_bet(Game.TCF, "bonus", ONE_FOUR_FIVE).rtp) == "8.9955"


@pytest.mark.parametrize(("ace_low", "expected"), [(True, "92.7240"), (False, "90.1538")])
def test_a_tcf_02_french_pair_plus_with_and_without_the_low_ace(ace_low: bool, expected: str) -> None:
    assert percent(three_card_bet(Game.TCF, "pair_plus", PAIR_PLUS, ace_low).rtp) == expected


@pytest.mark.parametrize(
    ("table", "net"),
    [
        ({**PAIR_PLUS, "mini_royal": Odds(200)}, -968),
        (PAIR_PLUS, -1_608),
        ({**PAIR_PLUS, "flush": Odds(4)}, -512),
    ],
)
def test_tcp_46_pair_plus_tables(table: dict[str, Odds], net: int) -> None:
    found = three_card_bet(Game.TCP, "pair_plus", table)
    assert found.net == net
    assert found.deals == 22_100


@pytest.mark.parametrize(("wheel", "expected"), [(True, "89.7752"), (False, "87.6804")])
def test_a_tcp_03_six_card_bonus_with_and_without_the_wheel(wheel: bool, expected: str) -> None:
    found = best5_bet(Game.TCP, "six_card", SIX_CARD, 6, wheel)
    assert (percent(found.rtp), found.deals) == (expected, 20_358_520)


def test_tcp_47_six_card_bonus_to_the_last_unit() -> None:
    assert best5_bet(Game.TCP, "six_card", SIX_CARD, 6).net == -2_081_616


@settings(max_examples=15, deadline=None)
@given(st.lists(st.sampled_from(DECK), min_size=3, max_size=3, unique=True), st.booleans())
def test_counted_dealer_hands_are_those_that_can_be_dealt(cards: list[Card], ace_low: bool) -> None:
    hand = tuple(sorted(cards))
    own = rank3(hand, ace_low)
    dealt = [rank3(other, ace_low) for other in combinations([card for card in DECK if card not in hand], 3)]
    queen_high = rank3((Card(40), Card(5), Card(2)), ace_low)  # Q-3-2, the lowest that qualifies (A-TCF-14)
    against = DealerHands(ace_low).against(hand)
    assert against.unqualified == sum(strength < queen_high for strength in dealt)
    assert against.weaker == sum(queen_high <= strength < own for strength in dealt)
    assert against.equal == sum(queen_high <= strength == own for strength in dealt)
    assert against.stronger == sum(strength >= queen_high and strength > own for strength in dealt)


def test_odds_of_three_to_two_stay_whole() -> None:
    half = three_card_bet(Game.TCF, "pair_plus", {**PAIR_PLUS, "pair": Odds(3, 2)})
    assert half.net - three_card_bet(Game.TCF, "pair_plus", PAIR_PLUS).net == Fraction(3_744, 2)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Fraction(1, 3), "33.3333"),
        (Fraction(-1, 3), "-33.3333"),
        (Fraction(1, 2_000_000), "0.0001"),
        (Fraction(-1, 10_000_000), "0.0000"),
        (Fraction(2), "200.0000"),
    ],
)
def test_percentages_are_rounded_half_away_from_zero(value: Fraction, text: str) -> None:
    assert percent(value) == text
