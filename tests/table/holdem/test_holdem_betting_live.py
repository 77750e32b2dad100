"""The betting as the spots tell it: turns, calls, raises, all-ins, and every way to do them wrong."""

from typing import Any

import pytest

from sabot_gateway.model.card import cards_from_text
from sabot_gateway.model.event import AlertOverridden, ChipsRead
from sabot_gateway.model.felt import FeltSpot, Key
from sabot_gateway.model.holdem import Act
from sabot_gateway.model.tag import Tag
from sabot_gateway.table.holdem_display import facts
from sabot_gateway.table.setup import Fitted
from table.holdem.holdem_stage import blinds, dealt, four, gather, seated, street
from table.table_stage import Stage


def preflop(**values: Any) -> Stage:
    """Blinds on 1 and 2, cards dealt, seat 3 has the word."""
    return dealt(blinds(four(**values)))


def on_flop() -> Stage:
    """Everybody called; the flop lies there, and seat 1 has the word with 40 in the pot."""
    stage = preflop().lay(3, "bet", 1000).lay(4, "bet", 1000).lay(1, "bet", 1000).key(Key.CHECK, 2)
    return street(gather(stage, 4000), "2c5h8s")


def word(stage: Stage) -> int:
    assert stage.state.coup.holdem is not None
    return stage.state.coup.holdem.seat_in_turn


def acts(stage: Stage) -> list[tuple[int, str]]:
    assert stage.state.coup.holdem is not None
    return [(action.seat, str(action.act)) for action in stage.state.coup.holdem.actions]


def overridden(stage: Stage, code: str) -> Stage:
    return stage.tell(AlertOverridden("H1", stage.alerts()[code].id, "as it lies"))


@pytest.mark.rules("THE-57", "THE-59", "THE-60", "THE-61")
def test_totals_on_the_spots_are_calls_and_raises_in_turn() -> None:
    stage = preflop().lay(3, "bet", 1000).lay(4, "bet", 3000).lay(1, "bet", 3000).key(Key.FOLD)
    assert acts(stage) == [(3, "call"), (4, "raise"), (1, "call"), (2, "fold")]
    assert word(stage) == 3
    assert stage.alerts() == {}


@pytest.mark.rules("THE-57")
def test_chips_out_of_turn_are_an_alert_that_goes_when_they_are_taken_back() -> None:
    stage = preflop().lay(4, "bet", 1000)
    alert = stage.alerts()["OUT_OF_TURN"]
    assert (alert.seat, alert.rule, dict(alert.evidence)) == (4, "THE-57", {"due": 3})
    assert word(stage) == 3
    stage.lay(4, "bet", 0)
    assert stage.alerts() == {}


@pytest.mark.rules("THE-73")
def test_chips_out_of_turn_count_when_the_word_comes_to_the_player() -> None:
    stage = on_flop().lay(2, "bet", 1000)
    assert stage.alerts()["OUT_OF_TURN"].rule == "THE-73"
    stage.key(Key.CHECK, 1)
    assert stage.alerts() == {}
    assert acts(stage)[-2:] == [(1, "check"), (2, "bet")]
    assert word(stage) == 3


@pytest.mark.rules("THE-57", "THE-59")
def test_chips_laid_out_of_turn_are_no_first_motion_of_a_string_bet() -> None:
    stage = preflop().lay(4, "bet", 1000).lay(3, "bet", 3000)
    assert stage.alerts()["INCOMPLETE_CALL"].seat == 4
    stage.lay(4, "bet", 9000)
    assert acts(stage) == [(3, "raise"), (4, "raise")]
    assert stage.alerts() == {}


@pytest.mark.rules("THE-58")
def test_a_fold_out_of_turn_is_an_alert_and_counts_in_turn() -> None:
    stage = preflop().key(Key.FOLD, 4)
    assert stage.alerts()["OUT_OF_TURN"].seat == 4
    assert word(stage) == 3
    stage.lay(3, "bet", 1000)
    assert acts(stage) == [(3, "call"), (4, "fold")]
    assert stage.alerts() == {}


@pytest.mark.rules("THE-58")
def test_both_cards_in_the_rack_are_a_fold() -> None:
    stage = preflop().rack(cards_from_text("QsQd"))
    assert acts(stage) == [(3, "fold")]


@pytest.mark.rules("THE-60")
def test_a_second_motion_after_a_call_is_a_string_bet() -> None:
    stage = preflop().lay(3, "bet", 1000).lay(3, "bet", 3000)
    alert = stage.alerts()["STRING_BET"]
    assert (alert.seat, dict(alert.evidence)) == (3, {"amount_cents": 3000, "before_cents": 1000})
    assert acts(stage) == [(3, "call")]
    stage.lay(3, "bet", 1000)
    assert stage.alerts() == {}


