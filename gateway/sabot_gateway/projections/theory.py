"""What the house should win: the exact edge of each bet under a ruleset, as a share of its own stake.

Side bets are counted from their pay tables. An ante with its raises depends on how it is played: the figures here
are those of best play, found by enumerating every deal (docs/return-to-player.md, computed again by `make rtp`), for
the pay tables that the law prints. A table with other payments, and hold'em, where players play each other, have no
figure: better none than a wrong one. Players who play worse than best lose more, so the ante's figure is a floor.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from types import MappingProxyType
from typing import Final

from sabot_gateway.model.game import Game
from sabot_gateway.rulebook import shipped_ruleset
from sabot_gateway.rules.hand import Category
from sabot_gateway.rules.hand_count import count_best5, count_mini_royals, count_three
from sabot_gateway.rules.paytable import PayTable, table_from_values
from sabot_gateway.rules.published_return import MINI_ROYAL, return_of
from sabot_gateway.rules.ruleset import Ruleset

_THREE_CARD_DEALS: Final = 407_170_400
_STUD_DEALS: Final = 19_933_230_517_200
_PURCHASE_DEALS: Final = 837_195_681_722_400
_ULTIMATE_DEALS: Final = 27_813_810_024_000

# What best play nets over all deals, in antes (docs/return-to-player.md).
TCF_ANTE: Final = Fraction(-30_787_508, _THREE_CARD_DEALS)
TCF_ANTE_WITH_BONUS: Final = Fraction(-9_268_276, _THREE_CARD_DEALS)
STU_ANTE: Final = MappingProxyType(
    {
        "first": Fraction(-1_041_372_912_372, _STUD_DEALS),
        "second": Fraction(-722_873_086_812, _STUD_DEALS),
    }
)
STU_ANTE_WITH_PURCHASE: Final = MappingProxyType(
    {
        "first": Fraction(-16_305_207_291_900, _PURCHASE_DEALS),
        "second": Fraction(21_365_022_312_756, _PURCHASE_DEALS),
    }
)
STU_BONUS: Final = Fraction(-6_161_233_989_760, _STUD_DEALS)
UTH_ANTE: Final = Fraction(-607_723_787_676, _ULTIMATE_DEALS)

# Stakes that the ante's figure already counts, being measured in antes.
WITH_THE_ANTE: Final = frozenset({"play", "raise", "blind", "ante_bonus", "buy"})
SIDE_BETS: Final[Mapping[Game, tuple[str, ...]]] = MappingProxyType(
    {
        Game.TCF: ("pair_plus", "bonus"),
        Game.STU: ("bonus",),
        Game.TCP: ("pair_plus", "six_card"),
        Game.UTH: ("trips",),
        Game.THE: (),
    }
)


@lru_cache(maxsize=256)
def house_edges(ruleset: Ruleset) -> Mapping[str, Fraction]:
    """By bet: the house's share of each cent staked on it (`ante`: of the ante); bets without a figure are absent."""
    found: dict[str, Fraction] = {}
    for bet in ("ante", *SIDE_BETS[ruleset.game]):
        net = _net(ruleset, bet)
        if net is not None:
            found[bet] = -net
    return MappingProxyType(found)


def expected_win(ruleset: Ruleset, stakes: Mapping[str, int]) -> Fraction | None:
    """What the house should win on these stakes by spot, in cents; None where a bet has no figure."""
    edges = house_edges(ruleset)
    total = Fraction(0)
    for spot, stake in stakes.items():
        if spot in WITH_THE_ANTE or not stake:
            continue
        if spot not in edges:
            return None
        total += edges[spot] * stake
    return total


def _net(ruleset: Ruleset, bet: str) -> Fraction | None:
    match ruleset.game, bet:
        case Game.TCF, "ante":
            if not _is_law(ruleset, "ante_win_table", "ace_low_straight"):
                return None
            if ruleset.values["bonus_mode"] != "ante_bonus":
                return TCF_ANTE
            return TCF_ANTE_WITH_BONUS if _is_law(ruleset, "bonus_table") else None
        case Game.TCF, "pair_plus" | "bonus":
            ace_low = bool(ruleset.values["ace_low_straight"])
            return _three_card(_pays(ruleset, f"{bet}_table"), ace_low=ace_low)
        case Game.STU, "ante":
            return _stud_ante(ruleset)
        case Game.STU, "bonus":
            return STU_BONUS if _is_law(ruleset, "bonus_table", "bonus_on_tie") else None
        case Game.TCP, "ante":
            table = {hand: odds.win for hand, odds in _pays(ruleset, "ante_bonus_table").items()}
            return return_of("ante_bonus", table) - 1
        case Game.TCP, "pair_plus":
            return _three_card(_pays(ruleset, "pair_plus_table"))
        case Game.TCP, "six_card":
            return _best5(_pays(ruleset, "six_card_table"), 6, wheel=bool(ruleset.values["six_card_wheel"]))
        case Game.UTH, "ante":
            return UTH_ANTE if _is_law(ruleset, "blind_table", "wheel") else None
        case Game.UTH, "trips":
            if (ruleset.values["trips_on_fold"], ruleset.values["trips_on_tie"]) != ("settle", "settle"):
                return None
            return _best5(_pays(ruleset, "trips_table"), 7, wheel=bool(ruleset.values["wheel"]))
        case _:
            return None


def _stud_ante(ruleset: Ruleset) -> Fraction | None:
    law = shipped_ruleset(Game.STU).values["raise_tables"]
    assert isinstance(law, Mapping)
    chosen = _pays(ruleset, "raise_table")
    figures = STU_ANTE_WITH_PURCHASE if ruleset.values["buy_allowed"] else STU_ANTE
    return next((figures[name] for name in figures if table_from_values(law[name]) == chosen), None)


def _is_law(ruleset: Ruleset, *keys: str) -> bool:
    law = shipped_ruleset(ruleset.game).values
    return all(ruleset.values.get(key) == law.get(key) for key in keys)


def _pays(ruleset: Ruleset, key: str) -> PayTable:
    return table_from_values(ruleset.values[key])


def _three_card(table: PayTable, *, ace_low: bool = True) -> Fraction:
    counts = {str(category.value): number for category, number in count_three(ace_low=ace_low).items()}
    if MINI_ROYAL in table:
        counts[MINI_ROYAL] = count_mini_royals()
        counts[Category.STRAIGHT_FLUSH.value] -= counts[MINI_ROYAL]
    return _side_bet(table, counts)


def _best5(table: PayTable, cards: int, *, wheel: bool) -> Fraction:
    return _side_bet(table, {str(each.value): number for each, number in count_best5(cards, wheel=wheel).items()})


def _side_bet(table: PayTable, counts: Mapping[str, int]) -> Fraction:
    """A hand without a line loses its stake (TCP-53, UTH-40)."""
    net = sum(
        number * (Fraction(table[hand].win, table[hand].per) if hand in table else Fraction(-1))
        for hand, number in counts.items()
    )
    return Fraction(net) / sum(counts.values())
