"""Ante and play of the two three-card games over all 407,170,400 deals, in a second and without compiled code.

For each player's hand (up to its suits) the dealer's 18,424 hands are counted,
not dealt: of all hands below a strength, those that hold one of the player's
cards are taken off, those that hold two put back, and his own hand taken off.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations
from math import comb, lcm
from types import MappingProxyType
from typing import Final

from sabot_gateway.model.card import DECK, Card, cards_from_text
from sabot_gateway.model.game import Game
from sabot_gateway.rules.hand import category_of, rank3
from sabot_gateway.rules.paytable import EVEN_MONEY, PayTable
from sabot_gateway.rules.qualification import has_queen_high
from sabot_tools.rtp.bet_return import Return, line, whole_unit
from sabot_tools.rtp.suit_class import three_card_classes

DEALER_HANDS: Final = comb(49, 3)
DEALS: Final = comb(52, 3) * DEALER_HANDS

# From which hand the player raises, whatever it is worth; "optimal" raises where raising loses less.
FLOORS: Final[Mapping[str, str]] = MappingProxyType({"q-6-4": "Qc6d4h", "any-queen": "Qc3d2h", "always": "5c3d2h"})
STRATEGIES: Final = ("optimal", *FLOORS)


@dataclass(frozen=True, slots=True)
class AnteRules:
    """How ante and play are paid: TCF-59 to TCF-61 on a win, TCP-19 for the ante bonus of a raised hand."""

    ace_low: bool = True
    ante_win: PayTable = field(default_factory=dict)
    ante_bonus: PayTable = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Against:
    """The dealer's hands against one hand of the player."""

    unqualified: int
    weaker: int
    equal: int
    stronger: int


class DealerHands:
    """Sorted strengths of all three-card hands, of those with one given card, and with two."""

    def __init__(self, ace_low: bool) -> None:
        self._ace_low = ace_low
        self._lists: dict[tuple[Card, ...], list[int]] = {}
        for strength, cards in sorted((rank3(cards, ace_low), cards) for cards in combinations(DECK, 3)):
            for size in (0, 1, 2):
                for held in combinations(cards, size):
                    self._lists.setdefault(held, []).append(strength)
        self._lowest = next(strength for strength in self._lists[()] if has_queen_high(strength))

    def against(self, cards: tuple[Card, ...]) -> Against:
        own = rank3(cards, self._ace_low)
        unqualified = self._left(cards, own, self._lowest, bisect_left)
        # An unqualified hand is not compared (TCF-48), so what counts begins with the lowest that qualifies.
        below = max(unqualified, self._left(cards, own, own, bisect_left))
        below_or_equal = max(unqualified, self._left(cards, own, own, bisect_right))
        return Against(unqualified, below - unqualified, below_or_equal - below, DEALER_HANDS - below_or_equal)

    def _left(self, cards: tuple[Card, ...], own: int, limit: int, bisect: Callable[[list[int], int], int]) -> int:
        count = bisect([own], limit) * -1
        for size in (0, 1, 2):
            for held in combinations(cards, size):
                count += (-1) ** size * bisect(self._lists[held], limit)
        return count


def ante_play(game: Game, rules: AnteRules, strategy: str = "optimal") -> Return:
    """The exact return of ante and play, per ante."""
    unit = _unit(rules)
    dealer = DealerHands(rules.ace_low)
    net = raised = folded = 0
    seen = {"dealer not qualified": 0, "won": 0, "tied": 0, "lost": 0}
    for cards, weight in zip(*three_card_classes(), strict=True):
        hand = tuple(map(Card, cards))
        against = dealer.against(hand)
        value, is_raised = _decided(hand, against, rules, strategy, unit)
        net += weight * value
        if not is_raised:
            folded += weight
            continue
        raised += weight
        seen["dealer not qualified"] += weight * against.unqualified
        seen["won"] += weight * against.weaker
        seen["tied"] += weight * against.equal
        seen["lost"] += weight * against.stronger
    counts = (("hands raised", raised), ("hands folded", folded), *((f"deals {name}", n) for name, n in seen.items()))
    stake = 1 + Fraction(raised, raised + folded)
    return Return(game, "ante", strategy, Fraction(net, unit), DEALS, counts, stake)


def value_of(hand: tuple[Card, ...], against: Against, rules: AnteRules, strategy: str) -> Fraction:
    """What one hand of the player nets on average, per ante."""
    unit = _unit(rules)
    value, _ = _decided(hand, against, rules, strategy, unit)
    return Fraction(value, unit * DEALER_HANDS)


def _unit(rules: AnteRules) -> int:
    return lcm(whole_unit(rules.ante_win), whole_unit(rules.ante_bonus))


def _decided(hand: tuple[Card, ...], against: Against, rules: AnteRules, strategy: str, unit: int) -> tuple[int, bool]:
    """The net over the dealer's hands by this strategy, and whether it raises."""
    value = _raise_value(hand, against, rules, unit)
    fold = -unit * DEALER_HANDS
    if strategy in FLOORS:
        floor = rank3(cards_from_text(FLOORS[strategy]), rules.ace_low)
        is_raised = rank3(hand, rules.ace_low) >= floor
    else:
        is_raised = value > fold
    return (value if is_raised else fold), is_raised


def _raise_value(hand: tuple[Card, ...], against: Against, rules: AnteRules, unit: int) -> int:
    category = category_of(rank3(hand, rules.ace_low)).value
    win = line({category: EVEN_MONEY, **rules.ante_win}, category, unit)
    bonus = line(rules.ante_bonus, category, unit)
    return (
        unit * against.unqualified  # TCF-48, TCF-49: the ante is paid, the play comes back
        + (win + unit) * against.weaker
        - 2 * unit * against.stronger
        + bonus * DEALER_HANDS
    )