@pytest.mark.rules("THE-60")
def test_a_raise_begun_with_less_than_a_call_is_a_string_bet() -> None:
    stage = preflop().lay(3, "bet", 500).lay(3, "bet", 3000)
    assert stage.alerts()["STRING_BET"].seat == 3
    assert acts(stage) == []
    stage.lay(3, "bet", 1000)
    assert acts(stage) == [(3, "call")]
    assert stage.alerts() == {}


@pytest.mark.rules("THE-60")
@pytest.mark.parametrize("first", [500, 1000])
def test_the_table_head_may_let_a_string_bet_stand_as_a_raise(first: int) -> None:
    stage = overridden(preflop().lay(3, "bet", first).lay(3, "bet", 3000), "STRING_BET")
    assert acts(stage) == [(3, "raise")]
    assert word(stage) == 4
    assert stage.alerts() == {}


@pytest.mark.rules("THE-83")
def test_a_second_motion_on_the_last_word_of_a_round_comes_too_late() -> None:
    stage = preflop().lay(3, "bet", 3000).key(Key.FOLD, 4).key(Key.FOLD, 1).lay(2, "bet", 3000)
    assert stage.phase == "dealing"
    stage.lay(2, "bet", 9000)
    assert stage.alerts()["BET_AFTER_ROUND"].seat == 2
    assert stage.lay(2, "bet", 3000).alerts() == {}


@pytest.mark.rules("THE-59")
def test_a_call_laid_in_two_motions_is_a_call() -> None:
    stage = preflop().lay(3, "bet", 500)
    assert stage.alerts()["INCOMPLETE_CALL"].rule == "THE-59"
    stage.lay(3, "bet", 1000)
    assert acts(stage) == [(3, "call")]
    assert stage.alerts() == {}


@pytest.mark.rules("THE-118")
def test_a_raise_below_the_last_full_raise_is_no_action() -> None:
    stage = preflop().lay(3, "bet", 1500)
    alert = stage.alerts()["BET_BELOW_MINIMUM"]
    assert (alert.rule, dict(alert.evidence)) == ("THE-118", {"amount_cents": 1500, "limit_cents": 2000})
    assert word(stage) == 3
    stage.lay(3, "bet", 2000)
    assert acts(stage) == [(3, "raise")]
    assert stage.alerts() == {}


@pytest.mark.rules("THE-75")
def test_an_opening_below_the_big_blind_is_no_action() -> None:
    stage = on_flop().lay(1, "bet", 500)
    assert stage.alerts()["BET_BELOW_MINIMUM"].rule == "THE-75"


@pytest.mark.rules("THE-119")
def test_a_raise_above_the_pot_is_no_action_at_pot_limit() -> None:
    # 15 lie there and 10 are to match: at most 10 + (15 + 10) = 35 in all.
    stage = preflop(version="pot_limit").lay(3, "bet", 3550)
    alert = stage.alerts()["BET_ABOVE_MAXIMUM"]
    assert (alert.rule, dict(alert.evidence)["limit_cents"]) == ("THE-119", 3500)


@pytest.mark.rules("THE-120")
def test_a_fifth_bet_is_refused_at_limit() -> None:
    stage = preflop(version="limit").lay(3, "bet", 2000).lay(4, "bet", 3000).lay(1, "bet", 4000).lay(2, "bet", 5000)
    assert stage.alerts()["RAISE_NOT_ALLOWED"].rule == "THE-120"


@pytest.mark.rules("THE-121")
def test_a_short_all_in_does_not_reopen_raising() -> None:
    stage = dealt(blinds(seated({1: 100_000, 2: 3500, 3: 100_000}, 3)))
    stage.lay(3, "bet", 3000).lay(1, "bet", 3000).lay(2, "bet", 3500)
    assert acts(stage)[-1] == (2, "allin")
    stage.lay(3, "bet", 9000)
    assert stage.alerts()["RAISE_NOT_ALLOWED"].rule == "THE-121"
    stage.lay(3, "bet", 3500)
    assert acts(stage)[-1] == (3, "call")


