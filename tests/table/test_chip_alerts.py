"""Chips that are not what they should be: alerts that hold the closing of the bets until they are gone."""

import pytest

from sabot_gateway.model.event import ChipsDoubted, ChipsRead, TimerFired
from sabot_gateway.model.felt import Doubt, FeltSpot, Key
from sabot_gateway.model.game import Game
from sabot_gateway.model.tag import Tag
from table.table_stage import HEAD, Stage

GOOD = (Tag("c1000-0"),)


@pytest.mark.rules("TCF-24")
@pytest.mark.parametrize(
    ("tags", "code"),
    [
        ((Tag("ffff"),), "UNKNOWN_CHIP"),
        ((Tag("cf-1"),), "FOREIGN_CHIP"),
        ((Tag("red-3"),), "FOREIGN_CHIP"),
        ((HEAD,), "FOREIGN_CHIP"),
        ((Tag("cw-1"),), "WITHDRAWN_CHIP"),
        ((GOOD[0], GOOD[0]), "DUPLICATE_CHIP"),
    ],
)
def test_a_chip_that_is_not_right_holds_the_closing(tags: tuple[Tag, ...], code: str) -> None:
    stage = Stage(Game.TCF).open().tell(ChipsRead(2, FeltSpot.ANTE, (*GOOD, *tags)))
    assert (stage.alerts()[code].seat, stage.alerts()[code].spot, stage.alerts()[code].rule) == (2, "ante", "TCF-24")
    assert stage.key(Key.BETS_CLOSED).phase == "betting"
    stage.tell(ChipsRead(2, FeltSpot.ANTE, GOOD))
    assert stage.alerts() == {}
    assert stage.key(Key.BETS_CLOSED).phase == "dealing"


def test_chips_that_do_not_count_are_worth_nothing() -> None:
    stage = Stage(Game.TCF).open().tell(ChipsRead(2, FeltSpot.ANTE, (*GOOD, Tag("cw-1"), Tag("cf-1"), Tag("ffff"))))
    assert stage.state.felt[2, FeltSpot.ANTE].cents == 1000


def test_one_chip_on_two_spots_is_a_doubt_until_one_spot_is_free_of_it() -> None:
    stage = Stage(Game.TCF).open().tell(ChipsRead(2, FeltSpot.ANTE, GOOD)).tell(ChipsRead(3, FeltSpot.ANTE, GOOD))
    assert stage.alerts() == {}, "a pile on its way is in two places for a moment"
    stage.expire("two_spots:3:ante")
    alert = stage.alerts()["CHIP_ON_TWO_SPOTS"]
    assert dict(alert.evidence) == {"chips": 1, "other_seat": 2, "other_spot": "ante"}
    assert stage.key(Key.BETS_CLOSED).phase == "betting"
    stage.tell(ChipsRead(2, FeltSpot.ANTE, ()))
    assert "CHIP_ON_TWO_SPOTS" not in stage.alerts()


def test_a_pile_on_its_way_holds_the_closing_and_says_why_when_asked() -> None:
    stage = Stage(Game.TCF).open().tell(ChipsRead(2, FeltSpot.ANTE, GOOD)).tell(ChipsRead(3, FeltSpot.ANTE, GOOD))
    timer = stage.state.timers["two_spots:3:ante"]
    assert stage.key(Key.BETS_CLOSED).phase == "betting"
    assert set(stage.alerts()) == {"CHIP_ON_TWO_SPOTS"}
    stage.tell(TimerFired("two_spots:3:ante", timer))
    assert stage.alerts()["CHIP_ON_TWO_SPOTS"].count == 1


def test_a_pile_that_has_arrived_leaves_no_trace() -> None:
    stage = Stage(Game.TCF).open().tell(ChipsRead(2, FeltSpot.ANTE, GOOD)).tell(ChipsRead(3, FeltSpot.ANTE, GOOD))
    timer = stage.state.timers["two_spots:3:ante"]
    stage.tell(ChipsRead(2, FeltSpot.ANTE, ())).tell(TimerFired("two_spots:3:ante", timer))
    assert "CHIP_ON_TWO_SPOTS" not in stage.raised()
    assert stage.key(Key.BETS_CLOSED).phase == "dealing"
    assert stage.state.coup.players == (3,)


def test_a_doubtful_reading_leaves_what_was_read_and_clears_with_the_next_good_one() -> None:
    stage = Stage(Game.TCF).open().tell(ChipsRead(2, FeltSpot.ANTE, GOOD))
    stage.tell(ChipsDoubted(2, FeltSpot.ANTE, (), Doubt.UNSTABLE))
    assert set(stage.alerts()) == {"CHIPS_DOUBTFUL"}
    assert stage.state.felt[2, FeltSpot.ANTE].cents == 1000
    assert stage.tell(ChipsRead(2, FeltSpot.ANTE, GOOD)).alerts() == {}
