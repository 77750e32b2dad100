"""The returns that the Three Card Poker document publishes, held against a pay table (TCP-44 to TCP-47).

`return_of` is exact and takes well under a second. Side bets are counted hand by
hand; the base game under optimal play rests on one integer, which a test derives
again from all 407,170,400 deals.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from sabot_gateway.rules.hand import Category
from sabot_gateway.rules.hand_count import count_best5, count_mini_royals, count_three

MINI_ROYAL: Final = "mini_royal"

# Ante and play under optimal play without any ante bonus, in antes over all deals (return 91.3420 %).
_BASE_NET: Final = -35_253_012
_PLAYER_HANDS: Final = 22_100  # three cards of 52
_DEALER_HANDS: Final = 18_424  # three cards of the other 49


@dataclass(frozen=True, slots=True)
class Published:
    """A return as the document prints it, in hundredths of a percent, and the rule that says so."""

    rule: str
    basis_points: int


PUBLISHED: Final[Mapping[str, Published]] = MappingProxyType(
    {
        "ante_bonus": Published("TCP-45", 9663),
        "pair_plus": Published("TCP-46", 9562),
        "six_card": Published("TCP-47", 8978),
    }
)


def return_of(bet: str, table: Mapping[str, int], *, six_card_wheel: bool = True) -> Fraction:
    """The exact return of `ante_bonus` (the whole base game), `pair_plus` or `six_card` with this pay table.

    `table` maps category names (and `mini_royal`) to odds to one; a hand without a line loses,
    for the ante bonus it earns nothing. ValueError for another bet or an unknown line.
    """
    match bet:
        case "ante_bonus":
            return _base_game(table)
        case "pair_plus":
            counts = {category.value: hands for category, hands in count_three().items()}
            if MINI_ROYAL in table:
                # TCP-24: its own line; without one a mini royal is paid as the straight flush it is.
                counts[MINI_ROYAL] = count_mini_royals()
                counts[Category.STRAIGHT_FLUSH.value] -= counts[MINI_ROYAL]
            return _side_bet(table, counts)
        case "six_card":
            best = count_best5(6, wheel=six_card_wheel)
            return _side_bet(table, {category.value: hands for category, hands in best.items()})
        case _:
            raise ValueError(f"no return is published for the bet {bet!r}: there are {', '.join(PUBLISHED)}")


def is_as_published(bet: str, exact: Fraction) -> bool:
    """Whether an exact return, rounded to two decimals of a percent, is the published one."""
    return basis_points(exact) == PUBLISHED[bet].basis_points


def basis_points(value: Fraction) -> int:
    """Hundredths of a percent, half rounded up."""
    return (2 * 10_000 * value.numerator + value.denominator) // (2 * value.denominator)


def percent_text(value: Fraction) -> str:
    """`96.63` for a return of 0.96627…"""
    whole = basis_points(value)
    sign = "-" if whole < 0 else ""
    return f"{sign}{abs(whole) // 100}.{abs(whole) % 100:02d}"


def _side_bet(table: Mapping[str, int], counts: Mapping[str, int]) -> Fraction:
    _refuse_unknown_lines(table, counts)
    # The stake comes back on top of the odds (A-TCF-07); a hand without a line loses (TCP-53).
    returned = sum((1 + odds) * counts[line] for line, odds in table.items())
    return Fraction(returned, sum(counts.values()))


def _base_game(table: Mapping[str, int]) -> Fraction:
    counts = {category.value: hands for category, hands in count_three().items()}
    bonus_lines = (Category.STRAIGHT.value, Category.TRIPS.value, Category.STRAIGHT_FLUSH.value)
    # TCP-19: these hands are raised in any case, so the bonus adds to the base game and moves no decision.
    _refuse_unknown_lines(table, bonus_lines)
    if any(odds < 0 for odds in table.values()):
        raise ValueError("an ante bonus cannot be negative")
    bonus = sum(odds * counts[line] for line, odds in table.items()) * _DEALER_HANDS
    return 1 + Fraction(_BASE_NET + bonus, _PLAYER_HANDS * _DEALER_HANDS)


def _refuse_unknown_lines(table: Mapping[str, int], known: Mapping[str, int] | tuple[str, ...]) -> None:
    unknown = [line for line in table if line not in known]
    if unknown:
        raise ValueError(f"{unknown[0]!r} is not a line of this pay table")
