"""Casino stud over all 19,933,230,517,200 deals: ante and raise, the same with the card purchase, and the bonus."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from io import StringIO
from math import comb
from types import MappingProxyType
from typing import Final

import numpy as np

from sabot_gateway.model.card import cards_from_text
from sabot_gateway.model.game import Game
from sabot_gateway.model.money import Odds
from sabot_gateway.rules.hand import CATS5, Category, rank5
from sabot_gateway.rules.paytable import PayTable
from sabot_tools.progress import Progress
from sabot_tools.rtp import stud_kernel as kernel
from sabot_tools.rtp.bet_return import Return, line, whole_unit
from sabot_tools.rtp.compiled import require
from sabot_tools.rtp.dealer_table import dealer_table
from sabot_tools.rtp.five_card_class import five_card_classes
from sabot_tools.rtp.rank_table import Array, first_class, rank_sets, rank_table
from sabot_tools.rtp.side_bet import RAISES_WHAT_PAYS
from sabot_tools.rtp.stud_strategy import FLOORS

DEALS: Final = comb(52, 5) * 47 * kernel.DEALER_HANDS

_CHUNK: Final = 512  # hands per call: small enough for a smooth bar and for 64-bit sums
_MOST_WEIGHT: Final = 24


@dataclass(frozen=True, slots=True)
class Tally:
    """Sums over a set of player's hands; nets in `unit`-ths of an ante."""

    unit: int
    deals: int
    optimal_net: int
    raised: int
    optimal_buy_net: int  # over kernel.BUY_SCALE times as many deals
    raised_buy: int
    bought: int
    by_floor: Mapping[str, tuple[int, int]]  # plain strategy -> net, deals raised
    bonus: Mapping[str, tuple[int, int, int]]  # category -> deals not beaten, tied, beaten


def all_hands() -> tuple[Array, Array]:
    """Every five-card hand up to its suits, and its weight."""
    require()
    return five_card_classes()


def tally(raise_table: PayTable, hands: Array, weights: Array, *, with_buy: bool, quiet: bool = False) -> Tally:
    """Plays these hands against every card shown and every dealer hand."""
    require()
    table, dealer = rank_table(True), dealer_table()
    unit = whole_unit(raise_table)
    odds = _odds(tuple(raise_table.items()))
    _refuse_overflow(unit, int(odds.max()))
    five_below = _five_below()
    six_below = _six_below() if with_buy else _no_six()
    floors = np.array([_class(text) for text in FLOORS.values()], dtype=np.int64)
    totals = [0] * kernel.COLUMNS
    by_floor = [[0, 0] for _ in FLOORS]
    bonus = [[0, 0, 0] for _ in CATS5]
    with Progress(len(hands), "stud", StringIO() if quiet else None) as progress:
        for start in range(0, len(hands), _CHUNK):
            part = slice(start, start + _CHUNK)
            columns = np.zeros(kernel.COLUMNS, dtype=np.int64)
            floor_sums = np.zeros((len(FLOORS), 2), dtype=np.int64)
            beaten = np.zeros((len(CATS5), 3), dtype=np.int64)
            kernel.play(
                table,
                dealer,
                five_below,
                six_below,
                hands[part],
                weights[part],
                odds,
                unit,
                _class("AcKd4h3s2c"),
                first_class(table, Category.STRAIGHT_FLUSH),
                floors,
                with_buy,
                columns,
                floor_sums,
                beaten,
            )
            totals = [total + int(more) for total, more in zip(totals, columns, strict=True)]
            by_floor = _added(by_floor, floor_sums)
            bonus = _added(bonus, beaten)
            progress.advance(len(hands[part]))
    deals = int(weights.sum()) * 47 * kernel.DEALER_HANDS
    return Tally(
        unit=unit,
        deals=deals,
        optimal_net=totals[kernel.OPTIMAL_NET],
        raised=totals[kernel.RAISED],
        optimal_buy_net=totals[kernel.OPTIMAL_BUY_NET],
        raised_buy=totals[kernel.RAISED_BUY],
        bought=totals[kernel.BOUGHT_BUY],
        by_floor=MappingProxyType({name: (n[0], n[1]) for name, n in zip(FLOORS, by_floor, strict=True)}),
        bonus=MappingProxyType({category.value: (n[0], n[1], n[2]) for category, n in zip(CATS5, bonus, strict=True)}),
    )


def ante(totals: Tally, strategy: str = "optimal") -> Return:
    """Ante and raise without a purchase, per ante."""
    sums = totals.by_floor[strategy] if strategy in FLOORS else (totals.optimal_net, totals.raised)
    net, raised = Fraction(sums[0], totals.unit), sums[1]
    counts = (("deals raised", raised), ("deals folded", totals.deals - raised))
    return Return(Game.STU, "ante", strategy, net, totals.deals, counts, 1 + Fraction(2 * raised, totals.deals))


