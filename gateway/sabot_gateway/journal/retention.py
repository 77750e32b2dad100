"""Retention by age: which records may go, and the signed anchor that stays in their place.

Owns the choice of the cut. The journal loses a prefix of its ids, never a piece out of the middle. Nothing goes that
the chain does not vouch for (removal must not launder a forgery) or that a restart still needs: a table's records
stay until its snapshot covers them.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.quarantine import PREFIX
from sabot_gateway.journal.record import Head, Stream
from sabot_gateway.journal.store import Reader, Row, clock_of
from sabot_gateway.journal.walk import BrokenRecord, Walk


@dataclass(frozen=True, slots=True)
class Cut:
    """Records before `first_id` may go; `heads` is where every stream stood there."""

    old_first_id: int
    first_id: int
    heads: Mapping[Stream, Head]


def find_cut(reader: Reader, before_ms: int) -> Cut:
    """The longest prefix that is old enough, covered by snapshots and whole."""
    with reader.still():
        first_id, last_id, _ = clock_of(reader)
        covered: dict[str, int] = dict(
            reader.rows("SELECT s.name, n.position FROM snapshot n JOIN stream s ON s.id = n.stream")
        )
        bases = reader.rows("SELECT name, base_position, base_hash FROM stream WHERE base_position > 0")
    walk = Walk(first_id, {Stream(name): Head(position, digest) for name, position, digest in bases})
    try:
        for page in walk.pages(reader, last_id):
            for row in page:
                if _must_stay(row, before_ms, covered):
                    return Cut(first_id, walk.next_id, walk.heads)
                walk.check(row)
    except BrokenRecord as broken:
        raise JournalError(ErrorCode.CORRUPT, f"Nothing was removed. {broken.sentence}") from broken
    return Cut(first_id, walk.next_id, walk.heads)


def _must_stay(row: Row, before_ms: int, covered: Mapping[str, int]) -> bool:
    stream, position, received_ms = row[1], row[4], row[7]
    if received_ms >= before_ms:
        return True
    return not stream.startswith(PREFIX) and position > covered.get(stream, 0)
