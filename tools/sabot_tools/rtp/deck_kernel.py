"""Compiled evaluation in bulk: every hand of a deck, or rows of given hands.

Flushes are found by counters that start at 3 and show five cards of a suit in
their top bit; the ranks walk through the sets of `RankTable`.
"""

import numpy as np

from sabot_tools.rtp.compiled import compiled
from sabot_tools.rtp.rank_table import Array, RankTable

_SUIT_START = 0x3333
_FLUSH_BITS = 0x8888


@compiled
def _flush_class(table: RankTable, cards: Array, flush: int) -> int:
    suit = 0
    while not flush & 8:
        flush >>= 4
        suit += 1
    mask = 0
    for card in cards:
        if card & 3 == suit:
            mask |= 1 << (card >> 2)
    return int(table.flush[mask])


@compiled
def classes_of(table: RankTable, hands: Array) -> Array:
    """The class of the best five of each row of five, six or seven cards."""
    found = np.empty(hands.shape[0], dtype=np.uint16)
    width = hands.shape[1]
    for row in range(hands.shape[0]):
        cards = hands[row]
        suits = _SUIT_START
        ranks = 0
        for card in cards:
            suits += 1 << 4 * (card & 3)
        for place in range(width):
            rank = cards[place] >> 2
            if place == 0:
                ranks = table.grow0[rank]
            elif place == 1:
                ranks = table.grow1[ranks * 13 + rank]
            elif place == 2:
                ranks = table.grow2[ranks * 13 + rank]
            elif place == 3:
                ranks = table.grow3[ranks * 13 + rank]
            elif place == 4:
                ranks = table.grow4[ranks * 13 + rank]
            elif place == 5:
                ranks = table.grow5[ranks * 13 + rank]
            else:
                ranks = table.grow6[ranks * 13 + rank]
        flush = suits & _FLUSH_BITS
        if flush:
            found[row] = _flush_class(table, cards, flush)
        elif width == 5:
            found[row] = table.five[ranks]
        elif width == 6:
            found[row] = table.six[ranks]
        else:
            found[row] = table.seven[ranks]
    return found


@compiled
def every_five(table: RankTable) -> Array:
    """The classes of all 2,598,960 five-card hands, in the order of itertools.combinations."""
    found = np.empty(2598960, dtype=np.uint16)
    cards = np.empty(5, dtype=np.int64)
    row = 0
    for a in range(52):
        ranks1 = table.grow0[a >> 2]
        for b in range(a + 1, 52):
            ranks2 = table.grow1[ranks1 * 13 + (b >> 2)]
            for c in range(b + 1, 52):
                ranks3 = table.grow2[ranks2 * 13 + (c >> 2)]
                for d in range(c + 1, 52):
                    ranks4 = table.grow3[ranks3 * 13 + (d >> 2)]
                    for e in range(d + 1, 52):
                        if (a ^ b | a ^ c | a ^ d | a ^ e) & 3:
                            found[row] = table.five[table.grow4[ranks4 * 13 + (e >> 2)]]
                        else:
                            cards[0], cards[1], cards[2], cards[3], cards[4] = a, b, c, d, e
                            found[row] = _flush_class(table, cards, 8 << 4 * (a & 3))
                        row += 1
    return found


@compiled
def count_six(table: RankTable, found: Array) -> None:
    """Adds all 20,358,520 six-card hands to a count by class."""
    cards = np.empty(6, dtype=np.int64)
    for a in range(52):
        ranks1 = table.grow0[a >> 2]
        for b in range(a + 1, 52):
            ranks2 = table.grow1[ranks1 * 13 + (b >> 2)]
            for c in range(b + 1, 52):
                ranks3 = table.grow2[ranks2 * 13 + (c >> 2)]
                for d in range(c + 1, 52):
                    ranks4 = table.grow3[ranks3 * 13 + (d >> 2)]
                    suits4 = _SUIT_START + (1 << 4 * (a & 3)) + (1 << 4 * (b & 3)) + (1 << 4 * (c & 3))
                    suits4 += 1 << 4 * (d & 3)
                    for e in range(d + 1, 52):
                        ranks5 = table.grow4[ranks4 * 13 + (e >> 2)] * 13
                        suits5 = suits4 + (1 << 4 * (e & 3))
                        for f in range(e + 1, 52):
                            flush = suits5 + (1 << 4 * (f & 3)) & _FLUSH_BITS
                            if flush:
                                cards[0], cards[1], cards[2] = a, b, c
                                cards[3], cards[4], cards[5] = d, e, f
                                found[_flush_class(table, cards, flush)] += 1
                            else:
                                found[table.six[table.grow5[ranks5 + (f >> 2)]]] += 1


@compiled
def count_seven(table: RankTable, found: Array, first: int) -> None:
    """Adds all seven-card hands whose lowest card is `first` to a count by class."""
    cards = np.empty(7, dtype=np.int64)
    a = first
    ranks1 = table.grow0[a >> 2]
    for b in range(a + 1, 52):
        ranks2 = table.grow1[ranks1 * 13 + (b >> 2)]
        for c in range(b + 1, 52):
            ranks3 = table.grow2[ranks2 * 13 + (c >> 2)]
            suits3 = _SUIT_START + (1 << 4 * (a & 3)) + (1 << 4 * (b & 3)) + (1 << 4 * (c & 3))
            for d in range(c + 1, 52):
                ranks4 = table.grow3[ranks3 * 13 + (d >> 2)]
                suits4 = suits3 + (1 << 4 * (d & 3))
                for e in range(d + 1, 52):
                    ranks5 = table.grow4[ranks4 * 13 + (e >> 2)] * 13
                    suits5 = suits4 + (1 << 4 * (e & 3))
                    for f in range(e + 1, 52):
                        row = table.grow5[ranks5 + (f >> 2)] * 13
                        suits6 = suits5 + (1 << 4 * (f & 3))
                        for g in range(f + 1, 52):
                            flush = suits6 + (1 << 4 * (g & 3)) & _FLUSH_BITS
                            if flush:
                                cards[0], cards[1], cards[2], cards[3] = a, b, c, d
                                cards[4], cards[5], cards[6] = e, f, g
                                found[_flush_class(table, cards, flush)] += 1
                            else:
                                found[table.seven_row[row + (g >> 2)]] += 1
