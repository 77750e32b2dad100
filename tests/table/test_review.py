"""Faults in mid-coup: nothing settles by itself; people confirm each hand or void the coup, and it is recorded."""

import pytest

from sabot_gateway.model.card import cards_from_text
from sabot_gateway.model.coup import Decision, Void
from sabot_gateway.model.event import CardScanned, CoupVoided, HandConfirmed, LinkGap, ServiceResumed
from sabot_gateway.model.felt import Key
from sabot_gateway.model.game import Game
from table.table_stage import Stage, tag_of

HANDS = {2: "Kc Kd 2c", 5: "7d 5s 3h", 0: "Qh 9c 4d"}


def interrupted(cards: str = "Kc 7d Qh Kd 5s 9c 2c 3h 4d") -> Stage:
    stage = Stage(Game.TCF).open().lay(2, "ante", 1000).lay(5, "ante", 1000).key(Key.BETS_CLOSED).deal(cards)
    return stage.tell(LinkGap(1, 2, device="c1"))


def confirm(stage: Stage, decisions: dict[int, Decision] | None = None) -> Stage:
    for seat, cards in HANDS.items():
        stage.tell(HandConfirmed("H1", seat, cards_from_text(cards), (decisions or {}).get(seat)))
    return stage


def test_confirming_every_hand_lets_the_coup_settle() -> None:
    stage = interrupted().lay(2, "play", 1000).key(Key.FOLD, 5).key(Key.REVEAL)
    assert stage.phase == "revealing"
    confirm(stage)
    assert stage.state.review is None
    assert stage.phase == "paying"
    assert stage.targets() == {(5, "ante"): 0, (2, "ante"): 2000, (2, "play"): 2000}


def test_some_hands_are_not_enough() -> None:
    stage = interrupted().lay(2, "play", 1000).key(Key.FOLD, 5).key(Key.REVEAL)
    stage.tell(HandConfirmed("H1", 2, cards_from_text(HANDS[2])))
    assert stage.phase == "revealing"


def test_confirmed_hands_stand_for_cards_that_the_shoe_missed() -> None:
    stage = interrupted("Kc 7d Qh Kd").tell(LinkGap(3, 9, device="c1"))
    confirm(stage)
    assert stage.phase == "deciding"
    stage.lay(2, "play", 1000).key(Key.FOLD, 5).key(Key.REVEAL)
    assert stage.phase == "paying"
    assert stage.targets()[2, "ante"] == 2000


def test_a_decision_that_was_not_seen_is_confirmed_with_the_hand() -> None:
    stage = interrupted().lay(2, "play", 1000)
    confirm(stage, {5: Decision.FOLD})
    assert stage.key(Key.REVEAL).phase == "paying"


def test_the_table_head_may_void_the_coup_instead() -> None:
    stage = interrupted().tell(CoupVoided("H1", Void.MALFUNCTION))
    assert stage.phase == "clearing"
    assert stage.settlements()[-1].by == "H1"
    assert stage.state.review is None


def test_confirmations_are_recorded_with_their_author() -> None:
    stage = confirm(interrupted())
    noted = [effect for effect in stage.effects if getattr(effect, "kind", "") == "hand_confirmed"]
    assert [dict(effect.detail)["seat"] for effect in noted] == [2, 5, 0]  # type: ignore[union-attr] # a decision
    assert {dict(effect.detail)["by"] for effect in noted} == {"H1"}  # type: ignore[union-attr] # a decision


def test_a_fault_after_the_settlement_changes_no_decision() -> None:
    stage = Stage(Game.TCF).open().lay(2, "ante", 1000).key(Key.BETS_CLOSED).deal("Kc Qh Kd 9c 2c 4d")
    stage.lay(2, "play", 1000).key(Key.REVEAL).tell(LinkGap(1, 2, device="c1"))
    assert stage.state.review is None
    assert stage.pay().phase == "clearing"


@pytest.mark.parametrize(("complete", "reviewed"), [(True, False), (False, True)])
def test_a_restart_asks_for_a_review_only_if_something_was_missed(complete: bool, reviewed: bool) -> None:
    stage = Stage(Game.TCF).open().lay(2, "ante", 1000).key(Key.BETS_CLOSED).deal("Kc")
    assert (stage.tell(ServiceResumed(complete)).state.review is not None) is reviewed


@pytest.mark.rules("TCF-01")
def test_evidence_that_the_rules_refuse_asks_for_people() -> None:
    """The same card from two decks: no settlement is made on it."""
    stage = Stage(Game.TCF).open().lay(2, "ante", 1000).key(Key.BETS_CLOSED).deal("Kc Qh Kd 9c 2c")
    stage.tell(CardScanned(0, tag_of(cards_from_text("Kc")[0], "blue"))).lay(2, "play", 1000)
    stage.head().key(Key.OVERRIDE).key(Key.REVEAL)
    assert stage.alerts()["CANNOT_SETTLE"].rule == "TCF-01"
    assert stage.state.review is not None
    assert stage.settlements() == []
