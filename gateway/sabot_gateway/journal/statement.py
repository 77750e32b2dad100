"""Signed statements about the journal: checkpoints over all heads, and anchors for what retention removed.

Owns their bytes: one line of JSON, sorted keys, no blanks, signed exactly as stored. Statements are numbered from 1
and each names the SHA-256 of the one before, so none can be dropped or exchanged. A checkpoint carries a digest of
the heads, which a verifier works out again as it walks; an anchor carries the heads themselves, because the records
that led to them are gone.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Final

from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.record import Head, Stream

NO_STATEMENT: Final = "0" * 64


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """At `last_id` the heads of all streams had this digest."""

    number: int
    previous: str
    at_ms: int
    last_id: int
    heads: str


@dataclass(frozen=True, slots=True)
class Anchor:
    """Everything before `first_id` was removed; each stream's chain goes on from its head in `heads`."""

    number: int
    previous: str
    at_ms: int
    first_id: int
    before_ms: int
    heads: Mapping[Stream, Head]


Statement = Checkpoint | Anchor


def heads_digest(heads: Mapping[Stream, Head]) -> str:
    """SHA-256 over one line `name position hash` per stream, sorted by name; hexadecimal."""
    lines = [f"{name} {head.position} {head.hash.hex()}\n" for name, head in sorted(heads.items())]
    return sha256("".join(lines).encode()).hexdigest()


def text_from_statement(statement: Statement) -> str:
    """The one text that is signed and stored."""
    fields: dict[str, object] = {
        "at_ms": statement.at_ms,
        "number": statement.number,
        "previous": statement.previous,
    }
    match statement:
        case Checkpoint():
            fields |= {"kind": "checkpoint", "last_id": statement.last_id, "heads": statement.heads}
        case Anchor():
            heads = {name: [head.position, head.hash.hex()] for name, head in statement.heads.items()}
            fields |= {
                "kind": "anchor",
                "first_id": statement.first_id,
                "before_ms": statement.before_ms,
                "heads": heads,
            }
    return json.dumps(fields, sort_keys=True, separators=(",", ":"))


def statement_from_text(text: str) -> Statement:
    try:
        return _statement(json.loads(text))
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise JournalError(ErrorCode.CORRUPT, "A signed statement cannot be read.") from error


def digest_of(text: str) -> str:
    """What the next statement names as its predecessor."""
    return sha256(text.encode()).hexdigest()


def _statement(fields: dict[str, object]) -> Statement:
    match fields:
        case {
            "kind": "checkpoint", "number": int(number), "previous": str(previous), "at_ms": int(at_ms),
            "last_id": int(last_id), "heads": str(digest),
        }:  # fmt: skip
            return Checkpoint(number, previous, at_ms, last_id, digest)
        case {
            "kind": "anchor", "number": int(number), "previous": str(previous), "at_ms": int(at_ms),
            "first_id": int(first_id), "before_ms": int(before_ms), "heads": dict(heads),
        }:  # fmt: skip
            ends = {Stream(name): Head(int(end[0]), bytes.fromhex(end[1])) for name, end in heads.items()}
            return Anchor(number, previous, at_ms, first_id, before_ms, ends)
        case _:
            raise ValueError("neither a checkpoint nor an anchor")
