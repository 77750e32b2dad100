"""Ultimate hold'em, every deal: each flop up to its suits, then every turn, river, player and dealer hand.

On a board all 1,081 two-card hands are sorted once. How many of them a player's
hand beats follows from its place and from how many hands below hold one of his
own two cards: no pair of hands is ever compared.

All amounts are in `unit`-ths of an ante, so that odds such as 3 to 2 stay whole.
"""

from typing import Final

import numpy as np

from sabot_tools.rtp.compiled import compiled
from sabot_tools.rtp.rank_table import Array, RankTable

DEALER_HANDS: Final = 990  # two cards of the 45 that a player with a full board has not seen
RUNOUTS: Final = 1081  # turn and river out of 47
HOLES: Final = 169  # starting hands up to suits: rank * 13 + rank, suited ones high rank first

# Columns of the tally by starting hand, summed over its hands and all flops.
CHECK_NET, CHECK_PLAY, CHECK_FOLDED, FOUR_NET = range(4)
COLUMNS: Final = 4

_RIVER, _TWO, _FOUR, _BETS = range(4)


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
    low = np.empty(1081, dtype=np.int16)
    high = np.empty(1081, dtype=np.int16)
    of_hand = np.empty(1081, dtype=np.int16)
    in_order = np.empty(1081, dtype=np.int16)
    met = np.empty(1081, dtype=np.int16)
    number = np.zeros(table.strength.shape[0], dtype=np.int32)
    start = np.zeros(table.strength.shape[0], dtype=np.int32)
    below = np.empty(52, dtype=np.int32)
    equal = np.zeros(52, dtype=np.int32)
    unqualified = np.empty(52, dtype=np.int32)
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
            _classes_on_board(table, board, live, low, high, of_hand)

            # Sort all hands by class: count, place the classes that occur, then the hands.
            classes = 0
            for hand in range(1081):
                strength = of_hand[hand]
                if number[strength] == 0:
                    met[classes] = strength
                    classes += 1
                number[strength] += 1
            met[:classes].sort()
            total = 0
            for index in range(classes):
                start[met[index]] = total
                total += number[met[index]]
            for hand in range(1081):
                strength = of_hand[hand]
                in_order[start[strength]] = hand
                start[strength] += 1

            unqualified[:] = 0
            all_unqualified = 0
            index = 0
            while index < classes and met[index] < pair:
                all_unqualified += number[met[index]]
                index += 1
            for sorted_place in range(all_unqualified):
                hand = in_order[sorted_place]
                unqualified[low[hand]] += 1
                unqualified[high[hand]] += 1

            below[:] = 0
            first = 0
            for index in range(classes):
                strength = met[index]
                size = number[strength]
                number[strength] = 0
                for sorted_place in range(first, first + size):
                    hand = in_order[sorted_place]
                    equal[low[hand]] += 1
                    equal[high[hand]] += 1
                odds = blind_odds[strength]
                for sorted_place in range(first, first + size):
                    hand = in_order[sorted_place]
                    a, b = low[hand], high[hand]
                    beaten = first - below[a] - below[b]
                    tied = size - equal[a] - equal[b] + 1
                    beating = DEALER_HANDS - beaten - tied
                    out = all_unqualified - unqualified[a] - unqualified[b]
                    ante = beaten - out - beating  # UTH-28, UTH-34: only against a dealer who qualifies
                    if strength < pair:
                        # Beaten by all who qualify; the player's own hand was taken off `out` twice.
                        ante = out + 1 - DEALER_HANDS
                    play = unit * (beaten - beating)
                    rest = unit * ante + odds * beaten - unit * beating  # UTH-29 to UTH-31
                    bet = rest + play
                    fold = -2 * unit * DEALER_HANDS  # UTH-42
                    row = net[a * 52 + b]
                    row[_RIVER] += max(bet, fold)
                    row[_TWO] += rest + 2 * play
                    row[_FOUR] += rest + 4 * play
                    row[_BETS] += bet > fold
                for sorted_place in range(first, first + size):
                    hand = in_order[sorted_place]
                    a, b = low[hand], high[hand]
                    below[a] += 1
                    below[b] += 1
                    equal[a] = 0
                    equal[b] = 0
                first += size

    for one in range(49):
        for other in range(one + 1, 49):
            a, b = left[one], left[other]
            hole = (b >> 2) * 13 + (a >> 2) if a & 3 == b & 3 else (a >> 2) * 13 + (b >> 2)
            row = net[a * 52 + b]
            tally[hole, FOUR_NET] += weight * row[_FOUR]
            if row[_TWO] > row[_RIVER]:
                tally[hole, CHECK_NET] += weight * row[_TWO]
                tally[hole, CHECK_PLAY] += weight * 2 * RUNOUTS * DEALER_HANDS
            else:
                tally[hole, CHECK_NET] += weight * row[_RIVER]
                tally[hole, CHECK_PLAY] += weight * row[_BETS] * DEALER_HANDS
                tally[hole, CHECK_FOLDED] += weight * (RUNOUTS - row[_BETS]) * DEALER_HANDS


@compiled
def _classes_on_board(table: RankTable, board: Array, live: Array, low: Array, high: Array, of_hand: Array) -> None:
    """The class of every two-card hand with this board, with its two cards."""
    ranks = table.grow0[board[0] >> 2]
    ranks = table.grow1[ranks * 13 + (board[1] >> 2)]
    ranks = table.grow2[ranks * 13 + (board[2] >> 2)]
    ranks = table.grow3[ranks * 13 + (board[3] >> 2)]
    ranks = table.grow4[ranks * 13 + (board[4] >> 2)]
    suit = -1
    suited = 0
    mask = 0
    for candidate in range(4):
        count = 0
        ranks_in_suit = 0
        for card in board:
            if card & 3 == candidate:
                count += 1
                ranks_in_suit |= 1 << (card >> 2)
        if count >= 3:
            suit, suited, mask = candidate, count, ranks_in_suit
    hand = 0
    for one in range(47):
        a = live[one]
        row = table.grow5[ranks * 13 + (a >> 2)] * 13
        suited_one = suited
        mask_one = mask
        if a & 3 == suit:
            suited_one += 1
            mask_one |= 1 << (a >> 2)
        for other in range(one + 1, 47):
            b = live[other]
            low[hand] = a
            high[hand] = b
            if b & 3 == suit:
                if suited_one >= 4:
                    of_hand[hand] = table.flush[mask_one | 1 << (b >> 2)]
                else:
                    of_hand[hand] = table.seven_row[row + (b >> 2)]
            elif suited_one >= 5:
                of_hand[hand] = table.flush[mask_one]
            else:
                of_hand[hand] = table.seven_row[row + (b >> 2)]
            hand += 1
