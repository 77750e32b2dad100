"""The bodies of facts in a table's stream: written once, read for ever.

    batch      [VERSION, "batch", device, skip, offset_ms, spread_ms, payload]   one message of a controller
    said       [VERSION, "said", by, [name, event]]                              what the gateway or a person says
    setup      [VERSION, "setup", …]                                             how the table is set up from here on
    withheld   [VERSION, "withheld", device, boot, first, last, last_ms, reason] numbers that went to quarantine

CBOR. A batch keeps the payload as it came out of its seal, so that the journal proves what the controller said, and
any later decoder can be held against it. `events[skip:]` are new; an event happened at device_ms + offset_ms, give or
take spread_ms. Owns the forms; what follows from a fact is fold.py's.
"""

from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

import cbor2

from sabot_gateway.journal.record import Kind
from sabot_gateway.model.event import Event, LinkEvent, OperatorEvent
from sabot_gateway.model.game import Game
from sabot_gateway.model.review import ReviewEvent
from sabot_gateway.rules.ruleset import Ruleset, digest
from sabot_gateway.table.setup import Fitted, Timing
from sabot_gateway.transcript.error import FactError
from sabot_gateway.transcript.plain import reader_of, writer_of
from sabot_protocol.codec import decode
from sabot_protocol.errors import WireError

VERSION: Final = 1

WireEvent = tuple[str, dict[str, Any]]


class Batch(NamedTuple):
    """A controller's message; `events` are all of it, those before `skip` were taken before."""

    device: str
    skip: int
    offset_ms: int
    spread_ms: int
    boot: int
    first: int
    events: list[WireEvent]


class Said(NamedTuple):
    """Something the gateway noticed (`by` is empty) or a person declared."""

    event: Event | ReviewEvent
    by: str = ""


@dataclass(frozen=True, slots=True)
class SetupRecord:
    """A table's configuration; `registers` is the digest of those in the house stream."""

    table: str
    ruleset: Ruleset
    registers: str
    timing: Timing = field(default_factory=Timing)
    fitted: Fitted = field(default_factory=Fitted)


class Configured(NamedTuple):
    setup: SetupRecord


class Withheld(NamedTuple):
    """Events of these numbers are in quarantine and not part of the table's story."""

    device: str
    boot: int
    first: int
    last: int
    last_ms: int
    reason: str


Fact = Batch | Said | Configured | Withheld


def body_from_batch(device: str, skip: int, offset_ms: int, spread_ms: int, payload: bytes) -> bytes:
    """The body of a message's record; the payload must have passed the wire's decoder."""
    # By hand: one for each message that arrives, and several times as fast as cbor2, whose bytes these are.
    known = device, skip, offset_ms, spread_ms
    lead = _LEADS.get(known)
    if lead is None:
        if len(_LEADS) >= _MOST_LEADS:
            _LEADS.clear()
        _LEADS[known] = lead = b"\x87" + b"".join([cbor2.dumps(part) for part in (VERSION, "batch", *known)])
    return lead + _bytes_head(len(payload)) + payload


def body_from_event(event: LinkEvent | OperatorEvent | ReviewEvent, by: str = "") -> bytes:
    """The body of something the gateway says (Kind.FACT) or a person does (Kind.OPERATOR, with `by`)."""
    return cbor2.dumps((VERSION, "said", by, _WRITE_SAID(event)))


def body_from_setup(setup: SetupRecord) -> bytes:
    """The body of a configuration, with every value of the ruleset: a replay needs no file."""
    ruleset = setup.ruleset
    rules = (ruleset.id, str(ruleset.game), ruleset.sha256, dict(ruleset.values))
    return cbor2.dumps(
        (
            VERSION,
            "setup",
            setup.table,
            rules,
            setup.registers,
            _WRITE_TIMING(setup.timing),
            _WRITE_FITTED(setup.fitted),
        ),
        canonical=True,
    )


def body_from_withheld(withheld: Withheld) -> bytes:
    """The body that says which numbers went to quarantine, and why."""
    return cbor2.dumps((VERSION, "withheld", *withheld))


