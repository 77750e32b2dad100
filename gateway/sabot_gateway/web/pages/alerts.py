"""The review queue: what waits for a person, gravest and newest first; and one alert with its evidence and history.

Reads the views alone, so alerts of a table that is no longer configured still show. What people do about an alert
stands in `alert_actions`.
"""

from collections.abc import Mapping
from sqlite3 import Connection
from typing import Any, Final, TypedDict, cast
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from sabot_gateway.projections.alert_queue import (
    Key,
    QueuedAlert,
    Search,
    alert_by_id,
    all_alerts,
    awaiting_counts,
    folded_alerts,
    history_of,
    open_alerts,
    open_counts,
    similar_alerts,
)
from sabot_gateway.projections.coups import coup_at
from sabot_gateway.projections.rule_text import rule_text
from sabot_gateway.projections.shelf import HOUSE
from sabot_gateway.web.accounts.role import Right, Role
from sabot_gateway.web.asked import moment_asked, number_asked, number_from_text, path_number, text_asked
from sabot_gateway.web.page import NOT_FOUND, WRONG, Data, Field, In, Page, PageError
from sabot_gateway.web.rendering import site_of
from sabot_gateway.web.tiles import SEVERITIES

LIMIT: Final = 50
STATES: Final = ("open", "all", "cleared")
SIMILAR: Final = 20  # shown beside an alert; the rest is a link away


class AlertLine(TypedDict):
    """`similar` counts the open alerts of its table and code, itself included; `coup` 0 is no coup."""

    id: int
    table: str
    alert: str
    code: str
    severity: str
    rule: str
    seat: int | None
    spot: str | None
    fr: str
    en: str
    evidence: dict[str, int | str]
    holds: str
    clears: str
    coup: int
    dealer: str
    count: int
    first_id: int
    first_ms: int
    last_ms: int
    ended_how: str | None
    ended_by: str | None
    ended_ms: int | None
    is_open: bool
    acknowledged_by: str
    assigned_to: str
    escalated_to: str
    cleared_by: str | None
    cleared_reason: str | None
    cleared_ms: int | None
    similar: int


class Counts(TypedDict):
    """Of the open ones; `awaiting` are those among them whose cause is over."""

    alarm: int
    warning: int
    notice: int
    awaiting: int


class AlertsPage(TypedDict):
    """`next` is the value of `behind` for the following page, empty on the last one."""

    alerts: list[AlertLine]
    counts: Counts
    next: str
    last_id: int


class RuleShown(TypedDict):
    """`original` is the regulation's own French; empty where the rule is our resolution of an ambiguity."""

    id: str
    document: str
    original: str
    fr: str
    en: str
    derived: str


class ReviewLine(TypedDict):
    at_ms: int
    kind: str
    by: str
    to: str
    text: str
    record: int


class AlertPage(TypedDict):
    """`is_held`: the table itself waits for a correction or an override, so it cannot be cleared from here."""

    alert: AlertLine
    game: str
    rule: RuleShown | None
    history: list[ReviewLine]
    similar: list[AlertLine]
    is_held: bool
    is_of_house: bool
    is_configured: bool
    has_coup: bool
    last_id: int


async def load_alerts(request: Request) -> Data:
    site = site_of(request)
    state = text_asked(request, "state") or STATES[0]
    if state not in STATES:
        raise PageError(WRONG, "error.value", name="state")
    is_folded = state == "open" and text_asked(request, "fold") != "no"
    search = _search(request, state)
    behind = text_asked(request, "behind")

    def read() -> tuple[list[QueuedAlert], Counts, int]:
        with site.views.reading() as db:
            found = _found(db, search, state, is_folded, behind)
            (last_id,) = db.execute("SELECT last_id FROM progress").fetchone()
            return found, _counts(db), last_id

    found, counts, last_id = await run_in_threadpool(read)
    has_more = len(found) > LIMIT
    found = found[:LIMIT]
    data: dict[str, object] = {
        "alerts": [line_of(alert) for alert in found],
        "counts": counts,
        "next": _key_text(found[-1], state) if has_more else "",
        "last_id": last_id,
    }
    return data if request.state.is_json else data | await _around(request, state, is_folded, data["next"])


