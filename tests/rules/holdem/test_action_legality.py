"""Every action that the rules refuse, and the amounts at the edge of what they allow (THE-59 to THE-92)."""

from typing import Any

import pytest

from rules.holdem.holdem_script import DEEP, betting, four, refusal, waiting
from sabot_gateway.model.holdem import Act
from sabot_gateway.rules.betting import legal_actions
from sabot_gateway.rules.betting_state import Betting, Legal

LIMPED = "3 call, 4 call, 1 call, 2 check"


def legal(state: object) -> Legal:
    assert isinstance(state, Betting), state
    found = legal_actions(state)
    assert found is not None
    return found


@pytest.mark.rules("THE-59")
@pytest.mark.parametrize("to", [999, 1001, 0])
def test_call_must_match_exactly(to: int) -> None:
    assert refusal(four(f"3 call {to}")) == ("CALL_AMOUNT", "THE-59", 1000, 3)


@pytest.mark.rules("THE-59", "THE-37")
def test_call_for_less_takes_the_whole_stack() -> None:
    stacks = {1: DEEP, 2: DEEP, 3: 600, 4: DEEP}
    assert refusal(betting("3 call 1000", stacks, button=4)) == ("CALL_AMOUNT", "THE-59", 600, 3)
    assert waiting(betting("3 call 600", stacks, button=4)) == 4


@pytest.mark.rules("THE-60")
def test_raise_must_be_higher() -> None:
    assert refusal(four("3 raise 1000")) == ("RAISE_NOT_HIGHER", "THE-60", 1000, 3)
    assert refusal(four("3 raise -5")) == ("RAISE_NOT_HIGHER", "THE-60", 1000, 3)


@pytest.mark.rules("THE-33")
@pytest.mark.parametrize("script", ["3 raise", f"{LIMPED} / 1 bet"])
def test_raise_or_bet_without_chips_is_nothing(script: str) -> None:
    code, rule, _, _ = refusal(four(script))
    assert (code, rule) == ("BAD_AMOUNT", "THE-33")


@pytest.mark.rules("THE-33")
@pytest.mark.parametrize("script", ["3 fold 100", "3 allin 5000", f"{LIMPED} / 1 check 5"])
def test_amount_that_contradicts_the_action_is_refused(script: str) -> None:
    code, rule, _, _ = refusal(four(script))
    assert (code, rule) == ("BAD_AMOUNT", "THE-33")


@pytest.mark.rules("THE-37")
@pytest.mark.parametrize("script", [f"3 raise {DEEP + 1}", f"{LIMPED} / 1 bet {DEEP}", f"3 raise {10**18}"])
def test_nobody_bets_more_than_his_stack(script: str) -> None:
    code, rule, detail, _ = refusal(four(script))
    assert (code, rule) == ("MORE_THAN_STACK", "THE-37")
    assert detail in (DEEP, DEEP - 1000)


@pytest.mark.rules("THE-68", "THE-77")
def test_check_facing_a_bet() -> None:
    assert refusal(four("3 check")) == ("CHECK_FACING_BET", "THE-77", 1000, 3)
    assert refusal(four("3 raise 3000, 4 fold, 1 fold, 2 check")) == ("CHECK_FACING_BET", "THE-77", 3000, 2)
    assert refusal(four(f"{LIMPED} / 1 bet 1000, 2 check")) == ("CHECK_FACING_BET", "THE-77", 1000, 2)


@pytest.mark.rules("THE-74", "THE-77")
def test_check_is_open_after_checks_and_folds() -> None:
    assert legal(four(f"{LIMPED} / 1 check, 2 fold")).acts == {Act.FOLD, Act.CHECK, Act.BET, Act.ALLIN}


@pytest.mark.rules("THE-75")
def test_opening_is_at_least_the_big_blind() -> None:
    assert refusal(four(f"{LIMPED} / 1 bet 999")) == ("BELOW_MINIMUM", "THE-75", 1000, 1)
    assert waiting(four(f"{LIMPED} / 1 bet 1000")) == 2


@pytest.mark.rules("THE-75", "THE-92")
def test_opening_below_the_big_blind_is_open_to_an_all_in() -> None:
    stacks = {1: 1600, 2: DEEP, 3: DEEP, 4: DEEP}
    assert waiting(betting(f"{LIMPED} / 1 bet 600", stacks, button=4)) == 2
    assert waiting(betting(f"{LIMPED} / 1 allin", stacks, button=4)) == 2


@pytest.mark.rules("THE-78")
def test_round_is_opened_once() -> None:
    assert refusal(four("3 bet 3000")) == ("ALREADY_OPENED", "THE-78", 1000, 3)
    assert refusal(four(f"{LIMPED} / 1 bet 1000, 2 bet 2000")) == ("ALREADY_OPENED", "THE-78", 1000, 2)


