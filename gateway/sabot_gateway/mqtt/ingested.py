"""What became of the messages of one cycle: values only, for whoever journals, acknowledges and commands."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

from sabot_gateway.journal.quarantine import Refusal
from sabot_gateway.journal.record import Entry
from sabot_gateway.link.allowance import Unkept
from sabot_gateway.transcript.fact import Fact


class Received(NamedTuple):
    """A fact for a table's stream; `fact` is what reading the entry's body would give."""

    table: str
    entry: Entry
    fact: Fact


class Ack(NamedTuple):
    """The application's ack to a controller, to be sent when everything ingested before it is durable."""

    boot: int
    upto: int
    refused: str = ""


class Order(NamedTuple):
    """A command to a controller."""

    device: str
    number: int
    name: str
    values: Mapping[str, Any]


class TroubleCode(StrEnum):
    TWIN_DEVICE = "twin_device"  # two devices under one name: nothing of either is taken
    REFUSED = "refused"  # a controller whose dialect or software is not accepted
    EVENTS_LATE = "events_late"  # what had been given up came after all, and is in quarantine
    PLAYED_TO = "played_to"  # a controller refused what came to it in the gateway's name


class Trouble(NamedTuple):
    """Something people must hear of beyond the table's own alerts; told once per cause."""

    device: str
    table: str
    code: TroubleCode
    reason: str
    at_ms: int


@dataclass(slots=True)
class Ingested:
    """Facts in the order in which they came; refusals for quarantine; at most one ack per device."""

    facts: list[Received] = field(default_factory=list)
    refusals: list[Refusal] = field(default_factory=list)
    acks: dict[str, Ack] = field(default_factory=dict)
    orders: list[Order] = field(default_factory=list)
    troubles: list[Trouble] = field(default_factory=list)
    unkept: list[Unkept] = field(default_factory=list)  # refused beyond what is kept: counted only
