"""The pot: stakes gathered to the chip, unmatched bets returned, rake dropped, winners paid in a closed loop."""

from typing import Any

import pytest

from sabot_gateway.model.card import cards_from_text
from sabot_gateway.model.coup import Void
from sabot_gateway.model.event import AlertOverridden, CoupVoided, HandConfirmed, LinkGap, RakeDropped
from sabot_gateway.model.felt import Key
from sabot_gateway.table.setup import Fitted
from table.holdem.holdem_stage import blinds, deal_holes, dealt, four, gather, seated, settled, street
from table.table_stage import Stage


def called(**values: Any) -> Stage:
    """Four players have staked 10 each; the round is over and 40 are to be gathered."""
    stage = dealt(blinds(four(**values)))
    return stage.lay(3, "bet", 1000).lay(4, "bet", 1000).lay(1, "bet", 1000).key(Key.CHECK, 2)


def heads_up(stacks: tuple[int, int] = (100_000, 100_000), fitted: Fitted | None = None, **values: Any) -> Stage:
    """Two players, the button on 2: seat 1 posts small, seat 2 big; aces against kings."""
    stage = seated({1: stacks[0], 2: stacks[1]}, 2, fitted, **values)
    if stage.state.setup.fitted.stacks:
        stage.lay(1, "stack", stacks[0] - 500).lay(2, "stack", stacks[1] - 1000)
    return deal_holes(blinds(stage), {1: "AsAd", 2: "KsKd"})


def checked_down(stage: Stage, pot: int) -> Stage:
    """The board is dealt and everybody checks to the showdown."""
    for cards in ("2c5h8s", "9d", "3h"):
        if stage.state.coup.board == ():
            gather(stage, pot)
        street(stage, cards)
        while stage.phase == "deciding":
            stage.key(Key.CHECK)
    return stage


@pytest.mark.rules("THE-70")
def test_chips_missing_from_the_gathered_pot_are_an_alarm_when_the_next_card_comes() -> None:
    stage = street(gather(called(), 3500), "2c5h8s")
    alert = stage.alerts()["POT_SHORT"]
    assert (alert.severity, alert.holds, dict(alert.evidence)) == (
        "alarm",
        "settle",
        {"amount_cents": 3500, "due_cents": 4000},
    )
    stage.lay(0, "pot", 4000)
    assert stage.alerts() == {}


@pytest.mark.rules("THE-70")
def test_chips_too_many_in_the_pot_are_an_alarm() -> None:
    stage = street(gather(called(), 4500), "2c5h8s")
    assert dict(stage.alerts()["POT_OVER"].evidence) == {"amount_cents": 4500, "due_cents": 4000}


@pytest.mark.rules("THE-70")
def test_chips_taken_out_of_the_pot_during_a_round_are_seen_at_once() -> None:
    stage = street(gather(called(), 4000), "2c5h8s").lay(0, "pot", 3000)
    assert stage.alerts()["POT_SHORT"].seat == 0


@pytest.mark.rules("THE-70")
def test_cards_before_the_gathering_are_an_alert_and_old_chips_are_no_bets() -> None:
    stage = street(called(), "2c5h8s")
    assert dict(stage.alerts()["STAKES_NOT_GATHERED"].evidence) == {"amount_cents": 4000, "seats": 4}
    hand = stage.state.coup.holdem
    assert hand is not None
    assert (hand.seat_in_turn, hand.betting.bet_to) == (1, 0)
    gather(stage, 4000)
    assert stage.alerts() == {}


@pytest.mark.rules("THE-84", "THE-87", "THE-91")
@pytest.mark.parametrize(("left", "rule"), [("flop", "THE-84"), ("turn", "THE-87"), ("river", "THE-91")])
def test_each_round_cites_its_own_sentence_when_its_stakes_are_left_lying(left: str, rule: str) -> None:
    stage = street(gather(heads_up().lay(1, "bet", 1000).key(Key.CHECK, 2), 2000), "2c5h8s")
    pot = 2000
    for name, cards in (("flop", "9d"), ("turn", "3h"), ("river", "")):
        stage.lay(1, "bet", 1000).lay(2, "bet", 1000)
        pot += 2000
        if name != left:
            gather(stage, pot)
        if cards:
            street(stage, cards)
        else:
            stage.key(Key.REVEAL, 1)
        if name == left:
            break
    assert stage.alerts()["STAKES_NOT_GATHERED"].rule == rule


