"""Verbs of the hardware and of time: links, restarts, doors, faults, lamps, and waiting."""

from dataclasses import replace
from typing import Final

from sabot_gateway.model.event import (
    ClockSkewed,
    ControllerRebooted,
    DeviceFaulted,
    DoorMoved,
    LinkGap,
    LinkLost,
    LinkRestored,
    ServiceResumed,
)
from sabot_gateway.model.felt import DeviceFault
from sabot_tools.rounds.arguments import Arguments
from sabot_tools.rounds.rig import DEVICES, Rig
from sabot_tools.rounds.script import ScriptError
from sabot_tools.rounds.verb import Verb


def _device(args: Arguments) -> str:
    return args.one_of("a controller", DEVICES)


def _wait(rig: Rig, args: Arguments) -> None:
    rig.wait(args.milliseconds())


def _pace(rig: Rig, args: Arguments) -> None:
    rig.beat_ms = args.milliseconds()


def _gap(rig: Rig, args: Arguments) -> None:
    device = _device(args)
    missing = args.number("a number of events") if args else 1
    first = rig.controllers[device].seq + 1
    rig.controllers[device].seq += missing
    rig.tell(LinkGap(first, first + missing - 1), device)


def _reboot(rig: Rig, args: Arguments) -> None:
    device = _device(args)
    controller = rig.controllers[device]
    controller.boot, controller.seq = controller.boot + 1, 0
    rig.tell(ControllerRebooted(args.take("a cause") if args else "power"), device)


def _clock(rig: Rig, args: Arguments) -> None:
    device = _device(args)
    rig.tell(ClockSkewed(args.milliseconds()), device)


def _door(rig: Rig, args: Arguments) -> None:
    device = _device(args)
    rig.sense(device, DoorMoved(args.one_of("a state", ("open", "closed")) == "open"))


def _broken(rig: Rig, args: Arguments) -> None:
    device = _device(args)
    code = DeviceFault(args.one_of("a fault", tuple(DeviceFault)))
    is_over = args.accept("repaired")
    rig.sense(device, DeviceFaulted(code, 0, not is_over))


def _lamps(rig: Rig, args: Arguments) -> None:
    rig.lamps_alive = args.one_of("a state", ("dead", "alive")) == "alive"
    if rig.lamps_alive and rig.state.lamps.revision:
        rig.confirm_lamps(rig.state.lamps.revision)


def _restart(rig: Rig, args: Arguments) -> None:
    rig.tell(ServiceResumed(args.one_of("how", ("complete", "incomplete")) == "complete"))


def _resend(rig: Rig, args: Arguments) -> None:
    """The controller did not hear the acknowledgement and sends its last events again."""
    numbered = [entry.event for entry in rig.entries if entry.event.seq]
    last = args.number("a number of events") if args else 1
    if len(numbered) < last:
        raise ScriptError(args.line, "so many events have not been sent yet.")
    before = rig.state
    for event in numbered[-last:]:
        rig.feed(replace(event))
    if rig.state != before:
        raise ScriptError(args.line, "an event that was sent again changed the table.")


VERBS: Final = (
    Verb("wait", "wait TIME", "time passes: 500ms, 5s, 3min, 1h", _wait),
    Verb("pace", "pace TIME", "how much time passes between one thing and the next from now on", _pace),
    Verb(
        "lost",
        "lost shoe|spots|desk",
        "the link to a controller is lost",
        lambda rig, args: rig.tell(LinkLost(), _device(args)),
    ),
    Verb(
        "restored",
        "restored shoe|spots|desk",
        "the link is back",
        lambda rig, args: rig.tell(LinkRestored(), _device(args)),
    ),
    Verb("gap", "gap shoe|spots|desk [NUMBER]", "events of a controller never come", _gap),
    Verb("reboot", "reboot shoe|spots|desk [CAUSE]", "a controller restarts", _reboot),
    Verb("resend", "resend [NUMBER]", "the last events come once more and must change nothing", _resend),
    Verb("clock", "clock shoe|spots|desk TIME", "a controller's clock was off by this much", _clock),
    Verb("door", "door shoe|spots|desk open|closed", "the housing of a controller", _door),
    Verb("broken", "broken shoe|spots|desk FAULT [repaired]", "a part of a controller fails or works again", _broken),
    Verb("lamps", "lamps dead|alive", "whether the lamps confirm the pictures they are sent", _lamps),
    Verb(
        "restart", "restart complete|incomplete", "the gateway comes back, having missed nothing or something", _restart
    ),
)
