"""Ultimate hold'em: trips to the last unit, and one flop held against plain dealing."""

from itertools import combinations

import numpy as np
import pytest

from sabot_gateway.model.card import DECK, RANKS, Card, cards_from_text
from sabot_gateway.model.game import Game
from sabot_gateway.model.money import Odds
from sabot_gateway.rules.hand import best5, category_of, rank5
from sabot_tools.rtp import ultimate
from sabot_tools.rtp.bet_return import decimal
from sabot_tools.rtp.deck_kernel import classes_of
from sabot_tools.rtp.rank_table import rank_table
from sabot_tools.rtp.side_bet import best5_bet

pytestmark = pytest.mark.slow  # compiles the kernels

BLIND = {
    "straight": Odds(1),
    "flush": Odds(3, 2),
    "full_house": Odds(3),
    "quads": Odds(10),
    "straight_flush": Odds(50),
    "royal_flush": Odds(500),
}
TRIPS = dict(
    zip(
        ["trips", "straight", "flush", "full_house", "quads", "straight_flush", "royal_flush"],
        map(Odds, [3, 4, 7, 8, 30, 40, 50]),
        strict=True,
    )
)
LOWEST_PAIR = rank5(cards_from_text("2c2d3h4s5c"))


def test_uth_36_trips_over_all_133784560_hands() -> None:
    found = best5_bet(Game.UTH, "trips", TRIPS, 7)
    assert found.net == -4_679_700
    assert found.deals == 133_784_560


def test_the_flops_up_to_suits_stand_for_all_flops() -> None:
    flops = ultimate.every_flop()
    assert (len(flops), sum(weight for _, weight in flops)) == (1_755, 22_100)


def test_the_published_preflop_play_covers_500_hands() -> None:
    hands = {"s": 4, "o": 12}
    assert sum(hands.get(name[2:], 6) for name in ultimate.FOUR_TIMES) == 500


# A flop with a flush to come, and one that pairs the board; hands that hit, miss and tie with the board.
@pytest.mark.parametrize(("flop_text", "name"), [("9h8h2c", "JTs"), ("KcKd4s", "72s"), ("TsJsQs", "33")])
def test_uth_28_to_42_a_starting_hand_is_valued_as_plain_dealing_values_it(flop_text: str, name: str) -> None:
    flop = sorted(cards_from_text(flop_text))
    start = next(start for start in ultimate.starts(BLIND, True, [(flop, 1)]) if start.name == name)
    check = four = folded = 0
    for hole in combinations([card for card in DECK if card not in flop], 2):
        if _name(hole) == name:
            river, two, four_times, folds = _plain(flop, hole)
            check += max(river, two)
            folded += folds if river >= two else 0
            four += four_times
    assert (start.check_net, start.four_net, start.check_folded) == (check, four, folded)


def _name(hole: tuple[int, ...]) -> str:
    low, high = sorted(hole)
    if low // 4 == high // 4:
        return RANKS[low // 4] * 2
    return RANKS[high // 4] + RANKS[low // 4] + ("s" if low % 4 == high % 4 else "o")


def _plain(flop: list[Card], hole: tuple[Card, ...]) -> tuple[int, int, int, int]:
    """Every turn, river and dealer hand, settled bet by bet, in half antes."""
    river = two = four = folds = 0
    left = [card for card in DECK if card not in flop and card not in hole]
    for last in combinations(left, 2):
        board = (*flop, *last)
        own = best5(board + hole)
        odds = BLIND.get(category_of(own), Odds(0))
        pairs = list(combinations([card for card in left if card not in last], 2))
        hands = np.column_stack([np.tile(board, (len(pairs), 1)), pairs])
        dealers = rank_table().strength[classes_of(rank_table(), hands)]
        qualified = dealers >= LOWEST_PAIR
        won, lost = dealers < own, dealers > own
        ante = int((won & qualified).sum()) - int((lost & qualified).sum())
        wins, losses = int(won.sum()), int(lost.sum())
        rest = 2 * ante + wins * odds.win * 2 // odds.per - 2 * losses
        play = 2 * (wins - losses)
        river += max(rest + play, -4 * 990)
        folds += 990 if rest + play <= -4 * 990 else 0
        two += rest + 2 * play
        four += rest + 4 * play
    return river, two, four, folds


def test_uth_28_to_42_ante_blind_and_play_over_all_27813810024000_deals() -> None:
    found = ultimate.ante(BLIND)
    assert found.net == -607_723_787_676
    assert found.deals == 27_813_810_024_000
    assert dict(found.counts)["hands played at 4 times"] == 500
    assert found.average_stake is not None
    assert decimal(found.average_stake) == "4.15221"
