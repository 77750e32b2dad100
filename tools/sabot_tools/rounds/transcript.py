"""A played script as lines for people: when each step happened, and what the table made of it.

Shows what the table showed: lamps, display, alerts, decisions. Cards appear only
where the script itself names them.
"""

from collections.abc import Iterator

from sabot_gateway.model.effect import (
    ClearAlert,
    Effect,
    Lamp,
    RaiseAlert,
    RecordDecision,
    RecordSettlement,
    SetLamps,
)
from sabot_gateway.model.settlement import Settlement
from sabot_tools.rounds.alert_checks import said
from sabot_tools.rounds.playing import Played
from sabot_tools.rounds.rig import Aside
from sabot_tools.rounds.words import text_from_cents


def transcript(played: Played) -> Iterator[str]:
    """The whole evening of one script, line by line."""
    yield f"{played.script.name}  {played.script.game}  {played.script.title}"
    effects = _by_step(played)
    for step in played.script.steps:
        happened = effects.get(id(step), [])
        yield f"  {_time(happened)}  {'  ' * step.depth}{step.line.text}"
        for entry in happened:
            for effect in entry.effects:
                yield from (f"              {line}" for line in _shown(effect))
        if played.failure is not None and step.line == played.failure.line:
            break
    yield f"  {verdict(played)}"


def verdict(played: Played) -> str:
    if played.failure is None:
        return f"passed: {played.held} expectations held"
    return f"FAILED at {played.failure}"


def summary(played: Played) -> dict[str, object]:
    """How a script went, for a program to read."""
    failure = played.failure
    return {
        "script": played.script.name,
        "game": played.script.game,
        "title": played.script.title,
        "rules": list(played.script.rules),
        "passed": failure is None,
        "expectations": played.held,
        "failure": None if failure is None else {
            "file": failure.line.file, "line": failure.line.number, "reason": failure.reason
        },
    }  # fmt: skip


def _by_step(played: Played) -> dict[int, list[Aside]]:
    """What each step led to, events and all the rest."""
    found: dict[int, list[Aside]] = {}
    events = [Aside(entry.step, entry.event.at_ms, entry.effects) for entry in played.entries]
    for each in (*events, *played.asides):
        found.setdefault(id(each.step), []).append(each)
    return found


def _time(happened: list[Aside]) -> str:
    if not happened:
        return " " * 8
    seconds = happened[-1].at_ms // 1000
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"


def _shown(effect: Effect) -> Iterator[str]:
    match effect:
        case RaiseAlert(alert):
            yield f"! {alert.severity} {said(alert)}: {alert.en}"
        case ClearAlert(alert, how, by):
            yield f"! over: {alert} ({how}{f' by {by}' if by else ''})"
        case RecordDecision(_, kind, detail):
            yield f"· {kind} {' '.join(f'{name}={value}' for name, value in detail)}".rstrip()
        case RecordSettlement():
            yield from _decided(effect)
        case SetLamps(_, picture, display):
            if display:
                yield f"display: {' / '.join(line.fr for line in display)}"
            if picture:
                yield f"lamps: {', '.join(map(_lit, picture))}"
        case _:
            return


def _decided(record: RecordSettlement) -> Iterator[str]:
    settlement = record.settlement
    yield f"= coup {record.number} {settlement.status} under {record.ruleset} {record.ruleset_sha256[:12]}"
    if isinstance(settlement, Settlement):
        for seat in settlement.seats:
            for bet in seat.bets:
                yield f"= seat {seat.seat} {bet.spot} {bet.outcome} {_signed(bet.net)} by {bet.rule}"
    else:
        for player in settlement.seats:
            yield f"= seat {player.seat} {player.outcome} {_signed(player.net)} by {player.rule}"


def _lit(lamp: Lamp) -> str:
    amount = "" if lamp.amount_cents is None else f" {text_from_cents(lamp.amount_cents)}"
    return f"{lamp.seat} {lamp.spot} {lamp.colour} {lamp.pattern}{amount}"


def _signed(cents: int) -> str:
    return f"{'+' if cents > 0 else ''}{text_from_cents(cents)}"