async def _around(request: Request, state: str, is_folded: bool, following: object) -> dict[str, object]:
    """What only the page itself needs: its filters, and where its links go."""
    asked = {name: value for name, value in request.query_params.items() if name in _FILTERS and value}
    tables = sorted({status.name for status in site_of(request).desk.tables()} | {asked.get("table", "")} - {""})

    def address(**changed: str) -> str:
        query = {name: value for name, value in {**asked, **changed}.items() if value}
        return "/alerts" + (f"?{urlencode(query)}" if query else "")

    return {
        "asked": {name: asked.get(name, "") for name in _FILTERS},
        "is_filtered": bool(set(asked) - {"state", "fold"}),
        "state": state,
        "states": STATES,
        "severities": SEVERITIES,
        "is_folded": is_folded,
        "is_first": "behind" not in request.query_params,
        "tables": tables,
        "address": address,
        "next_address": address(behind=str(following)) if following else "",
    }


async def load_alert(request: Request) -> Data:
    site, number = site_of(request), path_number(request, "id")

    found: list[QueuedAlert] = []

    def read() -> dict[str, Any]:
        with site.views.reading() as db:
            alert = alert_by_id(db, number)
            if alert is None:
                raise PageError(NOT_FOUND, "alerts.unknown")
            found.append(alert)
            coup = coup_at(db, alert.table, alert.coup) if alert.coup else None
            similar = similar_alerts(db, alert.table, alert.code, limit=SIMILAR) if alert.is_open else []
            (last_id,) = db.execute("SELECT last_id FROM progress").fetchone()
            return {
                "alert": line_of(alert),
                "game": coup.game if coup is not None else alert.rule[:3],
                "rule": rule_of(alert.rule),
                "history": [
                    {
                        "at_ms": line.at_ms,
                        "kind": line.kind,
                        "by": line.by,
                        "to": line.to,
                        "text": line.text,
                        "record": line.record,
                    }
                    for line in history_of(db, number)
                ],
                "similar": [line_of(each) for each in similar if each.id != number],
                "has_coup": coup is not None,
                "last_id": last_id,
            }

    data = await run_in_threadpool(read)
    table = data["alert"]["table"]
    data["is_of_house"] = table.startswith(HOUSE)  # an alarm of the gateway itself
    data["is_configured"] = is_configured(request, table)
    data["is_held"] = is_held(request, found[0])
    if not request.state.is_json:
        people = await run_in_threadpool(site.vault.accounts)
        data["people"] = [each.name for each in people if not each.is_disabled]
        data["roles"] = [str(role) for role in Role]
    return data


def is_held(request: Request, alert: QueuedAlert) -> bool:
    """Money that is wrong cannot be cleared away: it is corrected, or overridden at the table, first.

    Where the table has left the settings there is nobody to do either: what is left is a person's word.
    """
    is_wrong = alert.is_open and alert.ended_ms is None and alert.holds != "nothing"
    return is_wrong and is_configured(request, alert.table)


def is_configured(request: Request, table: str) -> bool:
    return any(status.name == table for status in site_of(request).desk.tables())


def line_of(alert: QueuedAlert) -> AlertLine:
    values = {name: getattr(alert, name) for name in AlertLine.__annotations__}
    return cast(AlertLine, values | {"evidence": dict(alert.evidence)})  # the names are the type's own


def rule_of(rule: str) -> RuleShown | None:
    text = rule_text(rule) if rule else None
    if text is None:
        return None
    return {
        "id": text.id,
        "document": text.document,
        "original": text.original,
        "fr": text.fr,
        "en": text.en,
        "derived": text.derived,
    }


