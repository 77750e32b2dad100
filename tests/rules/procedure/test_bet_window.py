"""When chips may move, by rule."""

import pytest

from sabot_gateway.model.game import Game
from sabot_gateway.rules.spot import spot_names
from sabot_gateway.rules.window import BetMove, BetOp, BetPhase, check_window, windows_of

Finding = tuple[int, str, str]
MOVES = (BetOp.PLACE, BetOp.CHANGE, BetOp.REMOVE)


def move(phase: str, spot: str, op: str = "place", amount: int = 500, seat: int = 1) -> BetMove:
    return BetMove(BetPhase(phase), seat, spot, BetOp(op), amount)


def findings(game: Game, *log: BetMove, **values: object) -> list[Finding]:
    faults = check_window(game, values, log)
    return [(int(str(dict(fault.extra)["index"])), fault.code, fault.rule) for fault in faults]


@pytest.mark.rules("TCF-25", "TCF-27", "TCF-28")
@pytest.mark.parametrize("op", MOVES)
@pytest.mark.parametrize("spot", ["ante", "bonus", "pair_plus"])
@pytest.mark.parametrize("phase", ["dealing", "decision", "settlement"])
def test_no_opening_stake_moves_after_rien_ne_va_plus(spot: str, op: BetOp, phase: str) -> None:
    assert findings(Game.TCF, move("betting", spot, op)) == []
    assert findings(Game.TCF, move(phase, spot, op)) == [(0, "WINDOW_CLOSED", "TCF-25")]


@pytest.mark.rules("TCF-25", "TCF-39")
def test_jouer_is_laid_when_the_player_decides() -> None:
    assert findings(Game.TCF, move("decision", "play")) == []
    assert findings(Game.TCF, move("betting", "play")) == [(0, "WINDOW_CLOSED", "TCF-39")]
    assert findings(Game.TCF, move("settlement", "play")) == [(0, "WINDOW_CLOSED", "TCF-25")]


@pytest.mark.rules("STU-25", "STU-38", "STU-59")
def test_relance_and_price_are_laid_together_when_the_player_decides() -> None:
    assert findings(Game.STU, move("decision", "raise"), move("decision", "buy")) == []
    late = (move("settlement", "raise"), move("settlement", "buy"), move("dealing", "ante"))
    assert findings(Game.STU, *late) == [(n, "WINDOW_CLOSED", "STU-25") for n in range(3)]
    early = (move("betting", "raise"), move("betting", "buy"))
    assert [rule for _, _, rule in findings(Game.STU, *early)] == ["STU-38", "STU-59"]


@pytest.mark.rules("STU-70")
def test_the_stud_bonus_closes_with_the_bets_unless_the_house_keeps_it_open_through_the_deal() -> None:
    dealing = move("dealing", "bonus", amount=100)
    assert findings(Game.STU, dealing, bonus_window="rnvp") == [(0, "WINDOW_CLOSED", "STU-70")]
    assert findings(Game.STU, dealing, bonus_window="end_of_deal") == []
    assert findings(Game.STU, move("decision", "bonus"), bonus_window="end_of_deal") == [(0, "WINDOW_CLOSED", "STU-70")]


@pytest.mark.rules("TCP-08", "TCP-12")
def test_quebec_side_bets_are_laid_before_the_cards() -> None:
    log = (move("betting", "ante"), move("dealing", "six_card"), move("decision", "play"), move("dealing", "play"))
    assert findings(Game.TCP, *log) == [(1, "WINDOW_CLOSED", "TCP-08"), (3, "WINDOW_CLOSED", "TCP-12")]


@pytest.mark.rules("UTH-18", "UTH-20", "UTH-22", "UTH-24")
def test_ultimate_play_is_laid_in_one_of_three_phases() -> None:
    for phase in ("preflop", "flop", "river"):
        assert findings(Game.UTH, move(phase, "play")) == []
    assert findings(Game.UTH, move("betting", "play")) == [(0, "WINDOW_CLOSED", "UTH-20")]
    assert findings(Game.UTH, move("settlement", "play")) == [(0, "WINDOW_CLOSED", "UTH-24")]
    for spot in ("ante", "blind", "trips"):
        assert findings(Game.UTH, move("preflop", spot, "change")) == [(0, "WINDOW_CLOSED", "UTH-18")]


@pytest.mark.rules("UTH-26")
def test_ultimate_play_is_laid_once_and_never_increased() -> None:
    first = move("preflop", "play", amount=3000)
    assert findings(Game.UTH, first, move("flop", "play", "change", 4000)) == [(1, "WINDOW_CLOSED", "UTH-26")]
    assert findings(Game.UTH, first, move("river", "play", amount=1000)) == [(1, "WINDOW_CLOSED", "UTH-26")]
    assert findings(Game.UTH, first, move("flop", "play", "remove")) == [(1, "WINDOW_CLOSED", "UTH-26")]
    assert findings(Game.UTH, first, move("preflop", "play", seat=2)) == []


@pytest.mark.rules("UTH-26")
def test_a_play_bet_put_right_at_once_is_no_second_bet() -> None:
    log = (move("preflop", "play", amount=3500), move("preflop", "play", "remove"), move("preflop", "play"))
    assert findings(Game.UTH, *log) == []


@pytest.mark.rules("THE-39", "THE-40")
def test_a_recave_comes_between_coups_and_within_its_maximum() -> None:
    assert findings(Game.THE, move("between_coups", "recave", amount=20_000), recave_max=20_000) == []
    assert findings(Game.THE, move("coup", "recave")) == [(0, "WINDOW_CLOSED", "THE-39")]
    over = move("between_coups", "recave", amount=20_001)
    assert findings(Game.THE, over, recave_max=20_000) == [(0, "RECAVE_ABOVE_MAX", "THE-40")]
    assert findings(Game.THE, over, recave_max=None) == []


@pytest.mark.rules("TCF-26", "STU-26", "THE-33")
def test_a_bet_without_chips_is_never_in_time() -> None:
    rules = {game: findings(game, move("betting", "ante", "call_bet"))[0][1:] for game in Game}
    assert rules[Game.TCF] == ("CALL_BET", "TCF-26")
    assert rules[Game.STU] == ("CALL_BET", "STU-26")
    assert rules[Game.THE] == ("CALL_BET", "THE-33")
    assert {code for code, _ in rules.values()} == {"CALL_BET"}


def test_chips_on_no_spot_at_all_are_reported() -> None:
    assert findings(Game.TCF, move("betting", "trips")) == [(0, "UNKNOWN_SPOT", "TCF-23")]


@pytest.mark.parametrize("game", [Game.TCF, Game.STU, Game.TCP, Game.UTH])
def test_every_spot_of_a_layout_has_a_window(game: Game) -> None:
    assert set(windows_of(game, {})) == spot_names(game)


def test_a_finding_names_seat_and_spot() -> None:
    (fault,) = check_window(Game.TCF, {}, [move("dealing", "ante", "change", 1000, seat=4)])
    assert (fault.seat, dict(fault.extra)) == (4, {"index": 0, "spot": "ante"})
    assert fault.sentence == "Seat 4: ante is closed to any change in the phase dealing."
