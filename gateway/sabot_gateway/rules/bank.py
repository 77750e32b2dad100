"""What happens to one stake against the bank, and to all of them when the coup is null.

The verbs of the four bank games: pay, collect, leave, return. Each names the
rule that moved the money. Which verb applies is the business of the games.
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import Final

from sabot_gateway.model.coup import BankCoup, BankSeat
from sabot_gateway.model.game import Game
from sabot_gateway.model.money import Odds, pay
from sabot_gateway.model.settlement import (
    BetResult,
    Comparison,
    HandView,
    Outcome,
    SeatResult,
    Settlement,
    Status,
)
from sabot_gateway.rules.opening import TableConfig, playing
from sabot_gateway.rules.payment_order import spot_order
from sabot_gateway.rules.paytable import EVEN_MONEY, PayTable

EXACT: Final = Fraction(0)


def win(spot: str, stake: int, odds: Odds, rule: str, table: TableConfig) -> BetResult:
    """The stake comes back with its winnings, in whole chips (UTH-44)."""
    if odds.per == 1:
        return BetResult(spot, Outcome.WIN, stake, stake * odds.win, rule, odds, EXACT)
    paid = pay(stake, odds, table.chip_unit, table.rounding)
    return BetResult(spot, Outcome.WIN, stake, paid.amount, rule, odds, Fraction(paid.breakage, odds.per))


def win_even(spot: str, stake: int, rule: str) -> BetResult:
    """Paid one to one."""
    return BetResult(spot, Outcome.WIN, stake, stake, rule, EVEN_MONEY, EXACT)


def award(spot: str, basis: int, odds: Odds, rule: str, table: TableConfig) -> BetResult:
    """Winnings on a bonus that has no stake of its own, measured by another stake (TCP-19, TCF-28)."""
    paid = win(spot, basis, odds, rule, table)
    return BetResult(spot, Outcome.WIN, 0, paid.net, rule, odds, paid.breakage)


def lose(spot: str, stake: int, rule: str) -> BetResult:
    """Collected on the result."""
    return BetResult(spot, Outcome.LOSE, stake, -stake, rule)


def push(spot: str, stake: int, rule: str) -> BetResult:
    """The stake stays with the player."""
    return BetResult(spot, Outcome.PUSH, stake, 0, rule)


def forfeit(spot: str, stake: int, rule: str) -> BetResult:
    """Collected for what the player did."""
    return BetResult(spot, Outcome.FORFEIT, stake, -stake, rule)


def by_table(spot: str, stake: int, hand: str, pays: PayTable, table: TableConfig, won: str, lost: str) -> BetResult:
    """A side bet: paid if its table knows the hand, else collected; `won` and `lost` are the rules."""
    odds = pays.get(hand)
    return lose(spot, stake, lost) if odds is None else win(spot, stake, odds, won, table)


def void_hand(seat: BankSeat, hand: HandView, is_forfeit: bool, rule: str, game: Game) -> SeatResult:
    """TCF-37, STU-35: all stakes of one hand go back, or are lost where the house reads the rule so (A-TCF-08)."""
    bets = tuple(
        forfeit(spot, stake, rule) if is_forfeit else _returned(spot, stake, rule)
        for spot, stake in _stakes(seat, game)
    )
    return SeatResult(seat.seat, bets, hand, Comparison.VOID_HAND)


def void_coup(coup: BankCoup, rule: str, game: Game) -> Settlement:
    """Every stake of every seat goes back (STU-79)."""
    seats = tuple(
        SeatResult(seat.seat, tuple(_returned(spot, stake, rule) for spot, stake in _stakes(seat, game)))
        for seat in paid_order(playing(coup))
    )
    return Settlement(Status.VOID, seats, rule=rule)


def paid_order(seats: Iterable[BankSeat]) -> list[BankSeat]:
    """TCF-51, STU-51, UTH-47: the dealer compares and pays counter-clockwise, from the highest seat down."""
    return sorted(seats, key=lambda seat: seat.seat, reverse=True)


def is_beaten_by_bank(results: Iterable[SeatResult]) -> bool:
    """A-TCF-15: at least one hand was compared, and each compared hand lost."""
    compared = [seat.comparison for seat in results if seat.comparison not in _NOT_COMPARED]
    return bool(compared) and all(comparison is Comparison.LOSE for comparison in compared)


_NOT_COMPARED: Final = (Comparison.FOLDED, Comparison.VOID_HAND)


def compare(player: int, dealer: int) -> Comparison:
    """TCF-55, STU-78: the higher strength wins, equal strengths tie."""
    if player > dealer:
        return Comparison.WIN
    return Comparison.LOSE if player < dealer else Comparison.TIE


def has_live_hand(results: Iterable[SeatResult]) -> bool:
    """Is there a hand that was neither folded nor null? Where none is left, nothing is said (A-TCF-15)."""
    return any(seat.comparison not in _NOT_COMPARED for seat in results)


def _stakes(seat: BankSeat, game: Game) -> list[tuple[str, int]]:
    return [(spot, seat.bets[spot]) for spot in spot_order(game) if seat.bets.get(spot)]


def _returned(spot: str, stake: int, rule: str) -> BetResult:
    return BetResult(spot, Outcome.VOID, stake, 0, rule)
