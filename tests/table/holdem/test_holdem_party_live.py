"""Around the coups: the button, caves, absence, the waiting list, seats and the last three hands."""

import pytest

from sabot_gateway.model.effect import StartTimer
from sabot_gateway.model.event import (
    ButtonPlaced,
    PlayerAbsent,
    PlayerCalled,
    PlayerLeft,
    PlayerReturned,
    PlayerSeated,
    PlayerWaiting,
    Recaved,
    TimerFired,
)
from sabot_gateway.model.felt import Key
from sabot_gateway.model.game import Game
from table.holdem.holdem_stage import VALUES, blinds, dealt, four, seated
from table.table_stage import Stage


def players(*seats: int) -> Stage:
    stage = Stage(Game.THE, **VALUES).open()
    for seat in seats:
        stage.tell(PlayerSeated(seat, f"p{seat}"))
    return stage


def won_by_folds(stage: Stage) -> Stage:
    """A whole coup of `four`: everybody folds to the big blind, who is paid."""
    order = [seat for seat in stage.state.coup.players if seat != 2]
    while stage.phase == "deciding":
        stage.key(Key.FOLD)
    assert order
    return stage.pay().lay(2, "bet", 0).collect()


@pytest.mark.rules("THE-42", "THE-43")
def test_the_highest_club_takes_the_button() -> None:
    stage = players(2, 5, 9).key(Key.BUTTON).deal("Jc Ac 2c")
    assert stage.state.button == 5
    assert stage.alerts() == {}


@pytest.mark.rules("THE-44")
def test_after_the_draw_the_deck_is_shuffled_again() -> None:
    stage = players(2, 5).key(Key.BUTTON).deal("Jc Ac")
    assert stage.state.shoe.phase == "counted"


@pytest.mark.rules("THE-42")
def test_a_card_of_another_suit_spoils_the_draw() -> None:
    stage = players(2, 5).key(Key.BUTTON).deal("Jc Ah")
    alert = stage.alerts()["BUTTON_DRAW_WRONG"]
    assert (alert.seat, alert.rule) == (5, "THE-42")
    assert stage.state.button == 0
    stage.key(Key.BUTTON).deal("Jc Tc")
    assert stage.state.button == 2
    assert stage.alerts() == {}


@pytest.mark.rules("THE-14")
def test_one_player_draws_no_button() -> None:
    assert players(4).key(Key.BUTTON).alerts()["BUTTON_DRAW_WRONG"].rule == "THE-14"


@pytest.mark.rules("THE-117")
def test_the_button_moves_to_the_next_occupied_seat_after_each_coup() -> None:
    stage = seated({1: 100_000, 2: 100_000, 7: 100_000}, 7)
    won_by_folds(dealt(blinds(stage)))
    assert stage.state.button == 1


@pytest.mark.rules("THE-117")
def test_a_button_before_a_seat_that_was_left_moves_on() -> None:
    stage = four().tell(PlayerLeft(4))
    assert stage.state.button == 1


@pytest.mark.rules("THE-41")
def test_the_button_does_not_move_during_a_coup() -> None:
    stage = dealt(blinds(four())).tell(ButtonPlaced(1))
    assert stage.alerts()["BUTTON_MOVED"].rule == "THE-41"
    assert stage.state.button == 4


@pytest.mark.rules("THE-117")
def test_a_button_put_elsewhere_between_coups_is_reported() -> None:
    stage = four().tell(ButtonPlaced(2))
    assert dict(stage.alerts()["BUTTON_MOVED"].evidence) == {"after": 2, "due": 4}
    assert stage.state.button == 2


@pytest.mark.rules("THE-41")
def test_a_new_seance_needs_a_new_button() -> None:
    stage = four().key(Key.LAST_HANDS)
    for _ in range(3):
        small, big = ((4, 1, 2), (1, 2, 3), (2, 3, 4))[stage.state.seance.hands_since][1:]
        won_by_folds(dealt(blinds(stage.ready(), small, big)))
        stage.lay(big, "bet", 0)
    stage.head().key(Key.CLOSE_SESSION)
    assert stage.state.seance.phase == "closed"
    stage.open().lay(1, "bet", 500).key(Key.BETS_CLOSED)
    assert "BUTTON_NOT_PLACED" in stage.alerts()


@pytest.mark.rules("THE-39")
def test_a_recave_during_a_coup_is_an_alarm_and_plays_only_later() -> None:
    stage = dealt(blinds(seated({1: 100_000, 2: 100_000, 3: 5000}, 3))).tell(Recaved(3, 50_000))
    alert = stage.alerts()["RECAVE_DURING_COUP"]
    assert (alert.seat, alert.rule, alert.severity) == (3, "THE-39", "alarm")
    stage.lay(3, "bet", 9000)
    assert "MORE_THAN_STACK" in stage.alerts()


