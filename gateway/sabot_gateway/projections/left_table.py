"""What people do about the alerts of a table that left the settings.

Nobody writes in the stream of such a table any more, so it stands in the house's own, as an action that names the table
and the alert. Owns that form, there and back, and what it does to the queue.
"""

import sqlite3
from dataclasses import fields
from typing import Final

from sabot_gateway.model.effect import ClearAlert
from sabot_gateway.model.event import AlertCleared
from sabot_gateway.model.review import AlertAcknowledged, AlertAssigned, AlertCommented, AlertEscalated
from sabot_gateway.projections.alerts import QueueAction, end_alert, review_alert
from sabot_gateway.projections.happening import Happening
from sabot_gateway.projections.sheet import Sheet
from sabot_gateway.transcript.house import Action

_KINDS: Final[dict[str, type[QueueAction | AlertCleared]]] = {
    "alert_assigned": AlertAssigned,
    "alert_commented": AlertCommented,
    "alert_acknowledged": AlertAcknowledged,
    "alert_escalated": AlertEscalated,
    "alert_cleared": AlertCleared,
}
_WORDS: Final = frozenset({"alert", "to", "text", "reason"})


def action_about(table: str, event: QueueAction | AlertCleared) -> tuple[str, dict[str, str]]:
    """The name and the detail of the action that says this."""
    (name,) = (name for name, kind in _KINDS.items() if isinstance(event, kind))
    words = {each.name: str(getattr(event, each.name)) for each in fields(event) if each.name in _WORDS}
    return name, {"table": table, **words}


def take_action(db: sqlite3.Connection, action: Action, at: Happening) -> None:
    """Does to the queue what the action says; any other action says nothing to it."""
    words = {name: value for name, value in action.detail.items() if isinstance(value, str)}
    by, at = action.by, at._replace(stream=words.get("table", ""))
    match action.name, words:
        case "alert_assigned", {"alert": alert, "to": to}:
            review_alert(db, AlertAssigned(by, alert, to), at)
        case "alert_commented", {"alert": alert, "text": text}:
            review_alert(db, AlertCommented(by, alert, text), at)
        case "alert_acknowledged", {"alert": alert, "reason": reason}:
            review_alert(db, AlertAcknowledged(by, alert, reason), at)
        case "alert_escalated", {"alert": alert, "to": to, "reason": reason}:
            review_alert(db, AlertEscalated(by, alert, to, reason), at)
        case "alert_cleared", {"alert": alert, "reason": reason}:
            end_alert(db, Sheet(), ClearAlert(alert, "cleared", by, reason), at)
        case _:
            pass