@pytest.mark.rules("THE-114")
def test_the_unmatched_part_of_a_bet_goes_back_before_the_pot_is_made() -> None:
    stage = heads_up((100_000, 3000), rake_bp=1000)
    stage.lay(1, "bet", 8000).lay(2, "bet", 3000)
    # 50 of seat 1's 80 go back to him; 60 lie in the pot, 6 of them for the house.
    checked_down(stage, 6000).key(Key.REVEAL)
    assert stage.targets() == {(1, "bet"): 5400, (0, "pot"): 0}
    assert settled(stage).rake_total == 600


@pytest.mark.rules("THE-114")
def test_an_unmatched_part_that_was_gathered_too_comes_out_of_the_pot() -> None:
    stage = heads_up((100_000, 3000))
    stage.lay(1, "bet", 8000).lay(2, "bet", 3000)
    checked_down(stage, 11_000).key(Key.REVEAL)
    assert stage.targets() == {(1, "bet"): 11_000, (0, "pot"): 0}


@pytest.mark.rules("THE-111")
def test_a_winner_paid_too_little_holds_the_coup_open() -> None:
    stage = checked_down(heads_up().lay(1, "bet", 1000).key(Key.CHECK, 2), 2000).key(Key.REVEAL)
    stage.lay(0, "pot", 0).lay(1, "bet", 1500).key(Key.PAID)
    alert = stage.alerts()["UNDERPAID"]
    assert (alert.seat, dict(alert.evidence)) == (1, {"actual_cents": 1500, "due_cents": 2000})
    assert stage.phase == "paying"
    assert stage.lay(1, "bet", 2000).phase == "clearing"


@pytest.mark.rules("THE-111")
def test_a_winner_paid_too_much_is_seen_at_once() -> None:
    stage = checked_down(heads_up().lay(1, "bet", 1000).key(Key.CHECK, 2), 2000).key(Key.REVEAL)
    assert stage.lay(1, "bet", 2500).alerts()["OVERPAID"].seat == 1


@pytest.mark.rules("THE-111")
def test_chips_left_in_the_pot_hold_the_coup_open() -> None:
    stage = checked_down(heads_up().lay(1, "bet", 1000).key(Key.CHECK, 2), 2000).key(Key.REVEAL)
    stage.lay(0, "pot", 500).lay(1, "bet", 2000).key(Key.PAID)
    assert stage.phase == "paying"
    assert stage.lay(0, "pot", 0).phase == "clearing"


@pytest.mark.rules("THE-37", "THE-111")
def test_where_stacks_are_read_the_winner_is_paid_when_his_stack_is_right() -> None:
    stage = heads_up(fitted=Fitted(pot=True, stacks=True)).lay(1, "stack", 99_000).lay(1, "bet", 1000).key(Key.CHECK, 2)
    checked_down(stage, 2000).key(Key.REVEAL)
    assert stage.targets() == {(1, "stack"): 101_000, (1, "bet"): 0, (2, "bet"): 0, (0, "pot"): 0}
    assert stage.lay(0, "pot", 0).lay(1, "stack", 101_000).phase == "clearing"


@pytest.mark.rules("THE-109", "THE-110")
def test_a_wrong_rake_in_a_read_slot_holds_the_coup_open() -> None:
    stage = heads_up(fitted=Fitted(pot=True, slot=True), rake_bp=1000).lay(1, "bet", 1000).key(Key.CHECK, 2)
    checked_down(stage, 2000).key(Key.REVEAL)
    assert stage.targets() == {(0, "rake"): 200, (1, "bet"): 1800, (0, "pot"): 0}
    stage.lay(0, "rake", 300)
    alert = stage.alerts()["WRONG_RAKE"]
    assert (alert.rule, dict(alert.evidence)) == ("THE-110", {"amount_cents": 300, "due_cents": 200})
    stage.lay(0, "rake", 200).lay(0, "pot", 0).lay(1, "bet", 1800)
    assert stage.phase == "clearing"


@pytest.mark.rules("THE-110")
def test_a_rake_told_by_the_dealer_is_held_against_the_computed_one() -> None:
    stage = heads_up(rake_bp=1000).lay(1, "bet", 1000).key(Key.CHECK, 2)
    checked_down(stage, 2000).key(Key.REVEAL).tell(RakeDropped(100))
    assert dict(stage.alerts()["WRONG_RAKE"].evidence) == {"amount_cents": 100, "due_cents": 200}
    stage.lay(0, "pot", 0).lay(1, "bet", 1800)
    assert stage.phase == "paying"
    assert stage.tell(RakeDropped(200)).phase == "clearing"


