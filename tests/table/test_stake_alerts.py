"""Stakes at the wrong moment, of the wrong size or on the wrong spot: one test per alert, by rule."""

import pytest

from sabot_gateway.model.event import AlertOverridden, SeatSensed
from sabot_gateway.model.felt import Key
from sabot_gateway.model.game import Game
from sabot_gateway.table.setup import Fitted
from table.table_stage import Stage

DEAL = "Kc 7d Qh Kd 5s 9c 2c 3h 4d"  # seats 2, 5, dealer


def closed() -> Stage:
    stage = Stage(Game.TCF).open().lay(2, "ante", 1000).lay(5, "ante", 1000).lay(5, "pair_plus", 500)
    return stage.key(Key.BETS_CLOSED)


@pytest.mark.rules("TCF-25")
@pytest.mark.parametrize(
    ("seat", "spot", "before", "after", "code"),
    [
        (2, "pair_plus", 0, 500, "LATE_BET"),
        (2, "ante", 1000, 1500, "CAPPED_BET"),
        (2, "ante", 1000, 500, "BET_REDUCED"),
        (5, "pair_plus", 500, 0, "BET_REMOVED"),
    ],
)
def test_a_frozen_stake_that_moves_holds_the_settlement_until_it_is_back(
    seat: int, spot: str, before: int, after: int, code: str
) -> None:
    stage = closed().lay(seat, spot, after)
    alert = stage.alerts()[code]
    assert (alert.seat, alert.spot, alert.rule) == (seat, spot, "TCF-25")
    assert dict(alert.evidence) == {"before_cents": before, "after_cents": after}
    stage.deal(DEAL).lay(2, "play", 1000).lay(5, "play", 1000).key(Key.REVEAL)
    assert stage.phase == "revealing"
    stage.lay(seat, spot, before)
    assert code not in stage.alerts()
    assert stage.phase == "paying"


def test_a_late_bet_may_be_overridden_and_the_frozen_stake_counts() -> None:
    stage = closed().lay(2, "ante", 2500).deal(DEAL).lay(2, "play", 1000).key(Key.FOLD, 5).key(Key.REVEAL)
    stage.tell(AlertOverridden("H1", stage.alerts()["CAPPED_BET"].id, "seen on video"))
    assert stage.phase == "paying"
    assert stage.targets()[2, "ante"] == 2000


def test_a_repeated_cause_is_one_alert_with_a_count() -> None:
    stage = closed()
    for amount in (1500, 2500, 3500):
        stage.lay(2, "ante", amount).lay(2, "ante", amount)
    assert [alert.code for alert in stage.state.alerts.values()] == ["CAPPED_BET"]
    assert len([effect for effect in stage.effects if type(effect).__name__ == "RaiseAlert"]) == 3


@pytest.mark.rules("TCF-23")
@pytest.mark.parametrize(("amount", "code"), [(100, "UNDER_LIMIT"), (100000, "OVER_LIMIT")])
def test_the_bets_stay_open_while_a_stake_is_outside_the_limits(amount: int, code: str) -> None:
    stage = Stage(Game.TCF).open().lay(2, "ante", 1000).lay(5, "ante", amount).key(Key.BETS_CLOSED)
    assert stage.phase == "betting"
    assert (stage.alerts()[code].seat, stage.alerts()[code].rule) == (5, "TCF-23")
    stage.lay(5, "ante", 1000)
    assert stage.alerts() == {}
    assert stage.key(Key.BETS_CLOSED).phase == "dealing"


def test_overriding_an_improper_stake_leaves_the_seat_out_of_the_coup() -> None:
    stage = Stage(Game.TCF).open().lay(2, "ante", 1000).lay(5, "ante", 100).key(Key.BETS_CLOSED)
    stage.head().key(Key.OVERRIDE, 5).key(Key.BETS_CLOSED)
    assert stage.phase == "dealing"
    assert stage.state.coup.players == (2,)