@pytest.mark.rules("THE-37")
def test_more_chips_than_the_registered_stack_are_an_alarm_until_overridden() -> None:
    stage = dealt(blinds(seated({1: 100_000, 2: 100_000, 3: 5000}, 3))).lay(3, "bet", 8000)
    assert dict(stage.alerts()["MORE_THAN_STACK"].evidence) == {"amount_cents": 8000, "limit_cents": 5000}
    overridden(stage, "MORE_THAN_STACK")
    assert acts(stage) == [(3, "allin")]
    assert stage.alerts()["STACK_DIFFERS"].rule == "THE-37"


@pytest.mark.rules("THE-32")
def test_an_amount_that_the_chips_of_the_table_cannot_make_is_no_action() -> None:
    stage = dealt(blinds(four(chip_unit=100))).lay(3, "bet", 2050)
    assert stage.alerts()["BET_NOT_WHOLE"].rule == "THE-32"


@pytest.mark.rules("THE-92", "THE-37")
def test_the_all_in_key_makes_the_chips_on_the_spot_the_whole_stack() -> None:
    stage = preflop().lay(3, "bet", 1650)
    assert "BET_BELOW_MINIMUM" in stage.alerts()
    stage.key(Key.ALL_IN, 3)
    assert acts(stage) == [(3, "allin")]
    hand = stage.state.coup.holdem
    assert hand is not None
    better = hand.better(3)
    assert better is not None
    assert (better.stack, better.street_bet) == (0, 1650)


@pytest.mark.rules("THE-92")
def test_the_all_in_key_may_come_before_the_chips() -> None:
    stage = preflop().key(Key.ALL_IN, 3).lay(3, "bet", 700)
    assert acts(stage) == [(3, "allin")]
    assert word(stage) == 4


@pytest.mark.rules("THE-77")
def test_a_check_facing_a_bet_is_refused() -> None:
    stage = preflop().key(Key.CHECK, 3)
    assert dict(stage.alerts()["CHECK_FACING_BET"].evidence) == {"due_cents": 1000}
    assert word(stage) == 3
    stage.lay(3, "bet", 1000)
    assert stage.alerts() == {}


@pytest.mark.rules("THE-33")
def test_a_stake_pushed_from_a_stack_that_another_controller_reads_counts_when_it_has_left_it() -> None:
    stage = preflop(fitted=Fitted(stacks=True))
    stack, stake = stage.lying[3, FeltSpot.STACK], stage.lying[3, FeltSpot.STACK][:1]
    stage.tell(ChipsRead(3, FeltSpot.BET, tuple(stake)))
    assert (stage.alerts(), acts(stage)) == ({}, [])
    stage.tell(ChipsRead(3, FeltSpot.STACK, tuple(stack[1:])))
    assert (stage.alerts(), len(acts(stage))) == ({}, 1)
    assert not [timer for timer in stage.state.timers if timer.startswith("two_spots")]


@pytest.mark.rules("THE-33")
def test_chips_that_a_neighbouring_antenna_reads_are_no_action() -> None:
    stage = preflop().lay(3, "bet", 1000)
    stage.tell(ChipsRead(4, FeltSpot.BET, tuple(stage.lying[3, FeltSpot.BET])))
    assert (acts(stage), word(stage)) == ([(3, "call")], 4)
    stage.expire("two_spots:4:bet")
    assert set(stage.alerts()) == {"CHIP_ON_TWO_SPOTS"}
    assert (acts(stage), word(stage)) == ([(3, "call")], 4)
    stage.tell(ChipsRead(4, FeltSpot.BET, ()))
    assert stage.alerts() == {}
    assert word(stage) == 4


@pytest.mark.rules("THE-59")
def test_chips_seen_on_the_spot_before_they_are_missed_from_the_stack_count_in_the_end() -> None:
    stage = seated({1: 100_000, 2: 100_000, 3: 100_000}, 3, Fitted(pot=True, stacks=True))
    stage.lay(1, "stack", 99_500).lay(2, "stack", 99_000)
    dealt(blinds(stage))
    stack = tuple(stage.lay(3, "stack", 99_000).lying[3, FeltSpot.STACK])
    chip = Tag("c1000-0")
    stage.tell(ChipsRead(3, FeltSpot.STACK, (*stack, chip))).tell(ChipsRead(3, FeltSpot.BET, (chip,)))
    assert acts(stage) == []
    stage.tell(ChipsRead(3, FeltSpot.STACK, stack))
    assert acts(stage) == [(3, "call")]


@pytest.mark.rules("THE-33")
def test_a_spoken_raise_moves_nothing() -> None:
    stage = preflop().key(Key.RAISE, 3)
    assert stage.alerts()["VERBAL_BET"].rule == "THE-33"
    assert acts(stage) == []


