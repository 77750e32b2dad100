"""Money is integer cents; odds are integer pairs. Nothing here or above it knows a float.

The only place where a payment can be inexact is `pay`: it rounds to the chip
unit by the ruleset's rule and reports the breakage it caused (UTH-44).
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

Cents = NewType("Cents", int)


class Rounding(StrEnum):
    FLOOR = "floor"
    CEIL = "ceil"
    HALF_UP = "half_up"


@dataclass(frozen=True, slots=True)
class Odds:
    """`win` paid for every `per` staked; the stake itself comes back on top (A-TCF-07, A-UTH-06)."""

    win: int
    per: int = 1


@dataclass(frozen=True, slots=True)
class Payment:
    """What the house pays, and `breakage` = exact amount minus paid amount, in `per`-ths of a cent."""

    amount: int
    breakage: int


def round_to_unit(numerator: int, denominator: int, unit: int, rounding: Rounding) -> int:
    """The multiple of `unit` next to numerator/denominator, by the house's rounding."""
    step = denominator * unit
    if rounding is Rounding.FLOOR:
        count = numerator // step
    elif rounding is Rounding.CEIL:
        count = -(-numerator // step)
    else:
        count = (2 * numerator + step) // (2 * step)
    return count * unit


def pay(stake: int, odds: Odds, unit: int, rounding: Rounding) -> Payment:
    """The winnings on `stake` at `odds`, in whole chip units. Even multiples never break."""
    exact = stake * odds.win
    amount = round_to_unit(exact, odds.per, unit, rounding)
    return Payment(amount, exact - amount * odds.per)
