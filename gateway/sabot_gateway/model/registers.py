"""The registers of the house as a table needs them: what a tag is. Data only."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from sabot_gateway.model.person import Person
from sabot_gateway.model.tag import CardTag, Chip, Deck, Tag


@dataclass(frozen=True, slots=True)
class Registers:
    """Chips, cards with their decks, and badges; replaced whole, never changed in place."""

    chips: Mapping[Tag, Chip] = field(default_factory=dict)
    cards: Mapping[Tag, CardTag] = field(default_factory=dict)
    decks: Mapping[str, Deck] = field(default_factory=dict)
    badges: Mapping[Tag, Person] = field(default_factory=dict)