@pytest.mark.rules("THE-70")
def test_chips_taken_back_during_a_round_are_an_alarm() -> None:
    stage = preflop().lay(3, "bet", 3000).lay(3, "bet", 1000)
    alert = stage.alerts()["STAKE_TAKEN_BACK"]
    assert (alert.severity, dict(alert.evidence)) == ("alarm", {"before_cents": 3000, "after_cents": 1000})
    stage.lay(3, "bet", 3000)
    assert stage.alerts() == {}


@pytest.mark.rules("THE-58")
def test_chips_added_before_a_folded_hand_are_an_alarm() -> None:
    stage = preflop().key(Key.FOLD, 3).lay(3, "bet", 1000)
    assert stage.alerts()["BET_AFTER_FOLD"].seat == 3


@pytest.mark.rules("THE-20")
def test_chips_before_a_seat_without_a_hand_are_an_alarm() -> None:
    stage = preflop().lay(9, "bet", 1000)
    assert stage.alerts()["BET_BEFORE_NO_HAND"].rule == "THE-20"
    assert stage.lay(9, "bet", 0).alerts() == {}


@pytest.mark.rules("THE-83")
def test_chips_added_after_the_end_of_a_round_are_an_alarm() -> None:
    stage = preflop().lay(3, "bet", 1000).lay(4, "bet", 1000).lay(1, "bet", 1000).key(Key.CHECK, 2)
    assert stage.phase == "dealing"
    stage.lay(1, "bet", 4000)
    assert stage.alerts()["BET_AFTER_ROUND"].seat == 1
    assert stage.lay(1, "bet", 1000).alerts() == {}


@pytest.mark.rules("THE-83", "THE-71")
def test_a_card_drawn_while_somebody_has_the_word_is_an_alarm_and_he_still_acts() -> None:
    stage = preflop().lay(3, "bet", 1000).lay(4, "bet", 1000).lay(1, "bet", 1000)
    street(stage, "2c5h8s")
    assert stage.alerts()["CARD_WHILE_PENDING"].seat == 2
    assert word(stage) == 2
    stage.key(Key.CHECK, 2)
    assert "CARD_WHILE_PENDING" not in stage.alerts()
    assert word(stage) == 1


@pytest.mark.rules("THE-68")
def test_the_big_blind_may_check_and_that_ends_the_round() -> None:
    stage = preflop().lay(3, "bet", 1000).key(Key.FOLD, 4).lay(1, "bet", 1000)
    assert word(stage) == 2
    assert stage.key(Key.CHECK).phase == "dealing"


@pytest.mark.rules("THE-73", "THE-74", "THE-86", "THE-90")
def test_later_rounds_begin_left_of_the_button_and_end_when_all_have_checked() -> None:
    stage = on_flop()
    for seat in (1, 2, 3, 4):
        assert word(stage) == seat
        stage.key(Key.CHECK)
    assert stage.phase == "dealing"
    street(stage, "9d")
    assert word(stage) == 1


@pytest.mark.rules("THE-122")
def test_the_last_player_left_wins_without_a_card_more_and_without_showing() -> None:
    stage = preflop().lay(3, "bet", 3000).key(Key.FOLD, 4).key(Key.FOLD, 1).key(Key.FOLD, 2)
    assert stage.phase == "paying"
    assert stage.state.coup.holdem is not None
    assert stage.state.coup.holdem.shown == ()


@pytest.mark.rules("THE-93", "THE-94", "THE-100")
def test_side_pots_are_shown_as_they_form() -> None:
    stage = dealt(blinds(seated({1: 100_000, 2: 100_000, 3: 2000, 4: 100_000}, 4)))
    stage.lay(3, "bet", 2000).lay(4, "bet", 6000).lay(1, "bet", 6000)
    stage.key(Key.FOLD, 2)
    assert facts(stage.state)["pots"] == [
        {"amount": 7000, "eligible": [1, 3, 4]},
        {"amount": 8000, "eligible": [1, 4]},
    ]


def test_every_action_of_the_rules_can_be_told_by_chips_or_keys() -> None:
    stage = dealt(blinds(seated({1: 100_000, 2: 100_000, 3: 100_000, 4: 5000}, 4)))
    stage.lay(3, "bet", 1000).lay(4, "bet", 5000).lay(1, "bet", 9000).key(Key.FOLD, 2).lay(3, "bet", 9000)
    street(gather(stage, 24_000), "2c5h8s").lay(1, "bet", 1000)
    stage.lay(3, "bet", 1000)
    street(gather(stage, 26_000), "9d").key(Key.CHECK)
    assert {act for _, act in acts(stage)} == {str(act) for act in Act}
