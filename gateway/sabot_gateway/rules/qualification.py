"""When the dealer's hand is good enough to be played against."""

from typing import Final

from sabot_gateway.model.card import cards_from_text
from sabot_gateway.rules.hand import Category, category_of, rank3, tiebreak_of

_ACE_KING: Final = (14, 13)
# TCF-46, A-TCF-14: queen, three, deuce is the lowest hand that qualifies, and strength orders all hands.
_LOWEST_QUEEN: Final = rank3(cards_from_text("Qc 3d 2h"))


def has_queen_high(strength: int) -> bool:
    """TCF-46, TCP-15: queen high or better, of a three-card strength."""
    return strength >= _LOWEST_QUEEN


def has_ace_king(strength: int) -> bool:
    """STU-46: ace-king high or better, of a five-card strength."""
    return has_pair(strength) or tiebreak_of(strength)[:2] == _ACE_KING


def has_pair(strength: int) -> bool:
    """UTH-33: a pair or better."""
    return category_of(strength) is not Category.HIGH_CARD
