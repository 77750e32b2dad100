"""THE fold: a table's stream, record by record, to its state. Live, at a restart, in a replay and in a recall alike.

Law 4 rests on there being only this one. `take` reads a body and takes it; a runtime that has the fact in hand
already uses `take_fact`, which is the same thing less the reading. Pure: no clock, no I/O; times are in the record.

What a record does:
  batch       numbers advance; a jump in them is a LinkGap, a new boot a ControllerRebooted; each new event is a step
  said        one step; what people do in the alert queue concerns no table and is none
  setup       the table's configuration, at once or when the coup is over
  withheld    numbers that went to quarantine: a LinkGap
  (decision)  nothing: what was concluded follows from what came before
Invariants: a record is taken whole or raises; the fold that was given is never changed.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, NamedTuple, assert_never

from sabot_gateway.journal.record import Kind
from sabot_gateway.link.sequence import UNHEARD, Sequence, advanced, gap_before
from sabot_gateway.model.effect import CancelTimer, Effect, SetLamps, StartTimer
from sabot_gateway.model.event import ControllerRebooted, Event, LinkGap, TimerFired
from sabot_gateway.model.registers import Registers
from sabot_gateway.model.review import (
    AlertAcknowledged,
    AlertAssigned,
    AlertCommented,
    AlertEscalated,
    HandsUnsealed,
)
from sabot_gateway.table.change import maker
from sabot_gateway.table.configuration import NotNow, reconfigure
from sabot_gateway.table.machine import new_table, step
from sabot_gateway.table.setup import TableSetup
from sabot_gateway.table.state import TableState
from sabot_gateway.transcript.error import FactError
from sabot_gateway.transcript.fact import Batch, Configured, Fact, Said, SetupRecord, Withheld, read_fact
from sabot_gateway.transcript.wire_events import (
    Numbered,
    Parts,
    Report,
    Values,
    event_from_parts,
    event_from_wire,
    is_in_parts,
    joined,
)

Lookup = Callable[[str], Registers]  # registers of the house by digest; KeyError when they are not known


class Armed(NamedTuple):
    """A running timer: what to say when it runs out, and when (UTC milliseconds)."""

    token: int
    due_ms: int


class Controller(NamedTuple):
    """A controller as it was heard last: how its clock was mapped in which boot, and what its hello said."""

    boot: int = 0
    offset_ms: int = 0
    spread_ms: int = 0
    hello: Report | None = None


@dataclass(frozen=True, slots=True)
class Fold:
    """A table after the record at `position`. `state` is None until the table was set up."""

    lookup: Lookup = field(compare=False, repr=False)
    state: TableState | None = None
    sequences: Mapping[str, Sequence] = field(default_factory=lambda: NO_SEQUENCES)
    parts: Mapping[str, Parts] = field(default_factory=lambda: NO_PARTS)
    timers: Mapping[str, Armed] = field(default_factory=lambda: NO_TIMERS)
    setup: SetupRecord | None = None  # in force
    waiting: SetupRecord | None = None  # to be in force when the coup is over
    position: int = 0
    controllers: Mapping[str, Controller] = field(default_factory=lambda: NO_CONTROLLERS)


NO_CONTROLLERS: Final[Mapping[str, Controller]] = MappingProxyType({})
NO_SEQUENCES: Final[Mapping[str, Sequence]] = MappingProxyType({})
NO_PARTS: Final[Mapping[str, Parts]] = MappingProxyType({})
NO_TIMERS: Final[Mapping[str, Armed]] = MappingProxyType({})


class Stepped(NamedTuple):
    """One step of the table: its number within the record, what happened (None: a setup), what to do."""

    at: int
    event: Event | None
    effects: tuple[Effect, ...]


class Taken(NamedTuple):
    fold: Fold
    steps: tuple[Stepped, ...] = ()
    reports: tuple[Report, ...] = ()


def take(fold: Fold, kind: Kind, body: bytes, received_ms: int) -> Taken:
    """The table after its next record; FactError for a body that cannot be read."""
    if kind is Kind.DECISION:
        return Taken(_at(fold, fold.position + 1))
    return take_fact(fold, read_fact(kind, body), received_ms)


def take_fact(fold: Fold, fact: Fact, received_ms: int) -> Taken:
    """The table after its next record, which says `fact`."""
    taking = _Taking(fold, received_ms)
    match fact:
        case Batch():
            taking.batch(fact)
        case Said(event=event):
            if not isinstance(event, _QUEUE):
                taking.step(event)
        case Configured(setup=setup):
            taking.configure(setup)
        case Withheld():
            taking.withhold(fact)
        case _:
            assert_never(fact)
    return taking.taken()


def skip_decision(fold: Fold) -> Fold:
    """The table after a decision's record, which changes nothing but the position."""
    return _at(fold, fold.position + 1)


