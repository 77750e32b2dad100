"""What people do about an alert in the queue, as past-tense facts.

Facts of a console, journaled in the stream of the table that raised the alert;
the table itself takes no notice of them. Clearing an alert is not here: that is
`AlertCleared`, which the table hears. `by` is a person's id, already authorised;
`alert` is the alert's id at that table.
"""

from dataclasses import dataclass

from sabot_gateway.model.event import Fact


@dataclass(frozen=True, slots=True)
class AlertAssigned(Fact):
    """Somebody is to look at it; an empty `to` gives it back to everybody."""

    by: str
    alert: str
    to: str


@dataclass(frozen=True, slots=True)
class AlertCommented(Fact):
    by: str
    alert: str
    text: str


@dataclass(frozen=True, slots=True)
class AlertAcknowledged(Fact):
    """Seen, with a reason; it stays in the queue until somebody with the right to do so clears it."""

    by: str
    alert: str
    reason: str


@dataclass(frozen=True, slots=True)
class AlertEscalated(Fact):
    """Handed up: `to` names the person or the role that must look."""

    by: str
    alert: str
    to: str
    reason: str


@dataclass(frozen=True, slots=True)
class HandsUnsealed(Fact):
    """The sealed cards of a finished coup were opened to an investigator (law 7)."""

    by: str
    coup: int
    reason: str


ReviewEvent = AlertAssigned | AlertCommented | AlertAcknowledged | AlertEscalated | HandsUnsealed