@pytest.mark.rules("UTH-16")
def test_ante_and_blind_must_be_equal() -> None:
    stage = Stage(Game.UTH).open().lay(3, "ante", 1000).lay(3, "blind", 500).key(Key.BETS_CLOSED)
    assert stage.alerts()["UNEQUAL_ANTE_BLIND"].rule == "UTH-16"
    assert stage.phase == "betting"


@pytest.mark.rules("STU-71")
def test_the_stud_bonus_is_a_fifth_of_the_minimum() -> None:
    stage = Stage(Game.STU).open().lay(3, "ante", 1000).lay(3, "bonus", 200).key(Key.BETS_CLOSED)
    assert stage.alerts()["WRONG_BONUS_AMOUNT"].rule == "STU-71"
    stage.lay(3, "bonus", 100).key(Key.BETS_CLOSED)
    assert stage.phase == "dealing"


@pytest.mark.rules("TCF-23", "TCP-08")
@pytest.mark.parametrize(("game", "rule"), [(Game.TCF, "TCF-23"), (Game.TCP, "TCP-08")])
def test_a_side_bet_needs_an_ante(game: Game, rule: str) -> None:
    stage = Stage(game).open().lay(2, "ante", 1000).lay(4, "pair_plus", 500).key(Key.BETS_CLOSED)
    assert stage.alerts()["BET_WITHOUT_HAND"].rule == rule
    assert stage.alerts()["BET_WITHOUT_HAND"].seat == 4


@pytest.mark.rules("STU-21", "UTH-15")
@pytest.mark.parametrize(("game", "rule"), [(Game.STU, "STU-21"), (Game.UTH, "UTH-15")])
def test_no_bet_before_a_vacant_seat(game: Game, rule: str) -> None:
    stage = Stage(game, fitted=Fitted(seats=True)).open().tell(SeatSensed(2, True))
    for seat in (2, 6):
        stage.lay(seat, "ante", 1000)
        if game is Game.UTH:
            stage.lay(seat, "blind", 1000)
    stage.key(Key.BETS_CLOSED)
    assert (stage.alerts()["BET_ON_VACANT_SEAT"].seat, stage.alerts()["BET_ON_VACANT_SEAT"].rule) == (6, rule)


def test_a_stake_during_the_deal_before_a_seat_without_a_hand() -> None:
    stage = closed().lay(7, "ante", 1000)
    assert stage.alerts()["BET_BEFORE_NO_HAND"].seat == 7
    stage.lay(7, "ante", 0)
    assert stage.alerts() == {}


def test_closing_without_a_stake_is_a_notice() -> None:
    stage = Stage(Game.TCF).open().key(Key.BETS_CLOSED)
    assert set(stage.alerts()) == {"NO_PLAYER"}
    assert stage.lay(1, "ante", 1000).key(Key.BETS_CLOSED).phase == "dealing"


@pytest.mark.rules("TCF-42", "STU-42", "TCP-12")
@pytest.mark.parametrize(
    ("game", "spot", "wrong", "right", "rule"),
    [
        (Game.TCF, "play", 2000, 1000, "TCF-42"),
        (Game.STU, "raise", 1000, 2000, "STU-42"),
        (Game.TCP, "play", 500, 1000, "TCP-12"),
    ],
)
def test_a_raise_is_exactly_its_multiple(game: Game, spot: str, wrong: int, right: int, rule: str) -> None:
    stage = Stage(game).open().lay(2, "ante", 1000).key(Key.BETS_CLOSED)
    cards = "2c 3d 4h 5s 7c 8d 9h Ts Jc Qd"
    stage.deal(cards if game is Game.STU else cards[:17]).lay(2, spot, wrong)
    assert stage.alerts()["WRONG_RAISE"].rule == rule
    assert stage.phase == "deciding"
    stage.lay(2, spot, right)
    assert stage.alerts() == {}
    assert stage.phase == "revealing"


