"""Are the opening stakes of a bank game proper? The rules' own settle function is asked, before any card.

The coup put to it has placeholder cards and no decisions, so it is always
refused; the refusal lists every fault of seats, limits and multiples, and the
missing decisions are left aside. What the table enforces at *rien ne va plus*
is thus exactly what the settlement would refuse later.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from sabot_gateway.model.alert import Alert
from sabot_gateway.model.card import DECK
from sabot_gateway.model.coup import BankCoup, BankSeat
from sabot_gateway.model.felt import FeltSpot
from sabot_gateway.model.game import Game
from sabot_gateway.rules.bank_settler import bank_settler
from sabot_gateway.rules.deal import hand_size
from sabot_gateway.rules.rejection import Fault, Refusal
from sabot_gateway.rules.ruleset import Ruleset
from sabot_gateway.rules.spot import Laid, spots_of
from sabot_gateway.table.alerts.stakes import improper_opening, no_player
from sabot_gateway.table.game_course import Opening
from sabot_gateway.table.state import SeatState, Table, amount_at

_BOARD: Final = 5
_UNDECIDED: Final = "NO_DECISION"
_VACANT: Final = SeatState()


def opening_spots(table: Table) -> tuple[FeltSpot, ...]:
    """The spots of this house's layout that are laid before the deal."""
    return _opening_spots(table.setup.ruleset)


@lru_cache(maxsize=256)
def _opening_spots(ruleset: Ruleset) -> tuple[FeltSpot, ...]:
    spots = spots_of(ruleset.game, ruleset.values)
    return tuple(FeltSpot(spot.name) for spot in spots if spot.laid is Laid.BEFORE_DEAL)


def bank_opening(table: Table) -> Opening:
    """The seats with a proper opening stake, and an alert for every fault."""
    game = table.setup.game
    seats = tuple(_seats(table))
    if not seats:
        return Opening((), (no_player(game),))
    faults = _faults(table, seats)
    wrong = {fault.seat for fault in faults}
    players = tuple(seat.seat for seat in seats if seat.seat not in wrong)
    alerts = [_alert(game, fault, seats) for fault in faults]
    if not players and not alerts:
        alerts.append(no_player(game))
    return Opening(players, tuple(alerts))


def _seats(table: Table) -> Iterator[BankSeat]:
    spots = opening_spots(table)
    hand = hand_size(table.setup.game)
    for number in range(1, table.setup.seats_total + 1):
        if number in table.coup.excluded:
            continue
        bets = {str(spot): amount for spot in spots if (amount := amount_at(table, (number, spot)))}
        if not bets:
            continue
        seat = table.seats.get(number, _VACANT)
        yield BankSeat(
            number,
            tuple(DECK[number * hand : (number + 1) * hand]),
            bets,
            player=seat.player or None,
            vacant=table.setup.fitted.seats and not seat.taken,
        )


def _faults(table: Table, seats: tuple[BankSeat, ...]) -> tuple[Fault, ...]:
    game = table.setup.game
    board = DECK[-_BOARD:] if game is Game.UTH else ()
    coup = BankCoup(seats, tuple(DECK[: hand_size(game)]), tuple(board))
    answer = bank_settler(table.setup.ruleset)(coup)
    assert isinstance(answer, Refusal)  # nobody has decided yet
    return tuple(fault for fault in answer.faults if fault.code != _UNDECIDED)


def _alert(game: Game, fault: Fault, seats: tuple[BankSeat, ...]) -> Alert:
    bets = next((seat.bets for seat in seats if seat.seat == fault.seat), {})
    spot = str(fault.detail) if fault.detail in bets else next(iter(bets), None)
    if fault.code == "BLIND_NOT_EQUAL_ANTE":
        spot = FeltSpot.BLIND
    elif fault.code.startswith("BONUS_"):
        spot = FeltSpot.BONUS
    return improper_opening(game, fault.code, fault.rule, fault.seat, spot, bets.get(spot or "", 0))
