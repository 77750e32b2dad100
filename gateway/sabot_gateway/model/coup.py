"""A finished coup of a bank game: who sat where, the cards, the stakes and the decisions.

Facts only: whether a stake was legal or a hand wins is for the rules. The live
table and `sabot settle` both build these, so nothing here knows a file format.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from sabot_gateway.model.card import Card


class Void(StrEnum):
    """Why a coup was declared null."""

    CARD_COUNT = "card_count"
    COLLUSION = "collusion"
    MALFUNCTION = "malfunction"


class Decision(StrEnum):
    FOLD = "fold"
    RAISE = "raise"
    PLAY_PREFLOP = "play_preflop"
    PLAY_FLOP = "play_flop"
    PLAY_RIVER = "play_river"


class Spot(StrEnum):
    """Where a stake lies; `ante_bonus` is paid without a stake of its own (TCP-19)."""

    ANTE = "ante"
    BLIND = "blind"
    PLAY = "play"
    RAISE = "raise"
    BONUS = "bonus"
    ANTE_BONUS = "ante_bonus"
    PAIR_PLUS = "pair_plus"
    SIX_CARD = "six_card"
    TRIPS = "trips"
    BUY = "buy"


@dataclass(frozen=True, slots=True)
class Purchase:
    """STU-59: the cards laid aside and the cards drawn for them; the law knows one of each."""

    discards: tuple[Card, ...]
    drawn: tuple[Card, ...]


NO_BETS: Final[Mapping[str, int]] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class BankSeat:
    """One seat; `bets` maps spots to cents, where zero or absence is an empty spot."""

    seat: int
    cards: tuple[Card, ...] = ()
    bets: Mapping[str, int] = field(default_factory=lambda: NO_BETS)
    decision: Decision | None = None
    early_look: bool = False
    claims: frozenset[str] = frozenset()
    player: str | None = None
    standing: bool = False
    vacant: bool = False
    purchase: Purchase | None = None


@dataclass(frozen=True, slots=True)
class BankCoup:
    """One coup against the bank, with the cards exactly as dealt."""

    seats: tuple[BankSeat, ...]
    dealer: tuple[Card, ...]
    board: tuple[Card, ...] = ()
    burned: tuple[Card, ...] = ()
    void: Void | None = None
