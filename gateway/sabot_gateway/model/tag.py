"""RFID tags as the table knows them: a UID in hexadecimal, and what the registers say it is.

The border turns the wire's bytes into this text. A tag says nothing by itself;
only a register of the house gives it a meaning, and registers change between coups.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

from sabot_gateway.model.card import Card

Tag = NewType("Tag", str)


class ChipState(StrEnum):
    IN_PLAY = "in_play"
    WITHDRAWN = "withdrawn"  # taken out of service: lost, stolen, changed series
    FOREIGN = "foreign"  # known, but of another house, series or game


@dataclass(frozen=True, slots=True)
class Chip:
    """A chip or plaque of the register."""

    value_cents: int
    state: ChipState = ChipState.IN_PLAY


@dataclass(frozen=True, slots=True)
class CardTag:
    """A card of the register: its face, and the deck it belongs to."""

    card: Card
    deck: str


@dataclass(frozen=True, slots=True)
class Deck:
    """A deck of the register: `uses` counts the séances it has served (TCF-02)."""

    name: str
    colour: str = ""
    uses: int = 0
