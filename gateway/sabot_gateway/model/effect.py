"""What the table asks the world to do: imperatives, performed after the step and journaled as decisions."""

from dataclasses import dataclass, field

from sabot_gateway.model.alert import Alert
from sabot_gateway.model.coup import BankCoup
from sabot_gateway.model.felt import Colour, FeltSpot, Pattern
from sabot_gateway.model.game import Game
from sabot_gateway.model.holdem import HoldemCoup, HoldemSettlement
from sabot_gateway.model.settlement import Settlement


@dataclass(frozen=True, slots=True)
class Lamp:
    """One lit lamp; a picture lists them in the rule book's payment order, all others are dark."""

    seat: int
    spot: FeltSpot
    colour: Colour
    pattern: Pattern
    amount_cents: int | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the dealer's display."""

    fr: str
    en: str


@dataclass(frozen=True, slots=True)
class SetLamps:
    """The complete picture, never a difference."""

    revision: int
    picture: tuple[Lamp, ...]
    display: tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class RaiseAlert:
    """A new alert, or one that repeated (its count says so)."""

    alert: Alert


@dataclass(frozen=True, slots=True)
class ClearAlert:
    """An alert is over; `by` names who cleared or overrode it, empty when it was corrected."""

    alert: str
    how: str
    by: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class RecordSettlement:
    """The decision on a coup with its evidence; the cards are for the journal and show in no text."""

    number: int
    game: Game
    coup: BankCoup | HoldemCoup = field(repr=False)
    settlement: Settlement | HoldemSettlement = field(repr=False)
    ruleset: str = ""
    ruleset_sha256: str = ""
    rules: tuple[str, ...] = ()
    by: str = ""  # who confirmed or voided it, where a person had to


@dataclass(frozen=True, slots=True)
class RecordDecision:
    """A change of phase or another conclusion worth a line in the recall of a coup."""

    number: int
    kind: str
    detail: tuple[tuple[str, int | str], ...] = ()


@dataclass(frozen=True, slots=True)
class StartTimer:
    """Send `TimerFired(timer, token)` after so many milliseconds; a new token replaces the old timer."""

    timer: str
    token: int
    after_ms: int


@dataclass(frozen=True, slots=True)
class CancelTimer:
    timer: str


Effect = SetLamps | RaiseAlert | ClearAlert | RecordSettlement | RecordDecision | StartTimer | CancelTimer