@pytest.mark.rules("THE-79")
def test_nothing_to_call() -> None:
    assert refusal(four("3 call, 4 call, 1 call, 2 call")) == ("NOTHING_TO_CALL", "THE-79", None, 2)
    assert refusal(four(f"{LIMPED} / 1 call")) == ("NOTHING_TO_CALL", "THE-79", None, 1)


@pytest.mark.rules("THE-80")
def test_nothing_to_raise() -> None:
    assert refusal(four(f"{LIMPED} / 1 raise 2000")) == ("NOTHING_TO_RAISE", "THE-80", None, 1)


@pytest.mark.rules("THE-118")
def test_least_raise_is_the_last_full_raise_again() -> None:
    assert refusal(four("3 raise 1999")) == ("BELOW_MINIMUM", "THE-118", 2000, 3)
    assert refusal(four("3 raise 3500, 4 raise 5999")) == ("BELOW_MINIMUM", "THE-118", 6000, 4)
    assert waiting(four("3 raise 3500, 4 raise 6000")) == 1
    assert refusal(four(f"{LIMPED} / 1 bet 1500, 2 raise 2999")) == ("BELOW_MINIMUM", "THE-118", 3000, 2)


@pytest.mark.rules("THE-118")
def test_least_raise_by_doubling() -> None:
    assert refusal(four("3 raise 3500, 4 raise 6999", min_raise="double")) == ("BELOW_MINIMUM", "THE-118", 7000, 4)
    assert waiting(four("3 raise 3500, 4 raise 7000", min_raise="double")) == 1


@pytest.mark.rules("THE-119")
def test_pot_limit_lets_a_player_match_and_add_the_pot() -> None:
    assert refusal(four("3 raise 3501", version="pot_limit")) == ("ABOVE_MAXIMUM", "THE-119", 3500, 3)
    # 3500 to match, then the pot of 500 + 1000 + 3500 and his own call of 3500.
    assert refusal(four("3 raise 3500, 4 raise 12001", version="pot_limit"))[2] == 12000
    assert refusal(four(f"{LIMPED} / 1 bet 4001", version="pot_limit"))[2] == 4000
    assert waiting(four(f"{LIMPED} / 1 bet 4000", version="pot_limit")) == 2


@pytest.mark.rules("THE-119", "THE-92")
def test_all_in_does_not_lift_the_maximum_of_pot_limit() -> None:
    assert refusal(four("3 allin", stack=3600, version="pot_limit")) == ("ABOVE_MAXIMUM", "THE-119", 3500, 3)
    assert waiting(four("3 allin", stack=3500, version="pot_limit")) == 4


@pytest.mark.rules("THE-119", "THE-128")
def test_least_bet_stays_possible_over_a_tiny_pot() -> None:
    stacks = {1: 100, 2: 1300, 3: 1300}
    state = betting("3 call, 2 check", stacks, button=3, version="pot_limit", table_min=200)
    assert waiting(state) == 2
    assert legal(state).least_to == 200


@pytest.mark.rules("THE-120")
def test_limit_bets_are_of_one_size_only() -> None:
    assert refusal(four("3 raise 1999", version="limit")) == ("BELOW_MINIMUM", "THE-120", 2000, 3)
    assert refusal(four("3 raise 2001", version="limit")) == ("ABOVE_MAXIMUM", "THE-120", 2000, 3)
    checked = "1 check, 2 check, 3 check, 4 check"
    assert refusal(four(f"{LIMPED} / 1 bet 2000", version="limit")) == ("ABOVE_MAXIMUM", "THE-120", 1000, 1)
    assert refusal(four(f"{LIMPED} / {checked} / 1 bet 1000", version="limit")) == (
        "BELOW_MINIMUM",
        "THE-120",
        2000,
        1,
    )
    assert waiting(four(f"{LIMPED} / {checked} / {checked} / 1 bet 2000, 2 raise 4000", version="limit")) == 3


@pytest.mark.rules("THE-120")
def test_limit_sizes_come_from_the_house() -> None:
    sizes: dict[str, Any] = {"version": "limit", "limit_small": 1500, "limit_big": 4000}
    assert waiting(four("3 raise 2500", **sizes)) == 4
    checked = "1 check, 2 check, 3 check, 4 check"
    assert refusal(four(f"{LIMPED} / {checked} / 1 bet 3000", **sizes))[2] == 4000


@pytest.mark.rules("THE-120")
def test_limit_cap_counts_the_blind_where_the_house_says_so() -> None:
    to_cap = "3 raise 2000, 4 raise 3000, 1 raise 4000"
    assert refusal(four(f"{to_cap}, 2 raise 5000", version="limit")) == ("RAISE_NOT_ALLOWED", "THE-120", 4, 2)
    assert refusal(four(f"{to_cap}, 2 allin", version="limit")) == ("RAISE_NOT_ALLOWED", "THE-120", 4, 2)
    assert legal(four(to_cap, version="limit")).acts == {Act.FOLD, Act.CALL}
    assert waiting(four(f"{to_cap}, 2 raise 5000", version="limit", limit_cap_counts_blind=False)) == 3
    assert waiting(four(f"{to_cap}, 2 raise 5000", version="limit", limit_cap=None)) == 3


