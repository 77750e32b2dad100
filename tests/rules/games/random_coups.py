"""Random coups of the bank games that follow the rules: any table, any legal stakes, any choice of the house."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from sabot_gateway.model.card import DECK
from sabot_gateway.model.coup import BankCoup, BankSeat, Decision, Purchase
from sabot_gateway.model.game import Game

HAND = {Game.TCF: 3, Game.STU: 5, Game.TCP: 3, Game.UTH: 2}
CHOICES: Mapping[Game, Mapping[str, tuple[object, ...]]] = {
    Game.TCF: {
        "bonus_mode": ("separate_stake", "ante_bonus", "none"),
        "ace_low_straight": (True, False),
        "pair_plus_on_fold": ("settle", "forfeit"),
        "claim_required": (True, False),
    },
    Game.STU: {
        "raise_table": ("first", "second"),
        "bonus_on_tie": ("push", "pay", "lose"),
        "claim_required": (True, False),
    },
    Game.TCP: {"six_card_wheel": (True, False)},
    Game.UTH: {
        "wheel": (True, False),
        "trips_on_fold": ("settle", "forfeit"),
        "trips_on_tie": ("settle", "push"),
        "rounding": ("floor", "ceil", "half_up"),
    },
}


@dataclass(frozen=True)
class Table:
    """A coup and the house's own values."""

    game: Game
    coup: BankCoup
    config: Mapping[str, object]


@st.composite
def tables(draw: st.DrawFn, game: Game) -> Table:
    config = {name: draw(st.sampled_from(values)) for name, values in CHOICES[game].items()}
    # Few ranks make pairs, ties and straights common enough to matter.
    narrow = draw(st.booleans())
    pool = (
        [card for card in DECK if not narrow or card >> 2 in (0, 1, 2, 9, 10, 11, 12)] if game is not Game.STU else DECK
    )
    most = 4 if narrow else 7
    numbers = draw(st.lists(st.integers(1, 7), min_size=1, max_size=most, unique=True))
    order = iter(draw(st.permutations(pool)))

    def take(count: int) -> tuple[Any, ...]:
        return tuple(next(order) for _ in range(count))

    dealer, board = take(HAND[game]), take(5 if game is Game.UTH else 0)
    seats = tuple(_seat(draw, game, number, take(HAND[game]), take, config) for number in numbers)
    return Table(game, BankCoup(seats, dealer, board), config)


def _seat(draw: st.DrawFn, game: Game, number: int, cards: Any, take: Any, config: Mapping[str, object]) -> BankSeat:
    ante = draw(st.integers(500, 50000))
    bets, purchase = {"ante": ante}, None
    folds = draw(st.integers(0, 4)) == 0
    decision = Decision.FOLD if folds else Decision.RAISE
    side = st.one_of(st.just(0), st.integers(500, 50000))
    match game:
        case Game.TCF:
            bets["pair_plus"] = draw(side)
            if config["bonus_mode"] == "separate_stake":
                bets["bonus"] = draw(side)
            if not folds:
                bets["play"] = ante
        case Game.STU:
            bets["bonus"] = draw(st.sampled_from((0, 100)))
            if not folds:
                bets["raise"] = 2 * ante
                if draw(st.booleans()):
                    bets["buy"] = ante
                    purchase = Purchase((draw(st.sampled_from(cards)),), take(1))
        case Game.TCP:
            bets |= {"pair_plus": draw(side), "six_card": draw(side)}
            if not folds:
                bets["play"] = ante
        case _:
            bets |= {"blind": ante, "trips": draw(side)}
            if not folds:
                decision, factor = draw(st.sampled_from(_PLAYS))
                bets["play"] = factor * ante
    claims = frozenset(draw(st.sets(st.sampled_from(("bonus", "pair_plus")))))
    return BankSeat(number, cards, bets, decision, claims=claims, purchase=purchase)


_PLAYS = (
    (Decision.PLAY_PREFLOP, 4),
    (Decision.PLAY_PREFLOP, 3),
    (Decision.PLAY_FLOP, 2),
    (Decision.PLAY_RIVER, 1),
)
