"""The return of one bet as an exact fraction, with the counts behind it."""

from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from sabot_gateway.model.game import Game
from sabot_gateway.model.money import Odds
from sabot_gateway.rules.paytable import PayTable


@dataclass(frozen=True, slots=True)
class Return:
    """What a player nets on a bet over `deals` equally likely deals, in units of its (first) stake."""

    game: Game
    bet: str
    strategy: str
    net: Fraction
    deals: int
    counts: tuple[tuple[str, int], ...] = ()
    average_stake: Fraction | None = None  # in first stakes, where it is known
    margin: Fraction | None = None  # half of the 95 % interval around the return, when sampled

    @property
    def rtp(self) -> Fraction:
        return 1 + self.net / self.deals

    @property
    def house_edge(self) -> Fraction:
        return -self.net / self.deals

    @property
    def numerator(self) -> int:
        """Not reduced: over `denominator` it shows the number of deals."""
        return self.net.numerator

    @property
    def denominator(self) -> int:
        return self.deals * self.net.denominator


def percent(value: Fraction, places: int = 4) -> str:
    """A share as a percentage, half rounded away from zero, by integer arithmetic."""
    scale = 10**places
    rounded = (2 * 100 * scale * abs(value.numerator) + value.denominator) // (2 * value.denominator)
    sign = "-" if value < 0 and rounded else ""
    return f"{sign}{rounded // scale}.{rounded % scale:0{places}d}"


def decimal(value: Fraction, places: int = 5) -> str:
    return percent(value / 100, places)


def whole_unit(table: PayTable) -> int:
    """The smallest stake on which every line of the table pays whole units."""
    return lcm(*(odds.per for odds in table.values())) if table else 1


def line(table: PayTable, hand: str, unit: int) -> int:
    """What a stake of `unit` wins with this hand; 0 where the table has no line."""
    odds = table.get(hand, Odds(0))
    return odds.win * unit // odds.per