def kept_steps(taken: Taken) -> tuple[tuple[int, tuple[Effect, ...]], ...]:
    """What `body_from_decision` wants of the steps."""
    return tuple([(each.at, each.effects) for each in taken.steps if each.effects])


class _Taking:
    """The working copy of one record: parts of the fold, steps and reports."""

    __slots__ = (
        "_controllers",
        "_fold",
        "_now",
        "_parts",
        "_reports",
        "_sequences",
        "_setup",
        "_state",
        "_steps",
        "_timers",
        "_waiting",
    )

    def __init__(self, fold: Fold, received_ms: int) -> None:
        self._fold = fold
        self._now = received_ms
        self._state = fold.state
        self._controllers = fold.controllers
        self._sequences = fold.sequences
        self._parts = fold.parts
        self._timers = fold.timers
        self._setup = fold.setup
        self._waiting = fold.waiting
        self._steps: list[Stepped] = []
        self._reports: list[Report] = []

    def taken(self) -> Taken:
        fold = _made(
            self._fold.lookup,
            self._state,
            self._sequences,
            self._parts,
            self._timers,
            self._setup,
            self._waiting,
            self._fold.position + 1,
            self._controllers,
        )
        return Taken(fold, tuple(self._steps), tuple(self._reports))

    def batch(self, batch: Batch) -> None:
        device, skip, offset_ms, spread_ms, boot, first, events = batch
        controller = self._controllers.get(device, _UNHEARD)
        if (controller.boot, controller.offset_ms, controller.spread_ms) != (boot, offset_ms, spread_ms):
            self._controllers = {**self._controllers, device: Controller(boot, offset_ms, spread_ms, controller.hello)}
        known = self._sequences.get(device, UNHEARD)
        missing = gap_before(known, first + skip)
        if missing is not None:
            at_ms = events[skip][1]["device_ms"] + offset_ms
            self.step(LinkGap(missing[0], missing[1], at_ms=at_ms, device=device))
        start = known.start or first + skip
        is_rebooted = 0 < known.boot < boot
        if is_rebooted and all(name != "hello" for name, _ in events[skip:]):
            # Its hello was lost or comes later; that it started anew is certain.
            is_rebooted = False
            at_ms = events[skip][1]["device_ms"] + offset_ms
            self.step(ControllerRebooted("unknown", at_ms=at_ms, device=device))
        for at in range(skip, len(events)):
            name, values = events[at]
            self._event(name, values, (values["device_ms"] + offset_ms, device, boot, first + at), is_rebooted, start)
        sequence = advanced(known, boot, first, len(events), events[-1][1]["device_ms"])
        self._sequences = {**self._sequences, device: sequence}

    def withhold(self, withheld: Withheld) -> None:
        device, boot, first, last, last_ms, reason = withheld
        known = self._sequences.get(device, UNHEARD)
        missing = gap_before(known, first)
        at_ms = self._now
        self.step(LinkGap(missing[0] if missing else first, last, at_ms=at_ms, device=device))
        sequence = advanced(known, boot, first, last - first + 1, last_ms)._replace(refused=reason)
        self._sequences = {**self._sequences, device: sequence}

    def configure(self, setup: SetupRecord) -> None:
        self._waiting = setup
        self._apply_waiting(self._now)

    def step(self, event: Event) -> None:
        if isinstance(event, TimerFired):
            self._disarm(event.timer, event.token)
        if self._state is None:
            return
        done = step(self._state, event)
        self._state = done.state
        self._did(event, done.effects)
        if self._waiting is not None:
            self._apply_waiting(event.at_ms)

    def _event(self, name: str, values: Values, lead: Numbered, is_rebooted: bool, start: int) -> None:
        event = event_from_wire(name, values, lead)
        if event is not None:
            self.step(event)
            return
        at_ms, device, boot, seq = lead
        if is_in_parts(name):
            self._part(name, values, lead)
            return
        report = Report(device, boot, seq, at_ms, name, values)
        if name == "hello":
            if is_rebooted:
                cause = str(values["reset_cause"])
                self.step(ControllerRebooted(cause, at_ms=at_ms, device=device, boot=boot, seq=seq))
            known = self._controllers[device]
            self._controllers = {**self._controllers, device: known._replace(hello=report)}
        elif name == "outbox_overflow":
            self._overflow(values, lead, start)
        self._reports.append(report)

    def _overflow(self, values: Values, lead: Numbered, start: int) -> None:
        # Numbers from `start` on were taken, or missed as a jump: only what was lost before is news.
        at_ms, device, boot, seq = lead
        first, last = values["from"], values["to"]
        if first < start:
            self.step(LinkGap(first, min(last, start - 1), at_ms=at_ms, device=device, boot=boot, seq=seq))

    def _part(self, name: str, values: Values, lead: Numbered) -> None:
        at_ms, device, boot, seq = lead
        before = self._parts.get(device)
        parts = joined(before, name, values, boot, seq)
        if before is not None and (parts is None or parts.part == 1):
            self._reports.append(Report(device, boot, seq, at_ms, "reading_incomplete", {"name": before.name}))
        if parts is None and before is None:
            self._reports.append(Report(device, boot, seq, at_ms, "reading_incomplete", {"name": name}))
        if parts is not None and parts.part < parts.of:
            self._parts = {**self._parts, device: parts}
            return
        if before is not None:
            self._parts = {other: each for other, each in self._parts.items() if other != device}
        if parts is None:
            return
        event = event_from_parts(parts, lead)
        if event is not None:
            self.step(event)
        else:
            self._reports.append(Report(device, boot, seq, at_ms, name, {"modules": list(parts.items)}))

    def _apply_waiting(self, at_ms: int) -> None:
        record = self._waiting
        assert record is not None
        try:
            registers = self._fold.lookup(record.registers)
        except KeyError as error:
            raise FactError("A setup names registers that the house did not write.") from error
        setup = TableSetup(
            record.table,
            record.ruleset,
            registers.chips,
            registers.cards,
            registers.decks,
            registers.badges,
            record.timing,
            record.fitted,
        )
        if self._state is None:
            self._state = new_table(setup)
            lamps = self._state.lamps
            effects: tuple[Effect, ...] = (SetLamps(lamps.revision, lamps.picture, lamps.display),)
        else:
            done = reconfigure(self._state, setup, at_ms)
            if isinstance(done, NotNow):
                if not done.may_wait:
                    self._waiting = None
                return
            self._state, effects = done.state, done.effects
        self._setup, self._waiting = record, None
        self._did(None, effects)

    def _did(self, event: Event | None, effects: tuple[Effect, ...]) -> None:
        self._steps.append(Stepped(len(self._steps), event, effects))
        for effect in effects:
            if type(effect) is StartTimer:
                self._timers = {**self._timers, effect.timer: Armed(effect.token, self._now + effect.after_ms)}
            elif type(effect) is CancelTimer:
                self._timers = {name: armed for name, armed in self._timers.items() if name != effect.timer}

    def _disarm(self, timer: str, token: int) -> None:
        armed = self._timers.get(timer)
        if armed is not None and armed.token == token:
            self._timers = {name: each for name, each in self._timers.items() if name != timer}


def _at(fold: Fold, position: int) -> Fold:
    return _made(
        fold.lookup,
        fold.state,
        fold.sequences,
        fold.parts,
        fold.timers,
        fold.setup,
        fold.waiting,
        position,
        fold.controllers,
    )


_made: Final = maker(Fold)
_UNHEARD: Final = Controller()
_QUEUE: Final = (AlertAssigned, AlertCommented, AlertAcknowledged, AlertEscalated, HandsUnsealed)
