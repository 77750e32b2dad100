"""A live table gets a new configuration: between coups only, and it keeps what outlasts a coup."""

from dataclasses import replace

import pytest

from sabot_gateway.model.effect import ClearAlert, RecordDecision, SetLamps
from sabot_gateway.model.event import ChipsRead, PlayerSeated, PlayerWaiting
from sabot_gateway.model.felt import FeltSpot, Key
from sabot_gateway.model.game import Game
from sabot_gateway.model.registers import Registers
from sabot_gateway.model.tag import Chip, Tag
from sabot_gateway.table.configuration import NotNow, Why, reconfigure
from sabot_gateway.table.display import display_of
from sabot_gateway.table.lamps import picture_of
from sabot_gateway.table.machine import Step
from sabot_gateway.table.setup import Fitted, TableSetup, Timing
from sabot_gateway.table.snapshot import SnapshotError, snapshot_of, state_from_snapshot
from sabot_gateway.table.state import TableState
from table.table_stage import DEALER, DECKS, HEAD, Stage, setup_for


def taken(state: TableState, setup: TableSetup) -> Step:
    done = reconfigure(state, setup, at_ms=5_000)
    assert isinstance(done, Step)
    assert done.state.lamps.picture == picture_of(done.state)
    assert done.state.lamps.display == display_of(done.state)
    return done


def test_a_coup_ends_by_the_rules_it_began_with() -> None:
    stage = Stage(Game.TCF).open().lay(2, "ante", 1000)
    setup = setup_for(Game.TCF, table_min=1000)
    refused = reconfigure(stage.state, setup)
    assert isinstance(refused, NotNow)
    assert (refused.why, refused.may_wait) == (Why.COUP_UNDER_WAY, True)
    stage.key(Key.BETS_CLOSED).deal("Kc Qh Kd 9c 2c 4d").lay(2, "play", 1000)
    assert isinstance(reconfigure(stage.state, setup), NotNow)
    stage.key(Key.REVEAL).pay()
    assert isinstance(reconfigure(stage.state, setup), NotNow)
    stage.collect()
    done = taken(stage.state, setup)
    assert done.state.setup.ruleset.values["table_min"] == 1000
    (note,) = [effect for effect in done.effects if isinstance(effect, RecordDecision)]
    assert (note.kind, dict(note.detail)["changed"]) == ("configured", "ruleset")
    assert dict(note.detail)["sha256"] == setup.ruleset.sha256


def test_what_outlasts_a_coup_stays() -> None:
    stage = Stage(Game.THE).open().tell(PlayerSeated(3, "ann")).tell(PlayerWaiting("bob"))
    state = stage.state
    done = taken(state, setup_for(Game.THE, Fitted(), Timing(stall_ms=1)))
    for part in ("seance", "shoe", "coup", "seats", "staff", "links", "alerts", "felt", "party", "button", "timers"):
        assert getattr(done.state, part) == getattr(state, part), part
    assert done.state.setup.timing.stall_ms == 1


def test_the_same_configuration_changes_nothing() -> None:
    state = Stage(Game.STU).open().state
    assert reconfigure(state, setup_for(Game.STU)) == Step(state, ())


def test_an_opened_coup_without_a_stake_is_no_coup() -> None:
    stage = Stage(Game.TCF).open().key(Key.BETS_OPEN)
    assert stage.phase == "betting"
    taken(stage.state, setup_for(Game.TCF, table_min=1000))


def test_chips_on_the_felt_are_counted_by_the_new_register() -> None:
    strange = Tag("strange")
    stage = Stage(Game.TCF).open().tell(ChipsRead(2, FeltSpot.PLAY, (strange,)))
    assert "UNKNOWN_CHIP" in stage.alerts()
    setup = setup_for(Game.TCF)
    done = taken(stage.state, replace(setup, chips={**setup.chips, strange: Chip(500)}))
    assert done.state.felt[2, FeltSpot.PLAY].cents == 500
    assert not done.state.alerts
    assert any(isinstance(effect, ClearAlert) for effect in done.effects)
    assert any(isinstance(effect, SetLamps) for effect in done.effects)


