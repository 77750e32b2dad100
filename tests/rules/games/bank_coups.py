"""Bank coups written like poker, for the tests of the four bank games."""

from collections.abc import Mapping
from typing import Final

from sabot_gateway.model.card import cards_from_text
from sabot_gateway.model.coup import BankCoup, BankSeat, Decision, Purchase
from sabot_gateway.model.game import Game
from sabot_gateway.model.settlement import SeatResult, Settlement
from sabot_gateway.rulebook import shipped_ruleset
from sabot_gateway.rules.bank_settler import Settle, bank_settler
from sabot_gateway.rules.rejection import Refusal
from sabot_gateway.rules.ruleset import Ruleset, overridden

BANK_GAMES: Final = (Game.TCF, Game.STU, Game.TCP, Game.UTH)


def settler(game: Game, config: Mapping[str, object] | None = None) -> Settle:
    """The game's settle function under the shipped ruleset with these values changed."""
    ruleset = overridden(shipped_ruleset(game), config or {})
    assert isinstance(ruleset, Ruleset), ruleset
    return bank_settler(ruleset)


def seat_of(
    cards: str,
    bets: str,
    decision: str | None = "raise",
    *,
    seat: int = 1,
    buy: str = "",
    early_look: bool = False,
    claims: tuple[str, ...] = (),
) -> BankSeat:
    """`bets` reads `ante 1000 play 1000`, `buy` reads `2c Kd`: discard, then card drawn."""
    words = bets.split()
    bought = cards_from_text(buy)
    return BankSeat(
        seat=seat,
        cards=cards_from_text(cards),
        bets={spot: int(amount) for spot, amount in zip(words[::2], words[1::2], strict=True)},
        decision=Decision(decision) if decision else None,
        early_look=early_look,
        claims=frozenset(claims),
        purchase=Purchase(bought[:1], bought[1:]) if bought else None,
    )


def coup_of(dealer: str, *seats: BankSeat, board: str = "") -> BankCoup:
    return BankCoup(seats, cards_from_text(dealer), cards_from_text(board))


def settled(game: Game, coup: BankCoup, config: Mapping[str, object] | None = None) -> Settlement:
    result = settler(game, config)(coup)
    assert isinstance(result, Settlement), result
    return result


def refused(game: Game, coup: BankCoup, config: Mapping[str, object] | None = None) -> list[tuple[str, str]]:
    """The (code, rule) pairs of a refusal."""
    result = settler(game, config)(coup)
    assert isinstance(result, Refusal), result
    return [(fault.code, fault.rule) for fault in result.faults]


def outcomes(seat: SeatResult) -> str:
    """`ante win +1000 TCF-59; play push 0 TCF-49`, in the order of payment."""
    return "; ".join(f"{bet.spot} {bet.outcome} {_signed(bet.net)} {bet.rule}" for bet in seat.bets)


def _signed(amount: int) -> str:
    return f"{amount:+d}" if amount else "0"
