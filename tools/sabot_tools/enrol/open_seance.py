"""Which tables have an open séance, read from the journal beside a running gateway: tags at such a table are play.

Owns the look. From the end of a table's stream backwards to the last opening or closing, so that a long journal costs
no more than one night of it. Nothing is written.
"""

from collections.abc import Iterable
from typing import Final

from sabot_gateway.journal.address import reader_at
from sabot_gateway.journal.error import JournalError
from sabot_gateway.journal.record import Kind
from sabot_gateway.journal.store import STREAM, Reader, record_from_row
from sabot_gateway.model.effect import RecordDecision
from sabot_gateway.settings.shape import StoreSettings
from sabot_gateway.transcript.decision import decision_from_body
from sabot_gateway.transcript.error import FactError
from sabot_tools.field.trouble import StartError

PAGE: Final = 1_000
_OPENED: Final = "seance_opening"
_CLOSED: Final = "seance_closed"


def open_tables(store: StoreSettings, tables: Iterable[str]) -> list[str]:
    """Those of the tables whose séance is open; StartError when the journal cannot be read."""
    if store.sqlite is not None and not store.sqlite.exists():
        return []  # no gateway has ever run here
    address = store.postgresql or str(store.sqlite)
    try:
        with reader_at(address) as reader, reader.still():
            return [table for table in tables if _is_open(reader, table)]
    except JournalError as error:
        raise StartError(f"Whether the table is open cannot be seen: {error}") from error


def _is_open(reader: Reader, table: str) -> bool:
    known = reader.rows(STREAM, name=table)
    if not known:
        return False
    stream, base = known[0]
    upto = next(end.position for end in reader.ends([table]))
    while upto > base:
        after = max(base, upto - PAGE)
        for row in reversed(reader.stream_rows(stream, after, upto - after)):
            record = record_from_row(row)
            if record.kind is Kind.DECISION and (said := _said(record.body)):
                return said == _OPENED
        upto = after
    return False


def _said(body: bytes) -> str:
    """The last word of a decision on the séance; empty when it has none."""
    try:
        steps = decision_from_body(body).steps
    except FactError:
        return ""
    kinds = [effect.kind for step in steps for effect in step.effects if isinstance(effect, RecordDecision)]
    return next((kind for kind in reversed(kinds) if kind in (_OPENED, _CLOSED)), "")
