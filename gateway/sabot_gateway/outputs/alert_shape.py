"""An alert as JSON fields. Owns their names (docs/integrations.md): they are added to, never renamed.

Law 7 holds by what an alert is: no sentence and no evidence of an alert ever names a card.
"""

from sabot_gateway.model.alert import Alert
from sabot_gateway.model.effect import ClearAlert


def raised_fields(alert: Alert) -> dict[str, object]:
    """An alert was raised, or repeated: then its count says how often."""
    return {
        "event": "raised",
        "alert": alert.id,
        "code": alert.code,
        "severity": alert.severity.value,
        "rule": alert.rule,
        "fr": alert.fr,
        "en": alert.en,
        "coup": alert.coup,
        "seat": alert.seat,
        "spot": alert.spot,
        "evidence": dict(alert.evidence),
        "holds": alert.holds.value,
        "clears": alert.clears.value,
        "count": alert.count,
        "first_ms": alert.first_ms,
        "last_ms": alert.last_ms,
    }


def cleared_fields(clearing: ClearAlert) -> dict[str, object]:
    """An alert is over; `by` is empty when what caused it was put right."""
    return {
        "event": "cleared",
        "alert": clearing.alert,
        "how": clearing.how,
        "by": clearing.by,
        "reason": clearing.reason,
    }
