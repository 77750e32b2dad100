"""Plays a script: its steps move the rig, its expectations are compared, and the first difference ends it.

A script fails when an expectation differs, or when the table has raised an
alert that none of the expectations that follow next names. Both are data; only
a script that makes no sense is an error.
"""

from dataclasses import dataclass
from typing import Final

from sabot_gateway.model.event import PlayerSeated
from sabot_tools.rounds import card_verbs, chip_verbs, link_verbs, staff_verbs
from sabot_tools.rounds.alert_checks import said
from sabot_tools.rounds.arguments import Arguments
from sabot_tools.rounds.expectation import KINDS, NEGATED, kind_of
from sabot_tools.rounds.rig import Aside, Entry, Rig
from sabot_tools.rounds.script import Line, Script, ScriptError, Step
from sabot_tools.rounds.verb import Verb

VERBS: Final[dict[str, Verb]] = {
    verb.name: verb for verb in (*chip_verbs.VERBS, *card_verbs.VERBS, *staff_verbs.VERBS, *link_verbs.VERBS)
}


@dataclass(frozen=True, slots=True)
class Failure:
    line: Line
    reason: str

    def __str__(self) -> str:
        return f"{self.line}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Played:
    """How a script went; `held` counts the expectations that were met."""

    script: Script
    entries: tuple[Entry, ...]
    held: int
    failure: Failure | None = None
    asides: tuple[Aside, ...] = ()


def play(script: Script) -> Played:
    """Every step in order, to the end or to the first difference; ScriptError where a line makes no sense."""
    rig = Rig(script)
    for seat in script.players:
        rig.tell(PlayerSeated(seat, f"P{seat}"))
    held = 0
    has_spoken = False  # the script itself, not a fragment, has just said what it expects
    for step in script.steps:
        if not step.is_expectation:
            if has_spoken and (unnamed := _unnamed(rig, script)):
                return Played(script, tuple(rig.entries), held, unnamed, tuple(rig.asides))
            has_spoken = False
            rig.current = step
            _act(rig, step)
            continue
        has_spoken |= step.depth == 0
        difference = _difference(rig, step)
        if difference is not None:
            return Played(script, tuple(rig.entries), held, Failure(step.line, difference), tuple(rig.asides))
        held += 1
    return Played(script, tuple(rig.entries), held, _unnamed(rig, script), tuple(rig.asides))


def _act(rig: Rig, step: Step) -> None:
    verb = VERBS.get(step.verb)
    if verb is None:
        raise ScriptError(step.line, f"{step.verb!r} is not a step; there are {', '.join(VERBS)}.")
    args = Arguments(step.line, step.words, verb.usage)
    verb.act(rig, args)
    args.done()


def _difference(rig: Rig, step: Step) -> str | None:
    found = kind_of(step.words)
    if found is None:
        known = (*KINDS, *(f"no {name}" for name in NEGATED))
        raise ScriptError(step.line, f"nothing of this kind can be expected; there are {', '.join(known)}.")
    kind, words = found
    args = Arguments(step.line, words, f"EXPECT {kind.usage}")
    difference = kind.check(rig, args)
    if difference is None:
        args.done()
    return difference


def _unnamed(rig: Rig, script: Script) -> Failure | None:
    """Guard: whatever was raised and named by no expectation is a false alert, or a missing line."""
    for alert, line in rig.watch.unnamed.values():
        return Failure(line or Line(script.name, 1), f"raised an alert that no EXPECT names: {said(alert)}: {alert.en}")
    return None
