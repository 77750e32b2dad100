"""What the rule catalogue is made of: rules, ambiguities, the words they quote, the choices they leave.

Owns the shapes only. Must not know where the data lies or how it is written down.
Invariant: a rule rests on words of its document, on the resolution of an ambiguity, or on both.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NewType

from sabot_gateway.model.game import Game
from sabot_gateway.rules.vocabulary import Language

RuleId = NewType("RuleId", str)  # "TCF-69"
AmbiguityId = NewType("AmbiguityId", str)  # "A-TCF-05"


class Mark(StrEnum):
    """What Sabot does about a rule; the preamble says it in full."""

    OBSERVE = "OBSERVE"
    ENFORCE = "ENFORCE"
    COMPUTE = "COMPUTE"
    ASSIST = "ASSIST"
    OUT_OF_SENSOR_SCOPE = "OUT-OF-SENSOR-SCOPE"


class Latitude(StrEnum):
    """How much an ambiguity, or one of its keys, leaves to the house."""

    FIXED = "FIXED"
    CONFIG = "CONFIG"
    REQUIRED = "REQUIRED"


@dataclass(frozen=True, slots=True)
class Wording:
    """The same thing said in English and in French."""

    en: str
    fr: str

    def said_in(self, language: Language) -> str:
        return self.fr if language is Language.FR else self.en


@dataclass(frozen=True, slots=True)
class Quote:
    """Original words, the line of the kept text on which they stand, and the sentence around them."""

    line: int
    words: str
    sentence: str


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. When `derived` is set it is our resolution, never to be shown as the letter of the regulation."""

    id: RuleId
    game: Game
    mark: Mark
    sentence: Wording
    check: str
    quotes: tuple[Quote, ...]
    derived: AmbiguityId | None


@dataclass(frozen=True, slots=True)
class Section:
    title: Wording
    rules: tuple[Rule, ...]


@dataclass(frozen=True, slots=True)
class Book:
    """The rules of one game, in sections, with the document they come from and its lines as kept."""

    game: Game
    title: Wording
    document: Wording
    text: str
    lines: tuple[str, ...]
    sections: tuple[Section, ...]

    @property
    def rules(self) -> tuple[Rule, ...]:
        return tuple(rule for section in self.sections for rule in section.rules)


@dataclass(frozen=True, slots=True)
class Choice:
    """A ruleset key that an ambiguity gave rise to: its literal `values`, or the `domain` of an open one."""

    key: str
    latitude: Latitude
    values: tuple[str, ...]
    domain: str | None
    default: str | None


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """A place where a text is silent or contradicts itself, and what is done about it."""

    id: AmbiguityId
    latitude: Latitude
    title: Wording
    resolution: Wording
    choices: tuple[Choice, ...]
    rules: tuple[RuleId, ...]


@dataclass(frozen=True, slots=True)
class Preamble:
    """What the catalogue's own words mean."""

    marks: Mapping[Mark, Wording]
    latitudes: Mapping[Latitude, Wording]
    principles: Mapping[str, Wording]
    outcomes: Mapping[str, Wording]


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Everything, by id, in the order of the documents."""

    preamble: Preamble
    books: Mapping[Game, Book]
    rules: Mapping[RuleId, Rule]
    ambiguities: Mapping[AmbiguityId, Ambiguity]

    def ambiguities_of(self, rule: RuleId) -> tuple[Ambiguity, ...]:
        """The ambiguities that touch a rule, the one it is derived from first."""
        derived = self.rules[rule].derived
        touching = [item for item in self.ambiguities.values() if rule in item.rules]
        return tuple(sorted(touching, key=lambda item: item.id != derived))
