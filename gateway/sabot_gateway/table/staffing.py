"""Badges: who deals, who heads the table, and whose authority stands behind the keys."""

from sabot_gateway.model.alert import Holds
from sabot_gateway.model.effect import ClearAlert
from sabot_gateway.model.event import AlertCleared, AlertOverridden, BadgeRead, KeyPressed
from sabot_gateway.model.person import Role
from sabot_gateway.rules.staff import TablePhase, may_relieve
from sabot_gateway.table.alerts import cards, house
from sabot_gateway.table.alerts.kind import AlertKind
from sabot_gateway.table.change import replace
from sabot_gateway.table.closing import exclude_seat
from sabot_gateway.table.courses import course_of
from sabot_gateway.table.paying import override_due
from sabot_gateway.table.review import begin_review
from sabot_gateway.table.state import CoupPhase, ReviewCause, Table
from sabot_gateway.table.turn import Turn


def read_badge(turn: Turn) -> None:
    event = turn.event
    assert isinstance(event, BadgeRead)
    person = turn.setup.badges.get(event.tag)
    game, staff = turn.setup.game, turn.staff
    if person is None:
        turn.alert(house.unknown_badge(game))
    elif person.role is Role.DEALER:
        if staff.dealer and staff.dealer != person.id and not _may_change(turn, house.DEALER_CHANGED):
            turn.alert(house.dealer_changed(game, staff.dealer, person.id))
        turn.staff = replace(staff, dealer=person.id)
        turn.clear_code(house.STAFF_MISSING.code, None, "dealer")
    elif person.role is Role.TABLE_HEAD:
        if staff.head and staff.head != person.id and not _may_change(turn, house.HEAD_CHANGED):
            turn.alert(house.head_changed(game, staff.head, person.id))
        until = event.at_ms + turn.setup.timing.authority_ms
        turn.staff = replace(staff, head=person.id, authority_ms=until)
        turn.clear_code(house.STAFF_MISSING.code, None, "chef")


def lacks_authority(turn: Turn) -> None:
    event = turn.event
    assert isinstance(event, KeyPressed)
    turn.state_alert(house.authority_missing(turn.setup.game, event.key))


def override_by_key(turn: Turn) -> None:
    """The table head lets play go on: every alert at this seat, or at the whole table."""
    event = turn.event
    assert isinstance(event, KeyPressed)
    for alert in turn.alerts.values():
        # One override may put another alert right: a bet that stands gives the word to the next player.
        if alert.id in turn.alerts and alert.holds != "nothing" and (event.seat == 0 or alert.seat == event.seat):
            _override(turn, alert.id, turn.staff.head, "key")


def override_alert(turn: Turn) -> None:
    event = turn.event
    assert isinstance(event, AlertOverridden)
    if event.alert in turn.alerts:
        _override(turn, event.alert, event.by, event.reason)


def clear_alert(turn: Turn) -> None:
    """Dealt with by a person; what holds something up cannot be cleared away, only corrected or overridden."""
    event = turn.event
    assert isinstance(event, AlertCleared)
    alert = turn.alerts.get(event.alert)
    if alert is None:
        # It waits in the queue of alerts, its coup long over.
        turn.effects.append(ClearAlert(event.alert, "cleared", event.by, event.reason))
    elif alert.holds is Holds.NOTHING:
        turn.clear(event.alert, "cleared", event.by, event.reason)


def call_floor(turn: Turn) -> None:
    turn.alert(house.floor_called(turn.setup.game))


def _override(turn: Turn, alert_id: str, by: str, reason: str) -> None:
    alert = turn.alerts[alert_id]
    if alert.seat is not None and alert.holds is Holds.CLOSE:
        exclude_seat(turn, alert.seat)
    if alert.holds is Holds.PAY and alert.seat is not None and alert.spot is not None:
        override_due(turn, alert.seat, alert.spot)
    if alert.code == cards.TOO_FEW_CARDS.code:
        begin_review(turn, ReviewCause.TOO_FEW_CARDS)  # he says that they were dealt: then he must say what they are
    course_of(turn).overridden(turn, alert)
    turn.clear(alert_id, "overridden", by, reason)


def _may_change(table: Table, kind: AlertKind) -> bool:
    """UTH-09, THE-09 keep only the dealer at the table, TCF-15 and STU-14 the table head too."""
    if table.setup.game not in kind.rules:
        return True
    return may_relieve(table.setup.game, _PHASES[table.coup.phase])


_PHASES = {
    CoupPhase.IDLE: TablePhase.IDLE,
    CoupPhase.BETTING: TablePhase.BETTING,
    CoupPhase.DEALING: TablePhase.DEALING,
    CoupPhase.DECIDING: TablePhase.DECISION,
    CoupPhase.REVEALING: TablePhase.REVEAL,
    CoupPhase.PAYING: TablePhase.PAYING,
    CoupPhase.CLEARING: TablePhase.CLEARING,
}
