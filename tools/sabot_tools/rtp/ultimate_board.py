"""One board of ultimate hold'em: what every player's hand nets against all hands that the dealer may hold.

All 1,081 hands are sorted once. How many of them a hand beats follows from its
place, and from how many hands below it hold one of its own two cards: no two
hands are ever compared. Where no suit has three cards on the board, suits do not
matter and 91 pairs of ranks stand for all hands; three boards of five are such.
"""

from typing import Final

import numpy as np

from sabot_tools.rtp.compiled import compiled
from sabot_tools.rtp.rank_table import Array, RankTable

DEALER_HANDS: Final = 990  # two cards of the 45 that a player with a full board has not seen
HANDS: Final = 1081  # two cards of the 47 that are not on the board

# What is added up for a player's hand: nets when he checks to the river and then bets or folds, when he
# laid 2 or 4 times his ante before, and how often the river bet is right.
RIVER, TWO, FOUR, BETS = range(4)


@compiled
def add_board(table: RankTable, board: Array, live: Array, blind_odds: Array, unit: int, pair: int, net: Array) -> None:
    """Adds this board to `net[low card * 52 + high card]`; `live` are the 47 other cards, ascending."""
    suit = _flush_suit(board)
    ranks = table.grow0[board[0] >> 2]
    ranks = table.grow1[ranks * 13 + (board[1] >> 2)]
    ranks = table.grow2[ranks * 13 + (board[2] >> 2)]
    ranks = table.grow3[ranks * 13 + (board[3] >> 2)]
    ranks = table.grow4[ranks * 13 + (board[4] >> 2)]
    if suit < 0:
        _add_by_ranks(table, ranks, board, live, blind_odds, unit, pair, net)
    else:
        _add_by_cards(table, ranks, suit, board, live, blind_odds, unit, pair, net)


@compiled
def _flush_suit(board: Array) -> int:
    """The suit with three or more cards on the board, or -1."""
    for suit in range(4):
        count = 0
        for card in board:
            if card & 3 == suit:
                count += 1
        if count >= 3:
            return suit
    return -1


@compiled
def _settle(unit: int, odds: int, qualifies: bool, beaten: int, tied: int, out: int, row: Array) -> None:
    """Adds one hand against all dealer hands; `out` are those that do not qualify and hold none of its cards."""
    beating = DEALER_HANDS - beaten - tied
    # UTH-28, UTH-34: the ante plays only against a dealer who qualifies, and such a dealer beats less than a pair.
    ante = beaten - out - beating if qualifies else out - DEALER_HANDS
    play = unit * (beaten - beating)
    rest = unit * ante + odds * beaten - unit * beating  # UTH-29 to UTH-31
    bet = rest + play
    fold = -2 * unit * DEALER_HANDS  # UTH-42
    row[RIVER] += max(bet, fold)
    row[TWO] += rest + 2 * play
    row[FOUR] += rest + 4 * play
    row[BETS] += bet > fold


@compiled
def _add_by_ranks(
    table: RankTable, ranks: int, board: Array, live: Array, blind_odds: Array, unit: int, pair: int, net: Array
) -> None:
    left = np.full(13, 4, dtype=np.int64)
    for card in board:
        left[card >> 2] -= 1
    # Each pair of ranks as one number: class first, so that sorting the numbers sorts the classes.
    pairs = np.empty(91, dtype=np.int64)
    count = 0
    for low in range(13):
        if left[low] == 0:
            continue
        row = table.grow5[ranks * 13 + low] * 13
        for high in range(low, 13):
            if left[high] > (1 if high == low else 0):
                pairs[count] = np.int64(table.seven_row[row + high]) << 8 | low << 4 | high
                count += 1
    pairs = np.sort(pairs[:count])

    unqualified = np.zeros(13, dtype=np.int64)  # hands with one given card of this rank
    all_unqualified = 0
    for index in range(count):
        if pairs[index] >> 8 < pair:
            all_unqualified += _count_pair(left, pairs[index], unqualified, 1)

    outcome = np.zeros((13 * 13, 4), dtype=np.int64)
    below = np.zeros(13, dtype=np.int64)
    equal = np.zeros(13, dtype=np.int64)
    first = 0
    index = 0
    while index < count:
        strength = pairs[index] >> 8
        end = index
        size = 0
        while end < count and pairs[end] >> 8 == strength:
            size += _count_pair(left, pairs[end], equal, 1)
            end += 1
        for member in range(index, end):
            low, high = pairs[member] >> 4 & 15, pairs[member] & 15
            beaten = first - below[low] - below[high]
            tied = size - equal[low] - equal[high] + 1
            out = all_unqualified - unqualified[low] - unqualified[high] + (strength < pair)
            _settle(unit, blind_odds[strength], strength >= pair, beaten, tied, out, outcome[low * 13 + high])
        for member in range(index, end):
            _count_pair(left, pairs[member], below, 1)
            _count_pair(left, pairs[member], equal, -1)
        first += size
        index = end

    for one in range(47):
        a = live[one]
        for other in range(one + 1, 47):
            b = live[other]
            row = net[a * 52 + b]
            more = outcome[(a >> 2) * 13 + (b >> 2)]
            row[0] += more[0]
            row[1] += more[1]
            row[2] += more[2]
            row[3] += more[3]


