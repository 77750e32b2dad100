"""Controllers and service: lost, restarted, with gaps or faults. In a coup each makes a hole in the evidence."""

from sabot_gateway.model.effect import SetLamps
from sabot_gateway.model.event import (
    ClockSkewed,
    ControllerRebooted,
    DeviceFaulted,
    DoorMoved,
    Event,
    LampsApplied,
    LinkGap,
    ServiceResumed,
    TimerFired,
)
from sabot_gateway.table.alerts import house
from sabot_gateway.table.change import maker, replace
from sabot_gateway.table.review import begin_review
from sabot_gateway.table.state import CoupPhase, Lamps, Link, LinkPhase, ReviewCause, TableState
from sabot_gateway.table.turn import Turn

STALL = "stall"
LAMPS = "lamps"


def is_resent(state: TableState, event: Event) -> bool:
    """A numbered fact that the table has taken already."""
    if not event.seq:
        return False
    link = state.links.get(event.device)
    return link is not None and (event.boot, event.seq) <= (link.boot, link.seq)


def take_number(turn: Turn) -> None:
    event = turn.event
    if event.seq:
        link = turn.links.get(event.device, _NEW)
        turn.links = {**turn.links, event.device: _link(link.phase, event.boot, event.seq)}


def lose_link(turn: Turn) -> None:
    device = turn.event.device
    turn.links = {**turn.links, device: replace(turn.links.get(device, _NEW), phase=LinkPhase.LOST)}
    turn.state_alert(house.controller_lost(turn.setup.game, device))
    begin_review(turn, ReviewCause.CONTROLLER_LOST)


def restore_link(turn: Turn) -> None:
    device = turn.event.device
    turn.links = {**turn.links, device: replace(turn.links.get(device, _NEW), phase=LinkPhase.ONLINE)}
    turn.clear_code(house.CONTROLLER_LOST.code, None, device or None)


def see_gap(turn: Turn) -> None:
    event = turn.event
    assert isinstance(event, LinkGap)
    if turn.coup.phase is not CoupPhase.IDLE:
        turn.alert(house.events_missing(turn.setup.game, event.device, event.first, event.last))
    begin_review(turn, ReviewCause.EVENTS_MISSING)


def review_holes(turn: Turn) -> None:
    """The bets close over a hole in the evidence: what lies on the felt may not be what was read last."""
    for alert in turn.alerts.values():
        if alert.code == house.EVENTS_MISSING.code and alert.coup == turn.coup.number:
            begin_review(turn, ReviewCause.EVENTS_MISSING)
        elif alert.code == house.CONTROLLER_LOST.code:
            begin_review(turn, ReviewCause.CONTROLLER_LOST)
        elif alert.code == house.DEVICE_FAULT.code and dict(alert.evidence)["fault"] in _BLINDING:
            begin_review(turn, ReviewCause.DEVICE_FAULT)


def see_reboot(turn: Turn) -> None:
    event = turn.event
    assert isinstance(event, ControllerRebooted)
    turn.alert(house.controller_rebooted(turn.setup.game, event.device, event.cause))
    begin_review(turn, ReviewCause.CONTROLLER_REBOOTED)


def resume_service(turn: Turn) -> None:
    """A restart that missed nothing changes nothing: the coup continues where it was, and its picture is set anew.

    While the service could not write, the lamps showed its fault with the next revision; a controller takes only a
    greater one, so the picture comes back with the one after that.
    """
    event = turn.event
    assert isinstance(event, ServiceResumed)
    if not event.complete:
        begin_review(turn, ReviewCause.SERVICE_INTERRUPTED)
    lamps = turn.lamps
    turn.lamps = Lamps(lamps.revision + 2, lamps.applied, lamps.picture, lamps.display)
    turn.effects.append(SetLamps(turn.lamps.revision, lamps.picture, lamps.display))
    turn.start_timer(LAMPS, turn.setup.timing.lamps_ms)


def see_clock(turn: Turn) -> None:
    event = turn.event
    assert isinstance(event, ClockSkewed)
    if abs(event.off_ms) > turn.setup.timing.clock_ms:
        turn.state_alert(house.clock_off(turn.setup.game, event.device, event.off_ms))
    else:
        turn.clear_code(house.CLOCK_OFF.code, None, event.device or None)


def see_door(turn: Turn) -> None:
    event = turn.event
    assert isinstance(event, DoorMoved)
    if event.open:
        turn.state_alert(house.door_open(turn.setup.game, event.device))
    else:
        turn.clear_code(house.DOOR_OPEN.code, None, event.device or None)


def see_fault(turn: Turn) -> None:
    """A broken reader makes a hole in the evidence; other parts only in comfort."""
    event = turn.event
    assert isinstance(event, DeviceFaulted)
    alert = house.device_fault(turn.setup.game, event.device, event.code, event.part)
    if not event.active:
        turn.clear_code(alert.code, alert.seat, alert.spot)
        return
    turn.state_alert(alert)
    if event.code in _BLINDING:
        begin_review(turn, ReviewCause.DEVICE_FAULT)


def confirm_lamps(turn: Turn) -> None:
    """Late confirmations of older pictures say nothing about the current one."""
    event = turn.event
    assert isinstance(event, LampsApplied)
    if event.revision <= turn.lamps.applied or event.revision > turn.lamps.revision:
        return
    turn.lamps = replace(turn.lamps, applied=event.revision)
    if event.revision == turn.lamps.revision:
        turn.cancel_timer(LAMPS)
        turn.clear_code(house.LAMPS_NOT_CONFIRMED.code)


def is_current_timer(turn: Turn) -> bool:
    event = turn.event
    assert isinstance(event, TimerFired)
    return turn.timers.get(event.timer) == event.token


def timer_ran_out(turn: Turn) -> None:
    event = turn.event
    assert isinstance(event, TimerFired)
    turn.timers = {name: token for name, token in turn.timers.items() if name != event.timer}
    game = turn.setup.game
    if event.timer == LAMPS:
        turn.state_alert(house.lamps_not_confirmed(game, turn.lamps.revision))
    elif event.timer == STALL:
        turn.state_alert(house.coup_stalled(game, turn.coup.phase))


_NEW = Link()
_link = maker(Link)
_BLINDING = frozenset({"reader", "antenna", "digest", "memory", "outbox_full"})