@pytest.mark.rules("THE-110")
def test_the_table_head_may_override_a_wrong_rake() -> None:
    stage = heads_up(fitted=Fitted(pot=True, slot=True), rake_bp=1000).lay(1, "bet", 1000).key(Key.CHECK, 2)
    checked_down(stage, 2000).key(Key.REVEAL).lay(0, "pot", 0).lay(1, "bet", 1800).lay(0, "rake", 250)
    assert stage.phase == "paying"
    stage.tell(AlertOverridden("H1", stage.alerts()["WRONG_RAKE"].id, "counted at the drop"))
    assert stage.phase == "clearing"


@pytest.mark.rules("THE-107", "THE-115")
def test_a_shared_pot_gives_its_odd_chip_left_of_the_button() -> None:
    stage = seated({1: 100_000, 2: 100_000, 3: 100_000}, 3)
    deal_holes(blinds(stage), {1: "AsKd", 2: "AdKs", 3: "7c2d"})
    stage.lay(3, "bet", 1050 + 950).lay(1, "bet", 2000).lay(2, "bet", 2000)
    street(gather(stage, 6000), "QhJhTh").lay(1, "bet", 1050).lay(2, "bet", 1050).lay(3, "bet", 1050)
    street(gather(stage, 9150), "4s").key(Key.CHECK).key(Key.CHECK).key(Key.FOLD)
    street(stage, "5s").key(Key.CHECK).key(Key.CHECK).key(Key.REVEAL)
    # 91.50 for two equal straights: 46 and 45.50 in chips of 50 cents.
    assert stage.targets() == {(1, "bet"): 4600, (2, "bet"): 4550, (0, "pot"): 0}


@pytest.mark.rules("THE-95", "THE-96", "THE-98")
def test_an_all_in_winner_takes_the_main_pot_and_the_next_best_hand_the_side_pot() -> None:
    stage = seated({1: 2000, 2: 100_000, 3: 100_000}, 3)
    deal_holes(blinds(stage), {1: "AsAd", 2: "KsKd", 3: "QsQd"})
    stage.lay(3, "bet", 6000).lay(1, "bet", 2000).lay(2, "bet", 6000)
    checked_down(stage, 14_000).key(Key.REVEAL)
    assert stage.targets() == {(1, "bet"): 6000, (2, "bet"): 8000, (0, "pot"): 0}


@pytest.mark.rules("THE-125")
def test_a_void_coup_gives_every_stake_back_without_rake() -> None:
    stage = street(gather(called(rake_bp=1000), 4000), "2c5h8s").lay(1, "bet", 2000)
    stage.tell(CoupVoided("H1", Void.CARD_COUNT))
    assert stage.phase == "paying"
    assert stage.targets() == {(1, "bet"): 3000, (2, "bet"): 1000, (3, "bet"): 1000, (4, "bet"): 1000, (0, "pot"): 0}
    assert settled(stage).rake_total == 0
    stage.pay().collect()
    assert stage.phase == "idle"
    assert {seat.stack_cents for seat in stage.state.seats.values()} == {100_000}
    assert stage.state.button == 4


@pytest.mark.rules("THE-52", "THE-125")
def test_a_hand_confirmed_with_three_cards_voids_the_coup_and_gives_everything_back() -> None:
    stage = heads_up(rake_bp=1000).lay(1, "bet", 1000).key(Key.CHECK, 2)
    checked_down(stage, 2000).tell(LinkGap(3, 5, device="t2")).key(Key.REVEAL)
    for seat, cards in ((1, "AsAd7c"), (2, "KsKd"), (-1, "2c5h8s9d3h")):
        stage.tell(HandConfirmed("H1", seat, cards_from_text(cards)))
    assert (settled(stage).status, settled(stage).rule) == ("void", "THE-125")
    assert stage.targets() == {(1, "bet"): 1000, (2, "bet"): 1000, (0, "pot"): 0}


@pytest.mark.rules("THE-125")
def test_chips_never_taken_down_as_an_action_go_back_with_the_void_coup() -> None:
    stage = dealt(blinds(four())).lay(3, "bet", 1350).tell(CoupVoided("H1", Void.CARD_COUNT))
    assert stage.targets()[3, "bet"] == 1350


@pytest.mark.rules("THE-39")
def test_a_read_stack_that_grows_during_a_coup_is_an_alarm() -> None:
    stage = heads_up(fitted=Fitted(pot=True, stacks=True)).lay(2, "stack", 150_000)
    assert stage.alerts()["STACK_GREW"].rule == "THE-39"
