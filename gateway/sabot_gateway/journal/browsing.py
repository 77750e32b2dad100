"""The reading half of the journal: streams, the tail, snapshots and quarantine, a page at a time.

Owns what a reader is promised: order, no gap, no removed record passed over in silence. It lends a connection for
one page only, so that an iterator that nobody finishes holds nothing back.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager

from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.quarantine import Quarantined, quarantined_from_record
from sabot_gateway.journal.record import MAX_INTEGER, Head, Record, Stream
from sabot_gateway.journal.signing import is_signed
from sabot_gateway.journal.snapshot import Snapshot, bytes_from_snapshot
from sabot_gateway.journal.store import RECORDS, SNAPSHOTS, STREAM, TAIL, Reader, clock_of, record_from_row
from sabot_gateway.journal.walk import PAGE

Lend = Callable[[], AbstractContextManager[Reader]]


def read(lend: Lend, stream: Stream, after: int) -> Iterator[Record]:
    while True:
        with lend() as reader, reader.still():
            known = reader.rows(STREAM, name=stream)
            if not known:
                return
            number, base = known[0]
            if after < base:
                raise JournalError(ErrorCode.REMOVED, f"{stream} begins at position {base + 1}.")
            page = [record_from_row(row) for row in reader.stream_rows(number, after, PAGE)]
        if not page:
            return
        if page[0].position != after + 1 or page[-1].position != after + len(page):
            raise JournalError(ErrorCode.CORRUPT, f"{stream} has a gap behind position {after}.")
        yield from page
        after = page[-1].position


def tail(lend: Lend, after_id: int | None) -> Iterator[Record]:
    while True:
        with lend() as reader, reader.still():
            first_id, last_id, _ = clock_of(reader)
            if after_id is None:
                after_id = first_id - 1
            if after_id < first_id - 1:
                raise JournalError(ErrorCode.REMOVED, f"The journal begins at record {first_id}.")
            page = [
                record_from_row(row) for row in reader.rows(TAIL, after=after_id, until=last_id, limit=PAGE)
            ]  # fmt: skip
        if after_id + min(PAGE, last_id - after_id) > (page[-1].id if page else after_id) or (
            page and page[-1].id != after_id + len(page)
        ):
            raise JournalError(ErrorCode.CORRUPT, f"Records are missing behind {after_id}.")
        if not page:
            return
        yield from page
        after_id = page[-1].id


def snapshot(reader: Reader, stream: Stream) -> Snapshot | None:
    rows = reader.rows(f"{SNAPSHOTS} WHERE s.name = :name", name=stream)
    if not rows:
        return None
    name, position, digest, made_ms, body, public, signature = rows[0]
    found = Snapshot(name, Head(position, digest), made_ms, body)
    if public is None or not is_signed(public, signature, bytes_from_snapshot(found)):
        raise JournalError(ErrorCode.CORRUPT, f"The snapshot of {stream} is not the one that was signed.")
    return found


def quarantined(reader: Reader, reason: str | None, before_id: int | None, limit: int) -> Sequence[Quarantined]:
    only = "" if reason is None else "AND q.reason = :reason "
    rows = reader.rows(
        f"{RECORDS} JOIN quarantine q ON q.id = r.id WHERE q.id < :before {only}ORDER BY q.id DESC LIMIT :limit",
        before=MAX_INTEGER if before_id is None else before_id,
        limit=limit,
        **({} if reason is None else {"reason": reason}),
    )
    return [quarantined_from_record(record_from_row(row)) for row in rows]
