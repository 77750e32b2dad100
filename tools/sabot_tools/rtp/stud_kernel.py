"""Casino stud, every deal: each hand up to its suits, each card the dealer may show, each card bought.

Counts are exact integers. With the card bought, 42 times as many deals are told
apart (46 draws, then 148,995 dealer hands, against 163,185): values without a
purchase are scaled by 42 to compare.
"""

from typing import Final, NamedTuple

import numpy as np

from sabot_tools.rtp.compiled import compiled
from sabot_tools.rtp.dealer_table import CLASSES, DealerTable, ranks_below
from sabot_tools.rtp.rank_table import Array, RankTable

DEALER_HANDS: Final = 163_185  # four hidden cards of 46
DEALER_HANDS_BOUGHT: Final = 148_995  # four hidden cards of 45
BUY_SCALE: Final = 42  # 46 * 148,995 / 163,185

# Columns of the tally that `play` keeps: nets in `unit`-ths of an ante (the one with purchase times BUY_SCALE),
# the others in deals of the game without a purchase.
OPTIMAL_NET, RAISED, OPTIMAL_BUY_NET, RAISED_BUY, BOUGHT_BUY = range(5)
COLUMNS: Final = 5
# Columns of the tally by plain strategy.
FLOOR_NET, FLOOR_RAISED = range(2)
# Columns of the bonus tally, by category.
BONUS_PAID, BONUS_TIED, BONUS_BEATEN = range(3)


class Below(NamedTuple):
    """What the ranks alone leave below a hand; the last axis is the rank shown (and, when bought, the discard)."""

    unqualified: Array  # [gone, up]
    hand: Array  # [gone, up] or [gone, up, discarded rank]: below the hand that is kept
    hand_too: Array  # the same, the hand's own class included
    flush: Array  # [gone, up] below the lowest flush


@compiled
def below_five(table: RankTable, dealer: DealerTable, five: Array, qualifier: int, flush: int) -> Below:
    """The part of the ranks for the player's own five cards."""
    size = five.shape[0]
    unqualified = np.zeros((size, 13), dtype=np.int32)
    hand = np.zeros((size, 13), dtype=np.int32)
    hand_too = np.zeros((size, 13), dtype=np.int32)
    flushes = np.zeros((size, 13), dtype=np.int32)
    below = np.zeros(dealer.rank.shape[1] + 1, dtype=np.int64)
    for gone in range(size):
        strength = table.five[gone]
        for up in range(13):
            if five[gone, up] == 4:
                continue
            ranks_below(dealer, five[gone], up, below)
            unqualified[gone, up] = below[dealer.rank_place[up, qualifier]]
            hand[gone, up] = below[dealer.rank_place[up, strength]]
            hand_too[gone, up] = below[dealer.rank_place[up, strength + 1]]
            flushes[gone, up] = below[dealer.rank_place[up, flush]]
    return Below(unqualified, hand, hand_too, flushes)


@compiled
def below_six(
    table: RankTable,
    dealer: DealerTable,
    six: Array,
    shrink: Array,
    first: int,
    last: int,
    qualifier: int,
    flush: int,
    into: Below,
) -> None:
    """The part of the ranks for five cards and the one bought; `shrink[six, rank]` is the set left by a discard."""
    below = np.zeros(dealer.rank.shape[1] + 1, dtype=np.int64)
    for gone in range(first, last):
        for up in range(13):
            if six[gone, up] == 4:
                continue
            ranks_below(dealer, six[gone], up, below)
            into.unqualified[gone, up] = below[dealer.rank_place[up, qualifier]]
            into.flush[gone, up] = below[dealer.rank_place[up, flush]]
            for discard in range(13):
                if six[gone, discard]:
                    strength = table.five[shrink[gone, discard]]
                    into.hand[gone, up, discard] = below[dealer.rank_place[up, strength]]
                    into.hand_too[gone, up, discard] = below[dealer.rank_place[up, strength + 1]]


@compiled
def suited_below(dealer: DealerTable, up: int, row: int, strength: int) -> int:
    """What suited hands of the dealer add to (or take from) the hands below a class."""
    free = dealer.suited[up, row]
    return int(free[dealer.suited_flush_place[up, strength]] - free[dealer.suited_ranks_place[up, strength]])


@compiled
def _value(unit: int, hands: int, unqualified: int, below: int, below_too: int, odds: int) -> int:
    """The net of ante and raise over the dealer's hands (STU-48, STU-53, STU-54, STU-65, STU-77)."""
    weaker = max(below, unqualified) - unqualified
    stronger = hands - max(below_too, unqualified)
    return unit * unqualified + weaker * (unit + 2 * odds) - 3 * unit * stronger


