"""`step`: one fact in, the next state and its effects out. Total, pure, and driven by `phases.TRANSITIONS` alone.

Order of a step: a resent fact ends it at once; the fact is offered to each
machine; what follows by itself follows; then timers and lamps are brought in
line with the new state. A fact without any consequence gives the same state back.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from sabot_gateway.model.effect import Effect, SetLamps
from sabot_gateway.model.event import Event, KeyPressed
from sabot_gateway.model.felt import Key
from sabot_gateway.model.game import Game
from sabot_gateway.table.alerts import house
from sabot_gateway.table.change import maker, replace
from sabot_gateway.table.display import display_of
from sabot_gateway.table.lamps import picture_of
from sabot_gateway.table.links import LAMPS, STALL, is_resent, take_number
from sabot_gateway.table.phases import ALWAYS, ANY, TRANSITIONS, Machine, Row, key
from sabot_gateway.table.setup import TableSetup
from sabot_gateway.table.state import CoupPhase, Lamps, SeancePhase, ShoePhase, TableState
from sabot_gateway.table.turn import Turn

ByPhase = Mapping[str, tuple[Row, ...]]

MOST_FOLLOWING: Final = 16  # `always` rows after one event; a coup has fewer phases than this


class Step(NamedTuple):
    state: TableState
    effects: tuple[Effect, ...]


def new_table(setup: TableSetup) -> TableState:
    """A table before its first event, with the picture that its lamps should show."""
    dark = TableState(setup)
    return replace(dark, lamps=Lamps(1, 0, picture_of(dark), display_of(dark)))


def step(state: TableState, event: Event) -> Step:
    """The table after `event`. Never raises for anything that can happen at a table."""
    if is_resent(state, event):
        return Step(state, ())
    turn = Turn(state, event)
    take_number(turn)
    trigger = _KEYS[event.key] if isinstance(event, KeyPressed) else type(event).__name__
    found = False
    for machine, rows in _ROWS.get(trigger, ()):
        found |= _offer(turn, machine, rows)
    if not found and isinstance(event, KeyPressed):
        turn.state_alert(house.key_out_of_place(state.setup.game, event.key, turn.coup.phase, event.seat))
    return finished(turn)


def finished(turn: Turn) -> Step:
    """What follows by itself has followed; timers, lamps and display are in line with the new state."""
    _follow(turn)
    _keep_time(turn)
    _show(turn)
    return Step(turn.state(), tuple(turn.effects))


def fold(state: TableState, events: "tuple[Event, ...] | list[Event]") -> TableState:
    """The state after all events, their effects aside."""
    for event in events:
        state = step(state, event).state
    return state


def _offer(turn: Turn, machine: Machine, rows: ByPhase) -> bool:
    """The first row that applies, of every phase and then of this one; whether there was any."""
    found = _take_first(turn, rows[ANY]) if ANY in rows else False
    if machine is not Machine.LEVELS:
        own = rows.get(phase_of(turn, machine))
        if own is not None:
            found |= _take_first(turn, own)
    return found


def _take_first(turn: Turn, rows: tuple[Row, ...]) -> bool:
    for row in rows:
        if row.guard is None or row.guard(turn):
            _take(turn, row)
            return True
    return False


def _follow(turn: Turn) -> None:
    for _ in range(MOST_FOLLOWING):
        found = False
        for rows in _FOLLOWING[turn.seance.phase, turn.shoe.phase, turn.coup.phase]:
            found |= _take_first(turn, rows)
        if not found:
            return


def _take(turn: Turn, row: Row) -> None:
    for action in row.actions:
        action(turn)
    if row.to is None:
        return
    match row.machine:
        case Machine.SEANCE:
            turn.seance = replace(turn.seance, phase=SeancePhase(row.to))
        case Machine.SHOE:
            turn.shoe = replace(turn.shoe, phase=ShoePhase(row.to))
        case Machine.COUP:
            if turn.coup.phase != row.to:
                turn.coup = replace(turn.coup, phase=CoupPhase(row.to), phase_ms=turn.event.at_ms)
                turn.note("phase", to=row.to)
        case Machine.LEVELS:
            raise AssertionError("levels have no phases")


def phase_of(turn: Turn, machine: Machine) -> str:
    if machine is Machine.COUP:
        return turn.coup.phase
    return turn.shoe.phase if machine is Machine.SHOE else turn.seance.phase


def _keep_time(turn: Turn) -> None:
    """A phase of a coup that does not end is a stall."""
    before, after = turn.before.coup.phase, turn.coup.phase
    if before is after:
        return
    turn.clear_code(house.COUP_STALLED.code)
    if after in _TIMED:
        turn.start_timer(STALL, turn.setup.timing.stall_ms)
    else:
        turn.cancel_timer(STALL)


def _show(turn: Turn) -> None:
    """Lamps and display are a function of the state; a new picture gets a new revision."""
    old = turn.before
    if (
        (turn.coup is old.coup or _is_one_card_more(turn))
        and turn.alerts is old.alerts
        and turn.shoe.phase is old.shoe.phase
        and turn.shoe.refused is old.shoe.refused
        and turn.seance is old.seance
        and turn.review is old.review
        and turn.seats is old.seats
        and turn.staff is old.staff
        and turn.setup is old.setup
        and turn.party is old.party
        and turn.button == old.button
        and (turn.felt is old.felt or not _tells_felt(turn))
    ):
        return
    picture, display = picture_of(turn), display_of(turn)
    lamps = turn.lamps
    if picture == lamps.picture and display == lamps.display:
        return
    turn.lamps = _lamps(lamps.revision + 1, lamps.applied, picture, display)
    turn.effects.append(_set_lamps(turn.lamps.revision, picture, display))
    turn.start_timer(LAMPS, turn.setup.timing.lamps_ms)


def _is_one_card_more(turn: Turn) -> bool:
    """In the middle of a deal, the commonest event of all: nothing that is shown depends on it (law 7).

    Hold'em counts the cards of the board on its display, not those of the hands.
    """
    old, new = turn.before.coup, turn.coup
    if not (new.phase is CoupPhase.DEALING is old.phase and old.served > 0 < new.served):
        return False
    return new.holdem is None or (new.round == 0 and new.holdem is old.holdem)


def _tells_felt(turn: Turn) -> bool:
    """Before a hand of hold'em, players with chips are told from those without; otherwise the felt itself is shown."""
    if turn.setup.game is not Game.THE or not turn.setup.fitted.stacks:
        return False
    return turn.coup.phase in (CoupPhase.IDLE, CoupPhase.BETTING)


