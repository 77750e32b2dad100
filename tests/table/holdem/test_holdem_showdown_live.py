"""The showdown: who shows first, hands thrown away, and what stays sealed; and coups with a hole in their evidence."""

import pytest

from sabot_gateway.model.card import cards_from_text
from sabot_gateway.model.coup import Void
from sabot_gateway.model.event import CoupVoided, HandConfirmed, LinkGap
from sabot_gateway.model.felt import Key
from sabot_gateway.table.exposure import shown_hand
from sabot_gateway.table.holdem_showdown import still_to_show
from table.holdem.holdem_stage import blinds, deal_holes, gather, seated, settled, street
from table.table_stage import Stage

ACES, KINGS, QUEENS = "AsAd", "KsKd", "QsQd"


def at_river() -> Stage:
    """Three players, 30 in the pot, the board dealt and seat 1 to speak; seat 1 holds aces, 2 kings, 3 queens."""
    stage = seated({1: 100_000, 2: 100_000, 3: 100_000}, 3)
    deal_holes(blinds(stage), {1: ACES, 2: KINGS, 3: QUEENS})
    stage.lay(3, "bet", 1000).lay(1, "bet", 1000).key(Key.CHECK)
    street(gather(stage, 3000), "2c5h8s").key(Key.CHECK).key(Key.CHECK).key(Key.CHECK)
    street(stage, "9d").key(Key.CHECK).key(Key.CHECK).key(Key.CHECK)
    return street(stage, "3h")


def checked() -> Stage:
    return at_river().key(Key.CHECK).key(Key.CHECK).key(Key.CHECK)


@pytest.mark.rules("THE-102")
def test_without_a_raise_the_first_to_speak_shows_first() -> None:
    assert still_to_show(checked().state) == (1, 2, 3)


@pytest.mark.rules("THE-101")
def test_the_first_raiser_of_the_last_round_shows_first() -> None:
    stage = at_river().lay(1, "bet", 1000).lay(2, "bet", 1000).lay(3, "bet", 3000).lay(1, "bet", 3000)
    stage.lay(2, "bet", 3000)
    assert still_to_show(stage.state) == (3, 1, 2)


@pytest.mark.rules("THE-101")
def test_a_hand_shown_out_of_order_is_noted_and_counts() -> None:
    stage = checked().key(Key.REVEAL, 2)
    assert (stage.alerts()["SHOWDOWN_ORDER"].seat, stage.phase) == (2, "revealing")
    assert stage.key(Key.REVEAL, 1).key(Key.REVEAL, 3).phase == "paying"


@pytest.mark.rules("THE-101")
def test_hands_open_one_by_one_as_they_are_shown_and_not_before() -> None:
    stage = checked()
    assert shown_hand(stage.state, 1) == (None, None)
    stage.key(Key.REVEAL, 1)
    assert shown_hand(stage.state, 1) == cards_from_text(ACES)
    assert shown_hand(stage.state, 2) == (None, None)


@pytest.mark.rules("THE-101", "THE-104")
def test_a_hand_thrown_away_wins_nothing_and_stays_sealed() -> None:
    stage = checked().key(Key.FOLD, 1).key(Key.REVEAL)
    assert stage.alerts()["HAND_MUCKED"].seat == 1
    assert {seat.seat: seat.returned for seat in settled(stage).seats} == {1: 0, 2: 3000, 3: 0}
    assert shown_hand(stage.state, 1) == (None, None)
    assert stage.pay().phase == "clearing"


@pytest.mark.rules("THE-122")
def test_when_all_others_throw_away_the_last_hand_wins_unseen() -> None:
    stage = checked().key(Key.FOLD, 1).key(Key.FOLD, 2)
    assert stage.phase == "paying"
    assert {seat.seat: seat.returned for seat in settled(stage).seats} == {1: 0, 2: 0, 3: 3000}
    assert shown_hand(stage.state, 3) == (None, None)


@pytest.mark.rules("THE-114")
def test_a_player_who_throws_away_keeps_what_nobody_matched() -> None:
    stage = seated({1: 100_000, 2: 3000}, 2)
    deal_holes(blinds(stage), {1: ACES, 2: KINGS}).lay(1, "bet", 8000).lay(2, "bet", 3000)
    for cards in ("2c5h8s", "9d", "3h"):
        street(gather(stage, 11_000) if cards == "2c5h8s" else stage, cards)
    stage.key(Key.FOLD, 1)
    assert stage.phase == "paying"
    assert stage.targets() == {(1, "bet"): 5000, (2, "bet"): 6000, (0, "pot"): 0}


@pytest.mark.rules("THE-58")
def test_folded_hands_stay_sealed_after_the_coup() -> None:
    stage = at_river().key(Key.FOLD).key(Key.CHECK).key(Key.CHECK).key(Key.REVEAL)
    assert stage.phase == "paying"
    assert shown_hand(stage.state, 1) == (None, None)


@pytest.mark.rules("THE-51")
def test_a_card_missing_from_the_hands_is_never_settled_by_itself() -> None:
    stage = checked().tell(LinkGap(3, 5, device="t2")).key(Key.REVEAL)
    assert stage.state.review is not None
    assert stage.phase == "revealing"
    for seat, hand in ((1, ACES), (2, KINGS), (3, QUEENS), (-1, "2c5h8s9d3h")):
        stage.tell(HandConfirmed("H1", seat, cards_from_text(hand)))
    assert stage.state.review is None
    assert stage.phase == "paying"
    assert settled(stage).seats[0].returned == 3000


@pytest.mark.rules("THE-125")
def test_a_coup_in_review_may_be_voided_with_every_stake_back() -> None:
    stage = checked().tell(LinkGap(3, 5, device="t2")).tell(CoupVoided("H1", Void.MALFUNCTION))
    assert {seat.seat: seat.returned for seat in settled(stage).seats} == {1: 1000, 2: 1000, 3: 1000}


@pytest.mark.rules("THE-41", "THE-117")
def test_a_void_after_the_pot_was_paid_out_is_refused() -> None:
    stage = checked().key(Key.REVEAL).lay(0, "pot", 0).tell(CoupVoided("H1", Void.CARD_COUNT))
    assert "VOID_TOO_LATE" in stage.alerts()
    assert settled(stage).status == "settled"