@compiled
def play(
    table: RankTable,
    dealer: DealerTable,
    five_below: Below,
    six_below: Below,
    hands: Array,
    weights: Array,
    odds: Array,
    unit: int,
    qualifier: int,
    straight_flush: int,
    floors: Array,
    with_buy: bool,
    tally: Array,
    by_floor: Array,
    bonus: Array,
) -> None:
    """Adds these hands to the tallies. `floors` are classes from which a plain strategy raises."""
    discarded_class = np.empty((5, 52), dtype=np.int64)
    fold = -unit * DEALER_HANDS
    for number in range(hands.shape[0]):
        cards = hands[number]
        weight = weights[number]
        ranks = table.grow0[cards[0] >> 2]
        ranks = table.grow1[ranks * 13 + (cards[1] >> 2)]
        ranks = table.grow2[ranks * 13 + (cards[2] >> 2)]
        ranks = table.grow3[ranks * 13 + (cards[3] >> 2)]
        ranks = table.grow4[ranks * 13 + (cards[4] >> 2)]
        own = _class_of(table, cards, ranks)
        dead = np.zeros(52, dtype=np.bool_)
        for card in cards:
            dead[card] = True
        if with_buy:
            _classes_after_purchase(table, cards, dead, discarded_class)
        for shown in range(52):
            if dead[shown]:
                continue
            up = shown >> 2
            suit = shown & 3
            mask = 0
            for card in cards:
                if card & 3 == suit:
                    mask |= 1 << (card >> 2)
            row = dealer.row[mask]
            unqualified = five_below.unqualified[ranks, up] + suited_below(dealer, up, row, qualifier)
            if own >= straight_flush:
                below = below_too = DEALER_HANDS
            elif _is_suited(cards):
                below = below_too = five_below.flush[ranks, up]
            else:
                below = five_below.hand[ranks, up]
                below_too = five_below.hand_too[ranks, up]
            below += suited_below(dealer, up, row, own)
            below_too += suited_below(dealer, up, row, own + 1)
            raised = _value(unit, DEALER_HANDS, unqualified, below, below_too, odds[own])
            best = max(raised, fold)
            tally[OPTIMAL_NET] += weight * best
            if raised > fold:
                tally[RAISED] += weight * DEALER_HANDS
            for floor in range(floors.shape[0]):
                if own >= floors[floor]:
                    by_floor[floor, FLOOR_NET] += weight * raised
                    by_floor[floor, FLOOR_RAISED] += weight * DEALER_HANDS
                else:
                    by_floor[floor, FLOOR_NET] += weight * fold
            category = table.category[own]
            beaten = DEALER_HANDS - max(below_too, unqualified)
            tied = max(below_too, unqualified) - max(below, unqualified)
            bonus[category, BONUS_BEATEN] += weight * beaten
            bonus[category, BONUS_TIED] += weight * tied
            bonus[category, BONUS_PAID] += weight * (DEALER_HANDS - beaten - tied)
            if with_buy:
                bought = _best_purchase(
                    table,
                    dealer,
                    six_below,
                    cards,
                    dead,
                    shown,
                    mask,
                    ranks,
                    discarded_class,
                    odds,
                    unit,
                    qualifier,
                    straight_flush,
                )
                value = max(BUY_SCALE * best, bought)
                tally[OPTIMAL_BUY_NET] += weight * value
                if value > BUY_SCALE * fold:
                    tally[RAISED_BUY] += weight * DEALER_HANDS
                if value > BUY_SCALE * best:
                    tally[BOUGHT_BUY] += weight * DEALER_HANDS


@compiled
def _is_suited(cards: Array) -> bool:
    first = cards[0]
    return not (first ^ cards[1] | first ^ cards[2] | first ^ cards[3] | first ^ cards[4]) & 3


@compiled
def _class_of(table: RankTable, cards: Array, ranks: int) -> int:
    if not _is_suited(cards):
        return int(table.five[ranks])
    mask = 0
    for card in cards:
        mask |= 1 << (card >> 2)
    return int(table.flush[mask])


@compiled
def _classes_after_purchase(table: RankTable, cards: Array, dead: Array, into: Array) -> None:
    """The class of the hand for each discard (place in the hand) and each card drawn; flushes carry CLASSES on top."""
    for place in range(5):
        ranks = 0
        mask = 0
        suit = -1
        count = 0
        one_suit = True
        for other in range(5):
            if other == place:
                continue
            card = cards[other]
            rank = card >> 2
            mask |= 1 << rank
            if suit >= 0 and card & 3 != suit:
                one_suit = False
            suit = card & 3
            if count == 0:
                ranks = table.grow0[rank]
            elif count == 1:
                ranks = table.grow1[ranks * 13 + rank]
            elif count == 2:
                ranks = table.grow2[ranks * 13 + rank]
            else:
                ranks = table.grow3[ranks * 13 + rank]
            count += 1
        for drawn in range(52):
            if dead[drawn]:
                continue
            if one_suit and drawn & 3 == suit:
                into[place, drawn] = CLASSES + table.flush[mask | 1 << (drawn >> 2)]
            else:
                into[place, drawn] = table.five[table.grow4[ranks * 13 + (drawn >> 2)]]


@compiled
def _best_purchase(
    table: RankTable,
    dealer: DealerTable,
    six_below: Below,
    cards: Array,
    dead: Array,
    shown: int,
    mask: int,
    ranks: int,
    classes: Array,
    odds: Array,
    unit: int,
    qualifier: int,
    straight_flush: int,
) -> int:
    """The net of raising and buying with the best discard, over all draws (STU-58 to STU-64)."""
    up = shown >> 2
    suit = shown & 3
    total = np.zeros(5, dtype=np.int64)
    for drawn in range(52):
        if dead[drawn] or drawn == shown:
            continue
        rank = drawn >> 2
        gone = table.grow5[ranks * 13 + rank]
        row = dealer.row[mask | 1 << rank] if drawn & 3 == suit else dealer.row[mask]
        unqualified = six_below.unqualified[gone, up] + suited_below(dealer, up, row, qualifier)
        for place in range(5):
            strength = classes[place, drawn]
            if strength >= CLASSES:
                strength -= CLASSES
                below = DEALER_HANDS_BOUGHT if strength >= straight_flush else six_below.flush[gone, up]
                below_too = below
            else:
                discard = cards[place] >> 2
                below = six_below.hand[gone, up, discard]
                below_too = six_below.hand_too[gone, up, discard]
            below += suited_below(dealer, up, row, strength)
            below_too += suited_below(dealer, up, row, strength + 1)
            total[place] += _value(unit, DEALER_HANDS_BOUGHT, unqualified, below, below_too, odds[strength])
    # STU-61: the price, one ante, is gone whatever the result.
    return int(total.max()) - unit * BUY_SCALE * DEALER_HANDS
