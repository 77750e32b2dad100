"""Ultimate hold'em, every deal: each flop up to its suits, then every turn, river, player and dealer hand.

All amounts are in `unit`-ths of an ante, so that odds such as 3 to 2 stay whole.
"""

from typing import Final

import numpy as np

from sabot_tools.rtp.compiled import compiled
from sabot_tools.rtp.rank_table import Array, RankTable
from sabot_tools.rtp.ultimate_board import BETS, DEALER_HANDS, FOUR, RIVER, TWO, add_board

RUNOUTS: Final = 1081  # turn and river out of 47
HOLES: Final = 169  # starting hands up to suits: rank * 13 + rank, suited ones high rank first

# Columns of the tally by starting hand, summed over its hands and all flops.
CHECK_NET, CHECK_PLAY, CHECK_FOLDED, FOUR_NET = range(4)
COLUMNS: Final = 4


@compiled
def play_flop(
    table: RankTable, flop: Array, weight: int, blind_odds: Array, unit: int, pair: int, tally: Array
) -> None:
    """Adds all deals of one flop, times `weight`. `pair` is the lowest class with which the dealer qualifies."""
    left = np.empty(49, dtype=np.int64)
    count = 0
    for card in range(52):
        if card != flop[0] and card != flop[1] and card != flop[2]:
            left[count] = card
            count += 1
    # One row per player's hand: together in a row, because a row is what the innermost loop touches.
    net = np.zeros((52 * 52, 4), dtype=np.int64)

    live = np.empty(47, dtype=np.int64)
    board = np.empty(5, dtype=np.int64)
    board[:3] = flop
    for turn in range(49):
        for river in range(turn + 1, 49):
            board[3], board[4] = left[turn], left[river]
            place = 0
            for index in range(49):
                if index != turn and index != river:
                    live[place] = left[index]
                    place += 1
            add_board(table, board, live, blind_odds, unit, pair, net)

    for one in range(49):
        for other in range(one + 1, 49):
            a, b = left[one], left[other]
            hole = (b >> 2) * 13 + (a >> 2) if a & 3 == b & 3 else (a >> 2) * 13 + (b >> 2)
            row = net[a * 52 + b]
            tally[hole, FOUR_NET] += weight * row[FOUR]
            if row[TWO] > row[RIVER]:
                tally[hole, CHECK_NET] += weight * row[TWO]
                tally[hole, CHECK_PLAY] += weight * 2 * RUNOUTS * DEALER_HANDS
            else:
                tally[hole, CHECK_NET] += weight * row[RIVER]
                tally[hole, CHECK_PLAY] += weight * row[BETS] * DEALER_HANDS
                tally[hole, CHECK_FOLDED] += weight * (RUNOUTS - row[BETS]) * DEALER_HANDS