@pytest.mark.rules("THE-120", "THE-92")
def test_limit_all_in_for_less_but_not_for_more() -> None:
    stacks = {1: DEEP, 2: DEEP, 3: 1500, 4: 2500}
    assert waiting(betting("3 allin", stacks, button=4, version="limit")) == 4
    # The short all-in to 1500 is matched and raised by a whole bet.
    assert refusal(betting("3 allin, 4 allin", {**stacks, 4: 2600}, button=4, version="limit"))[:3] == (
        "ABOVE_MAXIMUM",
        "THE-120",
        2500,
    )
    assert waiting(betting("3 allin, 4 allin", stacks, button=4, version="limit")) == 1


@pytest.mark.rules("THE-121")
def test_short_all_in_raise_does_not_reopen_for_those_who_spoke() -> None:
    stacks = {1: DEEP, 2: DEEP, 3: DEEP, 4: 4000}
    script = "3 raise 3000, 4 allin, 1 fold, 2 fold"
    assert refusal(betting(f"{script}, 3 raise 9000", stacks, button=4)) == ("RAISE_NOT_ALLOWED", "THE-121", None, 3)
    assert refusal(betting(f"{script}, 3 allin", stacks, button=4)) == ("RAISE_NOT_ALLOWED", "THE-121", None, 3)
    assert legal(betting(script, stacks, button=4)).acts == {Act.FOLD, Act.CALL}
    assert waiting(betting(f"{script}, 3 call 4000", stacks, button=4)) is None


@pytest.mark.rules("THE-121", "THE-118")
def test_player_who_has_not_spoken_may_raise_over_a_short_all_in_and_reopens() -> None:
    stacks = {1: DEEP, 2: DEEP, 3: DEEP, 4: 4000}
    assert refusal(betting("3 raise 3000, 4 allin, 1 raise 5999", stacks, button=4))[2] == 6000
    reopened = betting("3 raise 3000, 4 allin, 1 raise 6000, 2 fold", stacks, button=4)
    assert Act.RAISE in legal(reopened).acts
    assert legal(reopened).seat == 3


@pytest.mark.rules("THE-121")
def test_house_may_let_a_short_all_in_reopen() -> None:
    stacks = {1: DEEP, 2: DEEP, 3: DEEP, 4: 4000}
    script = "3 raise 3000, 4 allin, 1 fold, 2 fold"
    assert waiting(betting(f"{script}, 3 raise 6000", stacks, button=4, short_allin_reopens=True)) is None


@pytest.mark.rules("THE-121")
def test_all_in_of_exactly_a_full_raise_reopens() -> None:
    stacks = {1: DEEP, 2: DEEP, 3: DEEP, 4: 5000}
    state = betting("3 raise 3000, 4 allin, 1 call, 2 fold", stacks, button=4)
    assert legal(state).seat == 3
    assert Act.RAISE in legal(state).acts


@pytest.mark.rules("THE-32")
def test_bets_are_whole_chips_unless_the_stack_is_not() -> None:
    assert refusal(four("3 raise 2050", chip_unit=100)) == ("NOT_CHIP_MULTIPLE", "THE-32", 2050, 3)


@pytest.mark.rules("THE-92")
def test_legal_actions_name_the_amounts_at_both_ends() -> None:
    found = legal(four("3 raise 3000", version="pot_limit"))
    assert (found.seat, found.call_to, found.least_to, found.most_to) == (4, 3000, 5000, 10500)
    short = legal(betting("3 raise 3000", {1: DEEP, 2: DEEP, 3: DEEP, 4: 4000}, button=4))
    assert (short.least_to, short.most_to) == (4000, 4000)
    assert Act.ALLIN in short.acts


@pytest.mark.rules("THE-80", "THE-121")
def test_short_opening_is_no_short_raise_so_those_who_checked_may_raise_it() -> None:
    stacks = {1: DEEP, 2: 1600, 3: DEEP, 4: DEEP}
    state = betting(f"{LIMPED} / 1 check, 2 allin, 3 call, 4 call", stacks, button=4)
    assert legal(state).seat == 1
    # The opening of 600 leaves the least raise at a big blind more.
    assert (legal(state).least_to, Act.RAISE in legal(state).acts) == (1600, True)


@pytest.mark.rules("THE-120")
def test_limit_all_in_for_less_is_not_a_bet_toward_the_cap() -> None:
    stacks = {1: DEEP, 2: DEEP, 3: 1500, 4: DEEP}
    script = "3 allin, 4 raise 2500, 1 raise 3500"
    assert waiting(betting(f"{script}, 2 raise 4500", stacks, button=4, version="limit")) == 4
    assert refusal(betting(f"{script}, 2 raise 4500, 4 raise 5500", stacks, button=4, version="limit"))[:2] == (
        "RAISE_NOT_ALLOWED",
        "THE-120",
    )
