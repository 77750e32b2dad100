"""One simulated table with everybody at it: the rig, the things on the felt, players, dealer, table head.

Owns who and what is there. What they do in which order is the business of
`opening`, `bank_coup` and `holdem_coup`; mischief comes in at the stages that those pass.
"""

from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from random import Random
from typing import Any

from sabot_tools.twin.book import Book, Expected
from sabot_tools.twin.chip import Tray, TrayEmptyError
from sabot_tools.twin.deck import Deck
from sabot_tools.twin.felt import Felt
from sabot_tools.twin.rig import Rig, StuckError
from sabot_tools.twin.temperament import Temperament


class Stage(StrEnum):
    """The moments of a coup at which somebody may get an idea."""

    IDLE = "idle"  # between coups
    STAKED = "staked"  # the stakes lie, the bets are still open
    CLOSED = "closed"  # rien ne va plus; at hold'em the first round of betting is over, and a flop will be laid
    DEALING = "dealing"  # some cards are out
    DEALT = "dealt"  # the decisions begin
    DECIDED = "decided"
    SHOWN = "shown"  # the dealer's hand lies open, the payments begin
    PAID = "paid"
    CLEARED = "cleared"  # the cards are back


@dataclass(frozen=True, slots=True)
class Staff:
    """Badges."""

    dealer: bytes
    head: bytes
    relief_dealer: bytes = b""
    relief_head: bytes = b""

    def relieved(self, is_dealer: bool) -> "Staff":
        """The same people with one of them in the other's place."""
        if is_dealer:
            return Staff(self.relief_dealer, self.head, self.dealer, self.relief_head)
        return Staff(self.dealer, self.relief_head, self.relief_dealer, self.head)


@dataclass(slots=True)
class Player:
    """Somebody at a seat; what he has in his purse lies outside of every antenna."""

    seat: int
    temper: Temperament
    purse: Tray = field(default_factory=Tray)


Mischief = Callable[["Table", Stage, Any], Awaitable[None]]


async def _honest(_table: "Table", _stage: Stage, _coup: object) -> None:
    return


@dataclass(slots=True)
class Table:
    name: str
    game: str
    values: Mapping[str, object]  # of the ruleset
    rig: Rig
    felt: Felt
    deck: Deck
    bank: Tray
    players: list[Player]
    staff: Staff
    chance: Random
    book: Book
    mischief: Mischief = _honest
    has_shuffler: bool = False
    is_again: bool = False  # its controller has run before
    is_taken_over: bool = False  # somebody was interrupted at it: what is left of that had other causes
    withdrawn: bytes = b""  # a chip of the house that is out of service
    other_deck: bytes = b""  # a card of another deck of the house
    stall_ms: int = 180_000  # how long one phase may take, and a whole coup, before the gateway says so
    slowest_ms: int = 600_000
    is_by_wall: bool = False  # the gateway's timers run by the clock on the wall, not by the table's own
    button: int = 0
    coups: int = 0  # finished

    def player(self, seat: int) -> Player:
        return next(player for player in self.players if player.seat == seat)

    async def at(self, stage: Stage, coup: object = None) -> None:
        """A moment at which something may go wrong."""
        await self.mischief(self, stage, coup)

    @contextmanager
    def named(self) -> Iterator[None]:
        """Whatever ends the night in here says at which table."""
        try:
            yield
        except (StuckError, TrayEmptyError) as error:
            raise type(error)(f"{self.name}: {error}") from error

    def expect(self, code: str, seat: int | None = None, spot: str | None = None) -> None:
        """Somebody gives cause for this alert."""
        self.book.expect(Expected(self.name, code, seat, spot))
