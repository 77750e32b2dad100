"""Who must stand at a table, how many tables a table head watches, and when staff may be relieved.

The Québec page says nothing of staff: a TCP table has no rule to break here.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from sabot_gateway.model.game import Game
from sabot_gateway.rules.rejection import Fault


class TablePhase(StrEnum):
    """Where a table stands when a badge changes."""

    IDLE = "idle"
    BETWEEN_COUPS = "between_coups"
    COUNTING = "counting"
    SHUFFLING = "shuffling"
    CUTTING = "cutting"
    BETTING = "betting"
    DEALING = "dealing"
    DECISION = "decision"
    PREFLOP = "preflop"
    FLOP = "flop"
    TURN = "turn"
    RIVER = "river"
    COUP = "coup"
    REVEAL = "reveal"
    COMPARING = "comparing"
    SETTLEMENT = "settlement"
    PAYING = "paying"
    CLEARING = "clearing"


@dataclass(frozen=True, slots=True)
class Staffing:
    """What the badges say. None: not asked."""

    chef_tables: int | None = None
    relief_phase: TablePhase | None = None
    chef_present: bool | None = None
    dealer_present: bool | None = None


def check_staff(game: Game, values: Mapping[str, object], staffing: Staffing) -> tuple[Fault, ...]:
    """Every breach of the staff rules of the game."""
    if game not in _RELIEF:
        return ()
    faults: list[Fault] = []
    if staffing.chef_present is False:
        faults.append(Fault("STAFF_MISSING", _CHEF[game], detail="chef"))
    if staffing.dealer_present is False:
        faults.append(Fault("STAFF_MISSING", _DEALER[game], detail="dealer"))
    if staffing.chef_tables is not None and staffing.chef_tables > most_tables(game, values):
        faults.append(Fault("CHEF_TOO_MANY_TABLES", _CHEF_TABLES[game], detail=staffing.chef_tables))
    if staffing.relief_phase is not None and not may_relieve(game, staffing.relief_phase):
        faults.append(Fault("RELIEVED_DURING_COUP", _RELIEF[game], detail=str(staffing.relief_phase)))
    return tuple(faults)


def may_relieve(game: Game, phase: TablePhase) -> bool:
    """Out of the coup only: from the first card to the last payment everybody stays (TCF-15)."""
    return phase in _OUT_OF_COUP or (phase is TablePhase.CLEARING and game is not Game.TCF)


def most_tables(game: Game, values: Mapping[str, object]) -> int:
    """A-STU-09: two, but one at stud, whose article lacks the allowance; the ruleset may say otherwise."""
    stated = values.get("chef_max_tables")
    return stated if isinstance(stated, int) else (1 if game is Game.STU else 2)


_OUT_OF_COUP: Final = frozenset(
    {
        TablePhase.IDLE,
        TablePhase.BETWEEN_COUPS,
        TablePhase.COUNTING,
        TablePhase.SHUFFLING,
        TablePhase.CUTTING,
        TablePhase.BETTING,
    }
)


def _rules(tcf: str, stu: str, the: str, uth: str) -> Mapping[Game, str]:
    return MappingProxyType({Game.TCF: tcf, Game.STU: stu, Game.THE: the, Game.UTH: uth})


_CHEF: Final = _rules("TCF-11", "STU-11", "THE-10", "UTH-10")
_DEALER: Final = _rules("TCF-11", "STU-11", "THE-07", "UTH-07")
_CHEF_TABLES: Final = _rules("TCF-12", "STU-11", "THE-10", "UTH-10")
_RELIEF: Final = _rules("TCF-15", "STU-14", "THE-09", "UTH-09")
