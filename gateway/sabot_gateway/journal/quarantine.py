"""What was refused and why, as the body of a record in a quarantine stream.

Owns the form of that body: the CBOR array [reason, source, length, raw]. Bounded, because a stranger chooses the
bytes: more than MAX_RAW are cut, and `length` still says how many there were.
"""

from dataclasses import dataclass
from typing import Final

import cbor2

from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.record import Owner, Record, Stream, is_name

PREFIX: Final = "quarantine/"
MAX_RAW: Final = 1 << 16  # bytes; sixty-four times the longest message of the wire
MAX_SOURCE: Final = 1024  # characters of a topic or port name


@dataclass(frozen=True, slots=True)
class Refusal:
    """Bytes that were refused: why (a code), where they came from, and what they were."""

    reason: str
    source: str
    raw: bytes
    received_ms: int


@dataclass(frozen=True, slots=True)
class Quarantined:
    """A kept refusal; `length` is what came in, `raw` what was kept of it."""

    id: int
    stream: Stream
    position: int
    reason: str
    source: str
    raw: bytes
    length: int
    received_ms: int


def quarantine_stream(owner: Owner) -> Stream:
    """Each owner has its own: two gateways never write one stream."""
    return Stream(PREFIX + owner)


def body_from_refusal(refusal: Refusal) -> bytes:
    if not is_name(refusal.reason):
        raise JournalError(ErrorCode.INVALID, "A reason for quarantine is a code.")
    # Strangers choose topics: half a surrogate pair has no UTF-8, and an escape keeps what it was.
    source = refusal.source[:MAX_SOURCE].encode(errors="backslashreplace").decode()
    return cbor2.dumps([refusal.reason, source, len(refusal.raw), refusal.raw[:MAX_RAW]])


def reason_from_body(body: bytes) -> str:
    return _parts(body)[0]


def quarantined_from_record(record: Record) -> Quarantined:
    reason, source, length, raw = _parts(record.body)
    return Quarantined(record.id, record.stream, record.position, reason, source, raw, length, record.received_ms)


def _parts(body: bytes) -> tuple[str, str, int, bytes]:
    try:
        parts = cbor2.loads(body)
    except (cbor2.CBORDecodeError, ValueError) as error:
        raise JournalError(ErrorCode.CORRUPT, "A quarantined record cannot be read.") from error
    match parts:
        case [str() as reason, str() as source, int() as length, bytes() as raw]:
            return reason, source, length, raw
    raise JournalError(ErrorCode.CORRUPT, "A quarantined record has another form.")
