"""Three-card strengths, remembered by rank pattern (see `hand` for the packing).

Invariant: the same ranks in any order give the same strength; suits matter only
as "all one suit or not".
"""

from typing import Final

from sabot_gateway.model.card import Card

_ACE: Final = 14
_HIGH, _PAIR, _FLUSH, _STRAIGHT, _TRIPS, _STRAIGHT_FLUSH = range(1, 7)  # levels of CATS3

# One row per (ace_low, suited); filled as patterns are met, at most 4 x 2,197 entries.
_SEEN: Final[dict[bool, tuple[dict[int, int], dict[int, int]]]] = {True: ({}, {}), False: ({}, {})}


def three_card_strength(first: Card, second: Card, third: Card, ace_low: bool) -> int:
    suited = not ((first ^ second) | (first ^ third)) & 3
    seen = _SEEN[ace_low][suited]
    pattern = (first >> 2) << 8 | (second >> 2) << 4 | third >> 2
    try:
        return seen[pattern]
    except KeyError:
        ranks = sorted(((card >> 2) + 2 for card in (first, second, third)), reverse=True)
        strength = seen[pattern] = _strength(ranks, suited, ace_low)
        return strength


def _strength(ranks: list[int], suited: bool, ace_low: bool) -> int:
    high, middle, low = ranks
    if high == low:
        return _pack(_TRIPS, high)  # TCP-30
    if high == middle:
        return _pack(_PAIR, high, low)  # TCF-57: the pair, then the kicker
    if middle == low:
        return _pack(_PAIR, low, high)
    top = _straight_top(high, middle, low, ace_low)
    if top:
        return _pack(_STRAIGHT_FLUSH if suited else _STRAIGHT, top)
    # A-TCF-13: all three cards of a flush count, as they do without a combination.
    return _pack(_FLUSH if suited else _HIGH, high, middle, low)


def _straight_top(high: int, middle: int, low: int, ace_low: bool) -> int:
    """The highest card of the straight, or 0. TCF-81: A-2-3 counts three, K-A-2 is nothing."""
    if high - low == 2:
        return high
    if ace_low and (high, middle, low) == (_ACE, 3, 2):
        return 3
    return 0


def _pack(level: int, first: int, second: int = 0, third: int = 0) -> int:
    return level << 12 | first << 8 | second << 4 | third
