"""Journaled decisions as messages for other systems: one JSON object each (docs/integrations.md).

Owns the envelope of a message and its id. Pure: the same decision gives the same bytes, in hand or whenever it is read,
so a message that is sent again after a restart is known by its id. What is inside is in `alert_shape` and
`settlement_shape`.
"""

import json
from collections.abc import Iterable
from typing import NamedTuple

from sabot_gateway.journal.record import Kind, Owner, Record, Stream
from sabot_gateway.model.effect import ClearAlert, Effect, RaiseAlert, RecordSettlement
from sabot_gateway.outputs.alert_shape import cleared_fields, raised_fields
from sabot_gateway.outputs.settlement_shape import settlement_fields
from sabot_gateway.runtime.outlet import News
from sabot_gateway.settings.shape import Subject
from sabot_gateway.transcript.decision import decision_from_body


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
    steps = decision_from_body(record.body, with_lamps=False, with_notes=False).steps
    effects = [effect for step in steps for effect in step.effects]
    return _notices(_Origin(site, record.owner, record.stream, record.position, record.id, record.received_ms), effects)


def notices_from_news(site: str, owner: Owner, news: News) -> tuple[Notice, ...]:
    """The same for a decision of our own gateway that is still in hand."""
    return _notices(_Origin(site, owner, news.stream, news.position, news.id, news.at_ms), news.effects)


class _Origin(NamedTuple):
    """Where a decision stands in the journal, and whose it is."""

    site: str
    owner: Owner
    stream: Stream
    position: int
    id: int
    at_ms: int


def _notices(origin: _Origin, effects: Iterable[Effect]) -> tuple[Notice, ...]:
    notices: list[Notice] = []
    for effect in effects:
        if told := _told(effect):
            notices.append(_notice(origin, len(notices) + 1, *told))
    return tuple(notices)


def _told(effect: Effect) -> tuple[Subject, dict[str, object]] | None:
    match effect:
        case RaiseAlert(alert):
            return Subject.ALERT, raised_fields(alert)
        case ClearAlert():
            return Subject.ALERT, cleared_fields(effect)
        case RecordSettlement():
            return Subject.SETTLEMENT, settlement_fields(effect)
        case _:
            return None


def _notice(origin: _Origin, number: int, subject: Subject, fields: dict[str, object]) -> Notice:
    identity = f"{origin.stream}/{origin.position}/{number}"
    whole = {
        "schema": f"sabot.{subject.value}.v1",
        "id": identity,
        "site": origin.site,
        "gateway": origin.owner,
        "table": origin.stream,
        "journal_id": origin.id,
        "at_ms": origin.at_ms,
        **fields,
    }
    body = json.dumps(whole, ensure_ascii=False, separators=(",", ":")).encode()
    return Notice(identity, subject, origin.stream, body)
