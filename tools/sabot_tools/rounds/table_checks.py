"""Expectations about the state of the table: phases, who plays, what was decided, who is on duty."""

from enum import StrEnum

from sabot_gateway.model.coup import Decision
from sabot_gateway.table.state import CoupPhase, SeancePhase, SeatState, ShoePhase
from sabot_tools.rounds.arguments import Arguments
from sabot_tools.rounds.rig import BADGES, Rig
from sabot_tools.rounds.words import text_from_cents


def differs(what: str, actual: object, wanted: object) -> str | None:
    return None if actual == wanted else f"{what} is {actual}, not {wanted}."


def phase(rig: Rig, args: Arguments) -> str | None:
    return _phase("the phase", rig.state.coup.phase, args, CoupPhase)


def seance(rig: Rig, args: Arguments) -> str | None:
    return _phase("the séance", rig.state.seance.phase, args, SeancePhase)


def shoe(rig: Rig, args: Arguments) -> str | None:
    return _phase("the shoe", rig.state.shoe.phase, args, ShoePhase)


def coup(rig: Rig, args: Arguments) -> str | None:
    return differs("the coup", rig.state.coup.number, args.number("a number"))


def review(rig: Rig, args: Arguments) -> str | None:
    if rig.state.review is None:
        return "the coup is not in review."
    return differs("the cause of the review", rig.state.review.cause, args.take("a cause")) if args else None


def no_review(rig: Rig, _args: Arguments) -> str | None:
    return f"the coup is in review ({rig.state.review.cause})." if rig.state.review else None


def plays(rig: Rig, args: Arguments) -> str | None:
    wanted = []
    while args:
        wanted.append(args.seat())
    return differs("the list of players", list(rig.state.coup.players), wanted)


def decision(rig: Rig, args: Arguments) -> str | None:
    seat = args.seat()
    wanted = args.one_of("a decision", (*Decision, "none"))
    return differs(f"the decision of seat {seat}", str(rig.state.coup.decisions.get(seat, "none")), wanted)


def bet(rig: Rig, args: Arguments) -> str | None:
    seat, spot = args.place()
    held = rig.state.coup.bets.get((seat, spot), 0)
    return differs(f"the stake on {spot} of seat {seat}", text_from_cents(held), text_from_cents(args.cents()))


def staff(rig: Rig, args: Arguments) -> str | None:
    role = args.one_of("a role", ("dealer", "head"))
    name = args.one_of("a badge", (*BADGES, "none"))
    wanted = BADGES[name].id if name in BADGES else ""
    return differs(f"the {role}", rig.state.staff.dealer if role == "dealer" else rig.state.staff.head, wanted)


def seat(rig: Rig, args: Arguments) -> str | None:
    number = args.seat()
    wanted = args.one_of("a state", ("taken", "empty", "absent"))
    known = rig.state.seats.get(number, SeatState())
    actual = "absent" if known.absent else "taken" if known.taken or known.player else "empty"
    return differs(f"seat {number}", actual, wanted)


def waiting(rig: Rig, args: Arguments) -> str | None:
    wanted = []
    while args:
        wanted.append(args.take("a player"))
    listed = list(rig.state.seance.waiting)
    return differs("the waiting list", listed or ["nobody"], wanted)


def button(rig: Rig, args: Arguments) -> str | None:
    wanted = "nowhere" if args.accept("nowhere") else str(args.seat())
    return differs("the button", str(rig.state.button or "nowhere"), wanted)


def turn(rig: Rig, args: Arguments) -> str | None:
    wanted = "nobody" if args.accept("nobody") else str(args.seat())
    hand = rig.state.coup.holdem
    return differs("the word", str((hand.seat_in_turn if hand else 0) or "nobody"), wanted)


def house(rig: Rig, args: Arguments) -> str | None:
    key, wanted = args.take("a key of the ruleset"), args.take("its value")
    return differs(key, str(rig.state.setup.ruleset.values.get(key)), wanted)


def _phase(what: str, actual: StrEnum, args: Arguments, phases: type[StrEnum]) -> str | None:
    return differs(what, str(actual), args.one_of("a phase", tuple(phases)))
