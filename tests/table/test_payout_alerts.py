"""The closed loop of payments: every error a dealer can make at it is named, and holds the coup open."""

from dataclasses import replace

import pytest

from sabot_gateway.model.coup import Void
from sabot_gateway.model.event import AlertCleared, AlertOverridden, CoupVoided, DiscardRead
from sabot_gateway.model.felt import Key
from sabot_gateway.model.game import Game
from sabot_gateway.model.settlement import Settlement
from sabot_gateway.rules.announcement import Announcement
from sabot_gateway.table.display import display_of
from table.table_stage import Stage


def paying() -> Stage:
    """Seat 2 wins with kings; seat 5 loses but has a pair of sevens on Paire Plus; the dealer has a queen high pair."""
    stage = Stage(Game.TCF).open().lay(2, "ante", 1000).lay(5, "ante", 1000).lay(5, "pair_plus", 500)
    stage.key(Key.BETS_CLOSED).deal("Kc 7d Qh Kd 7s Qc 2c 3h 4d")
    stage.lay(2, "play", 1000).lay(5, "play", 1000).key(Key.REVEAL)
    assert stage.targets() == {
        (5, "ante"): 0,
        (5, "play"): 0,
        (5, "pair_plus"): 1000,
        (2, "ante"): 2000,
        (2, "play"): 2000,
    }
    return stage


def test_the_amount_due_is_shown_however_much_there_is_to_announce() -> None:
    stage = paying()
    settlement = stage.state.coup.settlement
    assert isinstance(settlement, Settlement)
    words = Announcement("Bonus payé", "Bonus paid", "TCF-80")
    crowded = replace(settlement, announcements=(words,) * 6)
    display = display_of(replace(stage.state, coup=replace(stage.state.coup, settlement=crowded)))
    assert [line.en for line in display] == ["5 ANTE collect", *[words.english] * 3]


def test_too_much_is_seen_at_once_and_clears_when_it_is_right() -> None:
    stage = paying().lay(2, "ante", 2500)
    assert dict(stage.alerts()["OVERPAID"].evidence) == {"actual_cents": 2500, "due_cents": 2000}
    assert stage.alerts()["OVERPAID"].rule == "TCF-59"
    assert stage.lay(2, "ante", 2000).alerts() == {}


def test_a_losing_stake_that_grows_is_overpaid() -> None:
    assert "OVERPAID" in paying().lay(5, "ante", 2000).alerts()


def test_too_little_is_seen_when_the_dealer_says_he_has_paid() -> None:
    stage = paying().lay(5, "ante", 0).lay(5, "play", 0).lay(5, "pair_plus", 1000).lay(2, "play", 2000)
    stage.lay(2, "ante", 1500)
    assert stage.alerts() == {}
    stage.key(Key.PAID)
    assert dict(stage.alerts()["UNDERPAID"].evidence) == {"actual_cents": 1500, "due_cents": 2000}
    assert stage.phase == "paying"
    assert stage.lay(2, "ante", 2000).phase == "clearing"


def test_a_winning_stake_that_is_taken_is_seen_at_once() -> None:
    assert "UNDERPAID" in paying().lay(2, "ante", 0).alerts()


@pytest.mark.rules("TCF-54")
def test_a_losing_stake_left_on_the_felt_holds_the_coup_open() -> None:
    stage = paying().lay(5, "play", 0).lay(5, "pair_plus", 1000).lay(2, "ante", 2000).lay(2, "play", 2000)
    stage.key(Key.BETS_OPEN)
    assert (stage.alerts()["LOSING_STAKE_LEFT"].seat, stage.alerts()["LOSING_STAKE_LEFT"].rule) == (5, "TCF-54")
    assert stage.phase == "paying"


@pytest.mark.rules("TCF-74")
def test_the_side_bet_of_a_beaten_hand_left_unpaid() -> None:
    stage = paying().lay(5, "ante", 0).lay(5, "play", 0).lay(2, "ante", 2000).lay(2, "play", 2000).key(Key.PAID)
    assert (stage.alerts()["SIDE_BET_UNPAID"].seat, stage.alerts()["SIDE_BET_UNPAID"].rule) == (5, "TCF-74")


@pytest.mark.rules("TCP-26")
def test_a_folded_hand_swept_before_its_six_card_bonus_was_checked() -> None:
    stage = Stage(Game.TCP).open().lay(3, "ante", 1000).lay(3, "six_card", 500)
    stage.deal("7d Qh 7s 7h 2c 4d").key(Key.FOLD, 3).lay(3, "ante", 0).lay(3, "six_card", 0)
    assert set(stage.alerts()) == {"BET_REMOVED"}
    stage.head().key(Key.OVERRIDE).key(Key.REVEAL).key(Key.PAID)
    alert = stage.alerts()["SIDE_BET_UNPAID"]
    assert (alert.spot, alert.rule, dict(alert.evidence)["due_cents"]) == ("six_card", "TCP-26", 3000)


