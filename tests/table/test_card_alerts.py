"""Cards that are wrong, early, late, too many, too few or missing: one test per alert, by rule."""

import pytest

from sabot_gateway.model.card import DECK, cards_from_text
from sabot_gateway.model.event import AlertOverridden, CardDoubted, CardScanned, CutCardSeen, DiscardRead
from sabot_gateway.model.felt import Doubt, Key
from sabot_gateway.model.game import Game
from sabot_gateway.model.tag import Tag
from sabot_gateway.table.setup import Fitted
from table.table_stage import Stage, tag_of

DEAL = "Kc 7d Qh Kd 5s 9c 2c 3h 4d"  # seats 2, 5, dealer


def closed(**options: object) -> Stage:
    return Stage(Game.TCF, **options).open().lay(2, "ante", 1000).lay(5, "ante", 1000).key(Key.BETS_CLOSED)


@pytest.mark.rules("TCF-01")
def test_an_unknown_card_puts_the_coup_into_review() -> None:
    stage = closed().tell(CardScanned(0, Tag("ffff")))
    assert {"UNKNOWN_CARD", "IN_REVIEW"} == set(stage.alerts())
    assert stage.state.coup.served == 1


@pytest.mark.rules("TCF-01")
def test_a_card_read_twice_is_an_alert_and_takes_no_place() -> None:
    stage = closed().deal("Kc 7d Kc")
    assert stage.alerts()["DUPLICATE_CARD"].rule == "TCF-01"
    assert stage.state.coup.served == 2


@pytest.mark.rules("TCF-01")
def test_a_card_of_another_deck() -> None:
    stage = closed().tell(CardScanned(0, tag_of(DECK[7], "blue")))
    assert dict(stage.alerts()["CARD_OF_ANOTHER_DECK"].evidence) == {"deck": "blue"}


@pytest.mark.rules("TCF-25")
def test_a_card_before_rien_ne_va_plus_is_followed_and_holds_the_settlement() -> None:
    stage = Stage(Game.TCF).open().lay(2, "ante", 1000).deal("Kc Qh Kd 9c 2c 4d").lay(2, "play", 1000)
    assert stage.alerts()["CARD_BEFORE_BETS_CLOSED"].rule == "TCF-23"
    stage.key(Key.REVEAL)
    assert stage.phase == "revealing"
    assert stage.head().key(Key.OVERRIDE).phase == "paying"


@pytest.mark.rules("UTH-18", "A-UTH-09")
def test_at_ultimate_holdem_the_first_card_closes_the_bets() -> None:
    stage = Stage(Game.UTH).open().lay(2, "ante", 1000).lay(2, "blind", 1000).deal("2c")
    assert stage.phase == "dealing"
    assert stage.alerts() == {}
    stage.lay(2, "trips", 500)
    assert stage.alerts()["LATE_BET"].rule == "UTH-18"


def test_a_card_drawn_while_nobody_plays() -> None:
    stage = Stage(Game.TCF).open().deal("Kc")
    assert set(stage.alerts()) == {"CARD_OUT_OF_COUP"}
    assert stage.phase == "idle"


@pytest.mark.rules("TCF-35")
def test_a_card_too_many_holds_the_settlement_until_it_is_declared_burned() -> None:
    stage = closed().deal(DEAL).deal("As")
    assert stage.alerts()["TOO_MANY_CARDS"].rule == "TCF-35"
    stage.lay(2, "play", 1000).key(Key.FOLD, 5).key(Key.REVEAL)
    assert stage.phase == "revealing"
    assert stage.key(Key.BURN).phase == "paying"


@pytest.mark.rules("TCF-34")
def test_the_stub_is_burned_without_a_word_once_the_dealer_says_so() -> None:
    stage = closed().deal(DEAL).key(Key.BURN).deal("As Ah Ad Ac")
    assert stage.alerts() == {}
    assert len(stage.state.coup.burned) == 4


@pytest.mark.rules("TCF-35")
def test_showing_the_hand_before_the_deal_is_complete() -> None:
    stage = closed().deal("Kc 7d Qh Kd").key(Key.REVEAL)
    assert dict(stage.alerts()["TOO_FEW_CARDS"].evidence) == {"cards": 5}
    stage.deal("5s 9c 2c 3h 4d")
    assert stage.alerts() == {}


def test_the_head_who_says_that_the_deal_was_complete_must_say_what_was_dealt() -> None:
    stage = closed().deal("Kc 7d Qh Kd").key(Key.REVEAL)
    stage.tell(AlertOverridden("H1", stage.alerts()["TOO_FEW_CARDS"].id))
    assert stage.state.review is not None


@pytest.mark.rules("TCF-29", "A-TCF-17")
def test_a_seat_reader_that_sees_another_players_card_is_an_alarm_no_misdeal() -> None:
    stage = closed(fitted=Fitted(seat_readers={1: 2, 2: 5, 3: 0})).deal("Kc 7d Qh")
    stage.tell(CardScanned(1, tag_of(cards_from_text("Kc")[0])))
    assert stage.alerts() == {}
    stage.tell(CardScanned(1, tag_of(cards_from_text("7d")[0])))
    assert dict(stage.alerts()["DEAL_OUT_OF_ORDER"].evidence) == {"expected": "5", "got": "2"}
    assert stage.state.coup.void is None


def test_a_seat_reader_that_sees_a_card_which_never_left_the_shoe() -> None:
    stage = closed(fitted=Fitted(seat_readers={1: 2})).deal("Kc").tell(CardScanned(1, tag_of(DECK[0])))
    assert stage.alerts()["TOO_MANY_CARDS"].seat == 2


