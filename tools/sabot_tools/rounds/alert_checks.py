"""Expectations about alerts: raised, repeated, standing, gone, and what they hold up."""

from dataclasses import dataclass

from sabot_gateway.model.alert import Alert, Holds, Severity
from sabot_tools.rounds.arguments import Arguments
from sabot_tools.rounds.rig import Rig


@dataclass(frozen=True, slots=True)
class _Wanted:
    code: str
    seat: int | None = None
    spot: str | None = None
    rule: str | None = None
    count: int | None = None
    severity: str | None = None

    def fits(self, alert: Alert) -> bool:
        return (
            alert.code == self.code
            and self.seat in (None, alert.seat)
            and self.spot in (None, alert.spot)
            and self.rule in (None, alert.rule)
            and self.count in (None, alert.count)
            and self.severity in (None, alert.severity)
        )


def alert(rig: Rig, args: Arguments) -> str | None:
    wanted = _wanted(args)
    for key, (raised, _) in rig.watch.unnamed.items():
        if wanted.fits(raised):
            del rig.watch.unnamed[key]
            # A cause that is over when it is named may come again, and is then named again.
            if any(key == standing.id for standing in rig.standing()):
                rig.watch.named.add(key)
            return None
    return f"{wanted.code} was not raised so; raised and not named before: {_listed(rig)}."


def no_alert(rig: Rig, _args: Arguments) -> str | None:
    return f"raised: {_listed(rig)}." if rig.watch.unnamed else None


def is_open(rig: Rig, args: Arguments) -> str | None:
    wanted = _wanted(args)
    if any(map(wanted.fits, rig.standing())):
        return None
    return f"{wanted.code} does not stand there; open are: {_codes(rig)}."


def is_cleared(rig: Rig, args: Arguments) -> str | None:
    wanted = _wanted(args)
    return f"{wanted.code} still stands." if any(map(wanted.fits, rig.standing())) else None


def blocked(rig: Rig, args: Arguments) -> str | None:
    holding = _holding(rig)
    if not args:
        return None if holding else f"nothing holds the coup up; open are: {_codes(rig)}."
    held = Holds(args.one_of("what is held up", tuple(Holds)))
    return None if held in holding else f"{held} is not held up; open are: {_codes(rig)}."


def not_blocked(rig: Rig, _args: Arguments) -> str | None:
    return f"held up by: {_codes(rig)}." if _holding(rig) else None


def said(raised: Alert) -> str:
    """An alert in one phrase, for transcripts and failures."""
    where = f" seat {raised.seat}" if raised.seat is not None else ""
    spot = f" spot {raised.spot}" if raised.spot is not None else ""
    by = f" by {raised.rule}" if raised.rule else ""
    times = f" count {raised.count}" if raised.count > 1 else ""
    return f"{raised.code}{where}{spot}{by}{times}"


def _wanted(args: Arguments) -> _Wanted:
    code = args.take("an alert")
    found: dict[str, int | str] = {}
    while args:
        match args.one_of("a detail", ("seat", "spot", "by", "count", "is")):
            case "seat":
                found["seat"] = args.seat()
            case "spot":
                found["spot"] = args.take("a spot")
            case "by":
                found["rule"] = args.take("a rule")
            case "count":
                found["count"] = args.number("a count")
            case _:
                found["severity"] = args.one_of("a severity", tuple(Severity))
    return _Wanted(code, **found)  # type: ignore[arg-type]  # each word has set its own field


def _holding(rig: Rig) -> set[Holds]:
    return {each.holds for each in rig.state.alerts.values()} - {Holds.NOTHING}


def _listed(rig: Rig) -> str:
    return ", ".join(f"{said(each)} (at {line})" for each, line in rig.watch.unnamed.values()) or "nothing"


def _codes(rig: Rig) -> str:
    return ", ".join(map(said, rig.standing())) or "none"
