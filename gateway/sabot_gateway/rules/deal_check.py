"""Was a deal made in the order of its plan, each card with the face it should show?

A wrong order with right counts is an alarm, not a void coup (A-TCF-17): this
check reports and decides nothing. An exposed card is an observation (TCF-33).
Which card went where is not judged here, only that some card did.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from sabot_gateway.model.game import Game
from sabot_gateway.rules.deal import BURN, DealPlan, Face, Place, Recipient
from sabot_gateway.rules.rejection import Fault


@dataclass(frozen=True, slots=True)
class Dealt:
    """One card as it left the shoe: where it went and the face it showed."""

    to: Recipient
    face: Face = Face.DOWN


@dataclass(frozen=True, slots=True)
class DealCheck:
    """`violations` are order alarms; `observations` are lawful but worth recording."""

    violations: tuple[Fault, ...] = ()
    observations: tuple[Fault, ...] = ()

    @property
    def ok(self) -> bool:
        return not self.violations


def check_deal(plan: DealPlan, dealt: Sequence[Dealt]) -> DealCheck:
    """Every card of a finished deal held against its place; nothing here voids a coup."""
    violations: list[Fault] = []
    observations: list[Fault] = []
    served = 0
    for index, card in enumerate(dealt):
        if served == len(plan.places):
            if card.to != BURN:  # TCF-34, STU-32: the stub is burned when the deal is over
                violations.append(_fault("EXTRA_CARD", _LAST_RULE[plan.game], index, got=card.to))
            continue
        place = plan.places[served]
        if card.to == BURN and place.to != BURN and plan.game in _BURNED and card.face is Face.UP:
            # A-TCF-10: uncovered before it reached a hand, so burned; the next card takes its place.
            observations.append(_fault("BURNED_CARD", _BURNED[plan.game], index))
            continue
        served += 1
        if card.to != place.to:
            violations.append(_fault("WRONG_RECIPIENT", place.rule, index, expected=place.to, got=card.to))
        else:
            _judge_face(plan.game, place, card, index, violations, observations)
    for place in plan.places[served:]:
        violations.append(_fault("MISSING_CARD", place.rule, len(dealt), expected=place.to))
    return DealCheck(tuple(violations), tuple(observations))


def _judge_face(
    game: Game, place: Place, card: Dealt, index: int, violations: list[Fault], observations: list[Fault]
) -> None:
    if place.face is None or card.face is place.face:
        return
    if place.face is Face.UP:
        violations.append(_fault("WRONG_FACE", place.face_rule or place.rule, index, expected=str(Face.UP)))
    else:
        observations.append(_fault("EXPOSED_CARD", _EXPOSED[game], index, to=place.to))


def _fault(code: str, rule: str, index: int, **facts: Recipient) -> Fault:
    sentence = _SENTENCES[code].format(nth=index + 1, **facts)
    return Fault(code, rule, extra=(("index", index), *facts.items()), sentence=sentence)


_SENTENCES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "WRONG_RECIPIENT": "Card {nth} of the deal belongs to {expected} and went to {got}.",
        "WRONG_FACE": "Card {nth} of the deal must show its face.",
        "MISSING_CARD": "The deal ended before {expected} had its card.",
        "EXTRA_CARD": "Card {nth} went to {got} after the deal was complete.",
        "EXPOSED_CARD": "Card {nth} was shown: it is turned back and the deal goes on.",
        "BURNED_CARD": "Card {nth} was uncovered before it reached a hand: it is burned.",
    }
)


# A card shown to the table by mistake: what the document says, or the rule that asks for a hidden card.
_EXPOSED: Final[Mapping[Game, str]] = MappingProxyType(
    {Game.TCF: "TCF-33", Game.STU: "STU-31", Game.TCP: "TCP-10", Game.UTH: "UTH-19", Game.THE: "THE-51"}
)
_BURNED: Final[Mapping[Game, str]] = MappingProxyType({Game.TCF: "TCF-09", Game.STU: "STU-09"})
_LAST_RULE: Final[Mapping[Game, str]] = MappingProxyType(
    {Game.TCF: "TCF-30", Game.STU: "STU-28", Game.TCP: "TCP-55", Game.UTH: "UTH-23", Game.THE: "THE-89"}
)
