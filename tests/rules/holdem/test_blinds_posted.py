"""The initial stakes: who posts what, who speaks first, and which tables may not open (THE-41 to THE-50)."""

import pytest

from rules.holdem.holdem_script import DEEP, betting, coup, four, nets, refusal, refused, settled, waiting
from sabot_gateway.model.holdem import OptionPost
from sabot_gateway.rules.betting_state import Betting
from sabot_gateway.rules.blinds import next_button

FOUR = dict.fromkeys((1, 2, 3, 4), DEEP)


def posted(state: object) -> dict[int, int]:
    assert isinstance(state, Betting)
    return {player.seat: player.street_bet for player in state.players}


@pytest.mark.rules("THE-45", "THE-46", "THE-47", "THE-57")
def test_blinds_lie_left_of_the_button_and_the_next_player_speaks() -> None:
    state = betting("", {2: DEEP, 5: DEEP, 7: DEEP, 9: DEEP}, button=7)
    assert posted(state) == {9: 500, 2: 1000, 5: 0, 7: 0}
    assert waiting(state) == 5


@pytest.mark.rules("THE-46")
@pytest.mark.parametrize(("table_min", "unit"), [(1001, 1), (1000, 1000), (300, 100)])
def test_half_the_table_minimum_must_be_whole_chips(table_min: int, unit: int) -> None:
    played = coup("", dict.fromkeys((1, 2, 3, 4), 9000), button=4)
    faults = refused(played, table_min=table_min, chip_unit=unit)
    assert faults == [("SMALL_BLIND_NOT_WHOLE", "THE-46", table_min, None)]


@pytest.mark.rules("THE-47")
@pytest.mark.parametrize("big_blind", [499, 1001])
def test_big_blind_outside_one_to_two_small_blinds_is_refused(big_blind: int) -> None:
    assert refused(coup("", FOUR, button=4), big_blind=big_blind) == [("BIG_BLIND_RANGE", "THE-47", big_blind, None)]


@pytest.mark.rules("THE-47")
@pytest.mark.parametrize("big_blind", [500, 750, 1000])
def test_big_blind_within_its_range_is_posted(big_blind: int) -> None:
    assert posted(four(big_blind=big_blind))[2] == big_blind


@pytest.mark.rules("THE-32")
def test_blinds_and_limit_bets_are_whole_chips() -> None:
    played = coup("", FOUR, button=4)
    assert refused(played, chip_unit=100, big_blind=750) == [("NOT_CHIP_MULTIPLE", "THE-32", 750, None)]
    sizes = {"version": "limit", "limit_small": 1000, "limit_big": 2050}
    assert refused(played, chip_unit=100, **sizes) == [("NOT_CHIP_MULTIPLE", "THE-32", 2050, None)]


@pytest.mark.rules("THE-48")
def test_option_needs_the_house_rules() -> None:
    played = coup("", FOUR, button=4, option=OptionPost(3))
    assert refused(played) == [("OPTION_NOT_AUTHORISED", "THE-48", None, 3)]


@pytest.mark.rules("THE-49")
@pytest.mark.parametrize("seat", [1, 2, 4, 9])
def test_only_the_third_player_may_post_the_option(seat: int) -> None:
    played = coup("", FOUR, button=4, option=OptionPost(seat))
    assert refused(played, option_allowed=True) == [("OPTION_WRONG_SEAT", "THE-49", 3, seat)]


@pytest.mark.rules("THE-49")
def test_two_players_have_no_third() -> None:
    played = coup("", {1: DEEP, 2: DEEP}, button=1, option=OptionPost(1))
    assert refused(played, option_allowed=True) == [("OPTION_WRONG_SEAT", "THE-49", None, 1)]


@pytest.mark.rules("THE-49", "THE-50")
def test_option_is_exactly_twice_the_big_blind() -> None:
    low = coup("", FOUR, button=4, option=OptionPost(3, 1999))
    short = coup("", {**FOUR, 3: 1999}, button=4, option=OptionPost(3))
    for played in (low, short):
        assert refused(played, option_allowed=True) == [("OPTION_NOT_DOUBLE_BB", "THE-49", 2000, 3)]


@pytest.mark.rules("THE-126")
def test_straddle_option_speaks_last_and_is_the_amount_to_match() -> None:
    state = betting("", FOUR, button=4, option=3, option_allowed=True)
    assert waiting(state) == 4
    state = betting("4 call 2000, 1 call, 2 call", FOUR, button=4, option=3, option_allowed=True)
    assert waiting(state) == 3
    assert waiting(betting("4 call, 1 call, 2 call, 3 check", FOUR, button=4, option=3, option_allowed=True)) == 1


@pytest.mark.rules("THE-126")
def test_literal_option_speaks_first() -> None:
    settings = {"option_allowed": True, "option_action": "literal"}
    state = betting("", FOUR, button=4, option=3, **settings)
    assert waiting(state) == 3
    state = betting("3 check, 4 call, 1 call, 2 call", FOUR, button=4, option=3, **settings)
    assert waiting(state) == 1
    assert isinstance(state, Betting)
    assert state.street == "flop"


@pytest.mark.rules("THE-126", "THE-118")
def test_least_raise_over_an_option_is_the_option_again() -> None:
    low = betting("4 raise 3999", FOUR, button=4, option=3, option_allowed=True)
    assert refusal(low) == ("BELOW_MINIMUM", "THE-118", 4000, 4)
    assert waiting(betting("4 raise 4000", FOUR, button=4, option=3, option_allowed=True)) == 1


@pytest.mark.rules("THE-116")
def test_two_players_by_the_letter_the_button_is_big_blind_and_speaks_last() -> None:
    stacks = {3: DEEP, 6: DEEP}
    state = betting("", stacks, button=6)
    assert posted(state) == {3: 500, 6: 1000}
    assert waiting(state) == 3
    assert waiting(betting("3 call, 6 check", stacks, button=6)) == 3


@pytest.mark.rules("THE-116")
def test_two_players_by_common_practice_the_button_is_small_blind() -> None:
    stacks = {3: DEEP, 6: DEEP}
    state = betting("", stacks, button=6, heads_up="standard")
    assert posted(state) == {3: 1000, 6: 500}
    assert waiting(state) == 6
    assert waiting(betting("6 call, 3 check", stacks, button=6, heads_up="standard")) == 3


@pytest.mark.rules("THE-128")
def test_short_big_blind_is_all_in_and_the_full_blind_is_still_to_match() -> None:
    stacks = {1: DEEP, 2: 300, 3: DEEP, 4: DEEP}
    state = betting("", stacks, button=4)
    assert posted(state)[2] == 300
    assert refusal(betting("3 call 300", stacks, button=4)) == ("CALL_AMOUNT", "THE-59", 1000, 3)
    assert waiting(betting("3 call 1000, 4 fold", stacks, button=4)) == 1


@pytest.mark.rules("THE-128", "THE-114")
def test_blinds_short_on_both_sides_play_without_a_word() -> None:
    decided = settled(coup("", {1: 300, 2: 700}, button=2))
    assert nets(decided) == {1: 300, 2: -300}
    assert decided.uncalled is not None
    assert (decided.uncalled.seat, decided.uncalled.amount) == (2, 400)


@pytest.mark.rules("THE-117")
@pytest.mark.parametrize(("button", "after"), [(2, 5), (5, 9), (9, 2), (4, 5), (10, 2)])
def test_button_moves_to_the_next_occupied_seat(button: int, after: int) -> None:
    assert next_button(button, (9, 2, 5)) == after
