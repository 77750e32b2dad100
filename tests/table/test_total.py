"""`step` is total: in every phase of every game, every event and every key is answered, and the table is consistent."""

from random import Random

import pytest

from sabot_gateway.model import event as events
from sabot_gateway.model.card import DECK
from sabot_gateway.model.event import BadgeRegistered, ChipsRegistered, DeckRegistered, Event, KeyPressed
from sabot_gateway.model.felt import FeltSpot, Key
from sabot_gateway.model.game import Game
from sabot_gateway.model.person import Person, Role
from sabot_gateway.model.tag import Chip, Deck, Tag
from sabot_gateway.table.machine import new_table, step
from sabot_gateway.table.phases import ALWAYS, ANY, TRANSITIONS, Machine
from sabot_gateway.table.snapshot import snapshot_of, state_from_snapshot
from sabot_gateway.table.state import CoupPhase, SeancePhase, ShoePhase, TableState
from table.holdem.holdem_crowd import HoldemCrowd, mischief
from table.table_crowd import Crowd, noise
from table.table_stage import Stage

PHASES = {Machine.SEANCE: SeancePhase, Machine.SHOE: ShoePhase, Machine.COUP: CoupPhase}


def kinds() -> set[str]:
    """Every event of the vocabulary by name."""
    return {
        name
        for name, value in vars(events).items()
        if isinstance(value, type) and issubclass(value, events.Fact) and value is not events.Fact
    }


def test_every_row_names_known_phases_and_triggers() -> None:
    triggers = kinds() - {"KeyPressed"} | {f"key {key}" for key in Key} | {ALWAYS}
    for row in TRANSITIONS:
        assert row.on in triggers, row
        if row.machine is Machine.LEVELS:
            assert (row.phase, row.to) == (ANY, None)
        else:
            assert row.phase in {ANY, *PHASES[row.machine]}
            assert row.to is None or row.to in set(PHASES[row.machine])


def test_every_event_has_a_row() -> None:
    assert kinds() - {"KeyPressed"} <= {row.on for row in TRANSITIONS}


def test_a_row_without_guard_is_the_last_of_its_kind() -> None:
    seen: dict[tuple[str, str, str], bool] = {}
    for row in TRANSITIONS:
        place = (row.machine, row.phase, row.on)
        assert not seen.get(place), f"{place} has a row that can never be taken"
        seen[place] = row.guard is None


def test_every_phase_can_be_reached_and_left() -> None:
    for machine, phases in PHASES.items():
        rows = [row for row in TRANSITIONS if row.machine is machine and row.to and row.to != row.phase]
        # A finished coup leaves the shoe with a deck to count or to shuffle, outside of the shoe's own rows.
        first = {"closed", "empty", "idle"}
        assert {row.to for row in rows} | first >= set(phases)
        assert {row.phase for row in rows} >= set(phases) - {"empty", "ready"}


def states_by_phase(game: Game) -> dict[str, TableState]:
    """One state in each phase of the coup, found by playing."""
    found: dict[str, TableState] = {}
    holdem = HoldemCrowd(Random(7), mischief=0.0) if game is Game.THE else None
    crowd = holdem or Crowd(game, Random(7), mischief=0.0).open()
    for _ in range(400):
        crowd.act()
    state = new_table(crowd.stage.state.setup)
    for event in crowd.stage.events:
        state = step(state, event).state
        found.setdefault(str(state.coup.phase), state)
    return found


@pytest.mark.parametrize("game", Game)
def test_every_key_and_event_in_every_phase_is_answered(game: Game) -> None:
    states = states_by_phase(game)
    assert set(states) == set(CoupPhase)
    for state in states.values():
        for key in Key:
            for seat in (0, 1, 7, 10):
                assert step(state, KeyPressed(key, seat)).state
        stage = Stage(game)
        stage.state = state
        random = Random(3)
        tell = mischief if game is Game.THE else noise
        asked: list[Event] = [tell(stage, random) for _ in range(150)]
        for event in asked:
            assert step(state, event).state


def test_a_fact_without_consequence_gives_the_same_state_back() -> None:
    stage = Stage(Game.TCF).open()
    assert step(stage.state, events.LampsApplied(0)).state is stage.state
    assert step(stage.state, events.TimerFired("stall", 999)).state is stage.state


def test_registers_that_change_during_a_coup_wait_for_its_end() -> None:
    stage = Stage(Game.TCF).open().lay(2, "ante", 1000).key(Key.BETS_CLOSED).deal("Kc Qh Kd 9c 2c 4d")
    stage.tell(ChipsRegistered({Tag("new"): Chip(500)}))
    stage.tell(DeckRegistered(Deck("green"), {}))
    stage.tell(BadgeRegistered(Tag("b9"), Person("D9", Role.DEALER)))
    assert Tag("new") not in stage.state.setup.chips
    book = {stage.state.setup.ruleset.sha256: stage.state.setup.ruleset}
    assert state_from_snapshot(snapshot_of(stage.state), book.__getitem__) == stage.state
    stage.lay(2, "play", 1000).key(Key.REVEAL).pay().rack(DECK)
    assert Tag("new") in stage.state.setup.chips
    assert "green" in stage.state.setup.decks
    assert stage.state.setup.badges[Tag("b9")].id == "D9"
    stage.tell(BadgeRegistered(Tag("b9"), None))
    assert Tag("b9") not in stage.state.setup.badges


def test_a_deck_that_is_registered_anew_while_in_use_has_only_its_new_cards_and_is_counted_again() -> None:
    stage = Stage(Game.TCF).open()
    red = {tag: known for tag, known in stage.state.setup.cards.items() if known.deck == "red"}
    assert stage.tell(DeckRegistered(Deck("red"), red)).state.shoe.phase == "ready"
    lost = next(iter(red))
    anew = {Tag("red-new") if tag == lost else tag: known for tag, known in red.items()}
    stage.tell(DeckRegistered(Deck("red"), anew))
    assert lost not in stage.state.setup.cards
    assert stage.state.setup.cards[Tag("red-new")] == red[lost]
    assert stage.state.shoe.phase == "empty"


def test_chips_registered_later_are_counted_where_they_lie() -> None:
    stage = Stage(Game.TCF).open().tell(events.ChipsRead(2, FeltSpot.ANTE, (Tag("late"),)))
    stage.tell(ChipsRegistered({Tag("late"): Chip(1000)}))
    assert stage.state.felt[2, FeltSpot.ANTE].cents == 1000


def test_an_alert_that_outlasts_its_coup_stays_one_alert() -> None:
    stage = Stage(Game.TCF).open().tell(events.ClockSkewed(5000, device="c1"))
    stage.lay(2, "ante", 1000).tell(events.ClockSkewed(6000, device="c1"))
    assert [alert.count for alert in stage.state.alerts.values() if alert.code == "CLOCK_OFF"] == [2]