@pytest.mark.rules("THE-38")
def test_a_recave_between_coups_adds_to_the_stack() -> None:
    stage = four().tell(Recaved(3, 50_000))
    assert stage.alerts() == {}
    assert stage.state.seats[3].stack_cents == 150_000


@pytest.mark.rules("THE-35", "THE-40")
def test_a_cave_too_small_and_a_recave_too_large_are_reported() -> None:
    stage = Stage(Game.THE, **VALUES, cave_min=20_000, recave_max=30_000).open().tell(PlayerSeated(1, "a"))
    assert stage.tell(Recaved(1, 10_000)).alerts()["CAVE_BELOW_MINIMUM"].rule == "THE-35"
    assert stage.tell(Recaved(1, 40_000)).alerts()["RECAVE_ABOVE_MAXIMUM"].rule == "THE-40"


@pytest.mark.rules("THE-20")
def test_a_cave_before_a_vacant_seat_is_reported() -> None:
    assert four().tell(Recaved(8, 50_000)).alerts()["CAVE_WITHOUT_PLAYER"].seat == 8


@pytest.mark.rules("THE-21")
def test_a_player_who_changes_seats_during_the_game_is_an_alarm() -> None:
    stage = four().tell(PlayerLeft(3)).tell(PlayerSeated(8, "p3"))
    assert dict(stage.alerts()["SEAT_CHANGED"].evidence) == {"before": 3}
    assert stage.alerts()["SEAT_CHANGED"].seat == 8


@pytest.mark.rules("THE-21", "THE-24")
def test_a_player_called_from_the_list_takes_the_seat_he_is_given() -> None:
    stage = four().tell(PlayerLeft(3)).tell(PlayerWaiting("p3")).tell(PlayerSeated(8, "p3"))
    assert stage.alerts() == {}
    assert stage.state.seance.waiting == ()


@pytest.mark.rules("THE-23", "THE-24", "THE-25")
def test_the_waiting_list_is_called_in_the_order_of_registration() -> None:
    stage = four().tell(PlayerWaiting("x")).tell(PlayerWaiting("y")).tell(PlayerWaiting("z"))
    stage.tell(PlayerCalled("x", answered=False))
    assert stage.alerts() == {}
    stage.tell(PlayerCalled("z", answered=True))
    assert dict(stage.alerts()["CALLED_OUT_OF_ORDER"].evidence) == {"nth": 2}
    assert stage.state.seance.waiting == ("y",)


@pytest.mark.rules("THE-28", "THE-29")
def test_an_absence_beyond_the_limit_of_the_house_asks_for_consignment() -> None:
    stage = four(absence_max_s=600).tell(PlayerAbsent(3))
    timer = next(effect for effect in stage.effects if isinstance(effect, StartTimer) and "absence" in effect.timer)
    assert timer.after_ms == 600_000
    stage.tell(TimerFired(timer.timer, timer.token))
    assert dict(stage.alerts()["ABSENT_TOO_LONG"].evidence) == {"seconds": 600}
    stage.tell(PlayerReturned(3))
    assert stage.alerts() == {}


@pytest.mark.rules("THE-28")
def test_a_player_back_in_time_is_no_matter() -> None:
    stage = four(absence_max_s=600).tell(PlayerAbsent(3))
    timer = next(effect for effect in stage.effects if isinstance(effect, StartTimer) and "absence" in effect.timer)
    stage.tell(PlayerReturned(3)).tell(TimerFired(timer.timer, timer.token))
    assert stage.alerts() == {}


@pytest.mark.rules("THE-17")
def test_a_player_without_chips_gets_no_hand_until_he_recaves() -> None:
    stage = seated({1: 100_000, 2: 1000, 3: 100_000}, 3)
    dealt(blinds(stage), ("AsAd", "7c2d", "KsKd"))
    stage.key(Key.FOLD, 3).lay(1, "bet", 1000).lay(1, "bet", 0).lay(0, "pot", 2000)
    stage.lay(2, "bet", 0)
    for cards in ("4c 5h8s9d", "6c 3h", "8c Jh"):
        stage.deal(cards)
    stage.key(Key.REVEAL).pay().lay(1, "bet", 0).collect()
    assert stage.phase == "idle"
    assert stage.state.seats[2].stack_cents == 0
    assert stage.state.button == 1
    stage.ready().lay(3, "bet", 500).lay(1, "bet", 1000).key(Key.BETS_CLOSED)
    assert stage.state.coup.players == (1, 3)


@pytest.mark.rules("THE-112")
def test_the_game_stops_only_after_three_announced_hands() -> None:
    stage = four()
    stage.head().key(Key.CLOSE_SESSION)
    assert "LAST_HANDS_NOT_ANNOUNCED" in stage.alerts()
    assert stage.state.seance.phase == "open"
