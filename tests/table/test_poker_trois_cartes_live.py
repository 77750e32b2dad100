"""A coup of poker trois cartes from sensors alone, from the first stake to the cards in the rack."""

import pytest

from sabot_gateway.model.felt import Key
from sabot_gateway.model.game import Game
from table.table_stage import Stage


def started() -> Stage:
    """Seats 2 and 5 have staked and been dealt a pair of kings and nothing; the dealer holds a queen."""
    stage = Stage(Game.TCF).open()
    stage.lay(2, "ante", 1000).lay(5, "ante", 1000).lay(5, "pair_plus", 500)
    return stage.key(Key.BETS_CLOSED)


DEAL = "Kc 7d Qh Kd 5s 9c 2c 3h 4d"  # rounds: seat 2, seat 5, dealer


def test_a_coup_runs_from_stakes_to_cards_in_the_rack() -> None:
    stage = started()
    assert stage.phase == "dealing"
    stage.deal(DEAL)
    assert stage.phase == "deciding"
    stage.lay(2, "play", 1000).key(Key.FOLD, 5)
    assert stage.phase == "revealing"
    stage.key(Key.REVEAL)
    assert stage.phase == "paying"
    assert stage.targets() == {(2, "ante"): 2000, (2, "play"): 2000, (5, "ante"): 0, (5, "pair_plus"): 0}
    stage.pay()
    assert stage.phase == "clearing"
    stage.collect()
    assert stage.phase == "idle"
    assert stage.raised() == set()


@pytest.mark.rules("TCF-51")
def test_payments_are_shown_from_the_highest_seat_down() -> None:
    stage = started().deal(DEAL).lay(2, "play", 1000).key(Key.FOLD, 5).key(Key.REVEAL)
    assert [(lamp.seat, str(lamp.spot), str(lamp.colour)) for lamp in stage.state.lamps.picture] == [
        (5, "ante", "red"),
        (5, "pair_plus", "red"),
        (2, "ante", "green"),
        (2, "play", "green"),
    ]
