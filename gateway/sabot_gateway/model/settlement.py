"""What a settled coup says: for every bet of every seat its outcome, amounts, and the rule that decided it.

Money in `net` is the player's gain, the returned stake not counted; `returned =
stake + net`. Built only by the games; read by the table, the journal and the
tools.
"""

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Protocol

from sabot_gateway.model.money import Odds


class Status(StrEnum):
    SETTLED = "settled"
    VOID = "void"
    REJECTED = "rejected"


class Outcome(StrEnum):
    WIN = "win"  # paid, stake back
    LOSE = "lose"  # collected on the result
    PUSH = "push"  # stake back, nothing won
    VOID = "void"  # stake back because hand or coup is null
    FORFEIT = "forfeit"  # collected for what the player did


class Comparison(StrEnum):
    WIN = "win"
    LOSE = "lose"
    TIE = "tie"
    FOLDED = "folded"
    DEALER_NOT_QUALIFIED = "dealer_not_qualified"
    VOID_HAND = "void_hand"


@dataclass(frozen=True, slots=True)
class BetResult:
    """One stake: what happens to it, and by which rule; odds and breakage (exact minus paid) where it was paid."""

    spot: str
    outcome: Outcome
    stake: int
    net: int
    rule: str
    odds: Odds | None = None
    breakage: Fraction | None = None

    @property
    def returned(self) -> int:
        return self.stake + self.net


@dataclass(frozen=True, slots=True)
class HandView:
    """A hand by name: its category and the ranks that break a tie."""

    category: str
    tiebreak: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class SeatResult:
    """All bets of one seat in the order they are paid; `hand` and `comparison` are None in a void coup."""

    seat: int
    bets: tuple[BetResult, ...]
    hand: HandView | None = None
    comparison: Comparison | None = None

    @property
    def stake(self) -> int:
        return sum(bet.stake for bet in self.bets)

    @property
    def net(self) -> int:
        return sum(bet.net for bet in self.bets)


@dataclass(frozen=True, slots=True)
class DealerResult:
    hand: HandView
    qualified: bool
    rule: str


class Spoken(Protocol):
    """Words said at the table, in French and English, and the rule that calls for them."""

    @property
    def say(self) -> str: ...
    @property
    def english(self) -> str: ...
    @property
    def rule(self) -> str: ...
    @property
    def seat(self) -> int | None: ...


@dataclass(frozen=True, slots=True)
class Settlement:
    """A finished coup; seats stand in the order in which the dealer settles them (TCF-51)."""

    status: Status
    seats: tuple[SeatResult, ...]
    dealer: DealerResult | None = None
    announcements: tuple[Spoken, ...] = ()
    rule: str = ""  # of a void coup: why

    @property
    def bank_net(self) -> int:
        """What the bank gains: the mirror of all seats."""
        return -sum(seat.net for seat in self.seats)
