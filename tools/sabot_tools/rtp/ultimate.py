"""Ultimate hold'em over all 27,813,810,024,000 deals, with the best of 4, 2, 1 or nothing at each step."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from io import StringIO
from math import comb
from typing import Final

import numpy as np

from sabot_gateway.model.card import RANKS
from sabot_gateway.model.game import Game
from sabot_gateway.rules.hand import CATS5, Category
from sabot_gateway.rules.paytable import PayTable
from sabot_tools.progress import Progress
from sabot_tools.rtp import ultimate_kernel as kernel
from sabot_tools.rtp.bet_return import Return, line, whole_unit
from sabot_tools.rtp.compiled import require
from sabot_tools.rtp.rank_table import first_class, rank_table
from sabot_tools.rtp.suit_class import three_card_classes
from sabot_tools.rtp.ultimate_board import DEALER_HANDS

PER_HAND: Final = comb(50, 3) * kernel.RUNOUTS * DEALER_HANDS
DEALS: Final = comb(52, 2) * PER_HAND


@dataclass(frozen=True, slots=True)
class Start:
    """One starting hand up to its suits, summed over its `hands` and over the flops played."""

    name: str
    hands: int
    check_net: int  # in `unit`-ths of an ante
    check_play: int  # antes laid on Play after checking
    check_folded: int  # deals folded on the river after checking
    four_net: int


def starts(
    blind_table: PayTable, wheel: bool, flops: Sequence[tuple[Sequence[int], int]], *, quiet: bool = False
) -> tuple[Start, ...]:
    """What every starting hand is worth over these weighted flops."""
    require()
    table = rank_table(wheel)
    unit = whole_unit(blind_table)
    odds = np.array([line(blind_table, CATS5[place].value, unit) for place in table.category], dtype=np.int64)
    pair = first_class(table, Category.PAIR)
    totals = [[0] * kernel.COLUMNS for _ in range(kernel.HOLES)]
    with Progress(len(flops), "ultimate hold'em", StringIO() if quiet else None) as progress:
        for flop, weight in flops:
            tally = np.zeros((kernel.HOLES, kernel.COLUMNS), dtype=np.int64)
            kernel.play_flop(table, np.array(flop, dtype=np.int64), weight, odds, unit, pair, tally)
            for total, more in zip(totals, tally.tolist(), strict=True):
                for column, amount in enumerate(more):
                    total[column] += amount
            progress.advance()
    return tuple(Start(name, hands, *totals[place]) for place, name, hands in _names())


def every_flop() -> list[tuple[Sequence[int], int]]:
    hands, weights = three_card_classes()
    return list(zip(hands, weights, strict=True))


def ante(blind_table: PayTable, wheel: bool = True) -> Return:
    """Ante, blind and play under optimal play, per ante."""
    unit = whole_unit(blind_table)
    net = play = four = folded = 0
    for start in starts(blind_table, wheel, every_flop()):
        if start.four_net > start.check_net:
            net += start.four_net
            play += 4 * start.hands * PER_HAND
            four += start.hands
        else:
            net += start.check_net
            play += start.check_play
            folded += start.check_folded
    counts = (("hands played at 4 times", four), ("hands checked", comb(52, 2) - four), ("deals folded", folded))
    return Return(Game.UTH, "ante", "optimal", Fraction(net, unit), DEALS, counts, 2 + Fraction(play, DEALS))


# Published as the best preflop play, 500 of 1,326 hands; the full enumeration finds the same.
FOUR_TIMES: Final = frozenset(
    [f"{rank}{rank}" for rank in RANKS[1:]]
    + [f"A{rank}{kind}" for rank in RANKS[:12] for kind in "so"]
    + [f"K{rank}s" for rank in RANKS[:11]]
    + [f"K{rank}o" for rank in RANKS[3:11]]
    + [f"Q{rank}s" for rank in RANKS[4:10]]
    + [f"Q{rank}o" for rank in RANKS[6:10]]
    + ["J8s", "J9s", "JTs", "JTo"]
)


def value_of_flop(blind_table: PayTable, wheel: bool, flop: Sequence[int]) -> Fraction:
    """What a player who lays 4 times on `FOUR_TIMES` and plays on optimally nets with this flop, per ante."""
    net = 0
    for start in starts(blind_table, wheel, [(flop, 1)], quiet=True):
        net += start.four_net if start.name in FOUR_TIMES else start.check_net
    return Fraction(net, whole_unit(blind_table) * comb(49, 2) * kernel.RUNOUTS * DEALER_HANDS)


def _names() -> Iterator[tuple[int, str, int]]:
    """Place in the tally, name such as `AKs`, number of hands; the kernel puts suited hands high rank first."""
    for first in range(13):
        for second in range(13):
            high, low = max(first, second), min(first, second)
            kind, hands = ("", 6) if first == second else ("s", 4) if first > second else ("o", 12)
            yield first * 13 + second, f"{RANKS[high]}{RANKS[low]}{kind}", hands
