"""Deck, staff, cut, button draw and closing, by rule."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sabot_gateway.model.card import DECK, card_from_text, cards_from_text
from sabot_gateway.model.game import Game
from sabot_gateway.rules.button_draw import Drawn, button_of, check_draw
from sabot_gateway.rules.cut import cut_offer, has_cut
from sabot_gateway.rules.deck import DeckState, check_deck, check_shuffle
from sabot_gateway.rules.last_hands import check_closing, hands_left
from sabot_gateway.rules.rejection import Fault
from sabot_gateway.rules.staff import Staffing, TablePhase, check_staff


def cited(faults: tuple[Fault, ...]) -> list[tuple[str, str]]:
    return [(fault.code, fault.rule) for fault in faults]


@pytest.mark.rules("TCF-01", "TCF-06", "STU-01", "TCP-07", "THE-01", "UTH-01")
@pytest.mark.parametrize(
    ("game", "rule"), [("TCF", "TCF-01"), ("STU", "STU-01"), ("TCP", "TCP-07"), ("THE", "THE-01"), ("UTH", "UTH-01")]
)
def test_a_deck_is_52_different_cards(game: str, rule: str) -> None:
    wrong = [("DECK_NOT_52_DISTINCT", rule)]
    assert check_deck(Game(game), DeckState(DECK)) == ()
    assert cited(check_deck(Game(game), DeckState(DECK[:-1]))) == wrong
    assert cited(check_deck(Game(game), DeckState((*DECK, DECK[0])))) == wrong
    assert cited(check_deck(Game(game), DeckState((*DECK[:-1], DECK[0])))) == wrong


@pytest.mark.rules("TCF-02", "STU-02", "THE-02", "UTH-02")
def test_a_session_starts_with_new_cards_where_the_article_says_so() -> None:
    used = DeckState(DECK, session_start=True, new_cards=False)
    assert {game: cited(check_deck(game, used)) for game in Game} == {
        Game.TCF: [("CARDS_NOT_NEW", "TCF-02")],
        Game.STU: [("CARDS_NOT_NEW", "STU-02")],
        Game.TCP: [],
        Game.THE: [],
        Game.UTH: [],
    }
    assert check_deck(Game.TCF, DeckState(DECK, session_start=True, new_cards=True)) == ()
    assert check_deck(Game.TCF, DeckState(DECK, session_start=False, new_cards=False)) == ()


@pytest.mark.rules("THE-06", "UTH-06", "TCF-05", "STU-05")
def test_a_shuffler_needs_two_decks_of_two_colours_at_holdem_and_ultimate_only() -> None:
    def shuffler(decks: int, *colours: str) -> DeckState:
        return DeckState(DECK, auto_shuffler=True, decks=decks, back_colours=colours)

    for game, rule in ((Game.THE, "THE-06"), (Game.UTH, "UTH-06")):
        wrong = [("TWO_DECKS_TWO_COLOURS", rule)]
        assert check_deck(game, shuffler(2, "red", "blue")) == ()
        assert cited(check_deck(game, shuffler(2, "red", "red"))) == wrong
        assert cited(check_deck(game, shuffler(1, "red"))) == wrong
        assert cited(check_deck(game, shuffler(2))) == wrong
        assert check_deck(game, DeckState(DECK)) == ()
    for game in (Game.TCF, Game.STU, Game.TCP):
        assert check_deck(game, shuffler(1, "red")) == ()


@pytest.mark.rules("TCF-07", "STU-07")
def test_five_shuffles_and_two_cuts_at_three_cards_and_stud() -> None:
    for game, rule in ((Game.TCF, "TCF-07"), (Game.STU, "STU-07")):
        assert check_shuffle(game, 5, 2) == ()
        assert cited(check_shuffle(game, 4, 2)) == cited(check_shuffle(game, 5, 1)) == [("SHUFFLE_INCOMPLETE", rule)]
    assert check_shuffle(Game.UTH, 0, 0) == check_shuffle(Game.THE, 0, 0) == ()


@pytest.mark.rules("TCF-12", "STU-11", "THE-10", "UTH-10")
def test_a_table_head_watches_two_tables_but_one_at_stud() -> None:
    def most(game: Game) -> int:
        return max(tables for tables in range(9) if not check_staff(game, {}, Staffing(chef_tables=tables)))

    assert {game: most(game) for game in (Game.TCF, Game.STU, Game.THE, Game.UTH)} == {
        Game.TCF: 2,
        Game.STU: 1,
        Game.THE: 2,
        Game.UTH: 2,
    }
    assert check_staff(Game.STU, {"chef_max_tables": 2}, Staffing(chef_tables=2)) == ()
    three = Staffing(chef_tables=3)
    rules = [check_staff(game, {}, three)[0].rule for game in (Game.TCF, Game.STU, Game.THE, Game.UTH)]
    assert rules == ["TCF-12", "STU-11", "THE-10", "UTH-10"]


@pytest.mark.rules("TCF-15", "STU-14", "THE-09", "UTH-09")
def test_staff_are_relieved_out_of_the_coup_only() -> None:
    out = {"idle", "between_coups", "counting", "shuffling", "cutting", "betting"}
    for game, rule in ((Game.TCF, "TCF-15"), (Game.STU, "STU-14"), (Game.THE, "THE-09"), (Game.UTH, "UTH-09")):
        for phase in set(TablePhase) - {TablePhase.CLEARING}:
            expected = [] if phase in out else [("RELIEVED_DURING_COUP", rule)]
            assert cited(check_staff(game, {}, Staffing(relief_phase=phase))) == expected


@pytest.mark.rules("TCF-11", "STU-11")
def test_table_head_and_dealer_are_both_at_the_table() -> None:
    assert check_staff(Game.TCF, {}, Staffing(chef_present=True, dealer_present=True)) == ()
    assert cited(check_staff(Game.TCF, {}, Staffing(chef_present=False))) == [("STAFF_MISSING", "TCF-11")]
    assert cited(check_staff(Game.STU, {}, Staffing(dealer_present=False))) == [("STAFF_MISSING", "STU-11")]
    both = Staffing(chef_present=False, dealer_present=False)
    assert [fault.detail for fault in check_staff(Game.TCF, {}, both)] == ["chef", "dealer"]


def test_the_quebec_page_has_no_staff_rules() -> None:
    nobody = Staffing(9, TablePhase.PAYING, chef_present=False, dealer_present=False)
    assert check_staff(Game.TCP, {}, nobody) == ()


@pytest.mark.rules("TCF-08", "TCF-10", "STU-08", "STU-10")
def test_the_cut_goes_clockwise_past_refusals_and_back_to_the_first() -> None:
    def cutter(*refused: int) -> tuple[int, str]:
        offer = cut_offer(Game.TCF, [4, 2, 7], refused)
        return offer.cutter, offer.rule

    assert cutter() == (2, "TCF-08")
    assert cutter(2) == (4, "TCF-10")
    assert cutter(2, 4) == (7, "TCF-10")
    assert cutter(2, 4, 7) == (2, "TCF-10")
    assert cut_offer(Game.STU, [3], []).rule == "STU-08"
    assert cut_offer(Game.STU, [3], [3]).rule == "STU-10"
    assert [game for game in Game if has_cut(game)] == [Game.TCF, Game.STU]


def draw(text: str) -> list[Drawn]:
    """`1:9c 5:Ac` as a draw."""
    split = (word.split(":") for word in text.split())
    return [Drawn(int(seat), card_from_text(card)) for seat, card in split]


@pytest.mark.rules("THE-41", "THE-43")
def test_the_highest_club_takes_the_button() -> None:
    assert button_of(draw("1:9c 2:Kc 5:Ac 8:2c")) == 5
    assert check_draw(draw("1:9c 2:Kc 5:Ac 8:2c"), 10) == ()


@pytest.mark.rules("THE-14", "THE-18", "THE-42")
@pytest.mark.parametrize(
    ("text", "code", "rule"),
    [
        ("1:9c 2:Kh", "NOT_A_CLUB", "THE-42"),
        ("2:9c 1:Kc", "DRAW_ORDER", "THE-42"),
        ("1:9c 1:Kc 2:2c", "TWO_CARDS", "THE-42"),
        ("1:9c 2:9c", "DUPLICATE_CARD", "THE-01"),
        ("1:9c", "TOO_FEW_PLAYERS", "THE-14"),
        ("", "TOO_FEW_PLAYERS", "THE-14"),
        ("1:9c 11:Kc", "SEAT_NUMBER", "THE-18"),
        ("0:9c 2:Kc", "SEAT_NUMBER", "THE-18"),
    ],
)
def test_a_draw_out_of_order_is_refused(text: str, code: str, rule: str) -> None:
    assert cited(check_draw(draw(text), 10)) == [(code, rule)]


@settings(deadline=None)
@given(st.sets(st.integers(1, 10), min_size=2), st.permutations(cards_from_text("2c3c4c5c6c7c8c9cTcJcQcKcAc")))
def test_any_lawful_draw_has_exactly_one_winner(seats: set[int], clubs: list[int]) -> None:
    drawn = [Drawn(seat, DECK[card]) for seat, card in zip(sorted(seats), clubs, strict=False)]
    assert check_draw(drawn, 10) == ()
    best = max(card for card, _ in zip(clubs, seats, strict=False))
    assert {each.seat for each in drawn if each.card == best} == {button_of(drawn)}


@pytest.mark.rules("THE-112")
def test_a_game_closes_three_hands_after_the_announcement() -> None:
    refused = [("LAST_THREE_NOT_ANNOUNCED", "THE-112")]
    assert check_closing(True, 3) == ()
    assert cited(check_closing(False, 3)) == cited(check_closing(True, 2)) == cited(check_closing(True, 4)) == refused
    assert [hands_left(played) for played in range(5)] == [3, 2, 1, 0, 0]
