"""Journaled decisions as messages for other systems: one JSON object each (docs/integrations.md).

Owns the envelope of a message and its id. Pure: the same record gives the same bytes, whenever it is read, so a message
that is sent again after a restart is known by its id. What is inside is in `alert_shape` and `settlement_shape`.
"""

import json
from typing import NamedTuple

from sabot_gateway.journal.record import Kind, Record
from sabot_gateway.model.effect import ClearAlert, RaiseAlert, RecordSettlement
from sabot_gateway.outputs.alert_shape import cleared_fields, raised_fields
from sabot_gateway.outputs.settlement_shape import settlement_fields
from sabot_gateway.settings.shape import Subject
from sabot_gateway.transcript.decision import Kept, decision_from_body


class Notice(NamedTuple):
    """One message. `id` stays the same however often it is sent."""

    id: str
    subject: Subject
    table: str
    body: bytes


def notices_from_record(site: str, record: Record) -> tuple[Notice, ...]:
    """What a record of the journal gives to tell, in order; nothing for most. FactError for a damaged one."""
    if record.kind is not Kind.DECISION:
        return ()
    notices: list[Notice] = []
    for step in decision_from_body(record.body, with_lamps=False, with_notes=False).steps:
        for effect in step.effects:
            if told := _told(effect):
                subject, fields = told
                number = len(notices) + 1
                notices.append(_notice(site, record, number, subject, fields))
    return tuple(notices)


def _told(effect: Kept) -> tuple[Subject, dict[str, object]] | None:
    match effect:
        case RaiseAlert(alert):
            return Subject.ALERT, raised_fields(alert)
        case ClearAlert():
            return Subject.ALERT, cleared_fields(effect)
        case RecordSettlement():
            return Subject.SETTLEMENT, settlement_fields(effect)
        case _:
            return None


def _notice(site: str, record: Record, number: int, subject: Subject, fields: dict[str, object]) -> Notice:
    identity = f"{record.stream}/{record.position}/{number}"
    whole = {
        "schema": f"sabot.{subject.value}.v1",
        "id": identity,
        "site": site,
        "gateway": record.owner,
        "table": record.stream,
        "journal_id": record.id,
        "at_ms": record.received_ms,
        **fields,
    }
    body = json.dumps(whole, ensure_ascii=False, separators=(",", ":")).encode()
    return Notice(identity, subject, record.stream, body)
