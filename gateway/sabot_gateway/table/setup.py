"""What a table is told before it can understand anything: its game and rules, its registers, its patience.

Reference data, shared between states and never changed by play; the registers
change by operator facts, between coups.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from sabot_gateway.model.game import Game
from sabot_gateway.model.person import Person
from sabot_gateway.model.tag import CardTag, Chip, Deck, Tag
from sabot_gateway.rules.ruleset import Ruleset


@dataclass(frozen=True, slots=True)
class Timing:
    """How long the table waits before it says something, in milliseconds. House settings, no law."""

    lamps_ms: int = 2_000  # a lamp picture unconfirmed for longer is a broken lamp or link
    stall_ms: int = 180_000  # one phase of a coup without an end
    authority_ms: int = 20_000  # how long a table head's badge stands behind the keys he presses
    fastest_ms: int = 10_000  # from the closing of the bets to the last payment: hardly played by the book
    slowest_ms: int = 600_000
    clock_ms: int = 2_000  # times further off than this do not line up with video
    ahead_min: int = 0  # minutes that the house's clock is ahead of UTC, for the hours of its séances


@dataclass(frozen=True, slots=True)
class Fitted:
    """Which optional sensors this table has."""

    rack: bool = True  # the discard rack is read
    seats: bool = False  # chairs tell whether somebody sits there
    seat_readers: Mapping[int, int] = field(default_factory=lambda: NO_READERS)  # reader number to seat; 0: the dealer
    tray: bool = False  # the float in the dealer's tray is read
    shuffler: bool = False  # an automatic shuffler stands at the table
    stacks: bool = False  # hold'em: each player's stack is read
    pot: bool = False  # hold'em: the pot is read
    slot: bool = False  # hold'em: what goes into the cagnotte is read


NO_READERS: Final[Mapping[int, int]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class TableSetup:
    """`chips`, `cards`, `badges` are the registers of the house as this table needs them."""

    table: str
    ruleset: Ruleset
    chips: Mapping[Tag, Chip] = field(default_factory=dict)
    cards: Mapping[Tag, CardTag] = field(default_factory=dict)
    decks: Mapping[str, Deck] = field(default_factory=dict)
    badges: Mapping[Tag, Person] = field(default_factory=dict)
    timing: Timing = Timing()
    fitted: Fitted = field(default_factory=Fitted)

    @property
    def game(self) -> Game:
        return self.ruleset.game

    @property
    def seats_total(self) -> int:
        total = self.ruleset.values["seats_total"]
        assert isinstance(total, int)
        return total
