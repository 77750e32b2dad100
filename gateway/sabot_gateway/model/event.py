"""Everything that can happen to a table, as past-tense facts.

Three sources: a controller (what its sensors saw), the link to it (what became
of its messages), and a person at a console (what no sensor can see). An event
carries its own time; the core has no clock. `device`, `boot` and `seq` number it
at its source, so that a resent fact is known for what it is; seq 0 is unnumbered.

Facts only: whether something was allowed is for the table to say.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from sabot_gateway.model.card import Card
from sabot_gateway.model.coup import Decision, Void
from sabot_gateway.model.felt import DeviceFault, Doubt, FeltSpot, Key
from sabot_gateway.model.person import Person
from sabot_gateway.model.tag import CardTag, Chip, Deck, Tag


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """The lead of every event."""

    at_ms: int = 0
    device: str = ""
    boot: int = 0
    seq: int = 0


# What a controller saw.


@dataclass(frozen=True, slots=True)
class CardScanned(Fact):
    """A card passed a reader; reader 0 is the shoe, others are seat readers where fitted."""

    reader: int
    tag: Tag


@dataclass(frozen=True, slots=True)
class CardDoubted(Fact):
    reader: int
    tags: tuple[Tag, ...]
    reason: Doubt


@dataclass(frozen=True, slots=True)
class ChipsRead(Fact):
    """The whole stable content of one spot."""

    seat: int
    spot: FeltSpot
    tags: tuple[Tag, ...]


@dataclass(frozen=True, slots=True)
class ChipsDoubted(Fact):
    seat: int
    spot: FeltSpot
    tags: tuple[Tag, ...]
    reason: Doubt


@dataclass(frozen=True, slots=True)
class KeyPressed(Fact):
    """The dealer's keypad; seat 0 is the table itself."""

    key: Key
    seat: int = 0


@dataclass(frozen=True, slots=True)
class BadgeRead(Fact):
    tag: Tag


@dataclass(frozen=True, slots=True)
class CutCardSeen(Fact):
    """The blue cut card passed the shoe."""


@dataclass(frozen=True, slots=True)
class DiscardRead(Fact):
    """The whole stable content of the discard rack."""

    tags: tuple[Tag, ...]


@dataclass(frozen=True, slots=True)
class SeatSensed(Fact):
    seat: int
    occupied: bool


@dataclass(frozen=True, slots=True)
class LampsApplied(Fact):
    revision: int


@dataclass(frozen=True, slots=True)
class DoorMoved(Fact):
    open: bool


@dataclass(frozen=True, slots=True)
class DeviceFaulted(Fact):
    """Something in the controller broke (`active`), or works again."""

    code: DeviceFault
    part: int
    active: bool


# What became of the link.


@dataclass(frozen=True, slots=True)
class LinkLost(Fact):
    pass


@dataclass(frozen=True, slots=True)
class LinkRestored(Fact):
    pass


@dataclass(frozen=True, slots=True)
class LinkGap(Fact):
    """Events of these numbers will never come (or came too late)."""

    first: int
    last: int


@dataclass(frozen=True, slots=True)
class ControllerRebooted(Fact):
    cause: str


@dataclass(frozen=True, slots=True)
class ClockSkewed(Fact):
    """How far the controller's clock was from the gateway's when it was set."""

    off_ms: int


@dataclass(frozen=True, slots=True)
class ServiceResumed(Fact):
    """The gateway came back; `complete` when its journal shows that nothing was missed."""

    complete: bool


@dataclass(frozen=True, slots=True)
class TimerFired(Fact):
    """A timer that the table asked for ran out; a token that is no longer current means nothing."""

    timer: str
    token: int


# What a person declared at a console. `by` is a person's id, already authorised.


@dataclass(frozen=True, slots=True)
class CoupVoided(Fact):
    by: str
    cause: Void


@dataclass(frozen=True, slots=True)
class AlertOverridden(Fact):
    """The table head lets play go on in spite of an alert."""

    by: str
    alert: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class AlertCleared(Fact):
    """Somebody with the right to do so has dealt with an alert."""

    by: str
    alert: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class HandConfirmed(Fact):
    """In review: the cards of one hand as the table head reads them; seat 0 is the dealer, -1 the board."""

    by: str
    seat: int
    cards: tuple[Card, ...]
    decision: Decision | None = None


@dataclass(frozen=True, slots=True)
class PlayerSeated(Fact):
    seat: int
    player: str = ""


@dataclass(frozen=True, slots=True)
class PlayerLeft(Fact):
    seat: int


@dataclass(frozen=True, slots=True)
class PlayerAbsent(Fact):
    seat: int


@dataclass(frozen=True, slots=True)
class PlayerReturned(Fact):
    seat: int


@dataclass(frozen=True, slots=True)
class PlayerWaiting(Fact):
    """THE-23: somebody put his name on the waiting list."""

    player: str


@dataclass(frozen=True, slots=True)
class PlayerCalled(Fact):
    """THE-24: a name of the waiting list was called; `answered` when he came."""

    player: str
    answered: bool


@dataclass(frozen=True, slots=True)
class Recaved(Fact):
    """THE-38: a player brought chips; also his first cave (THE-34)."""

    seat: int
    amount_cents: int


@dataclass(frozen=True, slots=True)
class StakeConsigned(Fact):
    """THE-29: the table head put an absent player's chips aside in his name, and his seat is free."""

    by: str
    seat: int
    amount_cents: int


@dataclass(frozen=True, slots=True)
class ConsignmentClaimed(Fact):
    """THE-30: a player came for the chips that were put aside in his name."""

    by: str
    player: str


@dataclass(frozen=True, slots=True)
class ButtonPlaced(Fact):
    """THE-41: where the button stands after the draw."""

    seat: int


@dataclass(frozen=True, slots=True)
class RakeDropped(Fact):
    """THE-110: what went into the cagnotte, where no sensor reads the slot."""

    amount_cents: int


@dataclass(frozen=True, slots=True)
class DeckRegistered(Fact):
    """A deck of the house with its tags."""

    deck: Deck
    cards: Mapping[Tag, CardTag]


@dataclass(frozen=True, slots=True)
class ChipsRegistered(Fact):
    chips: Mapping[Tag, Chip]


@dataclass(frozen=True, slots=True)
class BadgeRegistered(Fact):
    tag: Tag
    person: Person | None  # None: the badge was taken back


@dataclass(frozen=True, slots=True)
class FloatDeclared(Fact):
    """UTH-08: the table's float at the opening, where its tray is not read."""

    amount_cents: int


RegisterEvent = DeckRegistered | ChipsRegistered | BadgeRegistered
DeviceEvent = (
    CardScanned
    | CardDoubted
    | ChipsRead
    | ChipsDoubted
    | KeyPressed
    | BadgeRead
    | CutCardSeen
    | DiscardRead
    | SeatSensed
    | LampsApplied
    | DoorMoved
    | DeviceFaulted
)
LinkEvent = LinkLost | LinkRestored | LinkGap | ControllerRebooted | ClockSkewed | ServiceResumed | TimerFired
OperatorEvent = (
    CoupVoided
    | AlertOverridden
    | AlertCleared
    | HandConfirmed
    | PlayerSeated
    | PlayerLeft
    | PlayerAbsent
    | PlayerReturned
    | PlayerWaiting
    | PlayerCalled
    | Recaved
    | StakeConsigned
    | ConsignmentClaimed
    | ButtonPlaced
    | RakeDropped
    | DeckRegistered
    | ChipsRegistered
    | BadgeRegistered
    | FloatDeclared
)
Event = DeviceEvent | LinkEvent | OperatorEvent
