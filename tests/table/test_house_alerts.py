"""Staff, séance, pace, lamps and controllers: one test per alert."""

from dataclasses import replace

import pytest

from sabot_gateway.model.card import DECK
from sabot_gateway.model.event import (
    AlertCleared,
    BadgeRead,
    ClockSkewed,
    ControllerRebooted,
    DeckRegistered,
    DeviceFaulted,
    DoorMoved,
    FloatDeclared,
    LampsApplied,
    LinkGap,
    LinkLost,
    LinkRestored,
    TimerFired,
)
from sabot_gateway.model.felt import DeviceFault, Key
from sabot_gateway.model.game import Game
from sabot_gateway.model.tag import Deck, Tag
from sabot_gateway.table.setup import Fitted, Timing
from table.table_stage import DEALER, HEAD, OTHER_DEALER, OTHER_HEAD, Stage

DEAL = "Kc 7d Qh Kd 5s 9c 2c 3h 4d"


def dealt(game: Game = Game.TCF, **options: object) -> Stage:
    stage = Stage(game, **options).open().lay(2, "ante", 1000).lay(5, "ante", 1000).key(Key.BETS_CLOSED)
    return stage.deal(DEAL)


@pytest.mark.rules("TCF-11")
def test_play_without_an_open_seance() -> None:
    stage = Stage(Game.TCF).lay(2, "ante", 1000)
    assert stage.alerts()["COUP_WITHOUT_SEANCE"].rule == "TCF-11"


@pytest.mark.rules("TCF-11")
def test_bets_closed_without_the_staff_of_the_article() -> None:
    stage = Stage(Game.TCF).lay(2, "ante", 1000).key(Key.BETS_CLOSED)
    missing = {alert.spot for alert in stage.state.alerts.values() if alert.code == "STAFF_MISSING"}
    assert missing == {"chef", "dealer"}
    stage.tell(BadgeRead(HEAD)).tell(BadgeRead(DEALER))
    assert "STAFF_MISSING" not in stage.alerts()


@pytest.mark.rules("TCF-15", "STU-14", "UTH-09")
def test_nobody_is_relieved_during_a_coup() -> None:
    stage = dealt().tell(BadgeRead(OTHER_DEALER)).tell(BadgeRead(OTHER_HEAD))
    assert {"DEALER_CHANGED", "HEAD_CHANGED"} == set(stage.alerts())
    assert dict(stage.alerts()["DEALER_CHANGED"].evidence) == {"before": "D1", "after": "D2"}


def test_a_relief_between_coups_is_in_order() -> None:
    stage = Stage(Game.TCF).open().tell(BadgeRead(OTHER_DEALER)).lay(2, "ante", 1000).tell(BadgeRead(DEALER))
    assert stage.alerts() == {}


def test_an_unknown_badge_stays_until_somebody_clears_it() -> None:
    stage = Stage(Game.TCF).open().tell(BadgeRead(Tag("ffff"))).tell(BadgeRead(Tag("fffe")))
    alert = stage.alerts()["UNKNOWN_BADGE"]
    assert alert.count == 2
    assert stage.tell(AlertCleared("S1", alert.id)).alerts() == {}


def test_a_key_that_needs_the_table_head() -> None:
    stage = dealt().tell(DoorMoved(False), seconds=60).key(Key.VOID)
    assert set(stage.alerts()) == {"AUTHORITY_MISSING"}
    assert stage.phase == "deciding"
    assert stage.head().key(Key.VOID).state.coup.void is not None


def test_a_key_without_meaning_is_a_notice() -> None:
    assert "KEY_OUT_OF_PLACE" in dealt().key(Key.FOLD, 7).alerts()


@pytest.mark.rules("THE-112")
def test_holdem_closes_only_after_its_last_three_hands() -> None:
    stage = Stage(Game.THE).open().head().key(Key.CLOSE_SESSION)
    assert stage.alerts()["LAST_HANDS_NOT_ANNOUNCED"].rule == "THE-112"
    assert stage.state.seance.phase == "open"


