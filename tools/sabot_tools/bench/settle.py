"""How long it takes to settle a full table: seven seats, coup in, settlement out."""

import time
from collections.abc import Callable
from typing import Final

from sabot_gateway.model.card import DECK, Card, text_from_card
from sabot_gateway.model.coup import BankCoup, BankSeat, Decision
from sabot_gateway.model.game import Game
from sabot_gateway.model.holdem import Act, Action, HoldemCoup, HoldemSeat, HoldemSettlement, Street
from sabot_gateway.rulebook import shipped_ruleset
from sabot_gateway.rules.bank_settler import bank_settler
from sabot_gateway.rules.games.texas_holdem import HoldemConfig
from sabot_gateway.rules.games.texas_holdem import settle as settle_holdem
from sabot_gateway.rules.ruleset import Ruleset
from sabot_tools.bench.row import Row
from sabot_tools.settle.line import settle_line

BUDGET_US: Final = 200  # seven seats, from the coup to the settlement
_ROUNDS: Final = 15
_COUPS: Final = 100
_DECK: Final = tuple(DECK[(17 * n + 5) % 52] for n in range(52))  # a fixed, scattered order


def measure() -> list[Row]:
    """One row per bank game, hold'em by contributions and by its whole log, and a JSON record of the largest game."""
    rows = [_row(f"settle {game}, 7 seats", _settling(game)) for game in _STAKES]
    for name, coup in (("7 seats and 7 pots", _contributed()), ("7 seats and 28 actions", _acted())):
        rows.append(_row(f"settle THE, {name}", _settling_holdem(coup)))
    return [*rows, _row("settle UTH from a JSON record", _reading())]


def _row(name: str, work: Callable[[], object]) -> Row:
    took = _best_us(work)
    return Row(name, f"{took:.1f}", "µs", f"budget {BUDGET_US} µs", f"{took / BUDGET_US:.2f}")


def _best_us(work: Callable[[], object]) -> float:
    """CPU time, the best of several rounds: a busy machine only ever adds."""
    work()
    best = float("inf")
    for _ in range(_ROUNDS):
        start = time.process_time_ns()
        for _ in range(_COUPS):
            work()
        best = min(best, (time.process_time_ns() - start) / _COUPS / 1000)
    return best


def _settling(game: Game) -> Callable[[], object]:
    settle, coup = bank_settler(shipped_ruleset(game)), full_table(game)
    return lambda: settle(coup)


def _settling_holdem(coup: HoldemCoup) -> Callable[[], object]:
    config = HoldemConfig.from_ruleset(shipped_ruleset(Game.THE).values)
    assert isinstance(settle_holdem(coup, config), HoldemSettlement)
    return lambda: settle_holdem(coup, config)


def _contributed() -> HoldemCoup:
    """Seven all-ins of different size: as many pots as seven players can make."""
    seats = tuple(HoldemSeat(n, cards=_DECK[2 * n - 2 : 2 * n], contributed=1000 * n) for n in range(1, 8))
    return HoldemCoup(7, seats, _DECK[14:19])


def _acted() -> HoldemCoup:
    """Seven players who all stay to the end: a raise and its calls, then three rounds of checks."""
    seats = tuple(HoldemSeat(n, 100_000, _DECK[2 * n - 2 : 2 * n]) for n in range(1, 8))
    raised = Action(Street.PREFLOP, 3, Act.RAISE, 3000)
    calls = [Action(Street.PREFLOP, seat, Act.CALL) for seat in (4, 5, 6, 7, 1, 2)]
    streets = (Street.FLOP, Street.TURN, Street.RIVER)
    checks = [Action(street, seat, Act.CHECK) for street in streets for seat in range(1, 8)]
    return HoldemCoup(7, seats, _DECK[14:19], (raised, *calls, *checks))


def _reading() -> Callable[[], object]:
    def texts(cards: tuple[Card, ...]) -> list[str]:
        return [text_from_card(card) for card in cards]

    coup = full_table(Game.UTH)
    record: dict[str, object] = {
        "id": "bench",
        "game": "UTH",
        "seats": [
            {"seat": seat.seat, "cards": texts(seat.cards), "bets": dict(seat.bets), "decision": str(seat.decision)}
            for seat in coup.seats
        ],
        "dealer": {"cards": texts(coup.dealer)},
        "board": texts(coup.board),
    }
    rulesets: dict[Game, Ruleset] = {Game.UTH: shipped_ruleset(Game.UTH)}
    return lambda: settle_line(record, rulesets)


def full_table(game: Game) -> BankCoup:
    """Seven raised hands with every optional stake, from a deck in a fixed, scattered order."""
    cards, decision, bets = _STAKES[game]
    hands = [_DECK[n * cards : (n + 1) * cards] for n in range(8)]
    seats = tuple(BankSeat(n, hands[n], bets, decision) for n in range(1, 8))
    board = _DECK[8 * cards : 8 * cards + 5] if game is Game.UTH else ()
    return BankCoup(seats, hands[0], board)


_STAKES: Final[dict[Game, tuple[int, Decision, dict[str, int]]]] = {
    Game.TCF: (3, Decision.RAISE, {"ante": 1000, "play": 1000, "bonus": 600, "pair_plus": 700}),
    Game.STU: (5, Decision.RAISE, {"ante": 1000, "raise": 2000, "bonus": 100}),
    Game.TCP: (3, Decision.RAISE, {"ante": 1000, "play": 1000, "pair_plus": 500, "six_card": 500}),
    Game.UTH: (2, Decision.PLAY_PREFLOP, {"ante": 1000, "blind": 1000, "play": 4000, "trips": 700}),
}
