"""Bets that one hand decides alone: pay table against the counts of all hands."""

from collections.abc import Mapping
from fractions import Fraction

from sabot_gateway.model.game import Game
from sabot_gateway.rules.hand import Category
from sabot_gateway.rules.hand_count import count_best5, count_mini_royals, count_three
from sabot_gateway.rules.paytable import PayTable
from sabot_gateway.rules.published_return import MINI_ROYAL
from sabot_tools.rtp.bet_return import Return, line, whole_unit

NO_DECISION = "no decision"
RAISES_WHAT_PAYS = "raises what it pays"


def three_card_bet(game: Game, bet: str, table: PayTable, ace_low: bool = True) -> Return:
    """Pair plus, or the French bonus staked apart by a player who raises every hand that it pays (TCF-70, TCF-73)."""
    counts = {category.value: number for category, number in count_three(ace_low=ace_low).items()}
    if MINI_ROYAL in table:
        counts[MINI_ROYAL] = count_mini_royals()
        counts[Category.STRAIGHT_FLUSH.value] -= counts[MINI_ROYAL]
    return side_bet(game, bet, table, counts)


def best5_bet(game: Game, bet: str, table: PayTable, cards: int, wheel: bool = True) -> Return:
    """The six-card bonus, or trips on seven cards (TCP-25, UTH-36)."""
    counts = {category.value: number for category, number in count_best5(cards, wheel=wheel).items()}
    return side_bet(game, bet, table, counts)


def side_bet(game: Game, bet: str, table: PayTable, counts: Mapping[str, int]) -> Return:
    unit = whole_unit(table)
    deals = sum(counts.values())
    # A hand without a line loses its stake (TCP-53, UTH-40).
    net = sum(number * (line(table, hand, unit) if hand in table else -unit) for hand, number in counts.items())
    strategy = RAISES_WHAT_PAYS if bet == "bonus" else NO_DECISION
    by_rarity = tuple(sorted(counts.items(), key=_rarest))
    return Return(game, bet, strategy, Fraction(net, unit), deals, by_rarity, Fraction(1))


def _rarest(item: tuple[str, int]) -> tuple[int, str]:
    return item[1], item[0]