@pytest.mark.rules("UTH-08")
def test_the_float_of_the_table() -> None:
    stage = Stage(Game.UTH, float_min=50000).head().key(Key.OPEN_SESSION).tell(BadgeRead(DEALER)).key(Key.NEW_DECK)
    stage.rack(DECK).key(Key.ANNOUNCE).tell(FloatDeclared(40000))
    assert stage.alerts()["FLOAT_TOO_SMALL"].rule == "UTH-08"
    assert stage.state.seance.phase == "opening"
    assert stage.tell(FloatDeclared(50000)).state.seance.phase == "open"
    assert stage.alerts() == {}


@pytest.mark.rules("STU-23", "A-TCF-11")
def test_stud_verifies_the_stakes_before_the_shuffle() -> None:
    stage = Stage(Game.STU).open().lay(2, "ante", 1000).key(Key.SHUFFLE)
    assert stage.alerts()["SHUFFLE_BEFORE_CLOSE"].rule == "STU-23"
    stage = Stage(Game.STU).open().lay(2, "ante", 1000).key(Key.BETS_CLOSED).key(Key.SHUFFLE)
    assert stage.alerts() == {}


def test_a_coup_that_does_not_go_on() -> None:
    stage = dealt()
    stage.tell(TimerFired("stall", stage.state.timers["stall"]))
    assert dict(stage.alerts()["COUP_STALLED"].evidence) == {"phase": "deciding"}
    stage.lay(2, "play", 1000).key(Key.FOLD, 5)
    assert stage.alerts() == {}


def test_a_timer_that_was_replaced_says_nothing() -> None:
    stage = dealt()
    old = stage.state.timers["stall"]
    stage.lay(2, "play", 1000).key(Key.FOLD, 5).tell(TimerFired("stall", old))
    assert stage.alerts() == {}


@pytest.mark.parametrize(("fastest", "slowest", "code"), [(10**9, 10**9, "PACE_FAST"), (0, 1000, "PACE_SLOW")])
def test_the_pace_of_a_coup(fastest: int, slowest: int, code: str) -> None:
    stage = dealt(timing=Timing(fastest_ms=fastest, slowest_ms=slowest))
    stage.lay(2, "play", 1000).key(Key.FOLD, 5).key(Key.REVEAL).pay().collect()
    assert stage.phase == "idle"
    assert code in stage.raised()


def test_lamps_that_do_not_confirm_their_picture() -> None:
    stage = dealt()
    stage.tell(TimerFired("lamps", stage.state.timers["lamps"]))
    assert "LAMPS_NOT_CONFIRMED" in stage.alerts()
    stage.tell(LampsApplied(stage.state.lamps.revision - 1))
    assert "LAMPS_NOT_CONFIRMED" in stage.alerts()
    assert stage.tell(LampsApplied(stage.state.lamps.revision)).alerts() == {}


def test_a_lost_controller() -> None:
    stage = Stage(Game.TCF).open().tell(LinkLost(device="c1"))
    assert dict(stage.alerts()["CONTROLLER_LOST"].evidence) == {"device": "c1"}
    assert stage.tell(LinkRestored(device="c1")).alerts() == {}


@pytest.mark.parametrize(
    ("event", "code"),
    [
        (LinkLost(device="c1"), "CONTROLLER_LOST"),
        (LinkGap(4, 9, device="c1"), "EVENTS_MISSING"),
        (ControllerRebooted("watchdog", device="c1"), "CONTROLLER_REBOOTED"),
        (DeviceFaulted(DeviceFault.READER, 2, True, device="c1"), "DEVICE_FAULT"),
    ],
)
def test_a_hole_in_the_evidence_of_a_coup_means_review(
    event: LinkLost | LinkGap | ControllerRebooted | DeviceFaulted, code: str
) -> None:
    stage = dealt().tell(event)
    assert {code, "IN_REVIEW"} == set(stage.alerts())
    stage.lay(2, "play", 1000).key(Key.FOLD, 5).key(Key.REVEAL)
    assert stage.phase == "revealing"
    assert stage.settlements() == []