def read_fact(kind: Kind, body: bytes) -> Fact:
    """What a record of kind FACT or OPERATOR says; FactError for anything malformed."""
    if kind is Kind.DECISION:
        raise FactError("A decision is no fact.")
    parts = parts_from_body(body)
    match parts:
        case [1, "batch", str(device), int(skip), int(offset_ms), int(spread_ms), bytes(payload)]:
            return _batch(device, skip, offset_ms, spread_ms, payload)
        case [1, "said", str(by), said]:
            return Said(_READ_SAID(said), by)
        case [
            1,
            "setup",
            str(table),
            [str(name), str(game), str(sha256), dict(values)],
            str(registers),
            timing,
            fitted,
        ]:
            ruleset = ruleset_from_parts(name, game, sha256, values)
            return Configured(SetupRecord(table, ruleset, registers, _READ_TIMING(timing), _READ_FITTED(fitted)))
        case [1, "withheld", str(device), int(boot), int(first), int(last), int(last_ms), str(reason)]:
            return Withheld(device, boot, first, last, last_ms, reason)
    raise FactError("A record of a table is of no known form.")


def parts_from_body(body: bytes) -> list[Any]:
    """The list that every body is; FactError for other bytes, or a version that this release does not know."""
    try:
        parts = cbor2.loads(body)
    except (cbor2.CBORDecodeError, ValueError, TypeError, OverflowError, RecursionError) as error:
        raise FactError("A record's body is not CBOR.") from error
    if not isinstance(parts, list) or len(parts) < 2 or type(parts[0]) is not int:
        raise FactError("A record's body is of no known form.")
    if parts[0] != VERSION:
        raise FactError(f"A record has version {parts[0]}, this release reads {VERSION}.")
    return parts


def ruleset_from_parts(name: str, game: str, sha256: str, values: dict[str, object]) -> Ruleset:
    """The ruleset that was written out; one object for all tables that play by it (rules cache by identity)."""
    known = _RULESETS.get((name, sha256))
    if known is not None:
        return known
    try:
        if digest(Game(game), values) != sha256:
            raise FactError("The digest of a written ruleset does not fit its values.")
    except (TypeError, ValueError) as error:
        raise error if isinstance(error, FactError) else FactError("A written ruleset is of no known form.") from error
    if len(_RULESETS) >= _MOST_RULESETS:
        _RULESETS.clear()
    _RULESETS[name, sha256] = ruleset = Ruleset(name, Game(game), values, sha256)
    return ruleset


def _bytes_head(size: int) -> bytes:
    """The head of a CBOR byte string."""
    if size < 24:
        return bytes((0x40 | size,))
    return bytes((0x58, size)) if size < 1 << 8 else b"\x59" + size.to_bytes(2, "big")


def _batch(device: str, skip: int, offset_ms: int, spread_ms: int, payload: bytes) -> Batch:
    try:
        _, values = decode(payload, "event")
    except WireError as error:
        raise FactError(f"A journaled message cannot be decoded ({error.code}).") from error
    events = values["events"]
    if not 0 <= skip < len(events):
        raise FactError("A journaled message has nothing new in it.")
    return Batch(device, skip, offset_ms, spread_ms, values["boot"], values["first"], events)


_WRITE_SAID = writer_of(Event | ReviewEvent)
_READ_SAID = reader_of(Event | ReviewEvent)
_WRITE_TIMING, _READ_TIMING = writer_of(Timing), reader_of(Timing)
_WRITE_FITTED, _READ_FITTED = writer_of(Fitted), reader_of(Fitted)

# Rulesets by (id, SHA-256) as they were read: a house has a handful.
_MOST_RULESETS: Final = 256
_RULESETS: dict[tuple[str, str], Ruleset] = {}

# The beginning of a device's batches while its clock stands: a thousand tables have a few thousand devices.
_MOST_LEADS: Final = 16_384
_LEADS: dict[tuple[str, int, int, int], bytes] = {}
