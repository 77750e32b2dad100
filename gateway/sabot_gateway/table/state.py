"""The state of one table: small frozen parts, shared between one state and the next.

Five small machines stand side by side: the séance, the shoe, the coup, the links
and, laid over them, the review. The felt (what lies where) and the staff are
plain levels. Mappings are never changed in place: a step copies the one it changes.

Invariant: everything here can be written to a snapshot and read back equal.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final, Protocol

from sabot_gateway.model.alert import Alert
from sabot_gateway.model.coup import Decision, Void
from sabot_gateway.model.effect import Lamp, Line
from sabot_gateway.model.event import RegisterEvent
from sabot_gateway.model.felt import FeltSpot
from sabot_gateway.model.holdem import HoldemSettlement
from sabot_gateway.model.settlement import Outcome, Settlement
from sabot_gateway.model.tag import Tag
from sabot_gateway.table.holdem_state import HoldemHand, Party
from sabot_gateway.table.sealed import Hand, SealedCard
from sabot_gateway.table.setup import TableSetup

Place = tuple[int, FeltSpot]  # a seat and a spot before it; seat 0 is the table


class SeancePhase(StrEnum):
    CLOSED = "closed"
    OPENING = "opening"  # the table head has opened; deck, float and limits are being checked
    OPEN = "open"
    LAST_HANDS = "last_hands"  # THE-112


class ShoePhase(StrEnum):
    EMPTY = "empty"  # no deck, or one that must be counted again
    COUNTING = "counting"
    COUNTED = "counted"  # whole, and not shuffled since
    SHUFFLED = "shuffled"
    READY = "ready"


class CoupPhase(StrEnum):
    IDLE = "idle"
    BETTING = "betting"
    DEALING = "dealing"
    DECIDING = "deciding"
    REVEALING = "revealing"
    PAYING = "paying"
    CLEARING = "clearing"


class LinkPhase(StrEnum):
    ONLINE = "online"
    LOST = "lost"


class ReviewCause(StrEnum):
    """Why the evidence of a coup has a hole."""

    CONTROLLER_LOST = "controller_lost"
    CONTROLLER_REBOOTED = "controller_rebooted"
    DEVICE_FAULT = "device_fault"
    EVENTS_MISSING = "events_missing"
    SERVICE_INTERRUPTED = "service_interrupted"
    CARD_DOUBTFUL = "card_doubtful"
    UNKNOWN_CARD = "unknown_card"
    TOO_FEW_CARDS = "too_few_cards"
    DISCARD_NOT_SEEN = "discard_not_seen"
    CANNOT_SETTLE = "cannot_settle"


@dataclass(frozen=True, slots=True)
class Seance:
    phase: SeancePhase = SeancePhase.CLOSED
    number: int = 0
    opened_ms: int = 0
    float_cents: int | None = None
    announced: bool = False  # the limits have been announced
    deck_checked: bool = False  # a deck has been counted in this séance
    hands_since: int = 0  # coups finished since the last hands were announced
    waiting: tuple[str, ...] = ()  # THE-23


@dataclass(frozen=True, slots=True)
class Shoe:
    """The deck in use and the one before it in this séance; `rack` is what the discard rack holds now."""

    phase: ShoePhase = ShoePhase.EMPTY
    deck: str = ""
    other: str = ""
    cutter: int = 0
    cut_card: bool = False
    refused: frozenset[int] = frozenset()  # TCF-10: seats that would not cut
    rack: frozenset[Tag] = frozenset()


@dataclass(frozen=True, slots=True)
class Pile:
    """The chips of one spot and what they are worth; only chips in play count."""

    tags: frozenset[Tag]
    cents: int


@dataclass(frozen=True, slots=True)
class SeatState:
    """Who sits there; the sensor in the chair and the register of players speak separately."""

    player: str = ""
    taken: bool = False
    absent: bool = False
    absent_ms: int = 0
    stack_cents: int = 0  # chips brought by cave and recave, where the stack is not read


@dataclass(frozen=True, slots=True)
class Staff:
    dealer: str = ""
    head: str = ""
    authority_ms: int = -1  # until when the table head's badge stands behind the keys


class DueStatus(StrEnum):
    PENDING = "pending"
    RIGHT = "right"  # the spot has held exactly what is due
    OVERRIDDEN = "overridden"


@dataclass(frozen=True, slots=True)
class Due:
    """What must lie on one spot in the end.

    `is_quiet`: not to be shown until claimed or closed (A-TCF-09). `is_shared`: several bets meet here, so a lost
    stake may look like the bonus that takes its place (TCP-19).
    """

    place: Place
    stake: int
    target: int
    outcome: Outcome
    rule: str
    status: DueStatus = DueStatus.PENDING
    is_quiet: bool = False
    is_shared: bool = False


@dataclass(frozen=True, slots=True)
class Coup:
    """One coup; `bets` are the frozen stakes, `served` counts the places of the plan that have their card."""

    number: int = 0
    phase: CoupPhase = CoupPhase.IDLE
    started_ms: int = 0
    closed_ms: int = 0  # when the bets closed: before that, a coup waits for its players
    phase_ms: int = 0
    players: tuple[int, ...] = ()
    excluded: frozenset[int] = frozenset()  # seats that the table head left out for an improper stake
    bets: Mapping[Place, int] = field(default_factory=lambda: NO_BETS)
    hands: Mapping[int, Hand] = field(default_factory=lambda: NO_HANDS)
    dealer: Hand = ()
    board: Hand = ()
    burned: Hand = ()
    drawn: Mapping[Tag, int | str] = field(default_factory=lambda: NO_CARDS)  # every card out of the shoe: whose
    served: int = 0
    last_drawn: SealedCard | None = None
    round: int = 0  # which decision round (UTH, THE have several)
    decisions: Mapping[int, Decision] = field(default_factory=lambda: NO_DECISIONS)
    checked: frozenset[int] = frozenset()  # seats that let this round pass
    bought: Mapping[int, Hand] = field(default_factory=lambda: NO_HANDS)  # STU-61: cards bought, open
    discarded: frozenset[SealedCard] = frozenset()  # STU-59: laid aside by buyers, once settled or confirmed
    looked: frozenset[int] = frozenset()
    claims: frozenset[Place] = frozenset()
    is_burning: bool = False  # TCF-34: the stub is being burned
    is_revealed: bool = False
    void: Void | None = None
    void_by: str = ""
    settlement: Settlement | HoldemSettlement | None = None
    dues: tuple[Due, ...] = ()
    claims_closed: bool = False
    holdem: HoldemHand | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """The last event taken from a controller, so that a resent one changes nothing."""

    phase: LinkPhase = LinkPhase.ONLINE
    boot: int = 0
    seq: int = 0


@dataclass(frozen=True, slots=True)
class Review:
    """Laid over a coup whose evidence has a hole: nothing settles until each hand is confirmed, or it is void."""

    cause: str
    since_ms: int
    confirmed: frozenset[int] = frozenset()
    by: str = ""


@dataclass(frozen=True, slots=True)
class Lamps:
    """The picture that stands, and the last revision the controller confirmed."""

    revision: int = 0
    applied: int = 0
    picture: tuple[Lamp, ...] = ()
    display: tuple[Line, ...] = ()


NO_BETS: Final[Mapping[Place, int]] = MappingProxyType({})
NO_HANDS: Final[Mapping[int, Hand]] = MappingProxyType({})
NO_CARDS: Final[Mapping[Tag, int | str]] = MappingProxyType({})
NO_DECISIONS: Final[Mapping[int, Decision]] = MappingProxyType({})
EMPTY: Final = Pile(frozenset(), 0)


@dataclass(frozen=True, slots=True)
class TableState:
    setup: TableSetup
    seance: Seance = Seance()
    shoe: Shoe = Shoe()
    coup: Coup = field(default_factory=Coup)
    review: Review | None = None
    felt: Mapping[Place, Pile] = field(default_factory=dict)
    seats: Mapping[int, SeatState] = field(default_factory=dict)
    staff: Staff = Staff()
    links: Mapping[str, Link] = field(default_factory=dict)
    alerts: Mapping[str, Alert] = field(default_factory=dict)
    lamps: Lamps = Lamps()
    timers: Mapping[str, int] = field(default_factory=dict)  # running timers and their tokens
    tokens: int = 0  # the last token given out
    button: int = 0  # hold'em
    party: Party = field(default_factory=Party)  # hold'em
    deferred: tuple[RegisterEvent, ...] = ()  # changes of the registers that wait for the end of the coup


class Table(Protocol):
    """What reads a table needs: a finished state, or the working copy of a step."""

    @property
    def setup(self) -> TableSetup: ...
    @property
    def seance(self) -> Seance: ...
    @property
    def shoe(self) -> Shoe: ...
    @property
    def coup(self) -> Coup: ...
    @property
    def review(self) -> Review | None: ...
    @property
    def felt(self) -> Mapping[Place, Pile]: ...
    @property
    def seats(self) -> Mapping[int, SeatState]: ...
    @property
    def staff(self) -> Staff: ...
    @property
    def alerts(self) -> Mapping[str, Alert]: ...
    @property
    def button(self) -> int: ...
    @property
    def party(self) -> Party: ...


def amount_at(table: Table, place: Place) -> int:
    """What lies on a spot now, in cents."""
    pile = table.felt.get(place)
    return pile.cents if pile is not None else 0
