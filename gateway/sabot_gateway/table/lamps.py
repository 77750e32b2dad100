"""The lamp picture: a function of the state, in the rule book's payment order, complete every time (law 6).

Colours: green pay, red collect, blue the stake stays, violet a bonus that waits
for its claim, white somebody must act, orange something is wrong there. The spot
whose turn it is blinks. A picture never depends on a card that is not shown.
"""

from functools import lru_cache
from typing import Final

from sabot_gateway.model.alert import Severity
from sabot_gateway.model.effect import Lamp
from sabot_gateway.model.felt import Colour, FeltSpot, Pattern
from sabot_gateway.model.game import Game
from sabot_gateway.model.settlement import Outcome
from sabot_gateway.table.courses import course_of
from sabot_gateway.table.remembered import Remembered
from sabot_gateway.table.state import CoupPhase, Due, DueStatus, Table

MOST_LAMPS: Final = 40  # what one lamps message carries


def picture_of(table: Table) -> tuple[Lamp, ...]:
    """Every lit lamp; spots with an alert are orange whatever else they would show."""
    if not table.alerts and table.review is None:
        if table.coup.phase not in _LIT:
            return ()
        return tuple(_phase_lamps(table))[:MOST_LAMPS]
    wrong = _wrong_places(table)
    lamps = [lamp for lamp in _phase_lamps(table) if (lamp.seat, lamp.spot) not in wrong]
    flagged = [Lamp(seat, spot, Colour.ORANGE, Pattern.BLINK) for seat, spot in sorted(wrong)]
    if table.review is not None:
        flagged.insert(0, Lamp(0, FeltSpot.FLOAT, Colour.ORANGE, Pattern.FAULT))
    return tuple((flagged + lamps)[:MOST_LAMPS])


def _phase_lamps(table: Table) -> list[Lamp]:
    match table.coup.phase:
        case CoupPhase.DECIDING:
            return _pending(table)
        case CoupPhase.PAYING:
            return _payments(table)
        case _:
            return []


def _pending(table: Table) -> list[Lamp]:
    spot = DECISION_SPOT[table.setup.game]
    return [_lit(seat, spot, Colour.WHITE, Pattern.PULSE, None) for seat in course_of(table).pending(table)]


def _payments(table: Table) -> list[Lamp]:
    """What is still to be paid, in order; the first that waits for no claim blinks."""
    pending = DueStatus.PENDING
    left = [due for due in table.coup.dues if due.status is pending]
    lamps = _DUE_LAMPS.all_of(left)
    for nth, due in enumerate(left):
        if not due.is_quiet:
            lamps[nth] = _due_lamp(due, Pattern.BLINK)
            break
    return lamps


def _due_lamp(due: Due, pattern: Pattern = Pattern.STEADY) -> Lamp:
    seat, spot = due.place
    if due.is_quiet:
        return _lit(seat, spot, Colour.VIOLET, pattern, None)
    if due.outcome is Outcome.WIN:
        return _lit(seat, spot, Colour.GREEN, pattern, due.target)
    colour = Colour.RED if due.target < due.stake else Colour.BLUE
    return _lit(seat, spot, colour, pattern, due.target)


@lru_cache(maxsize=4096)
def _lit(seat: int, spot: FeltSpot, colour: Colour, pattern: Pattern, amount_cents: int | None) -> Lamp:
    """A lamp; each payment draws the whole picture anew, and most of it stays as it was."""
    return Lamp(seat, spot, colour, pattern, amount_cents)


def _wrong_places(table: Table) -> set[tuple[int, FeltSpot]]:
    places: set[tuple[int, FeltSpot]] = set()
    for alert in table.alerts.values():
        if alert.seat and alert.spot in _SPOTS and alert.severity is not Severity.NOTICE and alert.holds != "nothing":
            places.add((alert.seat, FeltSpot(alert.spot)))
    return places


_DUE_LAMPS: Final = Remembered(_due_lamp)
_LIT: Final = frozenset({CoupPhase.DECIDING, CoupPhase.PAYING})
_SPOTS: Final = frozenset(FeltSpot)
DECISION_SPOT: Final = {
    Game.TCF: FeltSpot.PLAY,
    Game.STU: FeltSpot.RAISE,
    Game.TCP: FeltSpot.PLAY,
    Game.UTH: FeltSpot.PLAY,
    Game.THE: FeltSpot.BET,
}