@compiled
def _count_pair(left: Array, pair_of_ranks: int, by_card: Array, sign: int) -> int:
    """How many hands a pair of ranks stands for; adds to each rank those that hold one given card of it."""
    low, high = pair_of_ranks >> 4 & 15, pair_of_ranks & 15
    if low == high:
        by_card[low] += sign * (left[low] - 1)
        return int(left[low] * (left[low] - 1) // 2)
    by_card[low] += sign * left[high]
    by_card[high] += sign * left[low]
    return int(left[low] * left[high])


@compiled
def _add_by_cards(
    table: RankTable,
    ranks: int,
    suit: int,
    board: Array,
    live: Array,
    blind_odds: Array,
    unit: int,
    pair: int,
    net: Array,
) -> None:
    unsorted = np.empty(HANDS, dtype=np.int32)
    _classes(table, ranks, suit, board, live, unsorted)
    hands = _sorted_by_class(unsorted)

    unqualified = np.zeros(52, dtype=np.int64)
    all_unqualified = 0
    for index in range(HANDS):
        if hands[index] >> 12 < pair:
            all_unqualified += 1
            unqualified[hands[index] >> 6 & 63] += 1
            unqualified[hands[index] & 63] += 1

    below = np.zeros(52, dtype=np.int64)
    equal = np.zeros(52, dtype=np.int64)
    first = 0
    while first < HANDS:
        strength = hands[first] >> 12
        end = first
        while end < HANDS and hands[end] >> 12 == strength:
            equal[hands[end] >> 6 & 63] += 1
            equal[hands[end] & 63] += 1
            end += 1
        for index in range(first, end):
            a, b = hands[index] >> 6 & 63, hands[index] & 63
            beaten = first - below[a] - below[b]
            tied = end - first - equal[a] - equal[b] + 1
            out = all_unqualified - unqualified[a] - unqualified[b] + (strength < pair)
            _settle(unit, blind_odds[strength], strength >= pair, beaten, tied, out, net[a * 52 + b])
        for index in range(first, end):
            a, b = hands[index] >> 6 & 63, hands[index] & 63
            below[a] += 1
            below[b] += 1
            equal[a] = 0
            equal[b] = 0
        first = end


@compiled
def _sorted_by_class(hands: Array) -> Array:
    """By counting: there are few classes and they are small numbers, so this beats comparing."""
    lowest = highest = hands[0] >> 12
    for hand in hands:
        lowest = min(lowest, hand >> 12)
        highest = max(highest, hand >> 12)
    place = np.zeros(highest - lowest + 2, dtype=np.int32)
    for hand in hands:
        place[(hand >> 12) - lowest + 1] += 1
    for index in range(1, place.shape[0]):
        place[index] += place[index - 1]
    in_order = np.empty_like(hands)
    for hand in hands:
        index = (hand >> 12) - lowest
        in_order[place[index]] = hand
        place[index] += 1
    return in_order


@compiled
def _classes(table: RankTable, ranks: int, suit: int, board: Array, live: Array, hands: Array) -> None:
    """Every two-card hand as one number: class, low card, high card. At least three board cards are of `suit`."""
    suited = 0
    mask = 0
    for card in board:
        if card & 3 == suit:
            suited += 1
            mask |= 1 << (card >> 2)
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
            strength = np.int64(table.seven_row[row + (b >> 2)])
            if b & 3 == suit:
                if suited_one >= 4:
                    strength = np.int64(table.flush[mask_one | 1 << (b >> 2)])
            elif suited_one >= 5:
                strength = np.int64(table.flush[mask_one])
            hands[hand] = strength << 12 | a << 6 | b
            hand += 1