def _indexed() -> Mapping[str, tuple[tuple[Machine, ByPhase], ...]]:
    """By trigger: the machines that know it, in order, each with its rows by phase."""
    found: dict[str, tuple[tuple[Machine, ByPhase], ...]] = {}
    for trigger in dict.fromkeys(row.on for row in TRANSITIONS):
        machines = []
        for machine in Machine:
            phases: dict[str, tuple[Row, ...]] = {}
            for row in TRANSITIONS:
                if row.on == trigger and row.machine is machine:
                    phases[row.phase] = (*phases.get(row.phase, ()), row)
            if phases:
                machines.append((machine, phases))
        found[trigger] = tuple(machines)
    return found


def _following() -> Mapping[tuple[SeancePhase, ShoePhase, CoupPhase], tuple[tuple[Row, ...], ...]]:
    """What may follow by itself, for each standing of the three machines; asked after every event."""
    always = dict(_ROWS[ALWAYS])
    assert not any(ANY in rows for rows in always.values())
    return {
        (seance, shoe, coup): tuple(
            rows
            for machine, phase in ((Machine.SEANCE, seance), (Machine.SHOE, shoe), (Machine.COUP, coup))
            if (rows := always.get(machine, {}).get(phase))
        )
        for seance in SeancePhase
        for shoe in ShoePhase
        for coup in CoupPhase
    }


_lamps: Final = maker(Lamps)
_set_lamps: Final = maker(SetLamps)
_KEYS: Final = {name: key(name) for name in Key}
_ROWS: Final = _indexed()
_FOLLOWING: Final = _following()
_TIMED: Final = frozenset({CoupPhase.DEALING, CoupPhase.DECIDING, CoupPhase.REVEALING, CoupPhase.PAYING})
