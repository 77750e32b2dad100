"""The name of each spot on the felt of a game: what its box is called wherever people read it.

One name for the drawn felt, the pages, the alerts, the log and the dealer's display. French is the word of the
document that governs the game: the same box is JOUER at poker trois cartes (TCF-42) and Play at ultimate hold'em
(UTH-20). English keeps one word for all games, the word of the code.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from sabot_gateway.model.felt import FeltSpot
from sabot_gateway.model.game import Game
from sabot_gateway.rules.vocabulary import Language


def spot_name(spot: str, game: Game | None, language: Language) -> str:
    """`Jouer`; a word that is no spot is given back as it is, without underscores."""
    if language is Language.FR and game is not None:
        own = _OWN_FRENCH.get((game, spot))
        if own is not None:
            return own
    french, english = SPOT_NAMES.get(spot) or (spot.replace("_", " "),) * 2
    return french if language is Language.FR else english


def spot_label(spot: str, game: Game | None, language: Language) -> str:
    """The name in capitals, as the felt prints it and as it stands out in a sentence."""
    return spot_name(spot, game, language).upper()


# Where the document of no game decides, French first.
SPOT_NAMES: Final[Mapping[str, tuple[str, str]]] = MappingProxyType(
    {
        FeltSpot.ANTE: ("Ante", "Ante"),
        FeltSpot.PLAY: ("Play", "Play"),
        FeltSpot.RAISE: ("Relance", "Raise"),
        FeltSpot.BONUS: ("Bonus", "Bonus"),
        FeltSpot.PAIR_PLUS: ("Paire Plus", "Pair Plus"),
        FeltSpot.SIX_CARD: ("Boni 6 cartes", "Six Card"),  # TCP-04
        FeltSpot.BLIND: ("Blind", "Blind"),
        FeltSpot.TRIPS: ("Trips", "Trips"),
        FeltSpot.BUY: ("Achat", "Buy"),
        FeltSpot.BET: ("Mise", "Bet"),
        FeltSpot.STACK: ("Tapis", "Stack"),
        FeltSpot.POT: ("Pot", "Pot"),
        FeltSpot.RAKE: ("Cagnotte", "Rake"),
        FeltSpot.FLOAT: ("Avance", "Float"),
    }
)
# Where a document has another word for the box.
_OWN_FRENCH: Final[Mapping[tuple[Game, str], str]] = MappingProxyType(
    {
        (Game.TCF, FeltSpot.ANTE): "Mise",  # TCF-40: "à hauteur de la case MISE"
        (Game.TCF, FeltSpot.PLAY): "Jouer",  # TCF-42: "sur la case JOUER"
        (Game.TCP, FeltSpot.ANTE): "Mise initiale",  # TCP-08
        (Game.TCP, FeltSpot.PLAY): "Relance",  # TCP-12
        (Game.TCP, FeltSpot.PAIR_PLUS): "Paire ou plus",  # TCP-04
    }
)
