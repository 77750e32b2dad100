"""A strength as people read it: the hand's category and the ranks that break a tie."""

from functools import cache

from sabot_gateway.model.settlement import HandView
from sabot_gateway.rules.hand import category_of, tiebreak_of


@cache
def hand_view(strength: int) -> HandView:
    """The hand by name; there are some 8,200 strengths in all, so each is named once."""
    return HandView(category_of(strength), tiebreak_of(strength))
