"""Controllers and service: lost, restarted, with gaps or faults. In a coup each makes a hole in the evidence."""

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
from sabot_gateway.table.change import replace
from sabot_gateway.table.review import begin_review
from sabot_gateway.table.state import CoupPhase, Link, LinkPhase, TableState
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
        turn.links = {**turn.links, event.device: Link(link.phase, event.boot, event.seq)}


def lose_link(turn: Turn) -> None:
    device = turn.event.device
    turn.links = {**turn.links, device: replace(turn.links.get(device, _NEW), phase=LinkPhase.LOST)}
    turn.state_alert(house.controller_lost(turn.setup.game, device))
    begin_review(turn, "controller_lost")


def restore_link(turn: Turn) -> None:
    device = turn.event.device
    turn.links = {**turn.links, device: replace(turn.links.get(device, _NEW), phase=LinkPhase.ONLINE)}
    turn.clear_code(house.CONTROLLER_LOST.code, None, device or None)


def see_gap(turn: Turn) -> None:
    event = turn.event
    assert isinstance(event, LinkGap)
    if turn.coup.phase is not CoupPhase.IDLE:
        turn.alert(house.events_missing(turn.setup.game, event.device, event.first, event.last))
    begin_review(turn, "events_missing")


def see_reboot(turn: Turn) -> None:
    event = turn.event
    assert isinstance(event, ControllerRebooted)
    turn.alert(house.controller_rebooted(turn.setup.game, event.device, event.cause))
    begin_review(turn, "controller_rebooted")


def resume_service(turn: Turn) -> None:
    """A restart that missed nothing changes nothing: the coup continues where it was."""
    event = turn.event
    assert isinstance(event, ServiceResumed)
    if not event.complete:
        begin_review(turn, "service_interrupted")


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
        begin_review(turn, "device_fault")


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
_BLINDING = frozenset({"reader", "antenna", "digest", "memory", "outbox_full"})
