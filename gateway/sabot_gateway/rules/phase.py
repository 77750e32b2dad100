"""Did the steps of a coup happen in their order? A walk over a list of steps, against `phase_table`.

Total: any list of steps gives findings, never an exception. One fault gives one
finding: a step found missing is then taken as done, so that what follows from it
is not reported again, and its own late arrival is not a second fault.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from sabot_gateway.model.game import Game
from sabot_gateway.rules.phase_table import CLOSING, LASTING, OPENING, STAKES_BEFORE, STAKES_RULE, STEPS, Need, Steps
from sabot_gateway.rules.rejection import Fault


@dataclass(frozen=True, slots=True)
class PhaseEvent:
    """One step, with the seat it concerns where it concerns one."""

    event: str
    seat: int | None = None


def check_phases(
    game: Game, values: Mapping[str, object], players: Iterable[int], events: Sequence[PhaseEvent]
) -> tuple[Fault, ...]:
    """Every step that came too early, too late, or while a decision was pending; empty when all is in order."""
    walk = _Walk(STEPS[game], _needs(game, values), tuple(sorted(set(players))))
    return tuple(fault for index, event in enumerate(events) for fault in walk.step(index, event))


def known_events(game: Game) -> frozenset[str]:
    return STEPS[game].events


def _needs(game: Game, values: Mapping[str, object]) -> tuple[Need, ...]:
    needs = STEPS[game].needs
    if game not in STAKES_RULE:
        return needs
    before = str(values.get("rnvp_before") or STAKES_BEFORE[game])
    return (*needs, Need(before, "stakes_checked", STAKES_RULE[game]))


@dataclass(slots=True)
class _Walk:
    """What has happened so far in the coup, and in the whole list (`ever`)."""

    steps: Steps
    needs: tuple[Need, ...]
    players: tuple[int, ...]
    seen: set[str] = field(default_factory=set)
    ever: set[str] = field(default_factory=set)
    assumed: set[str] = field(default_factory=set)
    decided: set[int] = field(default_factory=set)
    overtaken: set[int] = field(default_factory=set)  # decisions reported as pending: late ones are known
    served: int = 0  # STU-61: the last seat served a bought card

    def step(self, index: int, event: PhaseEvent) -> list[Fault]:
        name = event.event
        if name not in self.steps.events:
            return [_fault("UNKNOWN_EVENT", "", index, event)]
        if name in self.steps.seated and event.seat not in self.players:
            return [_fault("SEAT_NUMBER", self.steps.seat_rule, index, event)]
        if name in OPENING and "pay" in self.seen:
            self._next_coup()
        faults = [*self._too_early(index, event), *self._too_late(index, event), *self._pending(index, event)]
        faults += self._purchase_order(index, event)
        self._happened(event)
        return faults

    def _too_early(self, index: int, event: PhaseEvent) -> list[Fault]:
        missing = [need for need in self.needs if need.event == event.event and need.missing not in self.seen]
        self.assumed.update(need.missing for need in missing)
        self.seen.update(need.missing for need in missing)
        return [_fault("TOO_EARLY", need.rule, index, event, missing=need.missing) for need in missing[:1]]

    def _too_late(self, index: int, event: PhaseEvent) -> list[Fault]:
        name = event.event
        if name in self.assumed or (name == "decision" and event.seat in self.overtaken):
            return []
        for late in self.steps.lates:
            if late.event != name or late.after not in (self.ever if late.ever else self.seen):
                continue
            if late.until and late.until in self.seen:
                continue
            return [_fault("TOO_LATE", late.rule, index, event, after=late.after)]
        return []

    def _pending(self, index: int, event: PhaseEvent) -> list[Fault]:
        rule = self.steps.pending.get(event.event)
        if rule is None:
            return []
        waiting = [seat for seat in self.players if seat not in self.decided and seat not in self.overtaken]
        self.overtaken.update(waiting)
        return [_fault("DECISION_PENDING", rule, index, PhaseEvent(event.event, seat)) for seat in waiting]

    def _purchase_order(self, index: int, event: PhaseEvent) -> list[Fault]:
        """STU-61: bought cards are served in dealing order; STU-80: one card per player."""
        if event.event != "purchase" or event.seat is None:
            return []
        last, self.served = self.served, max(self.served, event.seat)
        if event.seat == last:
            return [_fault("MORE_THAN_ONE_CARD", "STU-80", index, event)]
        return [_fault("OUT_OF_ORDER", "STU-61", index, event)] if event.seat < last else []

    def _happened(self, event: PhaseEvent) -> None:
        if event.event in CLOSING:
            self._next_coup()
            return
        if event.seat is not None and event.event in ("decision", "early_look"):
            self.decided.add(event.seat)
        if event.event == "button":
            self.seen.discard("shuffle")  # THE-44: the clubs go back and the whole deck is shuffled again
        if event.event == "bet":
            self.seen.add("bets")  # one player's stake is enough to deal (UTH-11, TCF-16)
        self.seen.add(event.event)
        self.ever.add(event.event)

    def _next_coup(self) -> None:
        self.seen &= LASTING
        self.assumed.clear()
        self.decided.clear()
        self.overtaken.clear()
        self.served = 0


def _fault(code: str, rule: str, index: int, event: PhaseEvent, **facts: str) -> Fault:
    said = _SENTENCES[code].format(nth=index + 1, event=event.event, seat=event.seat, **facts)
    extra = (("index", index), ("event", event.event), *facts.items())
    return Fault(code, rule, seat=event.seat, extra=extra, sentence=said)


_SENTENCES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "TOO_EARLY": "Step {nth}, {event}, came before {missing}.",
        "TOO_LATE": "Step {nth}, {event}, came after {after}.",
        "DECISION_PENDING": "Step {nth}, {event}, came while seat {seat} had not decided.",
        "OUT_OF_ORDER": "Step {nth}: seat {seat} was served a bought card out of the dealing order.",
        "MORE_THAN_ONE_CARD": "Step {nth}: seat {seat} was served a second bought card.",
        "SEAT_NUMBER": "Step {nth}, {event}, does not name a seat that plays.",
        "UNKNOWN_EVENT": "Step {nth}: this game has no step {event!r}.",
    }
)