@pytest.mark.rules("UTH-20", "UTH-22", "UTH-24")
@pytest.mark.parametrize(
    ("round_", "wrong", "right", "rule"),
    [(0, 2000, 3000, "UTH-20"), (0, 5000, 4000, "UTH-20"), (1, 3000, 2000, "UTH-22"), (2, 2000, 1000, "UTH-24")],
)
def test_the_play_bet_of_each_round_has_its_own_multiple(round_: int, wrong: int, right: int, rule: str) -> None:
    stage = Stage(Game.UTH).open().lay(2, "ante", 1000).lay(2, "blind", 1000)
    stage.deal("2c 7d 9h Js" + ("" if round_ == 0 else " 3c 4d 8h" if round_ == 1 else " 3c 4d 8h Qs Kd"))
    assert stage.state.coup.round == round_
    stage.lay(2, "play", wrong)
    assert stage.alerts()["WRONG_RAISE"].rule == rule
    stage.lay(2, "play", right)
    assert stage.alerts() == {}
    assert stage.state.coup.decisions[2] == ("play_preflop", "play_flop", "play_river")[round_]


@pytest.mark.rules("UTH-26")
def test_a_play_bet_is_not_touched_again() -> None:
    stage = Stage(Game.UTH).open().lay(2, "ante", 1000).lay(2, "blind", 1000).deal("2c 7d 9h Js")
    stage.lay(2, "play", 3000).deal("3c 4d 8h").lay(2, "play", 4000)
    assert stage.alerts()["RAISE_CHANGED"].rule == "UTH-26"


@pytest.mark.rules("TCF-39")
def test_a_raise_before_the_deal_is_over_counts_only_afterwards() -> None:
    stage = closed().deal("Kc 7d").lay(2, "play", 1000)
    assert stage.alerts()["RAISE_TOO_EARLY"].rule == "TCF-39"
    stage.deal("Qh Kd 5s 9c 2c 3h 4d")
    assert "RAISE_TOO_EARLY" not in stage.alerts()
    assert stage.state.coup.decisions[2] == "raise"


@pytest.mark.rules("TCF-40")
def test_chips_before_a_folded_hand() -> None:
    stage = closed().deal(DEAL).key(Key.FOLD, 2).lay(2, "play", 1000)
    assert stage.alerts()["PLAY_AFTER_FOLD"].rule == "TCF-40"


@pytest.mark.rules("TCF-41")
def test_the_ante_of_a_folded_hand_is_collected_at_once_but_not_its_side_bet() -> None:
    stage = closed().deal(DEAL).key(Key.FOLD, 5).lay(5, "ante", 0)
    assert stage.alerts() == {}
    stage.lay(5, "pair_plus", 0)
    assert set(stage.alerts()) == {"BET_REMOVED"}


def test_an_ante_swept_just_before_the_fold_is_declared_is_in_order_after_it() -> None:
    stage = closed().deal(DEAL).lay(5, "ante", 0)
    assert set(stage.alerts()) == {"BET_REMOVED"}
    assert stage.key(Key.FOLD, 5).alerts() == {}


@pytest.mark.rules("STU-58", "STU-63")
def test_the_price_of_a_card_is_the_ante() -> None:
    stage = Stage(Game.STU).open().lay(2, "ante", 1000).lay(2, "bonus", 100).key(Key.BETS_CLOSED)
    stage.deal("2c 3d 4h 5s 7c 8d 9h Ts Jc Qd").lay(2, "buy", 500)
    assert stage.alerts()["WRONG_RAISE"].rule == "STU-58"
    stage.lay(2, "buy", 1000).lay(2, "raise", 2000)
    assert stage.phase == "dealing"
    stage.deal("Kh")
    assert stage.phase == "revealing"
    assert stage.lay(2, "bonus", 0).lay(2, "buy", 0).alerts() == {}


def test_chips_left_on_a_raise_spot_when_the_bets_close() -> None:
    stage = Stage(Game.TCF).open().lay(2, "ante", 1000).lay(2, "play", 1000).key(Key.BETS_CLOSED)
    assert set(stage.alerts()) == {"RAISE_TOO_EARLY"}
