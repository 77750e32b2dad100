"""Chips and decks as things: change is made exactly, nothing is in two places, a deck is whole."""

from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conftest import ROOT
from sabot_firmware.config import parse_config
from sabot_tools.twin.book import Book, Expected, Line, alert_differences, differences
from sabot_tools.twin.catalogue import INCIDENTS
from sabot_tools.twin.chip import Tray, TrayEmptyError, chips_of_table, worth
from sabot_tools.twin.deck import Deck
from sabot_tools.twin.layout import config_of, layout_of
from sabot_tools.twin.sight import Sight


# No clock: a crowded machine is slow without a fault of the purse's.
@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.integers(1, 60_000), max_size=12))
def test_change_is_made_to_the_cent_and_no_chip_is_lost(amounts: list[int]) -> None:
    bank, purse = Tray(chips_of_table(1)), Tray()
    whole = bank.cents
    purse.put(bank.take(1_000_000))
    felt = []
    for cents in amounts:
        paid = purse.pay(cents, bank)
        assert worth(paid) == cents
        felt += paid
    assert bank.cents + purse.cents + worth(felt) == whole
    uids = [chip.uid for chip in (*bank.take_all(), *purse.take_all(), *felt)]
    assert len(set(uids)) == len(uids) == len(chips_of_table(1))


def test_a_purse_that_is_too_small_pays_nothing() -> None:
    bank = Tray(chips_of_table(1))
    purse = Tray(bank.take(500))
    with pytest.raises(TrayEmptyError):
        purse.pay(501, bank)
    assert purse.cents == 500


def test_a_deck_holds_every_card_once_in_an_order_that_its_seed_decides() -> None:
    orders = []
    for seed in (1, 1, 2):
        deck = Deck("A", 7)
        deck.shuffle(Random(seed))
        orders.append([deck.draw().face for _ in range(52)])
    assert orders[0] == orders[1] != orders[2]
    assert len(set(orders[0])) == 52
    assert len({card.uid for number in (1, 2) for card in Deck("B", number).cards}) == 104


@pytest.mark.parametrize("game", ["TCF", "STU", "TCP", "UTH", "THE"])
def test_every_felt_has_a_config_that_a_controller_accepts(game: str) -> None:
    layout = layout_of(game, 10 if game == "THE" else 7)
    config = parse_config(config_of(layout, "riviera", "t1", ("127.0.0.1", 1883)))
    assert [(seat, spot) for _, _, seat, spot, _, _ in config.spots] == list(layout.places)


@pytest.mark.parametrize(
    ("text", "due"),
    [
        ("3 PAIR PLUS pay = 30.50", ((3, "pair_plus"), 3050)),
        ("no game 1 ANTE pay = 20", ((1, "ante"), 2000)),
        ("1 ANTE collect", None),
    ],
)
def test_the_amount_on_the_display_is_read(text: str, due: tuple[tuple[int, str], int] | None) -> None:
    assert Sight({}, text).amount_due() == due


def test_a_settlement_that_differs_by_a_cent_is_found() -> None:
    book = Book([Line("t1", 1, {(1, "ante"): 500}), Line("t1", 2, {(1, "ante"): -500})])
    theirs = [Line("t1", 1, {(1, "ante"): 501}), Line("t1", 2, {(1, "ante"): -500, (1, "play"): 0})]
    assert differences(book, {"t1": theirs}) == [
        "t1, coup 1: seat 1 ante +500 in the book, +501 at the gateway (cents)."
    ]
    assert differences(book, {"t1": theirs[:1]})[0] == "t1: 2 coups in the book, 1 settlements of the gateway."


def test_an_alert_that_is_missing_or_has_no_reason_is_found() -> None:
    book = Book(expected=[Expected("t1", "LATE_BET", 3)])
    assert alert_differences(book, [Expected("t1", "LATE_BET", 3, "bonus")]) == []
    assert alert_differences(book, [Expected("t1", "OVERPAID", 3)]) == [
        "t1: LATE_BET seat 3 was never raised.",
        "t1: OVERPAID seat 3 was raised for no reason.",
    ]


def test_every_incident_is_in_the_page_of_the_twin() -> None:
    page = (ROOT / "docs" / "twin.md").read_text(encoding="utf-8")
    words = {word.strip(".,`") for word in page.split()}
    assert [name for name in INCIDENTS if name not in words] == []