def test_a_broken_lamp_is_no_hole_in_the_evidence() -> None:
    stage = dealt().tell(DeviceFaulted(DeviceFault.LAMPS, 2, True, device="c1"))
    assert stage.state.review is None
    assert stage.tell(DeviceFaulted(DeviceFault.LAMPS, 2, False, device="c1")).alerts() == {}


def test_a_clock_that_is_off() -> None:
    stage = Stage(Game.TCF).open().tell(ClockSkewed(-5000, device="c1"))
    assert dict(stage.alerts()["CLOCK_OFF"].evidence)["off_ms"] == -5000
    assert stage.tell(ClockSkewed(20, device="c1")).alerts() == {}


def test_an_open_door() -> None:
    stage = Stage(Game.TCF).open().tell(DoorMoved(True))
    assert "DOOR_OPEN" in stage.alerts()
    assert stage.tell(DoorMoved(False)).alerts() == {}


def test_the_dealer_calls_the_floor() -> None:
    assert "FLOOR_CALLED" in Stage(Game.TCF).open().key(Key.CALL_FLOOR).alerts()


@pytest.mark.rules("UTH-06")
def test_a_shuffler_needs_two_decks_of_different_colours() -> None:
    stage = Stage(Game.UTH, fitted=Fitted(shuffler=True))
    setup = replace(stage.state.setup, decks={"red": Deck("red", "red")})
    stage.state = replace(stage.state, setup=setup)
    stage.head().key(Key.OPEN_SESSION).key(Key.NEW_DECK).rack(DECK)
    assert stage.alerts()["DECKS_NOT_TWO_COLOURS"].rule == "UTH-06"
    stage.tell(DeckRegistered(Deck("blue", "blue"), {})).rack(()).rack(DECK)
    assert stage.alerts() == {}


@pytest.mark.rules("UTH-06", "THE-06")
@pytest.mark.parametrize("game", [Game.UTH, Game.THE])
def test_a_shuffler_does_not_mind_how_many_decks_the_house_owns(game: Game) -> None:
    stage = Stage(game, fitted=Fitted(shuffler=True))
    many = {f"d{number}": Deck(f"d{number}", "red" if number % 2 else "blue") for number in range(9)}
    stage.state = replace(stage.state, setup=replace(stage.state.setup, decks={**stage.state.setup.decks, **many}))
    stage.head().key(Key.OPEN_SESSION).key(Key.NEW_DECK).rack(DECK)
    assert (stage.alerts(), stage.state.shoe.deck) == ({}, "red")
    stage.rack(()).key(Key.NEW_DECK).rack(DECK, "blue")
    assert (stage.alerts(), stage.state.shoe.deck) == ({}, "blue")


@pytest.mark.rules("UTH-06")
def test_two_decks_of_one_colour_that_take_turns_are_told_when_the_second_comes() -> None:
    stage = Stage(Game.UTH, fitted=Fitted(shuffler=True))
    decks = {"red": Deck("red", "red"), "blue": Deck("blue", "red"), "green": Deck("green", "green")}
    stage.state = replace(stage.state, setup=replace(stage.state.setup, decks=decks))
    stage.head().key(Key.OPEN_SESSION).key(Key.NEW_DECK).rack(DECK)
    assert stage.alerts() == {}, "the green one may come next"
    stage.rack(()).key(Key.NEW_DECK).rack(DECK, "blue")
    assert set(stage.alerts()) == {"DECKS_NOT_TWO_COLOURS"}


def test_a_table_without_rack_reader_trusts_the_dealers_count() -> None:
    stage = dealt(fitted=Fitted(rack=False)).lay(2, "play", 1000).key(Key.FOLD, 5).key(Key.REVEAL).pay()
    assert stage.phase == "idle"
    assert stage.state.shoe.phase == "counted"
