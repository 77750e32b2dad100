"""Every reference figure computed again, held against what is known, and written to docs/return-to-player.md.

Run by `make rtp`. Exit code 1 when a figure differs; the page is then left as it was.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Final

from sabot_gateway.model.game import Game
from sabot_gateway.model.money import Odds
from sabot_gateway.rulebook import shipped_ruleset
from sabot_gateway.rules.paytable import PayTable, table_from_values
from sabot_tools.rtp import stud, three_card, ultimate
from sabot_tools.rtp.bet_return import Return, decimal, percent
from sabot_tools.rtp.reference_page import page
from sabot_tools.rtp.side_bet import best5_bet, three_card_bet

PAGE: Final = Path("docs") / "return-to-player.md"


@dataclass(frozen=True, slots=True)
class Figure:
    """A return beside the net that others found for it; None where nobody has published one."""

    what: str
    found: Return
    known_net: int | None
    source: str  # where the known figure comes from
    known_counts: tuple[tuple[str, int], ...] = ()
    known_stake: str = ""
    known_percent: str = ""

    @property
    def agrees(self) -> bool:
        if self.known_net is not None and self.found.net != self.known_net:
            return False
        if self.known_percent and percent(self.found.rtp) != self.known_percent:
            return False
        counts = dict(self.found.counts)
        if any(counts[name] != number for name, number in self.known_counts):
            return False
        stake = self.found.average_stake
        return not self.known_stake or (stake is not None and decimal(stake) == self.known_stake)


PUBLISHED: Final = "published"
INDEPENDENT: Final = "independent program"
FIRST: Final = "first computed here"

_QUEEN_SIX_FOUR: Final = (("hands raised", 14_900),)


def figures() -> Iterator[Figure]:
    """All of them, the quick ones first."""
    yield from _three_card_poker()
    yield from _poker_trois_cartes()
    yield from _stud()
    yield from _ultimate()


def _three_card_poker() -> Iterator[Figure]:
    rules = three_card.AnteRules(ante_bonus=_table(Game.TCP, "ante_bonus_table"))
    known = {"optimal": -13_733_780, "q-6-4": -13_733_780, "any-queen": -14_043_800, "always": -31_163_984}
    for strategy, net in known.items():
        found = three_card.ante_play(Game.TCP, rules, strategy)
        source = PUBLISHED if strategy == "optimal" else INDEPENDENT
        counts = _QUEEN_SIX_FOUR if strategy in ("optimal", "q-6-4") else ()
        yield Figure("ante bonus 1-4-5", found, net, source, counts)
    shipped = _table(Game.TCP, "pair_plus_table")
    without = {hand: odds for hand, odds in shipped.items() if hand != "mini_royal"}
    yield Figure("200-40-30-6-3-1", three_card_bet(Game.TCP, "pair_plus", shipped), -968, PUBLISHED)
    yield Figure("40-30-6-3-1", three_card_bet(Game.TCP, "pair_plus", without), -1_608, INDEPENDENT)
    flush_four = {**without, "flush": Odds(4)}
    yield Figure("40-30-6-4-1", three_card_bet(Game.TCP, "pair_plus", flush_four), -512, PUBLISHED)
    six = best5_bet(Game.TCP, "six_card", _table(Game.TCP, "six_card_table"), 6)
    yield Figure("1000-200-50-25-20-10-5", six, -2_081_616, PUBLISHED)


def _poker_trois_cartes() -> Iterator[Figure]:
    win, bonus = _table(Game.TCF, "ante_win_table"), _table(Game.TCF, "bonus_table")
    pair_plus = _table(Game.TCF, "pair_plus_table")
    plain = three_card.ante_play(Game.TCF, three_card.AnteRules(ante_win=win))
    yield Figure("no bonus", plain, None, INDEPENDENT, known_percent="92.4387")
    on_top = three_card.ante_play(Game.TCF, three_card.AnteRules(ante_win=win, ante_bonus=bonus))
    yield Figure("bonus on the ante", on_top, None, INDEPENDENT, known_percent="97.7237")
    yield Figure(
        "bonus staked apart", three_card_bet(Game.TCF, "bonus", bonus), None, INDEPENDENT, known_percent="8.9955"
    )
    yield Figure("A-2-3 a straight", three_card_bet(Game.TCF, "pair_plus", pair_plus), -1_608, INDEPENDENT)
    high_ace = three_card_bet(Game.TCF, "pair_plus", pair_plus, ace_low=False)
    yield Figure("A-2-3 not a straight", high_ace, None, INDEPENDENT, known_percent="90.1538")


def _stud() -> Iterator[Figure]:
    tables = shipped_ruleset(Game.STU).values["raise_tables"]
    assert isinstance(tables, dict)
    hands, weights = stud.all_hands()
    first = stud.tally(table_from_values(tables["first"]), hands, weights, with_buy=True)
    second = stud.tally(table_from_values(tables["second"]), hands, weights, with_buy=True)
    known = {
        "optimal": -1_041_372_912_372,
        "a-k-j-8-3": -1_059_715_400_580,
        "any-pair": -1_090_272_101_460,
        "ace-king": -1_132_600_203_540,
        "always": -3_310_360_338_060,
    }
    for strategy, net in known.items():
        yield Figure("1-1-2-3-4-5-7-20-50-100", stud.ante(first, strategy), net, PUBLISHED)
    yield Figure("1-1-2-3-5-8-10-20-50-100", stud.ante(second), -722_873_086_812, INDEPENDENT)
    yield Figure("card purchase, first table", stud.ante_with_purchase(first), None, FIRST)
    yield Figure("card purchase, second table", stud.ante_with_purchase(second), None, FIRST)
    yield Figure("100-150-1000-2000-5000", stud.bonus(first, _table(Game.STU, "bonus_table")), None, FIRST)


def _ultimate() -> Iterator[Figure]:
    trips = best5_bet(Game.UTH, "trips", _table(Game.UTH, "trips_table"), 7)
    yield Figure("50-40-30-8-7-4-3", trips, -4_679_700, PUBLISHED)
    ante = ultimate.ante(_table(Game.UTH, "blind_table"))
    counts = (("hands played at 4 times", 500),)
    yield Figure("blind 500-50-10-3-3:2-1", ante, -607_723_787_676, PUBLISHED, counts, "4.15221")


def _table(game: Game, key: str) -> PayTable:
    return table_from_values(shipped_ruleset(game).values[key])


def main(today: date | None = None) -> int:
    found = []
    for figure in figures():
        mark = "new" if figure.source == FIRST else "agrees" if figure.agrees else "DIFFERS"
        name = f"{figure.found.game} {figure.found.bet} {figure.what} ({figure.found.strategy})"
        fraction = f"{figure.found.numerator:,} / {figure.found.denominator:,}"
        print(f"{mark:8} {name:62} {percent(figure.found.rtp):>9} %  {fraction}", flush=True)
        found.append(figure)
    if not all(figure.agrees for figure in found):
        print("sabot rtp: a figure differs from the reference; the page was not written.", file=sys.stderr)
        return 1
    rows = [(figure.what, figure.found, figure.source) for figure in found]
    PAGE.write_text(page(rows, today or datetime.now(tz=UTC).date()), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
