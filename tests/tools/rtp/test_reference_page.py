"""The reference run: a figure that differs is seen, and the page says what was computed and when."""

from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest

from sabot_gateway.model.game import Game
from sabot_tools.rtp.bet_return import Return
from sabot_tools.rtp.reference import Figure
from sabot_tools.rtp.reference_page import page

FOUND = Return(Game.TCP, "ante", "optimal", Fraction(-5), 100, (("hands raised", 7),), Fraction(3, 2))
KNOWN = Figure(
    "a table", FOUND, -5, "published", (("hands raised", 7),), known_stake="1.50000", known_percent="95.0000"
)


def test_a_figure_agrees_only_when_net_counts_stake_and_percentage_do() -> None:
    assert KNOWN.agrees


@pytest.mark.parametrize(
    "wrong",
    [
        replace(KNOWN, known_net=-6),
        replace(KNOWN, known_counts=(("hands raised", 8),)),
        replace(KNOWN, known_stake="1.50001"),
        replace(KNOWN, known_percent="95.0001"),
    ],
)
def test_a_figure_that_differs_in_one_thing_does_not_agree(wrong: Figure) -> None:
    assert not wrong.agrees


def test_the_page_carries_date_fraction_and_source() -> None:
    text = page([("a table", FOUND, "published")], date(2030, 1, 2))
    assert "Computed on 2030-01-02." in text
    assert "| TCP | ante | a table | optimal | 95.0000 | 5.0000 | -5 / 100 | published |" in text


@pytest.mark.parametrize(("net", "warned"), [(-5, False), (5, True)])
def test_the_page_warns_of_a_purchase_that_favours_the_player(net: int, warned: bool) -> None:
    purchase = Return(Game.STU, "ante_buy", "optimal", Fraction(net), 100, (("deals folded", 40),), Fraction(2))
    assert ("favours the player" in page([("a table", purchase, "")], date(2030, 1, 2))) is warned
