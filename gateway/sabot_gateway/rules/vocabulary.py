"""The name of each combination, in the words of the document that governs the game.

Owns the vocabulary trap: the same French word names different hands in different
documents. A Québec "quinte" is a straight flush; a French "quinte" is a straight.
So a name is never given without its game. Must not know cards or how they rank.

Invariant: every game names every combination it can make, in both languages.
Words that a document never uses (the hold'em article names no combination) are
those of its sister articles.
"""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from sabot_gateway.model.game import Game


class Language(StrEnum):
    FR = "fr"
    EN = "en"


def category_name(game: Game, category: str, language: Language = Language.FR) -> str:
    """What people at a table of `game` call the combination `category` (its plain text value, or `mini_royal`)."""
    names = _ENGLISH if language is Language.EN else _FRENCH[game]
    return names[str(category)]


def named_categories(game: Game) -> tuple[str, ...]:
    """Every combination that can be announced or paid at `game`, weakest first."""
    return tuple(_FRENCH[game])


def _table(**names: str) -> Mapping[str, str]:
    return MappingProxyType(names)


# Article 55-21: "suite", "couleur", "suite couleur" (TCF-70, TCF-75).
_FRENCH_THREE: Final = _table(
    high_card="carte haute",
    pair="paire",
    flush="couleur",
    straight="suite",
    trips="brelan",
    straight_flush="suite couleur",
)

# Québec: three cards and the six-card bonus share their words (TCP-28 to TCP-37).
_QUEBEC: Final = _table(
    high_card="carte haute",
    pair="paire",
    two_pair="deux paires",
    flush="couleur",
    straight="séquence",
    trips="brelan",
    full_house="main pleine",
    quads="carré",
    straight_flush="quinte",
    mini_royal="mini royal",
    royal_flush="quinte royale",
)


def _french_five(royal_flush: str) -> Mapping[str, str]:
    return _table(
        high_card="carte haute",
        pair="paire",
        two_pair="deux paires",
        trips="brelan",
        straight="quinte",
        flush="couleur",
        full_house="full",
        quads="carré",
        straight_flush="quinte flush",
        royal_flush=royal_flush,
    )


_FRENCH: Final[Mapping[Game, Mapping[str, str]]] = MappingProxyType(
    {
        Game.TCF: _FRENCH_THREE,
        Game.STU: _french_five("quinte royale"),  # STU-72
        Game.TCP: _QUEBEC,
        Game.THE: _french_five("quinte flush royale"),
        Game.UTH: _french_five("quinte flush royale"),  # UTH-36
    }
)

_ENGLISH: Final = _table(
    high_card="high card",
    pair="pair",
    two_pair="two pair",
    trips="three of a kind",
    straight="straight",
    flush="flush",
    full_house="full house",
    quads="four of a kind",
    straight_flush="straight flush",
    mini_royal="mini royal",
    royal_flush="royal flush",
)
