"""A watch on the cards dealt: does every card come as often as every other, by the chi-square test.

Counting leaks: who reads the totals before and after a coup knows its cards, folded hands too (law 7). So a coup is
counted at its end into a block that nobody reads, and blocks join the totals only when they hold BLOCK coups.

Within a coup cards are drawn without replacement, so they repel each other and the plain statistic would be too small.
With n of 52 cards out, a card's count has variance (n/52)(1 - n/52); summed over coups this is V, and
51/52 * sum((count - expected)^2) / V has the chi-square law with 51 degrees of freedom. Exact until the last step.
"""

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import erfc, exp, gamma, sqrt
from typing import Final

from sabot_gateway.model.card import DECK, Card
from sabot_gateway.model.coup import BankCoup
from sabot_gateway.model.holdem import HoldemCoup

BLOCK: Final = 100  # coups; a total over so many hands says nothing about any one of them
DEGREES: Final = 51
_SIZE: Final = len(DECK)


@dataclass(frozen=True, slots=True)
class CardWatch:
    """The test over one table (or all): `chance` is how often fair cards would look at least this uneven."""

    coups: int
    dealt: int
    counts: tuple[int, ...]  # in the order of `model.card.DECK`
    statistic: Fraction
    chance: float

    @property
    def is_odd(self) -> bool:
        """Less than one chance in a thousand: somebody should look."""
        return self.coups > 0 and self.chance < 0.001


def cards_of(coup: BankCoup | HoldemCoup) -> tuple[Card, ...]:
    """Every card that the coup's evidence names, once."""
    found: list[Card] = [*coup.board, *coup.burned]
    if isinstance(coup, BankCoup):
        found += coup.dealer
        for seat in coup.seats:
            found += seat.cards
            if seat.purchase is not None:
                found += (*seat.purchase.discards, *seat.purchase.drawn)
    else:
        for player in coup.seats:
            found += player.cards or ()
    return tuple(dict.fromkeys(found))


def count_cards(db: sqlite3.Connection, stream: str, game: str, cards: Iterable[Card]) -> None:
    """Counts one finished coup; full blocks join the totals."""
    row = db.execute(
        "SELECT coups, spread, counts, waiting_coups, waiting_spread, waiting FROM cards WHERE stream = ? AND game = ?",
        (stream, game),
    ).fetchone()
    zero = [0] * _SIZE
    coups, spread, counts, waiting_coups, waiting_spread, waiting = (
        (0, 0, zero, 0, 0, zero[:]) if row is None else (*row[:2], json.loads(row[2]), *row[3:5], json.loads(row[5]))
    )
    dealt = 0
    for card in cards:
        waiting[card] += 1
        dealt += 1
    waiting_coups += 1
    waiting_spread += dealt * (_SIZE - dealt)
    if waiting_coups >= BLOCK:
        counts = [total + more for total, more in zip(counts, waiting, strict=True)]
        coups, spread = coups + waiting_coups, spread + waiting_spread
        waiting_coups, waiting_spread, waiting = 0, 0, zero
    db.execute(
        "INSERT OR REPLACE INTO cards (stream, game, coups, spread, counts, waiting_coups, waiting_spread, waiting)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (stream, game, coups, spread, json.dumps(counts), waiting_coups, waiting_spread, json.dumps(waiting)),
    )


def card_watch(db: sqlite3.Connection, table: str | None = None) -> CardWatch:
    """The test over one table or the whole floor, as far as blocks are full."""
    where, values = ("", ()) if table is None else ("WHERE stream = ?", (table,))
    coups = spread = 0
    counts = [0] * _SIZE
    for row in db.execute(f"SELECT coups, spread, counts FROM cards {where}", values):  # noqa: S608 - our own names
        coups, spread = coups + row[0], spread + row[1]
        counts = [total + more for total, more in zip(counts, json.loads(row[2]), strict=True)]
    statistic = chi_square(counts, spread)
    return CardWatch(coups, sum(counts), tuple(counts), statistic, chance_of(statistic))


def chi_square(counts: list[int], spread: int) -> Fraction:
    """The corrected statistic; `spread` is the sum of n(52 - n) over coups, that is 52 squared times V."""
    if not spread:
        return Fraction(0)
    total = sum(counts)
    squares = sum((_SIZE * count - total) ** 2 for count in counts)  # 52 squared times the squared distances
    return Fraction(_SIZE - 1, _SIZE) * Fraction(squares, spread)


def chance_of(statistic: Fraction, degrees: int = DEGREES) -> float:
    """The upper tail of the chi-square law, for an odd number of degrees a finite sum."""
    assert degrees % 2 == 1
    half = float(statistic) / 2
    if half == 0:
        return 1.0
    if half > 700:  # exp(-half) is nothing to a float
        return 0.0
    tail: float = sum(half ** (nth - 0.5) / gamma(nth + 0.5) for nth in range(1, (degrees + 1) // 2))
    return min(1.0, erfc(sqrt(half)) + exp(-half) * tail)
