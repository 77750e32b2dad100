"""Pay tables: hand names to odds, checked for gaps and for odds that could not be meant.

A table is written with integers (`trips = 4` pays 4 to 1) or pairs (`flush =
[3, 2]` pays 3 for 2). Odds never shrink as hands get stronger: a stronger hand
that pays less is a slip of the pen, and refused. The stake is always returned
on top (A-TCF-07, A-UTH-06).
"""

from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from typing import Final

from sabot_gateway.model.money import Odds

PayTable = Mapping[str, Odds]

MOST_ODDS: Final = 100_000  # twenty times the highest odds of any document (STU-72): beyond it lies a slip
EVEN_MONEY: Final = Odds(1)


def table_from_values(values: object) -> PayTable:
    """The odds of a table that `table_problem` found well."""
    assert isinstance(values, Mapping)
    return {hand: _odds(value) for hand, value in values.items()}


def text_from_odds(odds: Odds) -> str:
    """`3:2`, as the layout prints it."""
    return f"{odds.win}:{odds.per}"


def table_problem(value: object, hands: tuple[str, ...], needs: tuple[str, ...]) -> str | None:
    """Why a written pay table cannot be used, or None; `hands` run from the weakest to the strongest."""
    if not isinstance(value, Mapping):
        return "must be a table of hands and odds"
    for hand, odds in value.items():
        if hand not in hands:
            return f"pays an unknown hand {hand!r}"
        if not _is_odds(odds):
            return f"has impossible odds for {hand}: write 4, or [3, 2] for 3 to 2"
    for hand in needs:
        if hand not in value:
            return f"misses a hand: {hand}"
    paid = [(hand, _odds(value[hand])) for hand in hands if hand in value]
    for (weaker, low), (stronger, high) in pairwise(paid):
        if Fraction(high.win, high.per) < Fraction(low.win, low.per):
            return f"pays {stronger} less than {weaker}"
    return None


def _odds(value: object) -> Odds:
    if isinstance(value, int):
        return Odds(value)
    assert isinstance(value, list | tuple)
    win, per = value
    return Odds(win, per)


def _is_odds(value: object) -> bool:
    if _is_count(value):
        return True
    return isinstance(value, list | tuple) and len(value) == 2 and all(_is_count(item) for item in value)


def _is_count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= MOST_ODDS
