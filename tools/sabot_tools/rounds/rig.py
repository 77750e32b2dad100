"""A simulated table: chips, cards, badges and controllers, wired to the live table's own `step`.

Time moves only when a step makes it move. Timers that the table asks for run
out at their time; lamps confirm each picture at once, unless a script says they
are dead. What the table raised and no expectation has named is kept: a script
with such a rest has found a false alert, or forgotten an expectation.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from sabot_gateway.model.alert import Alert
from sabot_gateway.model.effect import (
    CancelTimer,
    ClearAlert,
    Effect,
    RaiseAlert,
    RecordSettlement,
    SetLamps,
    StartTimer,
)
from sabot_gateway.model.event import DeviceEvent, Event, LampsApplied, TimerFired
from sabot_gateway.model.person import Person, Role
from sabot_gateway.model.tag import Deck, Tag
from sabot_gateway.rulebook import shipped_ruleset
from sabot_gateway.rules.ruleset import Ruleset, overridden
from sabot_gateway.table.configuration import NotNow, reconfigure
from sabot_gateway.table.floor import Floor, watch
from sabot_gateway.table.machine import step
from sabot_gateway.table.setup import Fitted, TableSetup
from sabot_gateway.table.state import Seance, SeancePhase, Staff, TableState
from sabot_tools.rounds.card_box import DECKS, CardBox
from sabot_tools.rounds.chip_box import ChipBox
from sabot_tools.rounds.script import Line, Script, ScriptError, Step

BEAT_MS: Final = 2_000  # from one thing that happens to the next: an unhurried table
EVENING_MS: Final = 72_000_000  # eight o'clock: a séance has begun, and no time is zero

SHOE, SPOTS, DESK = "shoe", "spots", "desk"
DEVICES: Final = (SHOE, SPOTS, DESK)

BADGES: Final = {
    "head": Person("H1", Role.TABLE_HEAD),
    "head2": Person("H2", Role.TABLE_HEAD),
    "dealer": Person("D1", Role.DEALER),
    "dealer2": Person("D2", Role.DEALER),
    "technician": Person("T1", Role.TECHNICIAN),
}
READERS: Final = {seat: seat for seat in range(1, 11)} | {
    11: 0
}  # reader n lies before seat n, reader 11 before the dealer
FITTINGS: Final = ("rack", "seats", "tray", "shuffler", "readers", "stacks", "pot", "slot", "one-colour")


@dataclass(frozen=True, slots=True)
class Entry:
    """One event of the transcript and what the table made of it."""

    step: Step | None
    event: Event
    effects: tuple[Effect, ...]


@dataclass(frozen=True, slots=True)
class Aside:
    """What the table or the floor made of something that is no event: a new configuration, another table."""

    step: Step | None
    at_ms: int
    effects: tuple[Effect, ...]


@dataclass(slots=True)
class Controller:
    boot: int = 1
    seq: int = 0


@dataclass(slots=True)
class Watch:
    """Alerts: those raised that no expectation has named yet, those named, and those open now."""

    unnamed: dict[str, tuple[Alert, Line | None]] = field(default_factory=dict)
    named: set[str] = field(default_factory=set)
    cleared: dict[str, ClearAlert] = field(default_factory=dict)

    def raised(self, alert: Alert, line: Line | None) -> None:
        if alert.id not in self.named:
            self.unnamed[alert.id] = (alert, line)

    def over(self, effect: ClearAlert) -> None:
        # The same cause after its end is a new alert, and must be named again.
        self.named.discard(effect.alert)
        self.cleared[effect.alert] = effect


class Rig:
    def __init__(self, script: Script) -> None:
        self.script = script
        self.chips = ChipBox()
        self.cards = CardBox()
        self.setup = TableSetup(
            table="T1",
            ruleset=_ruleset(script),
            chips=self.chips.register,
            cards=self.cards.register,
            decks=_decks(script),
            badges={badge_tag(name): person for name, person in BADGES.items()},
            fitted=_fitted(script),
        )
        self.state = TableState(self.setup)
        self.now_ms = EVENING_MS
        self.controllers = {device: Controller() for device in DEVICES}
        self.lamps_alive = True
        self.beat_ms = BEAT_MS
        self.watch = Watch()
        self.settlements: list[RecordSettlement] = []
        self.entries: list[Entry] = []
        self.asides: list[Aside] = []
        self.current: Step | None = None
        self.floor = Floor()
        self.waiting_setup: TableSetup | None = None  # a configuration that waits for the end of the coup
        self._timers: dict[str, tuple[int, int]] = {}  # name to due time and token

    def sense(self, device: str, fact: DeviceEvent) -> None:
        """A controller sees something, one beat after what came before."""
        self.wait(self.beat_ms)
        controller = self.controllers[device]
        controller.seq += 1
        self.feed(replace(fact, at_ms=self.now_ms, device=device, boot=controller.boot, seq=controller.seq))

    def tell(self, fact: Event, device: str = "") -> None:
        """Something that no controller numbers: a link, a console."""
        self.wait(self.beat_ms)
        self.feed(replace(fact, at_ms=self.now_ms, device=device))

    def wait(self, ms: int) -> None:
        """Let time pass; every timer that runs out on the way fires at its time."""
        end = self.now_ms + ms
        while due := [(at, name, token) for name, (at, token) in self._timers.items() if at <= end]:
            at, name, token = min(due)
            del self._timers[name]
            self.now_ms = max(self.now_ms, at)
            self.feed(TimerFired(name, token, at_ms=self.now_ms))
        self.now_ms = end

    def feed(self, event: Event) -> None:
        """One step of the table, and what the hardware does about it."""
        done = step(self.state, event)
        self.take(done.state, done.effects, event)
        if self.waiting_setup is not None:
            self.configure(self.waiting_setup)

    def configure(self, setup: TableSetup) -> None:
        """A new configuration: taken now, or kept until the table takes it."""
        done = reconfigure(self.state, setup, self.now_ms)
        self.waiting_setup = setup if isinstance(done, NotNow) else None
        if not isinstance(done, NotNow):
            self.setup = setup
            self.take(done.state, done.effects)

    def see_elsewhere(self, name: str, head: str) -> None:
        """Another table of the floor, open under this head; without one it is closed."""
        phase = SeancePhase.OPEN if head else SeancePhase.CLOSED
        other = TableState(replace(self.setup, table=name), seance=Seance(phase), staff=Staff(head=head))
        self.wait(self.beat_ms)
        seen = watch(self.floor, other, self.now_ms)
        self.floor = seen.floor
        self.take(self.state, seen.effects)

    def take(self, state: TableState, effects: tuple[Effect, ...], event: Event | None = None) -> None:
        """The table's new state, what the floor makes of it, and what the hardware does about its effects."""
        self.state = state
        at_ms = self.now_ms if event is None else event.at_ms
        seen = watch(self.floor, state, at_ms)
        self.floor = seen.floor
        effects = (*effects, *seen.effects)
        if event is None:
            self.asides.append(Aside(self.current, at_ms, effects))
        else:
            self.entries.append(Entry(self.current, event, effects))
        revision = 0
        for effect in effects:
            match effect:
                case StartTimer(timer, token, after_ms):
                    self._timers[timer] = (at_ms + after_ms, token)
                case CancelTimer(timer):
                    self._timers.pop(timer, None)
                case RaiseAlert(alert):
                    self.watch.raised(alert, self.current.line if self.current else None)
                case ClearAlert():
                    self.watch.over(effect)
                case RecordSettlement():
                    self.settlements.append(effect)
                case SetLamps():
                    revision = effect.revision
                case _:
                    pass
        if revision and self.lamps_alive:
            self.confirm_lamps(revision)

    def confirm_lamps(self, revision: int) -> None:
        controller = self.controllers[DESK]
        controller.seq += 1
        self.feed(LampsApplied(revision, at_ms=self.now_ms, device=DESK, boot=controller.boot, seq=controller.seq))

    def standing(self) -> Iterator[Alert]:
        """Every open alert, of this table and of the floor."""
        yield from self.state.alerts.values()
        yield from self.floor.alerts.values()

    def alerts(self, code: str, seat: int | None = None, spot: str | None = None) -> Iterator[Alert]:
        """The open alerts of a code, at one place if it is given."""
        for alert in self.standing():
            if alert.code == code and seat in (None, alert.seat) and spot in (None, alert.spot):
                yield alert


