"""The review queue, written: alerts as tables raise and end them, and what people do about them.

An alert of weight (warning, alarm) stays in the queue until a person clears it, also when its cause is long corrected
or its coup is over; a notice leaves with its cause. Who did what and when is kept as history, from OPERATOR records.
"""

import json
import sqlite3
from typing import Final, assert_never

from sabot_gateway.model.alert import Alert, Holds, Severity
from sabot_gateway.model.effect import ClearAlert
from sabot_gateway.model.review import AlertAcknowledged, AlertAssigned, AlertCommented, AlertEscalated
from sabot_gateway.projections.coups import CORRECTED, OVERRIDDEN, UNFINISHED, payment_key
from sabot_gateway.projections.happening import Happening
from sabot_gateway.projections.sheet import Sheet
from sabot_gateway.table.alerts import cards, holdem, payout

RANKS: Final = {Severity.NOTICE: 0, Severity.WARNING: 1, Severity.ALARM: 2}
# What counts as a dealer's error: cards and payments that went wrong, not late bets, staff or hardware.
ERRORS: Final = frozenset(
    kind.code
    for kind in (*cards.KINDS, *payout.KINDS, *holdem.KINDS)
    if kind.severity is not Severity.NOTICE and kind.code != payout.UNCLAIMED_BONUS.code
)

QueueAction = AlertAssigned | AlertCommented | AlertAcknowledged | AlertEscalated


def raise_alert(db: sqlite3.Connection, sheet: Sheet, alert: Alert, at: Happening) -> None:
    evidence = json.dumps(dict(alert.evidence), ensure_ascii=False)
    known = db.execute(
        "SELECT id, ended_ms, cleared_ms FROM alert WHERE stream = ? AND alert = ? ORDER BY id DESC LIMIT 1",
        (at.stream, alert.id),
    ).fetchone()
    if known is not None and known[1] is None and known[2] is None:
        db.execute(
            "UPDATE alert SET count = ?, last_ms = ?, last_id = ?, fr = ?, en = ?, evidence = ?, rule = ? WHERE id = ?",
            (alert.count, alert.last_ms, at.id, alert.fr, alert.en, evidence, alert.rule, known[0]),
        )
        return
    db.execute(
        "INSERT INTO alert (stream, alert, code, severity, rank, rule, seat, spot, fr, en, evidence, holds, clears,"
        " coup, dealer, count, first_id, last_id, first_ms, last_ms, is_open)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)",
        (
            at.stream,
            alert.id,
            alert.code,
            str(alert.severity),
            RANKS[alert.severity],
            alert.rule,
            alert.seat,
            alert.spot,
            alert.fr,
            alert.en,
            evidence,
            str(alert.holds),
            str(alert.clears),
            alert.coup,
            sheet.dealer,
            alert.count,
            at.id,
            at.id,
            alert.first_ms,
            alert.last_ms,
        ),
    )
    if alert.code in ERRORS:
        sheet.errors += 1
    if alert.holds is Holds.PAY and sheet.coup and alert.coup == sheet.number:
        sheet.payments[payment_key(alert.seat, alert.spot)] = UNFINISHED


def end_alert(db: sqlite3.Connection, sheet: Sheet, effect: ClearAlert, at: Happening) -> None:
    """The table says that an alert is over: corrected, overridden, with the coup, or cleared by a person."""
    rows = db.execute(
        "SELECT id, rank, holds, seat, spot, evidence, ended_ms, coup FROM alert"
        " WHERE stream = ? AND alert = ? AND is_open = 1",
        (at.stream, effect.alert),
    ).fetchall()
    is_cleared = effect.how == "cleared"
    for row, rank, holds, seat, spot, evidence, ended_ms, coup in rows:
        if ended_ms is None:
            db.execute(
                "UPDATE alert SET ended_how = ?, ended_by = ?, ended_ms = ? WHERE id = ?",
                (effect.how, effect.by, at.at_ms, row),
            )
            if holds == Holds.PAY and sheet.coup and coup == sheet.number:
                _judge_payment(sheet, seat, spot, json.loads(evidence), effect.how)
        if is_cleared or rank == RANKS[Severity.NOTICE]:
            db.execute(
                "UPDATE alert SET is_open = 0, cleared_by = ?, cleared_reason = ?, cleared_ms = ? WHERE id = ?",
                (effect.by, effect.reason, at.at_ms, row),
            )
        if is_cleared:
            _keep(db, row, at, "cleared", effect.by, "", effect.reason)


def review_alert(db: sqlite3.Connection, action: QueueAction, at: Happening) -> None:
    """Applies to every alert of this id that is open; one that is not is left as it was cleared."""
    rows = db.execute(
        "SELECT id FROM alert WHERE stream = ? AND alert = ? AND is_open = 1", (at.stream, action.alert)
    ).fetchall()
    for (row,) in rows:
        match action:
            case AlertAssigned(by=by, to=to):
                db.execute("UPDATE alert SET assigned_to = ? WHERE id = ?", (to, row))
                _keep(db, row, at, "assigned", by, to, "")
            case AlertCommented(by=by, text=text):
                _keep(db, row, at, "commented", by, "", text)
            case AlertAcknowledged(by=by, reason=reason):
                db.execute("UPDATE alert SET acknowledged_by = ? WHERE id = ?", (by, row))
                _keep(db, row, at, "acknowledged", by, "", reason)
            case AlertEscalated(by=by, to=to, reason=reason):
                db.execute("UPDATE alert SET escalated_to = ? WHERE id = ?", (to, row))
                _keep(db, row, at, "escalated", by, to, reason)
            case _:
                assert_never(action)


def _judge_payment(sheet: Sheet, seat: int | None, spot: str | None, evidence: dict[str, int | str], how: str) -> None:
    """Put right, a wrong payment was caught; let pass, it cost (or brought) the difference."""
    difference = int(evidence.get("actual_cents", 0)) - int(evidence.get("due_cents", 0))
    if how == "corrected":
        sheet.payments[payment_key(seat, spot)] = CORRECTED
        sheet.caught_cents += abs(difference)
    else:
        sheet.payments[payment_key(seat, spot)] = OVERRIDDEN if how == "overridden" else UNFINISHED
        sheet.cost_cents += difference


def _keep(db: sqlite3.Connection, alert: int, at: Happening, kind: str, by: str, to: str, text: str) -> None:
    db.execute(
        'INSERT INTO review (alert, record, at_ms, kind, by, "to", text) VALUES (?, ?, ?, ?, ?, ?, ?)',
        (alert, at.id, at.at_ms, kind, by, to, text),
    )
