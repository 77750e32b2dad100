"""The vocabulary of texas hold'em: streets, actions, the coup as it was played, and its settlement.

Data only. Seats are numbered clockwise; money is integer cents; an amount named
`to` is a player's total on the street, not what he adds. Every result names the
rule that decided it. Nothing here judges whether an action was legal.
"""

from dataclasses import dataclass
from enum import StrEnum

from sabot_gateway.model.card import Card
from sabot_gateway.model.coup import Void
from sabot_gateway.model.settlement import Comparison, HandView, Outcome, Status


class Street(StrEnum):
    """The four betting rounds, in order."""

    PREFLOP = "preflop"
    FLOP = "flop"
    TURN = "turn"
    RIVER = "river"


class Act(StrEnum):
    FOLD = "fold"
    CHECK = "check"
    CALL = "call"
    BET = "bet"  # "ouvrir": the first stake of a round
    RAISE = "raise"
    ALLIN = "allin"


class Version(StrEnum):
    """The version of hold'em practised, which alone fixes the size of raises (THE-60)."""

    LIMIT = "limit"
    POT_LIMIT = "pot_limit"
    NO_LIMIT = "no_limit"


class MinRaise(StrEnum):
    LAST_RAISE = "last_raise"
    DOUBLE = "double"


class HeadsUp(StrEnum):
    LITERAL = "literal"
    STANDARD = "standard"


class OptionAction(StrEnum):
    STRADDLE = "straddle"
    LITERAL = "literal"


class ShowdownFirst(StrEnum):
    FIRST_RAISER = "first_raiser"
    FIRST_AGGRESSOR = "first_aggressor"
    LAST_AGGRESSOR = "last_aggressor"


class OddChip(StrEnum):
    LEFT_OF_BUTTON = "left_of_button"
    LOWEST_SEAT = "lowest_seat"
    ALL_TO_FIRST = "all_to_first"


class RakeBasis(StrEnum):
    EACH_POT = "each_pot"
    TOTAL = "total"


@dataclass(frozen=True, slots=True)
class Action:
    """What a player did; `to` is needed for a bet or a raise and may repeat the amount of a call or an all-in."""

    street: Street
    seat: int
    act: Act
    to: int | None = None


@dataclass(frozen=True, slots=True)
class OptionPost:
    """The third blind, where a player posted one; without an amount it is the due one."""

    seat: int
    amount: int | None = None


@dataclass(frozen=True, slots=True)
class HoldemSeat:
    """One seat as the coup found it; `cards` is None where nobody recorded them, `contributed` only without actions."""

    seat: int
    stack: int | None = None
    cards: tuple[Card, ...] | None = None
    contributed: int | None = None
    folded: bool = False
    absent: bool = False
    vacant: bool = False
    standing: bool = False
    new: bool = False
    player: str | None = None


@dataclass(frozen=True, slots=True)
class HoldemCoup:
    """A finished coup. `actions` is None where only contributions and folds are known."""

    button: int
    seats: tuple[HoldemSeat, ...]
    board: tuple[Card, ...] = ()
    actions: tuple[Action, ...] | None = None
    option: OptionPost | None = None
    void: Void | None = None
    burned: tuple[Card, ...] = ()


@dataclass(frozen=True, slots=True)
class Uncalled:
    """The part of a bet that nobody matched (THE-114)."""

    seat: int
    amount: int


@dataclass(frozen=True, slots=True)
class Pot:
    """Chips that the same players can win; `eligible` in ascending seat order."""

    amount: int
    eligible: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PotResult:
    """One pot handed out: `sum(shares) + rake == amount`; winners ascending, shares beside them."""

    pot: Pot
    rake: int
    winners: tuple[int, ...]
    shares: tuple[int, ...]
    rule: str

    @property
    def net(self) -> int:
        return self.pot.amount - self.rake


@dataclass(frozen=True, slots=True)
class Showdown:
    """Who shows, in order; empty where nobody has to."""

    order: tuple[int, ...] = ()
    rule: str = ""


@dataclass(frozen=True, slots=True)
class HoldemSeatResult:
    """What one player staked in all and got back; `hand` only where it was shown."""

    seat: int
    outcome: Outcome
    stake: int
    returned: int
    rule: str
    comparison: Comparison | None = None
    hand: HandView | None = None

    @property
    def net(self) -> int:
        return self.returned - self.stake


@dataclass(frozen=True, slots=True)
class HoldemSettlement:
    """A decided coup: `sum(returned) + rake_total == sum(stake)` always (THE-111)."""

    status: Status
    seats: tuple[HoldemSeatResult, ...]
    pots: tuple[PotResult, ...] = ()
    uncalled: Uncalled | None = None
    showdown: Showdown = Showdown()
    rule: str = ""  # of a void coup: why

    @property
    def rake_total(self) -> int:
        return sum(result.rake for result in self.pots)
