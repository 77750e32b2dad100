"""The port `Outlet`: who wants to hear what the tables decided, after it is durable and in the order it was decided.

Owns the contract. An outlet is called by whoever is the pump: it hands over and returns, and never raises. What it
could not deliver it finds again in the journal by `id`; nothing of evidential value rests on this call.
"""

from typing import NamedTuple, Protocol

from sabot_gateway.journal.record import Stream
from sabot_gateway.model.effect import ClearAlert, Effect, RaiseAlert, RecordDecision, RecordSettlement

Told = RaiseAlert | ClearAlert | RecordSettlement | RecordDecision


class News(NamedTuple):
    """What one fact led to at one table, or at the whole floor; stream, `id` and `position` are the decision's own."""

    stream: Stream
    id: int
    position: int
    at_ms: int
    effects: tuple[Told, ...]


class Outlet(Protocol):
    def said(self, news: News) -> None:
        """Takes note of a durable decision."""


def told(effects: tuple[Effect, ...]) -> tuple[Told, ...]:
    """What of a decision concerns anybody beside the table's lamps."""
    return tuple([effect for effect in effects if isinstance(effect, Told)])