@pytest.mark.rules("TCP-52")
def test_a_six_card_straight_underpaid() -> None:
    stage = Stage(Game.TCP).open().lay(3, "ante", 1000).lay(3, "six_card", 500)
    stage.deal("7d 8h 9s Tc Jc 2d").lay(3, "play", 1000).key(Key.REVEAL)
    assert stage.targets()[3, "six_card"] == 500 + 10 * 500
    stage.lay(3, "six_card", 3000).key(Key.PAID)
    assert "six_card" in {alert.spot for alert in stage.state.alerts.values()}


def test_the_table_head_may_let_a_wrong_payment_stand_and_it_is_recorded() -> None:
    stage = paying().lay(5, "ante", 0).lay(5, "play", 0).lay(5, "pair_plus", 1000).lay(2, "play", 2000).key(Key.PAID)
    stage.tell(AlertOverridden("H1", stage.alerts()["UNDERPAID"].id, "paid from the tray"))
    assert stage.phase == "clearing"
    cleared = [effect for effect in stage.effects if type(effect).__name__ == "ClearAlert"]
    assert ("overridden", "H1", "paid from the tray") in [(c.how, c.by, c.reason) for c in cleared]  # type: ignore[union-attr] # by its name


def test_wrong_money_cannot_be_cleared_away() -> None:
    stage = paying().lay(2, "ante", 2500)
    stage.tell(AlertCleared("S1", stage.alerts()["OVERPAID"].id))
    assert "OVERPAID" in stage.alerts()


def test_collecting_the_cards_of_a_seat_that_is_not_paid() -> None:
    stage = paying()
    hand = [tag for tag, whose in stage.state.coup.drawn.items() if whose == 2]
    stage.tell(DiscardRead(tuple(hand)))
    assert {alert.seat for alert in stage.state.alerts.values() if alert.code == "UNDERPAID"} == {2}


def test_a_spot_that_was_right_may_be_emptied_by_its_player_but_not_staked_anew() -> None:
    stage = paying().lay(2, "ante", 2000).lay(2, "ante", 0)
    assert stage.alerts() == {}
    stage.lay(5, "ante", 0).lay(5, "ante", 1000)
    assert stage.alerts()["LATE_BET"].seat == 5


def unqualified(**values: object) -> Stage:
    """The dealer holds jack high; seat 3 has a pair of sevens on Paire Plus and announces nothing."""
    stage = Stage(Game.TCF, **values).open().lay(3, "ante", 1000).lay(3, "pair_plus", 500).key(Key.BETS_CLOSED)
    return stage.deal("7d Jh 7s 9c 2c 4d").lay(3, "play", 1000).key(Key.REVEAL)


@pytest.mark.rules("TCF-78", "A-TCF-09")
def test_an_unclaimed_bonus_is_told_to_the_head_and_not_to_the_players() -> None:
    stage = unqualified()
    assert stage.alerts()["UNCLAIMED_BONUS"].rule == "TCF-77"
    lamp = next(lamp for lamp in stage.state.lamps.picture if lamp.spot == "pair_plus")
    assert (lamp.colour, lamp.amount_cents) == ("violet", None)
    stage.key(Key.CLAIM, 3)
    assert "UNCLAIMED_BONUS" not in stage.alerts()
    lamp = next(lamp for lamp in stage.state.lamps.picture if lamp.spot == "pair_plus")
    assert (lamp.colour, lamp.amount_cents) == ("green", 1000)


@pytest.mark.rules("TCF-78")
def test_where_a_claim_is_a_condition_the_claim_decides() -> None:
    stage = unqualified(claim_required=True)
    assert stage.targets()[3, "pair_plus"] == 0
    assert stage.key(Key.CLAIM, 3).targets()[3, "pair_plus"] == 1000
    assert len(stage.settlements()) == 2


@pytest.mark.rules("A-TCF-18")
def test_a_coup_cannot_be_void_once_payments_have_begun() -> None:
    stage = paying().tell(CoupVoided("H1", Void.CARD_COUNT))
    assert stage.state.coup.void is Void.CARD_COUNT
    stage = paying().lay(2, "ante", 2000).tell(CoupVoided("H1", Void.CARD_COUNT))
    assert set(stage.alerts()) == {"VOID_TOO_LATE"}
    assert stage.state.coup.void is None


@pytest.mark.rules("TCF-35", "TCF-36")
def test_a_void_coup_returns_every_stake() -> None:
    stage = Stage(Game.TCF).open().lay(2, "ante", 1000).lay(2, "pair_plus", 500).key(Key.BETS_CLOSED).deal("Kc")
    stage.tell(CoupVoided("H1", Void.COLLUSION))
    assert stage.targets() == {(2, "ante"): 1000, (2, "pair_plus"): 500}
    assert stage.settlements()[-1].rules == ("TCF-36",)
    assert stage.settlements()[-1].by == "H1"
    assert stage.phase == "clearing"
