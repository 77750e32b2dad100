"""What the dealer's display says of an alert that holds the coup up: a few words, for a line of forty bytes.

English is the alert's own code in plain words; French has words of its own. A test walks every alert that holds
something, and measures the line.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final


def short_words(code: str) -> tuple[str, str]:
    """French and English; a code that has no French here is said in English."""
    english = code.replace("_", " ").lower()
    return FRENCH.get(code, english), english


FRENCH: Final[Mapping[str, str]] = MappingProxyType(
    {
        "LATE_BET": "mise tardive",
        "CAPPED_BET": "mise augmentée",
        "BET_REDUCED": "mise réduite",
        "BET_REMOVED": "mise retirée",
        "UNDER_LIMIT": "sous le minimum",
        "OVER_LIMIT": "au-dessus du maximum",
        "UNEQUAL_ANTE_BLIND": "Ante et Blind inégales",
        "WRONG_BONUS_AMOUNT": "mise de bonus fausse",
        "BET_WITHOUT_HAND": "pas de mise initiale",
        "BET_ON_VACANT_SEAT": "mise sur place vacante",
        "IMPROPER_STAKE": "mise irrégulière",
        "WRONG_RAISE": "relance fausse",
        "RAISE_TOO_EARLY": "relance trop tôt",
        "RAISE_CHANGED": "relance changée",
        "PLAY_AFTER_FOLD": "mise devant main passée",
        "BET_BEFORE_NO_HAND": "mise sans main",
        "UNKNOWN_CHIP": "jeton inconnu",
        "FOREIGN_CHIP": "jeton étranger",
        "WITHDRAWN_CHIP": "jeton retiré du service",
        "DUPLICATE_CHIP": "jeton en double",
        "CHIP_ON_TWO_SPOTS": "jeton sur deux cases",
        "CHIPS_DOUBTFUL": "jetons douteux",
        "UNKNOWN_CARD": "carte inconnue",
        "DUPLICATE_CARD": "carte en double",
        "CARD_OF_ANOTHER_DECK": "carte d'un autre jeu",
        "CARD_BEFORE_BETS_CLOSED": "carte avant rien ne va plus",
        "TOO_MANY_CARDS": "cartes en trop",
        "TOO_FEW_CARDS": "cartes manquantes",
        "DEAL_OUT_OF_ORDER": "carte mal placée",
        "CARD_WHILE_PENDING": "carte avant décision",
        "CARD_DOUBTFUL": "carte douteuse",
        "DISCARD_NOT_SEEN": "défausse non lue",
        "OVERPAID": "trop payé",
        "UNDERPAID": "pas assez payé",
        "LOSING_STAKE_LEFT": "mise perdante à ramasser",
        "SIDE_BET_UNPAID": "mise gagnante impayée",
        "BUTTON_NOT_PLACED": "bouton à placer",
        "WRONG_BLIND": "blind fausse",
        "WRONG_OPTION": "option irrégulière",
        "STAKE_BEFORE_DEAL": "mise avant la donne",
        "STACK_NOT_WHOLE": "tapis en jetons non entiers",
        "PLAYER_TWO_HANDS": "deux mains au même joueur",
        "BLINDS_IMPOSSIBLE": "blinds irrégulières",
        "DEALT_ON_WRONG_BLIND": "donne sur blind fausse",
        "OUT_OF_TURN": "action hors tour",
        "STRING_BET": "mise en deux fois",
        "INCOMPLETE_CALL": "suivi incomplet",
        "BET_BELOW_MINIMUM": "mise sous le minimum",
        "BET_ABOVE_MAXIMUM": "mise au-dessus du maximum",
        "RAISE_NOT_ALLOWED": "relance fermée",
        "MORE_THAN_STACK": "plus que le tapis",
        "BET_NOT_WHOLE": "jetons non entiers",
        "STAKE_TAKEN_BACK": "mise reprise",
        "BET_AFTER_FOLD": "mise devant main passée",
        "BET_AFTER_ROUND": "mise après le tour",
        "POT_SHORT": "pot trop petit",
        "POT_OVER": "pot trop grand",
        "WRONG_RAKE": "cagnotte fausse",
    }
)