def badge_tag(name: str) -> Tag:
    return Tag(f"bad9e{name.encode().hex()}")


def _ruleset(script: Script) -> Ruleset:
    ruleset = overridden(shipped_ruleset(script.game), script.ruleset)
    if isinstance(ruleset, Ruleset):
        return ruleset
    raise ScriptError(Line(script.name, 1), f"RULESET: {ruleset[0].sentence or ruleset[0].detail}")


def _decks(script: Script) -> dict[str, Deck]:
    """UTH-06, THE-06: a shuffler works with two decks, of different colours if the house has followed the rule."""
    if "shuffler" not in script.fitted:
        return DECKS
    return {name: DECKS[name] for name in ("AC" if "one-colour" in script.fitted else "AB")}


def _fitted(script: Script) -> Fitted:
    words = set(script.fitted)
    for word in words:
        if word.removeprefix("no-") not in FITTINGS:
            raise ScriptError(Line(script.name, 1), f"FITTED knows {', '.join(FITTINGS)} (or no-rack …), not {word!r}.")
    return Fitted(
        rack="no-rack" not in words,
        seats="seats" in words,
        seat_readers=READERS if "readers" in words else {},
        tray="tray" in words,
        shuffler="shuffler" in words,
        stacks="stacks" in words,
        pot="pot" in words,
        slot="slot" in words,
    )
