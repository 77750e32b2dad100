"""Whether sealed hands stand open to somebody: the journal itself is asked, nothing else is believed (law 7).

An opening is the record of `HandsUnsealed`: of this coup, at this table, by this very person, a short while ago. After
that he gives his reason again, and that too is journaled.
"""

from typing import Final

from sabot_gateway.journal.error import JournalError
from sabot_gateway.journal.record import Kind, Record
from sabot_gateway.model.review import HandsUnsealed
from sabot_gateway.projections.coups import CoupEntry
from sabot_gateway.projections.source import Source
from sabot_gateway.transcript.error import FactError
from sabot_gateway.transcript.fact import Said, read_fact

OPEN_MS: Final = 900_000  # a quarter of an hour: long enough to step through a coup, short enough to be one look


def is_opened(journal: Source, record_id: int, coup: CoupEntry, by: str, now_ms: int) -> bool:
    """Whether the record of this id opens the coup's hands to `by` now."""
    record = _record(journal, record_id)
    if record is None or record.stream != coup.table or record.kind is not Kind.OPERATOR:
        return False
    if coup.end_id is None or record.id < coup.end_id or now_ms - record.received_ms > OPEN_MS:
        return False
    try:
        said = read_fact(record.kind, record.body)
    except FactError:
        return False
    return (
        isinstance(said, Said)
        and isinstance(said.event, HandsUnsealed)
        and (said.by, said.event.by, said.event.coup) == (by, by, coup.number)
    )


def _record(journal: Source, record_id: int) -> Record | None:
    if record_id < 1:
        return None
    try:
        record = next(journal.tail(record_id - 1), None)
    except JournalError:
        return None  # retention has removed it, so it is not of a moment ago
    return record if record is not None and record.id == record_id else None
