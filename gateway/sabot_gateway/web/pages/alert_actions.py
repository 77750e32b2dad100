"""What people do about an alert: assign, comment, acknowledge, escalate, clear. Each is journaled under a name first.

Owns who may be named and what must be said. An alert that holds a table up is not cleared away here: it is corrected,
or overridden at the table.
"""

from collections.abc import Mapping
from concurrent.futures import Future
from sqlite3 import Connection
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from sabot_gateway.journal.port import Receipt
from sabot_gateway.model.event import AlertCleared
from sabot_gateway.model.review import AlertAcknowledged, AlertAssigned, AlertCommented, AlertEscalated
from sabot_gateway.projections.alert_queue import QueuedAlert, alert_by_id, history_of, similar_alerts
from sabot_gateway.projections.alerts import QueueAction
from sabot_gateway.projections.left_table import action_about
from sabot_gateway.runtime.desk import DeskError, DeskErrorCode
from sabot_gateway.web.accounts.role import Right, Role
from sabot_gateway.web.asked import path_number
from sabot_gateway.web.declaring import MOST_WORDS, receipt_of, shown, words_given
from sabot_gateway.web.page import NOT_FOUND, WRONG, Action, Field, In, PageError
from sabot_gateway.web.pages.alerts import ID, is_held
from sabot_gateway.web.rendering import site_of

MOST_AT_ONCE: Final = 500  # similar ones cleared with one reason; more than this deserves a second look


async def assign(request: Request, form: Mapping[str, str]) -> str:
    """To somebody with an account, or with nobody named back to everybody."""
    alert, to = await _open_alert(request), form.get("to", "").strip()
    if to and not await _is_person(request, to):
        raise PageError(WRONG, "alerts.nobody", name=to[:64])
    return await _review(request, alert, AlertAssigned(_by(request), alert.alert, to))


async def comment(request: Request, form: Mapping[str, str]) -> str:
    alert = await _open_alert(request)
    text = words_given(form.get("text", ""), "text")
    return await _review(request, alert, AlertCommented(_by(request), alert.alert, text))


async def acknowledge(request: Request, form: Mapping[str, str]) -> str:
    alert = await _open_alert(request)
    reason = words_given(form.get("reason", ""), "reason")
    return await _review(request, alert, AlertAcknowledged(_by(request), alert.alert, reason))


async def escalate(request: Request, form: Mapping[str, str]) -> str:
    """To a person or to everybody of a role."""
    alert, to = await _open_alert(request), form.get("to", "").strip()
    reason = words_given(form.get("reason", ""), "reason")
    if to not in set(Role) and not await _is_person(request, to):
        raise PageError(WRONG, "alerts.nobody", name=to[:64])
    return await _review(request, alert, AlertEscalated(_by(request), alert.alert, to, reason))


async def clear(request: Request, form: Mapping[str, str]) -> str:
    """This one, and with `similar` every open one of its table and code that the table does not hold."""
    alert = await _open_alert(request)
    reason = words_given(form.get("reason", ""), "reason")
    if is_held(request, alert):
        raise PageError(WRONG, "alerts.held_refused")
    site, by = site_of(request), _by(request)
    together = [alert]
    if form.get("similar"):
        together += [each for each in await run_in_threadpool(_similar, request, alert) if not is_held(request, each)]
    ids = dict.fromkeys(each.alert for each in together)  # one id may have come back: one word clears all of it
    words = [AlertCleared(by, each, reason) for each in ids]
    futures = [site.desk.submit(alert.table, each, by) for each in words]
    for event, future in zip(words, futures, strict=True):
        await _receipt(request, alert.table, event, future)

    def is_cleared(db: Connection) -> bool:
        rows = (alert_by_id(db, each.id) for each in (together[0], together[-1]))
        return not any(row is not None and row.is_open for row in rows)

    await shown(site.views, is_cleared)
    return f"/alerts/{alert.id}"


def _similar(request: Request, alert: QueuedAlert) -> list[QueuedAlert]:
    with site_of(request).views.reading() as db:
        found = similar_alerts(db, alert.table, alert.code, limit=MOST_AT_ONCE)
    return [each for each in found if each.id != alert.id]


async def _open_alert(request: Request) -> QueuedAlert:
    site, number = site_of(request), path_number(request, "id")

    def read() -> QueuedAlert | None:
        with site.views.reading() as db:
            return alert_by_id(db, number)

    alert = await run_in_threadpool(read)
    if alert is None:
        raise PageError(NOT_FOUND, "alerts.unknown")
    if not alert.is_open:
        raise PageError(WRONG, "alerts.already", by=alert.cleared_by or "—")
    return alert


async def _review(
    request: Request,
    alert: QueuedAlert,
    event: QueueAction,
) -> str:
    future = site_of(request).desk.submit(alert.table, event, _by(request))
    receipt = await _receipt(request, alert.table, event, future)
    await shown(
        site_of(request).views,
        lambda db: any(line.record >= receipt.id for line in history_of(db, alert.id)),
    )
    return f"/alerts/{alert.id}"


async def _receipt(request: Request, table: str, event: QueueAction | AlertCleared, future: Future[Receipt]) -> Receipt:
    """That it is journaled: by the table, or by the house where the table has left the settings."""
    try:
        return await receipt_of(future)
    except DeskError as error:
        if error.code is not DeskErrorCode.UNKNOWN_TABLE:
            raise
    name, detail = action_about(table, event)
    return await receipt_of(site_of(request).desk.note(name, detail, _by(request)))


def _by(request: Request) -> str:
    name: str = request.state.visitor.name
    return name


async def _is_person(request: Request, name: str) -> bool:
    account = await run_in_threadpool(site_of(request).vault.account, name)
    return account is not None and not account.is_disabled


_WORDS: Final = {"type": "string", "minLength": 1, "maxLength": MOST_WORDS}
_WHO: Final = {"type": "string", "maxLength": 64}
_REASON: Final = Field("reason", In.FORM, _WORDS, is_required=True)
ACTIONS: Final = (
    Action(
        "/alerts/{id}/assign",
        "assign_alert",
        Right.HANDLE_ALERTS,
        assign,
        "Gives an alert to somebody, or back to everybody.",
        (ID, Field("to", In.FORM, _WHO)),
    ),
    Action(
        "/alerts/{id}/comment",
        "comment_alert",
        Right.HANDLE_ALERTS,
        comment,
        "Adds a comment to an alert's history.",
        (ID, Field("text", In.FORM, _WORDS, is_required=True)),
    ),
    Action(
        "/alerts/{id}/acknowledge",
        "acknowledge_alert",
        Right.HANDLE_ALERTS,
        acknowledge,
        "Says that an alert was seen, and why it may wait.",
        (ID, _REASON),
    ),
    Action(
        "/alerts/{id}/escalate",
        "escalate_alert",
        Right.HANDLE_ALERTS,
        escalate,
        "Hands an alert up to a person or a role.",
        (ID, Field("to", In.FORM, _WHO, is_required=True), _REASON),
    ),
    Action(
        "/alerts/{id}/clear",
        "clear_alert",
        Right.CLEAR_ALERTS,
        clear,
        "Clears an alert with a reason; it leaves the queue.",
        (ID, _REASON, Field("similar", In.FORM, {"type": "string"})),
    ),
)
