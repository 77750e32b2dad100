"""The working copy of one step: the parts of the state by name, the event, and the effects so far.

Lives for one call of `step` and is the only mutable thing in the table. Parts
are replaced, never changed in place; `state` puts them together again and gives
the old state back when nothing moved.
"""

from collections.abc import Mapping
from typing import Final

from sabot_gateway.model.alert import Alert, Holds
from sabot_gateway.model.effect import CancelTimer, ClearAlert, Effect, RaiseAlert, RecordDecision, StartTimer
from sabot_gateway.model.event import Fact, RegisterEvent
from sabot_gateway.rules.rejection import Refusal
from sabot_gateway.table.change import maker, replace
from sabot_gateway.table.holdem_state import Party
from sabot_gateway.table.settled import Settled
from sabot_gateway.table.state import (
    Coup,
    Lamps,
    Link,
    Pile,
    Place,
    Review,
    Seance,
    SeatState,
    Shoe,
    Staff,
    TableState,
)


class Turn:
    __slots__ = (
        "alerts",
        "before",
        "button",
        "coup",
        "deferred",
        "effects",
        "event",
        "felt",
        "lamps",
        "links",
        "party",
        "review",
        "seance",
        "seats",
        "settled",
        "setup",
        "shoe",
        "staff",
        "timers",
        "tokens",
    )

    def __init__(self, state: TableState, event: Fact) -> None:
        self.before: Final = state  # as the event found it
        self.event = event
        self.effects: list[Effect] = []
        self.setup = state.setup
        self.seance: Seance = state.seance
        self.shoe: Shoe = state.shoe
        self.coup: Coup = state.coup
        self.review: Review | None = state.review
        self.felt: Mapping[Place, Pile] = state.felt
        self.seats: Mapping[int, SeatState] = state.seats
        self.staff: Staff = state.staff
        self.links: Mapping[str, Link] = state.links
        self.alerts: Mapping[str, Alert] = state.alerts
        self.lamps: Lamps = state.lamps
        self.timers: Mapping[str, int] = state.timers
        self.tokens: int = state.tokens
        self.button: int = state.button
        self.party: Party = state.party
        self.deferred: tuple[RegisterEvent, ...] = state.deferred
        self.settled: Settled | Refusal | None = None  # worked out by a guard, used by its action

    def state(self) -> TableState:
        old = self.before
        if (
            self.coup is old.coup
            and self.felt is old.felt
            and self.alerts is old.alerts
            and self.links is old.links
            and self.lamps is old.lamps
            and self.timers is old.timers
            and self.shoe is old.shoe
            and self.seance is old.seance
            and self.review is old.review
            and self.seats is old.seats
            and self.staff is old.staff
            and self.setup is old.setup
            and self.button == old.button
            and self.party is old.party
            and self.deferred is old.deferred
        ):
            return old
        return _made(
            self.setup,
            self.seance,
            self.shoe,
            self.coup,
            self.review,
            self.felt,
            self.seats,
            self.staff,
            self.links,
            self.alerts,
            self.lamps,
            self.timers,
            self.tokens,
            self.button,
            self.party,
            self.deferred,
        )

    def note(self, kind: str, **detail: int | str) -> None:
        """A line for the recall of the coup."""
        self.effects.append(_noted(self.coup.number, kind, tuple(detail.items())))

    def alert(self, alert: Alert) -> None:
        """Raise an alert, or count a repetition of an open one."""
        now = self.event.at_ms
        known = self._open(alert)
        if known is None:
            alert = replace(alert, coup=self.coup.number, first_ms=now, last_ms=now)
        else:
            alert = replace(alert, coup=known.coup, count=known.count + 1, first_ms=known.first_ms, last_ms=now)
        self.alerts = {**self.alerts, alert.id: alert}
        self.effects.append(RaiseAlert(alert))

    def state_alert(self, alert: Alert) -> None:
        """Raise an alert about a level: one that stands unchanged is not counted again."""
        known = self._open(alert)
        if known is None or known.evidence != alert.evidence:
            self.alert(alert)

    def _open(self, alert: Alert) -> Alert | None:
        """The open alert of the same cause, whichever coup it began in."""
        for known in self.alerts.values():
            if known.code == alert.code and known.seat == alert.seat and known.spot == alert.spot:
                return known
        return None

    def clear(self, alert: str, how: str = "corrected", by: str = "", reason: str = "") -> None:
        """Take an open alert away; nothing happens when there is none of this id."""
        if alert in self.alerts:
            self.alerts = {key: value for key, value in self.alerts.items() if key != alert}
            self.effects.append(ClearAlert(alert, how, by, reason))

    def clear_code(self, code: str, seat: int | None = None, spot: str | None = None) -> None:
        """Take away the open alerts of one code at one place, of whatever coup."""
        for key, alert in self.alerts.items():
            if alert.code == code and alert.seat == seat and alert.spot == spot:
                self.clear(key)

    def is_held(self, holds: Holds) -> bool:
        """Whether an open alert holds up this step."""
        return any(alert.holds is holds for alert in self.alerts.values())

    def start_timer(self, timer: str, after_ms: int) -> None:
        self.tokens += 1
        self.timers = {**self.timers, timer: self.tokens}
        self.effects.append(_started(timer, self.tokens, after_ms))

    def cancel_timer(self, timer: str) -> None:
        if timer in self.timers:
            self.timers = {name: token for name, token in self.timers.items() if name != timer}
            self.effects.append(CancelTimer(timer))


_made: Final = maker(TableState)
_noted: Final = maker(RecordDecision)
_started: Final = maker(StartTimer)
