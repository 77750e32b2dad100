"""Is the deck fit to play? 52 different cards, new where the law wants new ones, shuffled as it says.

Judges what was counted and confirmed; how a deck is counted is no concern of this file.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from sabot_gateway.model.card import DECK, Card
from sabot_gateway.model.game import Game
from sabot_gateway.rules.rejection import Fault

SHUFFLES: Final = 5  # TCF-07: "mélangé cinq fois"
CUTS: Final = 2  # TCF-07: "coupé deux fois"; the player's cut comes after them


@dataclass(frozen=True, slots=True)
class DeckState:
    """A counted deck and how it came to the table."""

    cards: tuple[Card, ...]
    session_start: bool = False
    new_cards: bool = False
    auto_shuffler: bool = False
    decks: int = 1
    back_colours: tuple[str, ...] = ()


def check_deck(game: Game, deck: DeckState) -> tuple[Fault, ...]:
    """Why the deck may not be shuffled; empty when it may."""
    faults: list[Fault] = []
    if not is_whole(deck.cards):
        faults.append(Fault("DECK_NOT_52_DISTINCT", WHOLE_DECK[game], detail=len(set(deck.cards))))
    if game in _NEW_CARDS and deck.session_start and not deck.new_cards:
        faults.append(Fault("CARDS_NOT_NEW", _NEW_CARDS[game]))
    if game in _TWO_DECKS and deck.auto_shuffler and not _has_two_colours(deck):
        faults.append(Fault("TWO_DECKS_TWO_COLOURS", _TWO_DECKS[game]))
    return tuple(faults)


def check_shuffle(game: Game, shuffles: int, cuts: int) -> tuple[Fault, ...]:
    """TCF-07, STU-07: a deck shuffled by hand is shuffled five times and cut twice; other texts give no figure."""
    if game not in _SHUFFLE or (shuffles >= SHUFFLES and cuts >= CUTS):
        return ()
    said = f"The deck was shuffled {shuffles} times and cut {cuts} times."
    return (Fault("SHUFFLE_INCOMPLETE", _SHUFFLE[game], sentence=said),)


def is_whole(cards: Sequence[Card]) -> bool:
    """Each of the 52 cards exactly once."""
    return len(cards) == len(DECK) and len(set(cards)) == len(DECK)


def _has_two_colours(deck: DeckState) -> bool:
    return deck.decks == 2 and len(deck.back_colours) == 2 and len(set(deck.back_colours)) == 2


WHOLE_DECK: Final[Mapping[Game, str]] = MappingProxyType(
    {Game.TCF: "TCF-01", Game.STU: "STU-01", Game.TCP: "TCP-07", Game.THE: "THE-01", Game.UTH: "UTH-01"}
)
# Only these two articles ask for new cards; hold'em and ultimate ask for perfect condition (THE-02, UTH-02).
_NEW_CARDS: Final[Mapping[Game, str]] = MappingProxyType({Game.TCF: "TCF-02", Game.STU: "STU-02"})
_SHUFFLE: Final[Mapping[Game, str]] = MappingProxyType({Game.TCF: "TCF-07", Game.STU: "STU-07"})
_TWO_DECKS: Final[Mapping[Game, str]] = MappingProxyType({Game.THE: "THE-06", Game.UTH: "UTH-06"})
