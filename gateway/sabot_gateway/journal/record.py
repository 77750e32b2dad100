"""What the journal holds: entries as they are handed in, records as they are kept.

Owns the vocabulary and its bounds. Knows no database, no clock and no meaning of a body: bodies are the
canonical bytes of whoever wrote them. Times are UTC milliseconds.
`Entry`, `Record` and `Head` are named tuples: a restart makes millions of them straight from rows.
"""

import re
from enum import IntEnum
from typing import Final, NamedTuple, NewType

Stream = NewType("Stream", str)  # one per table; `quarantine/<owner>` holds what an owner refused
Owner = NewType("Owner", str)  # the gateway that writes

MAX_BODY: Final = 1 << 20  # bytes; a settlement with its evidence is a few kilobytes, so this only stops accidents
MAX_INTEGER: Final = (1 << 63) - 1  # both databases keep signed 64-bit integers
# No blank and no line break: names stand in lines that are hashed and in addresses.
_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/:-]{0,63}", re.ASCII)


class Kind(IntEnum):
    """Who speaks. The numbers are stored and hashed: append, never reuse."""

    FACT = 1  # what came in
    DECISION = 2  # what Sabot concluded
    OPERATOR = 3  # what a person did at a console


KINDS: Final = {int(kind): kind for kind in Kind}


class Entry(NamedTuple):
    """Something to be journaled; `device_ms` is None where no device saw it."""

    kind: Kind
    body: bytes
    received_ms: int
    device_ms: int | None = None


class Record(NamedTuple):
    """Something journaled. `id` counts over all streams in commit order, `position` within the stream; both from 1."""

    id: int
    stream: Stream
    owner: Owner
    fence: int
    position: int
    kind: Kind
    device_ms: int | None
    received_ms: int
    body: bytes
    hash: bytes


class Head(NamedTuple):
    """Where a stream ends: the position of its last record (0 if none) and that record's hash."""

    position: int
    hash: bytes


def is_name(text: str) -> bool:
    """Whether `text` may name a stream or an owner."""
    return _NAME.fullmatch(text) is not None
