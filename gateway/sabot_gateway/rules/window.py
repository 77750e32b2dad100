"""When chips may move: each spot has phases in which it is open, and moves outside them are violations.

Reads a log of chip movements; says nothing about amounts beyond the re-buy limit,
nor about who wins. A violation is evidence for the table head, it does not by
itself change a settlement.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from sabot_gateway.model.game import Game
from sabot_gateway.rules.rejection import Fault


class BetPhase(StrEnum):
    """Phases of a chip log, in the order of a coup."""

    BETWEEN_COUPS = "between_coups"
    BETTING = "betting"
    DEALING = "dealing"
    DECISION = "decision"
    PREFLOP = "preflop"
    FLOP = "flop"
    TURN = "turn"
    RIVER = "river"
    COUP = "coup"
    SETTLEMENT = "settlement"


class BetOp(StrEnum):
    PLACE = "place"
    CHANGE = "change"
    REMOVE = "remove"
    CALL_BET = "call_bet"


@dataclass(frozen=True, slots=True)
class BetMove:
    """One movement of chips, or a bet by word of mouth (`call_bet`)."""

    phase: BetPhase
    seat: int
    spot: str
    op: BetOp
    amount: int = 0


def check_window(game: Game, values: Mapping[str, object], log: Sequence[BetMove]) -> tuple[Fault, ...]:
    """Every movement made outside its window, every bet without chips; empty when all were in time."""
    windows = windows_of(game, values)
    recave_max = values.get("recave_max")
    played: dict[int, BetPhase] = {}  # UTH-26: the phase of each seat's one Play bet
    violations: list[Fault] = []
    for index, move in enumerate(log):
        window = windows.get(move.spot)
        if move.op is BetOp.CALL_BET:
            said = f"Seat {move.seat}: a bet was announced without chips."
            call = Fault("CALL_BET", _CALL_BET[game], seat=move.seat, extra=(("index", index),), sentence=said)
            violations.append(call)
        elif window is None:
            violations.append(_violation("UNKNOWN_SPOT", _UNKNOWN_SPOT[game], index, move))
        elif move.phase not in window.open:
            violations.append(_violation("WINDOW_CLOSED", window.rule_in(move.phase), index, move))
        elif window.once and _is_second(move, played):
            violations.append(_violation("WINDOW_CLOSED", window.once, index, move))
        elif move.spot == "recave" and isinstance(recave_max, int) and move.amount > recave_max:
            violations.append(_violation("RECAVE_ABOVE_MAX", "THE-40", index, move))
    return tuple(violations)


@dataclass(frozen=True, slots=True)
class Window:
    """The phases in which a spot is open, and the rule broken before (`early`) and after them (`late`)."""

    open: frozenset[BetPhase]
    early: str
    late: str
    once: str = ""  # the rule by which the stake is laid once and then stands

    def rule_in(self, phase: BetPhase) -> str:
        order = list(BetPhase)
        first = min(order.index(each) for each in self.open)
        return self.early if order.index(phase) < first else self.late


def windows_of(game: Game, values: Mapping[str, object]) -> Mapping[str, Window]:
    """Every spot of the game with its window; A-STU-04 lets a house keep the stud bonus open through the deal."""
    windows = _WINDOWS[game]
    if game is Game.STU and values.get("bonus_window") == "end_of_deal":
        return {**windows, "bonus": Window(_BEFORE | {BetPhase.DEALING}, "STU-70", "STU-70")}
    return windows


def _is_second(move: BetMove, played: dict[int, BetPhase]) -> bool:
    """UTH-26: a second Play bet, or a touch to the first one in a later phase."""
    first = played.get(move.seat)
    if first is None:
        if move.op is not BetOp.REMOVE:
            played[move.seat] = move.phase
        return False
    if move.op is BetOp.PLACE or move.phase is not first:
        return True
    if move.op is BetOp.REMOVE:
        del played[move.seat]
    return False


def _violation(code: str, rule: str, index: int, move: BetMove) -> Fault:
    said = _SENTENCES[code].format(seat=move.seat, spot=move.spot, op=move.op, phase=move.phase.replace("_", " "))
    return Fault(code, rule, seat=move.seat, extra=(("index", index), ("spot", move.spot)), sentence=said)


_SENTENCES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "WINDOW_CLOSED": "Seat {seat}: {spot} is closed to any {op} in the phase {phase}.",
        "UNKNOWN_SPOT": "Seat {seat}: the layout has no spot {spot!r}.",
        "RECAVE_ABOVE_MAX": "Seat {seat}: the re-buy is above the maximum of the house.",
    }
)


_BEFORE: Final = frozenset({BetPhase.BETWEEN_COUPS, BetPhase.BETTING})
_DECISION: Final = frozenset({BetPhase.DECISION})
_STREETS: Final = frozenset({BetPhase.PREFLOP, BetPhase.FLOP, BetPhase.RIVER})


def _opening(*spots: str, rule: str) -> dict[str, Window]:
    """Stakes that close before the first card."""
    return {spot: Window(_BEFORE, rule, rule) for spot in spots}


_WINDOWS: Final[Mapping[Game, Mapping[str, Window]]] = MappingProxyType(
    {
        # TCF-25: after "rien ne va plus" only JOUER moves, and that when the player decides (TCF-39).
        Game.TCF: _opening("ante", "bonus", "pair_plus", rule="TCF-25")
        | {"play": Window(_DECISION, early="TCF-39", late="TCF-25")},
        Game.STU: _opening("ante", rule="STU-25")
        | _opening("bonus", rule="STU-70")
        | {
            "raise": Window(_DECISION, early="STU-38", late="STU-25"),
            "buy": Window(_DECISION, early="STU-59", late="STU-25"),  # STU-59: laid together with the raise
        },
        Game.TCP: _opening("ante", "pair_plus", "six_card", rule="TCP-08")
        | {"play": Window(_DECISION, early="TCP-12", late="TCP-12")},
        Game.UTH: _opening("ante", "blind", "trips", rule="UTH-18")
        | {"play": Window(_STREETS, early="UTH-20", late="UTH-24", once="UTH-26")},
        Game.THE: {
            "recave": Window(frozenset({BetPhase.BETWEEN_COUPS}), "THE-39", "THE-39"),
            "cave": Window(frozenset({BetPhase.BETWEEN_COUPS}), "THE-39", "THE-39"),
        },
    }
)

# TCP and UTH do not speak of announced bets: their rules that stakes lie on the layout exclude them.
_CALL_BET: Final[Mapping[Game, str]] = MappingProxyType(
    {Game.TCF: "TCF-26", Game.STU: "STU-26", Game.TCP: "TCP-08", Game.THE: "THE-33", Game.UTH: "UTH-18"}
)
_UNKNOWN_SPOT: Final[Mapping[Game, str]] = MappingProxyType(
    {Game.TCF: "TCF-23", Game.STU: "STU-23", Game.TCP: "TCP-56", Game.THE: "THE-33", Game.UTH: "UTH-45"}
)
