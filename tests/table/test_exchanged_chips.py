"""Chips that change places without changing an amount: taken down, and never in the way of what they decide."""

from sabot_gateway.model.effect import RecordDecision
from sabot_gateway.model.event import ChipsRead
from sabot_gateway.model.felt import FeltSpot, Key
from sabot_gateway.model.game import Game
from sabot_gateway.model.tag import Tag
from table.table_stage import Stage

TEN, OTHER_TEN, STRANGER_TEN = Tag("c1000-50"), Tag("c1000-51"), Tag("c1000-52")


def dealt() -> Stage:
    """Seats 2 and 3 have antes of ten and their cards; both must decide."""
    stage = Stage(Game.TCF).open()
    stage.tell(ChipsRead(2, FeltSpot.ANTE, (TEN,))).lay(3, "ante", 1000)
    return stage.key(Key.BETS_CLOSED).deal("Kc 7d Qh Kd 5s 9c 2c 3h 4d")


def test_an_exchange_is_a_line_in_the_recall_and_no_alert() -> None:
    stage = dealt().tell(ChipsRead(2, FeltSpot.ANTE, (OTHER_TEN,)))
    notes = [effect for effect in stage.effects if isinstance(effect, RecordDecision)]
    assert [dict(note.detail) for note in notes if note.kind == "chips_exchanged"] == [
        {"seat": 2, "spot": "ante", "amount_cents": 1000}
    ]
    assert not stage.alerts()


def test_the_same_chips_read_again_are_no_exchange() -> None:
    stage = dealt()
    before = stage.state.coup
    stage.tell(ChipsRead(2, FeltSpot.ANTE, (TEN,)))
    assert stage.state.coup is before


def test_an_exchange_that_frees_another_spot_from_doubt_lets_it_be_judged() -> None:
    """The chip of seat 2's ante is read on his PLAY spot too: a doubt, until the ante proves to be another chip."""
    stage = dealt().tell(ChipsRead(2, FeltSpot.PLAY, (TEN,)))
    stage.expire("two_spots:2:play")
    assert "CHIP_ON_TWO_SPOTS" in stage.alerts()
    assert 2 not in stage.state.coup.decisions
    stage.tell(ChipsRead(2, FeltSpot.ANTE, (STRANGER_TEN,)))
    assert "CHIP_ON_TWO_SPOTS" not in stage.alerts()
    assert stage.state.coup.decisions[2] == "raise"