def ante_with_purchase(totals: Tally) -> Return:
    """Ante and raise when a card may be bought for one ante, folding, raising or buying as is best (STU-58)."""
    scaled = kernel.BUY_SCALE * totals.deals
    counts = (
        ("deals raised and bought", kernel.BUY_SCALE * totals.bought),
        ("deals raised as dealt", kernel.BUY_SCALE * (totals.raised_buy - totals.bought)),
        ("deals folded", kernel.BUY_SCALE * (totals.deals - totals.raised_buy)),
    )
    stake = 1 + Fraction(2 * totals.raised_buy + totals.bought, totals.deals)
    net = Fraction(totals.optimal_buy_net, totals.unit)
    return Return(Game.STU, "ante_buy", "optimal", net, scaled, counts, stake)


def bonus(totals: Tally, bonus_table: PayTable, on_tie: str = "push") -> Return:
    """The bonus of a player who raises every hand that it pays and buys no card (STU-66 to STU-76)."""
    unit = whole_unit(bonus_table)
    net = 0
    counts: list[tuple[str, int]] = []
    for hand, (paid, tied, beaten) in totals.bonus.items():
        if hand not in bonus_table:
            net -= unit * (paid + tied + beaten)  # STU-74
            continue
        win = line(bonus_table, hand, unit)
        tie = {"push": 0, "pay": win, "lose": -unit}[on_tie]  # STU-76
        net += win * paid + tie * tied - unit * beaten  # STU-69
        counts += [(f"{hand} paid", paid), (f"{hand} tied", tied), (f"{hand} beaten", beaten)]
    return Return(Game.STU, "bonus", RAISES_WHAT_PAYS, Fraction(net, unit), totals.deals, tuple(counts), Fraction(1))


def _added(totals: list[list[int]], more: Array) -> list[list[int]]:
    """Python integers, which never overflow, plus one chunk."""
    return [[a + int(b) for a, b in zip(row, chunk, strict=True)] for row, chunk in zip(totals, more, strict=True)]


@lru_cache(maxsize=4)
def _odds(lines: tuple[tuple[str, Odds], ...]) -> Array:
    """What a raise wins with each class, in units of the raise table."""
    raise_table = dict(lines)
    unit = whole_unit(raise_table)
    by_category = np.array([line(raise_table, category.value, unit) for category in CATS5], dtype=np.int64)
    odds: Array = by_category[rank_table(True).category]
    return odds


@lru_cache(maxsize=8)
def _class(text: str) -> int:
    return int(np.searchsorted(rank_table(True).strength, rank5(cards_from_text(text))))


def _refuse_overflow(unit: int, odds: int) -> None:
    worst = _CHUNK * _MOST_WEIGHT * 47 * kernel.BUY_SCALE * kernel.DEALER_HANDS * (unit + 2 * odds)
    if worst >= 2**63:
        raise ValueError("the odds of this raise table are too large for 64-bit sums")


@lru_cache(maxsize=1)
def _five_below() -> kernel.Below:
    table = rank_table(True)
    return kernel.below_five(
        table, dealer_table(), rank_sets(5), _class("AcKd4h3s2c"), first_class(table, Category.FLUSH)
    )


@lru_cache(maxsize=1)
def _no_six() -> kernel.Below:
    return _empty(1)


@lru_cache(maxsize=1)
def _six_below() -> kernel.Below:
    table, six = rank_table(True), rank_sets(6)
    grow = table.grow5.reshape(-1, 13)
    shrink = np.full((len(six), 13), -1, dtype=np.int32)
    for rank in range(13):
        fits = np.flatnonzero(grow[:, rank] >= 0)
        shrink[grow[fits, rank], rank] = fits
    below = _empty(len(six))
    qualifier, flush = _class("AcKd4h3s2c"), first_class(table, Category.FLUSH)
    with Progress(len(six), "stud: tables") as progress:
        for start in range(0, len(six), _CHUNK):
            stop = min(start + _CHUNK, len(six))
            kernel.below_six(table, dealer_table(), six, shrink, start, stop, qualifier, flush, below)
            progress.advance(stop - start)
    return below


def _empty(size: int) -> kernel.Below:
    return kernel.Below(
        np.zeros((size, 13), dtype=np.int32),
        np.zeros((size, 13, 13), dtype=np.int32),
        np.zeros((size, 13, 13), dtype=np.int32),
        np.zeros((size, 13), dtype=np.int32),
    )