def test_a_badge_that_was_taken_back_is_no_staff() -> None:
    stage = Stage(Game.TCF).open()
    setup = setup_for(Game.TCF)
    staff = taken(stage.state, replace(setup, badges={HEAD: setup.badges[HEAD]})).state.staff
    assert (staff.dealer, staff.head) == ("", "H1")
    staff = taken(stage.state, replace(setup, badges={DEALER: setup.badges[DEALER]})).state.staff
    assert (staff.dealer, staff.head, staff.authority_ms) == ("D1", "", -1)


def test_a_deck_whose_cards_changed_is_counted_again() -> None:
    stage = Stage(Game.TCF).open()
    setup = setup_for(Game.TCF)
    cards = {tag: known for tag, known in setup.cards.items() if known.deck != "red"}
    shoe = taken(stage.state, replace(setup, cards=cards)).state.shoe
    assert (shoe.phase, shoe.deck) == ("empty", "")


def test_a_deck_keeps_the_seances_it_has_served() -> None:
    """TCF-02: new cards are asked for, so a register that knows less must not make a used deck new."""
    stage = Stage(Game.TCF).open().head().key(Key.CLOSE_SESSION)
    done = taken(stage.state, setup_for(Game.TCF, table_min=1000))
    assert done.state.setup.decks["red"].uses == 1


def test_a_sensor_that_is_gone_says_nothing() -> None:
    stage = Stage(Game.UTH, fitted=Fitted(tray=True)).tell(ChipsRead(0, FeltSpot.FLOAT, (Tag("odd"),)))
    done = taken(stage.state, setup_for(Game.UTH, Fitted(rack=False)))
    assert (0, FeltSpot.FLOAT) not in done.state.felt
    assert not [alert for alert in done.state.alerts.values() if alert.spot == "float"]
    assert done.state.shoe.rack == frozenset()


def test_the_game_changes_with_the_seance_closed() -> None:
    stage = Stage(Game.TCF).open()
    refused = reconfigure(stage.state, setup_for(Game.UTH))
    assert isinstance(refused, NotNow)
    assert refused.why is Why.OTHER_GAME
    stage.head().key(Key.CLOSE_SESSION)
    assert taken(stage.state, setup_for(Game.UTH)).state.setup.game is Game.UTH


@pytest.mark.rules("THE-35")
def test_the_minimum_cave_stands_until_the_next_seance() -> None:
    stage = Stage(Game.THE, cave_min=10_000).open()
    refused = reconfigure(stage.state, setup_for(Game.THE, cave_min=20_000))
    assert isinstance(refused, NotNow)
    assert (refused.why, refused.may_wait) == (Why.CAVE_FIXED, True)
    assert isinstance(reconfigure(stage.state, setup_for(Game.THE, cave_min=10_000, absence_max_s=60)), Step)


def test_a_configuration_for_another_table_is_refused() -> None:
    refused = reconfigure(Stage(Game.TCF).state, replace(setup_for(Game.TCF), table="T2"))
    assert isinstance(refused, NotNow)
    assert not refused.may_wait


def test_a_snapshot_without_registers_restores_with_them() -> None:
    stage = Stage(Game.TCF).open().head().key(Key.CLOSE_SESSION)
    state, setup = stage.state, stage.state.setup
    book = {setup.ruleset.sha256: setup.ruleset}.__getitem__
    registers = Registers(setup.chips, setup.cards, setup.decks, setup.badges)
    data = snapshot_of(state, registers=False)
    assert not any(tag in repr(data) for tag in setup.badges)
    assert len(repr(data)) < len(repr(snapshot_of(state))) / 5
    assert state_from_snapshot(data, book, registers) == state
    # The house's file knows nothing of this night: the deck has served all the same.
    assert state_from_snapshot(data, book, replace(registers, decks=DECKS)) == state
    with pytest.raises(SnapshotError):
        state_from_snapshot(data, book)