@pytest.mark.rules("TCF-44")
def test_the_dealer_may_not_show_while_somebody_is_undecided() -> None:
    stage = closed().deal(DEAL).lay(2, "play", 1000).key(Key.REVEAL)
    assert (stage.alerts()["DECISION_PENDING"].seat, stage.phase) == (5, "deciding")
    stage.key(Key.FOLD, 5)
    assert stage.alerts() == {}


@pytest.mark.rules("STU-44", "STU-61")
def test_a_bought_card_served_while_somebody_is_undecided() -> None:
    stage = Stage(Game.STU).open().lay(1, "ante", 1000).lay(2, "ante", 1000).key(Key.BETS_CLOSED)
    stage.deal(DECK[:15]).lay(1, "buy", 1000).lay(1, "raise", 2000).deal(DECK[20:21])
    assert (stage.alerts()["CARD_WHILE_PENDING"].seat, stage.alerts()["CARD_WHILE_PENDING"].rule) == (2, "STU-44")
    assert 1 in stage.state.coup.bought


@pytest.mark.rules("TCF-37")
def test_an_early_look_voids_that_hand_only() -> None:
    stage = closed().deal("Kc 7d").key(Key.LOOK, 5).deal("Qh Kd 5s 9c 2c 3h 4d")
    assert stage.alerts()["HAND_LOOKED_EARLY"].seat == 5
    stage.lay(2, "play", 1000).key(Key.REVEAL)
    assert stage.targets() == {(5, "ante"): 1000, (2, "ante"): 2000, (2, "play"): 2000}


@pytest.mark.rules("TCF-33", "A-TCF-10")
def test_a_card_exposed_before_a_player_is_turned_back() -> None:
    stage = closed().deal("Kc 7d").key(Key.EXPOSED_CARD, 5)
    assert stage.alerts()["EXPOSED_CARD"].rule == "TCF-33"
    assert stage.state.coup.served == 2


@pytest.mark.rules("TCF-09", "A-TCF-10")
def test_a_card_uncovered_on_its_way_is_burned_and_the_next_takes_its_place() -> None:
    stage = closed().deal("Kc 7d").key(Key.EXPOSED_CARD)
    assert stage.alerts()["BURNED_CARD"].rule == "TCF-09"
    assert (stage.state.coup.served, len(stage.state.coup.burned)) == (1, 1)
    stage.deal("8d Qh Kd 5s 9c 2c 3h 4d")
    assert stage.phase == "deciding"
    assert len(stage.state.coup.hands[5]) == 3


def test_a_doubtful_reading_at_the_shoe_is_a_hole_in_the_evidence() -> None:
    stage = closed().tell(CardDoubted(0, (), Doubt.TWO_CARDS))
    assert {"CARD_DOUBTFUL", "IN_REVIEW"} == set(stage.alerts())


def test_the_cut_card_in_the_middle_of_a_coup() -> None:
    assert "CUT_CARD_IN_DEAL" in closed().deal("Kc").tell(CutCardSeen()).alerts()


@pytest.mark.rules("STU-59")
def test_a_purchase_needs_its_discard_to_be_seen() -> None:
    stage = Stage(Game.STU).open().lay(1, "ante", 1000).key(Key.BETS_CLOSED).deal(DECK[:10])
    stage.lay(1, "buy", 1000).lay(1, "raise", 2000).deal(DECK[20:21]).key(Key.REVEAL)
    assert stage.alerts()["DISCARD_NOT_SEEN"].rule == "STU-59"
    assert stage.phase == "revealing"
    stage.tell(DiscardRead((tag_of(DECK[0]),)))
    assert stage.phase == "paying"


@pytest.mark.rules("TCF-01", "TCF-65")
def test_a_card_missing_at_the_count_takes_the_deck_out_of_use() -> None:
    stage = closed().deal(DEAL).lay(2, "play", 1000).key(Key.FOLD, 5).key(Key.REVEAL).pay()
    stage.rack(DECK[:-1]).key(Key.SHUFFLE)
    assert dict(stage.alerts()["CARD_MISSING"].evidence) == {"cards": 1}
    assert (stage.phase, stage.state.shoe.phase) == ("idle", "empty")


def test_a_stranger_among_the_cards() -> None:
    stage = closed().rack(DECK[:3], "blue")
    assert dict(stage.alerts()["CARD_EXTRA"].evidence) == {"cards": 3}


@pytest.mark.rules("TCF-02", "STU-02")
@pytest.mark.parametrize("game", [Game.TCF, Game.STU])
def test_a_seance_needs_new_cards(game: Game) -> None:
    stage = Stage(game).head().key(Key.OPEN_SESSION).key(Key.NEW_DECK).rack(DECK, "blue")
    assert stage.alerts()["DECK_NOT_NEW"].rule in ("TCF-02", "STU-02")
    assert stage.state.shoe.phase == "counting"
    assert stage.head().key(Key.OVERRIDE).state.shoe.phase == "counted"


@pytest.mark.rules("UTH-02")
def test_ultimate_holdem_may_open_with_used_cards() -> None:
    stage = Stage(Game.UTH).head().key(Key.OPEN_SESSION).key(Key.NEW_DECK).rack(DECK, "blue")
    assert stage.alerts() == {}
    assert stage.state.shoe.phase == "counted"


@pytest.mark.rules("TCF-06")
def test_cards_from_a_deck_that_was_not_shuffled() -> None:
    stage = Stage(Game.TCF).head().key(Key.OPEN_SESSION).key(Key.NEW_DECK).rack(DECK).rack(())
    stage.lay(2, "ante", 1000).key(Key.BETS_CLOSED).deal("Kc")
    assert dict(stage.alerts()["DECK_NOT_READY"].evidence) == {"missing": "shuffle"}