def _found(db: Connection, search: Search, state: str, is_folded: bool, behind: str) -> list[QueuedAlert]:
    """One more than a page, so that the page knows whether another follows."""
    if state != "open":
        return all_alerts(db, search, before_id=_before(behind), limit=LIMIT + 1)
    read = folded_alerts if is_folded else open_alerts
    return read(db, search, behind=_key(behind), limit=LIMIT + 1)


def _search(request: Request, state: str) -> Search:
    zone = site_of(request).zone
    severity = text_asked(request, "severity")
    if severity and severity not in SEVERITIES:
        raise PageError(WRONG, "error.value", name="severity")
    return Search(
        table=text_asked(request, "table"),
        code=text_asked(request, "code").upper(),
        rule=text_asked(request, "rule").upper(),
        dealer=text_asked(request, "dealer"),
        severity=severity,
        assigned_to=request.state.visitor.name if text_asked(request, "mine") else "",
        coup=number_asked(request, "coup"),
        from_ms=moment_asked(request, "from", zone),
        to_ms=moment_asked(request, "to", zone),
        is_open=False if state == "cleared" else None,
    )


def _counts(db: Connection) -> Counts:
    counts: dict[str, int] = dict.fromkeys(SEVERITIES, 0)
    for by_severity in open_counts(db).values():
        for severity, count in by_severity.items():
            counts[severity] += count
    awaiting = sum(sum(by_severity.values()) for by_severity in awaiting_counts(db).values())
    return {
        "alarm": counts["alarm"],
        "warning": counts["warning"],
        "notice": counts["notice"],
        "awaiting": awaiting,
    }


def _key_text(alert: QueuedAlert, state: str) -> str:
    return ".".join(map(str, alert.key)) if state == "open" else str(alert.id)


def _key(text: str) -> Key | None:
    if not text:
        return None
    numbers = [number_from_text(part) for part in text.split(".")]
    match numbers:
        case [int(rank), int(last_ms), int(number)]:
            return Key(rank, last_ms, number)
    raise PageError(WRONG, "error.value", name="behind")


def _before(text: str) -> int | None:
    number = number_from_text(text)
    if text and number is None:
        raise PageError(WRONG, "error.value", name="behind")
    return number


_TEXT: Final[Mapping[str, object]] = {"type": "string", "maxLength": 128}
_MOMENT: Final[Mapping[str, object]] = {"type": "string", "maxLength": 40}
FIELDS: Final = (
    Field("state", In.QUERY, {"enum": [*STATES]}, description="Open ones in the queue's order; else newest first."),
    Field("table", In.QUERY, _TEXT),
    Field("code", In.QUERY, _TEXT),
    Field("rule", In.QUERY, _TEXT),
    Field("dealer", In.QUERY, _TEXT),
    Field("severity", In.QUERY, {"enum": [*SEVERITIES]}),
    Field("coup", In.QUERY, {"type": "integer", "minimum": 0}),
    Field("from", In.QUERY, _MOMENT, description="ISO 8601; without an offset by the house's clocks."),
    Field("to", In.QUERY, _MOMENT),
    Field("mine", In.QUERY, {"type": "string"}, description="Anything: only those assigned to whoever asks."),
    Field("fold", In.QUERY, {"enum": ["no"]}, description="`no` shows similar ones one by one."),
    Field("behind", In.QUERY, _TEXT, description="`next` of the page before."),
)
_FILTERS: Final = frozenset(field.name for field in FIELDS) - {"behind"}
ID: Final = Field("id", In.PATH, {"type": "integer", "minimum": 1})

PAGES: Final = (
    Page(
        "/alerts",
        "alerts",
        Right.LOOK,
        load_alerts,
        "alerts.html",
        AlertsPage,
        "The review queue, a page at a time.",
        FIELDS,
        part="alerts_part.html",
    ),
    Page(
        "/alerts/{id}",
        "alert",
        Right.LOOK,
        load_alert,
        "alert.html",
        AlertPage,
        "One alert with its evidence and history.",
        (ID,),
        part="alert_part.html",
    ),
)
