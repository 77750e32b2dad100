"""Bonuses won in silence: what the table head should know when the dealer does not qualify (A-TCF-09).

The articles have the player announce such a win (TCF-77, TCF-78, STU-73). Where
the house does not make that a condition the bonus is paid all the same, and the
silence is flagged to the table head alone, never to the players (A-GEN-02).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from sabot_gateway.model.coup import BankCoup, Spot
from sabot_gateway.model.game import Game
from sabot_gateway.model.settlement import Comparison, Outcome, Settlement

# The rule that asks for the announcement, by game and spot.
CLAIMED: Final[Mapping[Game, Mapping[str, str]]] = {
    Game.TCF: {Spot.BONUS: "TCF-77", Spot.PAIR_PLUS: "TCF-78"},
    Game.STU: {Spot.BONUS: "STU-73"},
}


@dataclass(frozen=True, slots=True)
class SilentWin:
    """A bonus that is due although nobody announced it."""

    seat: int
    spot: str
    rule: str


def silent_wins(game: Game, coup: BankCoup, settled: Settlement) -> tuple[SilentWin, ...]:
    """Every bonus paid to a player who did not announce it, in the order of settlement."""
    rules = CLAIMED.get(game)
    if rules is None:
        return ()
    claims = {seat.seat: seat.claims for seat in coup.seats}
    return tuple(
        SilentWin(seat.seat, bet.spot, rules[bet.spot])
        for seat in settled.seats
        if seat.comparison is Comparison.DEALER_NOT_QUALIFIED
        for bet in seat.bets
        if bet.outcome is Outcome.WIN and bet.spot in rules and bet.spot not in claims[seat.seat]
    )
