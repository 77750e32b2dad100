"""What each export holds: its columns, in order, and its rows from the views.

The columns are a promise to spreadsheets and programs (docs/exports.md): new ones are added at the end.
Law 7: only coups that are over, only what the table has shown; no card and no tag stands in any column.
"""

import json
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from sabot_gateway.projections.alert_queue import QueuedAlert, Search, all_alerts, history_of
from sabot_gateway.projections.coups import CoupEntry, coups, spots_of
from sabot_gateway.projections.staff import CONFIGURED, staff_actions
from sabot_tools.export.period import text_from_ms

Cell = int | str | None
Row = tuple[Cell, ...]
_PAGE: Final = 500


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which part of the journal; `to_ms` is excluded."""

    table: str | None = None
    from_ms: int | None = None
    to_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Export:
    """One kind of export: each column with its meaning, and where its rows come from."""

    name: str
    columns: Mapping[str, str]
    rows: Callable[[sqlite3.Connection, Wanted], Iterator[Row]]


def _coups(db: sqlite3.Connection, wanted: Wanted) -> Iterator[Row]:
    for coup in _finished(db, wanted):
        yield (
            coup.table,
            coup.number,
            coup.game,
            coup.ruleset,
            coup.ruleset_sha256,
            coup.seance,
            text_from_ms(coup.start_ms),
            text_from_ms(coup.end_ms),
            coup.dealer,
            coup.head,
            " ".join(map(str, coup.players)),
            coup.status,
            coup.drop_cents,
            coup.win_cents,
            coup.payment,
            coup.payment_ms,
            coup.by,
            " ".join(coup.rules),
            coup.start_id,
            coup.end_id,
            coup.start_position,
            coup.end_position,
        )


def _settlements(db: sqlite3.Connection, wanted: Wanted) -> Iterator[Row]:
    for coup in _finished(db, wanted):
        for spot in spots_of(db, coup):
            yield (
                coup.table,
                coup.number,
                coup.game,
                text_from_ms(coup.settled_ms),
                spot.seat,
                spot.spot,
                spot.outcome,
                spot.stake_cents,
                spot.net_cents,
                spot.stake_cents + spot.net_cents,
                spot.odds,
                spot.rule,
                spot.payment,
            )


def _alerts(db: sqlite3.Connection, wanted: Wanted) -> Iterator[Row]:
    search = Search(table=wanted.table or "", from_ms=wanted.from_ms, to_ms=wanted.to_ms)
    before: int | None = None
    while page := all_alerts(db, search, before_id=before, limit=_PAGE):
        for alert in page:
            yield _alert(db, alert)
        before = page[-1].id


def _alert(db: sqlite3.Connection, alert: QueuedAlert) -> Row:
    history = [
        {"at": text_from_ms(line.at_ms), "kind": line.kind, "by": line.by, "to": line.to, "text": line.text}
        for line in history_of(db, alert.id)
    ]
    return (
        alert.table,
        alert.alert,
        alert.code,
        alert.severity,
        alert.rule,
        alert.coup,
        alert.seat,
        alert.spot,
        alert.dealer,
        alert.count,
        text_from_ms(alert.first_ms),
        text_from_ms(alert.last_ms),
        alert.ended_how,
        text_from_ms(alert.ended_ms),
        alert.ended_by,
        "open" if alert.is_open else "cleared",
        alert.acknowledged_by,
        alert.assigned_to,
        alert.escalated_to,
        alert.cleared_by,
        alert.cleared_reason,
        text_from_ms(alert.cleared_ms),
        alert.fr,
        alert.en,
        json.dumps(alert.evidence, ensure_ascii=False),
        json.dumps(history, ensure_ascii=False),
        alert.first_id,
    )


def _staff(db: sqlite3.Connection, wanted: Wanted) -> Iterator[Row]:
    before: int | None = None
    while page := staff_actions(
        db, table=wanted.table, from_ms=wanted.from_ms, to_ms=wanted.to_ms, before_id=before, limit=_PAGE
    ):
        for action in page:
            if action.kind == CONFIGURED:
                continue  # what the settings said, not what somebody did at a table
            yield (
                action.table,
                text_from_ms(action.at_ms),
                action.by,
                action.kind,
                action.coup or None,
                action.fr,
                action.en,
                action.record,
                action.position,
            )
        before = page[-1].id


def _finished(db: sqlite3.Connection, wanted: Wanted) -> Iterator[CoupEntry]:
    before: int | None = None
    while page := coups(
        db, table=wanted.table, from_ms=wanted.from_ms, to_ms=wanted.to_ms, before_id=before, limit=_PAGE
    ):
        for coup in page:
            if coup.end_id is not None:
                yield coup
        before = page[-1].id


EXPORTS: Final[Mapping[str, Export]] = MappingProxyType(
    {
        export.name: export
        for export in (
            Export(
                "coups",
                MappingProxyType(
                    {
                        "table": "the table",
                        "coup": "the coup's number at its table",
                        "game": "TCF, STU, TCP, THE or UTH",
                        "ruleset": "the ruleset's id",
                        "ruleset_sha256": "digest of the rules that were played",
                        "seance": "the séance, counted from the first that the journal has",
                        "start": "when it began",
                        "end": "when it was over",
                        "dealer": "who dealt, by the house's number",
                        "head": "the table head",
                        "seats": "the seats that played, in order",
                        "status": "settled, void, abandoned (no bet was closed) or lost (its end is not kept)",
                        "drop_cents": "everything staked",
                        "win_cents": "what the house won; at hold'em the rake",
                        "payment": "right, corrected, overridden or unfinished: the worst of its spots",
                        "payment_ms": "from the settlement to the last payment",
                        "by": "who confirmed or voided it, where a person had to",
                        "rules": "the rules that moved money",
                        "start_id": "the journal id that began it",
                        "end_id": "the journal id that ended it",
                        "start_position": "where it begins in the table's stream",
                        "end_position": "where it ends in the table's stream",
                    }
                ),
                _coups,
            ),
            Export(
                "settlements",
                MappingProxyType(
                    {
                        "table": "the table",
                        "coup": "the coup's number at its table",
                        "game": "TCF, STU, TCP, THE or UTH",
                        "settled": "when it was settled",
                        "seat": "the seat",
                        "spot": "the bet; at hold'em `pot`: the player's whole share",
                        "outcome": "win, lose, push, void or forfeit",
                        "stake_cents": "what was staked",
                        "net_cents": "the player's gain",
                        "returned_cents": "stake and gain: what belonged to the player in the end",
                        "odds": "the odds it was paid at, as 3:2",
                        "rule": "the rule that decided it",
                        "payment": "right, corrected, overridden or unfinished",
                    }
                ),
                _settlements,
            ),
            Export(
                "alerts",
                MappingProxyType(
                    {
                        "table": "the table",
                        "alert": "the alert's id at its table",
                        "code": "what kind of alert (docs/alerts.md)",
                        "severity": "notice, warning or alarm",
                        "rule": "the rule that was broken",
                        "coup": "the coup it belongs to, 0 for none",
                        "seat": "the seat, where it concerns one",
                        "spot": "the spot, controller or role, where it concerns one",
                        "dealer": "who dealt",
                        "count": "how often its cause repeated",
                        "first": "when it was raised",
                        "last": "when its cause repeated last",
                        "ended": "how its cause ended: corrected, overridden, confirmed, void, coup_end or cleared",
                        "ended_at": "when its cause ended",
                        "ended_by": "who ended it, where a person did",
                        "queue": "open or cleared",
                        "acknowledged_by": "who has seen it",
                        "assigned_to": "who is to look at it",
                        "escalated_to": "to whom it was handed up",
                        "cleared_by": "who cleared it from the queue",
                        "cleared_reason": "the reason given",
                        "cleared_at": "when it was cleared",
                        "fr": "the sentence in French",
                        "en": "the sentence in English",
                        "evidence": "the amounts and numbers behind it, as JSON",
                        "history": "what people did about it, as JSON",
                        "id": "the journal id that raised it",
                    }
                ),
                _alerts,
            ),
            Export(
                "staff",
                MappingProxyType(
                    {
                        "table": "the table, or the house stream of a gateway",
                        "at": "when it happened",
                        "by": "who, by the house's number",
                        "kind": "what kind of action",
                        "coup": "the coup under way, if there was one",
                        "fr": "the sentence in French",
                        "en": "the sentence in English",
                        "id": "the journal id",
                        "position": "where it stands in its stream",
                    }
                ),
                _staff,
            ),
        )
    }
)
