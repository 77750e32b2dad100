"""Theory is the page of exact returns, and only where the pay tables are those that were enumerated."""

import re
from fractions import Fraction
from pathlib import Path

import pytest

from sabot_gateway.model.game import Game
from sabot_gateway.projections import theory
from sabot_gateway.rulebook import shipped_ruleset
from sabot_gateway.rules.ruleset import Ruleset, overridden

PAGE = Path(__file__).parents[2] / "docs" / "return-to-player.md"


def figures() -> dict[tuple[str, str, str, str], Fraction]:
    """Every line of the page: game, bet, mode and strategy to its net over all deals."""
    found = {}
    for line in PAGE.read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 8 and re.fullmatch(r"-?[\d,]+ / [\d,]+", cells[6]):
            net, deals = (int(number.replace(",", "")) for number in cells[6].split(" / "))
            found[cells[0], cells[1], cells[2], cells[3]] = Fraction(net, deals)
    return found


PRINTED = figures()


def ruleset(game: Game, **changes: object) -> Ruleset:
    changed = overridden(shipped_ruleset(game), changes)
    assert isinstance(changed, Ruleset)
    return changed


@pytest.mark.parametrize(
    ("game", "changes", "bet", "line"),
    [
        (Game.TCP, {}, "ante", ("TCP", "ante", "ante bonus 1-4-5", "optimal")),
        (Game.TCP, {}, "pair_plus", ("TCP", "pair_plus", "200-40-30-6-3-1", "no decision")),
        (Game.TCP, {}, "six_card", ("TCP", "six_card", "1000-200-50-25-20-10-5", "no decision")),
        (Game.TCF, {}, "ante", ("TCF", "ante", "no bonus", "optimal")),
        (Game.TCF, {"bonus_mode": "ante_bonus"}, "ante", ("TCF", "ante", "bonus on the ante", "optimal")),
        (Game.TCF, {}, "bonus", ("TCF", "bonus", "bonus staked apart", "raises what it pays")),
        (Game.TCF, {}, "pair_plus", ("TCF", "pair_plus", "A-2-3 a straight", "no decision")),
        (
            Game.TCF,
            {"ace_low_straight": False},
            "pair_plus",
            ("TCF", "pair_plus", "A-2-3 not a straight", "no decision"),
        ),
        (Game.STU, {}, "ante", ("STU", "ante_buy", "card purchase, first table", "optimal")),
        (Game.STU, {"buy_allowed": False}, "ante", ("STU", "ante", "1-1-2-3-4-5-7-20-50-100", "optimal")),
        (Game.STU, {"raise_table": "second"}, "ante", ("STU", "ante_buy", "card purchase, second table", "optimal")),
        (Game.STU, {}, "bonus", ("STU", "bonus", "100-150-1000-2000-5000", "raises what it pays")),
        (Game.UTH, {}, "ante", ("UTH", "ante", "blind 500-50-10-3-3:2-1", "optimal")),
        (Game.UTH, {}, "trips", ("UTH", "trips", "50-40-30-8-7-4-3", "no decision")),
    ],
)
def test_an_edge_is_the_printed_one(
    game: Game, changes: dict[str, object], bet: str, line: tuple[str, str, str, str]
) -> None:
    assert theory.house_edges(ruleset(game, **changes))[bet] == -PRINTED[line]


def test_players_of_holdem_play_each_other() -> None:
    assert not theory.house_edges(shipped_ruleset(Game.THE))


def test_a_pay_table_that_nobody_enumerated_has_no_ante_figure() -> None:
    assert "ante" not in theory.house_edges(ruleset(Game.TCF, ace_low_straight=False))


def test_raises_are_counted_with_their_ante() -> None:
    law = shipped_ruleset(Game.TCP)
    edge = theory.house_edges(law)
    stakes = {"ante": 1_000, "play": 1_000, "pair_plus": 500, "ante_bonus": 0}
    assert theory.expected_win(law, stakes) == 1_000 * edge["ante"] + 500 * edge["pair_plus"]


def test_a_bet_without_a_figure_leaves_no_theory() -> None:
    assert theory.expected_win(shipped_ruleset(Game.THE), {"pot": 1_000}) is None
    assert theory.expected_win(shipped_ruleset(Game.THE), {"pot": 0}) == 0
