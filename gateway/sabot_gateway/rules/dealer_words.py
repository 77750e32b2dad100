"""What the dealer of articles 55-21 and 55-16 says when he settles, in the order he says it."""

from collections.abc import Iterator

from sabot_gateway.model.coup import Spot
from sabot_gateway.model.game import Game
from sabot_gateway.model.settlement import Outcome, SeatResult
from sabot_gateway.rules.announcement import Announcement, bank_wins, bonus_paid, no_game
from sabot_gateway.rules.bank import has_live_hand, is_beaten_by_bank


def dealer_words(game: Game, seats: tuple[SeatResult, ...], qualified: bool) -> Iterator[Announcement]:
    """TCF-47, TCF-63, TCF-68 and their sisters of stud: no game, bank wins, and each bonus paid."""
    if not qualified and has_live_hand(seats):
        yield no_game(game)
    if qualified and is_beaten_by_bank(seats):
        yield bank_wins(game)
    for seat in seats:
        if any(bet.spot == Spot.BONUS and bet.outcome is Outcome.WIN for bet in seat.bets):
            yield bonus_paid(game, seat.seat)
