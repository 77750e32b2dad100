"""Chips read in two places at once are a doubt, not a truth: a neighbour's antenna, or a pile on its way.

No action is taken down from such a spot. When the other spot has been read
again without the chips, the doubt is gone and the spot is judged after all.
"""

from collections.abc import Mapping

from sabot_gateway.model.alert import Alert
from sabot_gateway.model.felt import FeltSpot
from sabot_gateway.table.alerts.chips import CHIP_ON_TWO_SPOTS
from sabot_gateway.table.state import Place
from sabot_gateway.table.turn import Turn


def is_doubted(turn: Turn, place: Place) -> bool:
    """Whether chips on this spot were last seen on another one, and still are."""
    return bool(turn.alerts) and place in _doubts(turn.alerts)


def cleared_doubts(turn: Turn) -> frozenset[Place]:
    """The spots that this very event freed from doubt."""
    before = turn.before.alerts
    if before is turn.alerts or not before:
        return frozenset()
    return _doubts(before) - _doubts(turn.alerts)


def _doubts(alerts: Mapping[str, Alert]) -> frozenset[Place]:
    return frozenset(
        (alert.seat, FeltSpot(alert.spot))
        for alert in alerts.values()
        if alert.code == CHIP_ON_TWO_SPOTS.code and alert.seat is not None and alert.spot is not None
    )
