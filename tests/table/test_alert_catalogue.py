"""Every kind of alert is complete: one code, two languages, known rules, and something that clears it."""

import string

import pytest

from sabot_gateway.model.alert import Clears, Holds
from sabot_gateway.model.game import Game
from sabot_gateway.rules.catalogue import packaged
from sabot_gateway.table.alerts import KINDS
from sabot_gateway.table.alerts.kind import AlertKind, text_from_cents

ASKED_FOR = {  # what a table must be able to complain about
    *("LATE_BET", "CAPPED_BET", "BET_REMOVED", "BET_REDUCED", "UNDER_LIMIT", "OVER_LIMIT", "UNEQUAL_ANTE_BLIND"),
    *("WRONG_RAISE", "WRONG_BONUS_AMOUNT", "BET_ON_VACANT_SEAT", "BET_BEFORE_NO_HAND", "UNKNOWN_CHIP"),
    *("FOREIGN_CHIP", "DUPLICATE_CHIP", "WITHDRAWN_CHIP", "CHIP_ON_TWO_SPOTS", "UNKNOWN_CARD", "DUPLICATE_CARD"),
    *("CARD_OF_ANOTHER_DECK", "CARD_BEFORE_BETS_CLOSED", "TOO_MANY_CARDS", "TOO_FEW_CARDS", "DEAL_OUT_OF_ORDER"),
    *("CARD_MISSING", "CARD_EXTRA", "HAND_LOOKED_EARLY", "OVERPAID", "UNDERPAID", "LOSING_STAKE_LEFT"),
    *("SIDE_BET_UNPAID", "UNCLAIMED_BONUS", "LAMPS_NOT_CONFIRMED", "DEALER_CHANGED", "HEAD_CHANGED"),
    *("HEAD_TOO_MANY_TABLES", "COUP_WITHOUT_SEANCE", "DECK_NOT_NEW", "OUT_OF_TURN", "STRING_BET", "WRONG_BLIND"),
    *("WRONG_RAKE", "COUP_STALLED", "PACE_FAST", "PACE_SLOW", "EVENTS_MISSING", "CONTROLLER_LOST", "CLOCK_OFF"),
    "DOOR_OPEN",
}


def test_the_table_can_complain_of_everything_it_must() -> None:
    assert {kind.code for kind in KINDS} >= ASKED_FOR


def test_codes_are_unique() -> None:
    codes = [kind.code for kind in KINDS]
    assert len(codes) == len(set(codes))


def names(sentence: str) -> set[str]:
    """What a sentence leaves to be filled in."""
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.code)
def test_a_kind_says_the_same_in_both_languages(kind: AlertKind) -> None:
    french, english = (
        {name for _, name, _, _ in string.Formatter().parse(text) if name} for text in (kind.fr, kind.en)
    )
    assert french == english
    assert kind.fr != kind.en
    assert kind.clears_when


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.code)
def test_the_rules_of_a_kind_are_rules_of_that_game(kind: AlertKind) -> None:
    book = packaged().books
    for game, rule in kind.rules.items():
        assert rule in {each.id for section in book[game].sections for each in section.rules}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.code)
def test_what_holds_something_up_can_be_released(kind: AlertKind) -> None:
    assert kind.holds is Holds.NOTHING or kind.clears in (Clears.OVERRIDE, Clears.CORRECTION)


@pytest.mark.parametrize(
    ("cents", "french", "english"),
    [(1250, "12,50", "12.50"), (500, "5", "5"), (5, "0,05", "0.05"), (-150, "-1,50", "-1.50")],
)
def test_amounts_are_said_in_the_currency(cents: int, french: str, english: str) -> None:
    assert (text_from_cents(cents, ","), text_from_cents(cents, ".")) == (french, english)


def test_every_game_has_alerts_of_its_own_articles() -> None:
    assert {game for kind in KINDS for game in kind.rules} == set(Game)
