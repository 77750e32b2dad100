"""Before the deal: the button, the blinds and the option as the spots show them."""

import pytest

from sabot_gateway.model.event import AlertOverridden, ButtonPlaced, PlayerAbsent, PlayerSeated
from sabot_gateway.model.felt import Key
from sabot_gateway.model.game import Game
from sabot_gateway.table.setup import Fitted
from table.holdem.holdem_stage import blinds, deal_holes, dealt, four, seated
from table.table_stage import Stage


@pytest.mark.rules("THE-45", "THE-46", "THE-47")
def test_proper_blinds_and_the_first_card_open_the_betting() -> None:
    stage = blinds(four()).deal("Ks")
    assert stage.phase == "dealing"
    assert stage.alerts() == {}


@pytest.mark.rules("THE-46")
def test_a_wrong_small_blind_holds_the_deal_and_clears_when_put_right() -> None:
    stage = four().lay(1, "bet", 450).lay(2, "bet", 1000).key(Key.BETS_CLOSED)
    alert = stage.alerts()["WRONG_BLIND"]
    assert (alert.seat, alert.rule, dict(alert.evidence)) == (1, "THE-46", {"amount_cents": 450, "due_cents": 500})
    assert alert.fr == "Place 1 : blind de 4,50 au lieu de 5."
    assert stage.phase == "betting"
    stage.lay(1, "bet", 500)
    assert "WRONG_BLIND" not in stage.alerts()
    assert stage.key(Key.BETS_CLOSED).phase == "dealing"


@pytest.mark.rules("THE-47")
def test_a_wrong_big_blind_names_its_own_rule() -> None:
    stage = four().lay(1, "bet", 500).lay(2, "bet", 1500).key(Key.BETS_CLOSED)
    assert stage.alerts()["WRONG_BLIND"].rule == "THE-47"
    assert stage.alerts()["WRONG_BLIND"].seat == 2


@pytest.mark.rules("THE-50")
def test_cards_dealt_on_a_missing_blind_hold_the_settlement_until_it_is_laid() -> None:
    stage = dealt(four().lay(2, "bet", 1000))
    assert "CARD_BEFORE_BETS_CLOSED" in stage.raised()
    alert = stage.alerts()["DEALT_ON_WRONG_BLIND"]
    assert (alert.seat, alert.rule, alert.holds) == (1, "THE-50", "settle")
    assert stage.state.coup.players == (1, 2, 3, 4)
    stage.lay(1, "bet", 500)
    assert "DEALT_ON_WRONG_BLIND" not in stage.alerts()


@pytest.mark.rules("THE-45")
def test_overriding_a_refused_blind_lets_the_seat_sit_out_and_the_next_players_post() -> None:
    stage = four().lay(2, "bet", 500).key(Key.BETS_CLOSED)
    wrong = next(a for a in stage.state.alerts.values() if a.code == "WRONG_BLIND" and a.seat == 1)
    stage.tell(AlertOverridden("H1", wrong.id)).lay(3, "bet", 1000).key(Key.BETS_CLOSED)
    assert stage.phase == "dealing"
    assert stage.state.coup.players == (2, 3, 4)


@pytest.mark.rules("THE-128")
def test_a_player_short_of_his_blind_posts_all_he_has() -> None:
    stage = seated({1: 300, 2: 100_000, 3: 100_000}, 3).lay(1, "bet", 300).lay(2, "bet", 1000)
    stage.key(Key.BETS_CLOSED)
    assert stage.phase == "dealing"
    assert stage.alerts() == {}


@pytest.mark.rules("THE-48")
def test_an_option_where_the_house_has_none_is_refused() -> None:
    stage = blinds(four()).lay(3, "bet", 2000).key(Key.BETS_CLOSED)
    assert stage.alerts()["WRONG_OPTION"].rule == "THE-48"


@pytest.mark.rules("THE-49", "THE-126")
def test_an_option_of_twice_the_big_blind_counts_and_speaks_last() -> None:
    stage = blinds(four(option_allowed=True)).lay(3, "bet", 1500).key(Key.BETS_CLOSED)
    assert stage.alerts()["WRONG_OPTION"].rule == "THE-49"
    stage.lay(3, "bet", 2000)
    dealt(stage)
    hand = stage.state.coup.holdem
    assert hand is not None
    assert (hand.seat_in_turn, hand.betting.bet_to) == (4, 2000)


@pytest.mark.rules("THE-50")
def test_a_stake_of_a_seat_with_no_blind_to_post_is_named() -> None:
    stage = blinds(four()).lay(4, "bet", 1000).key(Key.BETS_CLOSED)
    assert stage.alerts()["STAKE_BEFORE_DEAL"].seat == 4


@pytest.mark.rules("THE-20")
def test_a_stake_before_a_vacant_seat_is_named() -> None:
    stage = blinds(four()).lay(7, "bet", 1000).key(Key.BETS_CLOSED)
    assert stage.alerts()["BET_ON_VACANT_SEAT"].seat == 7


@pytest.mark.rules("THE-41")
def test_no_deal_without_a_button() -> None:
    stage = Stage(Game.THE, table_min=1000, chip_unit=50).open()
    stage.tell(PlayerSeated(1, "a")).tell(PlayerSeated(2, "b")).lay(1, "bet", 500).key(Key.BETS_CLOSED)
    assert "BUTTON_NOT_PLACED" in stage.alerts()
    stage.tell(ButtonPlaced(2)).lay(2, "bet", 1000).key(Key.BETS_CLOSED)
    assert stage.phase == "dealing"


@pytest.mark.rules("THE-14")
def test_one_player_alone_is_no_game() -> None:
    stage = seated({1: 100_000}, 1).lay(1, "bet", 500).key(Key.BETS_CLOSED)
    assert stage.alerts()["TOO_FEW_PLAYERS"].rule == "THE-14"
    assert stage.phase == "betting"


@pytest.mark.rules("THE-27")
def test_an_absent_player_posts_nothing_and_gets_no_hand() -> None:
    stage = four().tell(PlayerAbsent(1)).lay(2, "bet", 500).lay(3, "bet", 1000).key(Key.BETS_CLOSED)
    assert stage.alerts() == {}
    assert stage.state.coup.players == (2, 3, 4)


@pytest.mark.rules("THE-116")
@pytest.mark.parametrize(("reading", "small", "big", "first"), [("literal", 1, 2, 1), ("standard", 2, 1, 2)])
def test_two_players_post_by_the_reading_of_the_house(reading: str, small: int, big: int, first: int) -> None:
    stage = blinds(seated({1: 100_000, 2: 100_000}, 2, heads_up=reading), small, big)
    deal_holes(stage, {1: "AsAd", 2: "KsKd"})
    assert stage.alerts() == {}
    assert stage.state.coup.holdem is not None
    assert stage.state.coup.holdem.seat_in_turn == first


@pytest.mark.rules("THE-19")
def test_one_player_at_two_seats_is_refused() -> None:
    stage = four().tell(PlayerSeated(3, "p1"))
    blinds(stage).key(Key.BETS_CLOSED)
    assert stage.alerts()["PLAYER_TWO_HANDS"].seat == 3


@pytest.mark.rules("THE-32")
def test_a_stack_that_is_no_whole_number_of_chips_is_named() -> None:
    stage = seated({1: 100_050, 2: 100_000, 3: 100_000}, 3, Fitted(pot=True, stacks=True), chip_unit=100)
    stage.lay(1, "stack", 99_550).lay(1, "bet", 500).lay(2, "stack", 99_000).lay(2, "bet", 1000)
    stage.key(Key.BETS_CLOSED)
    assert stage.alerts()["STACK_NOT_WHOLE"].seat == 1


@pytest.mark.rules("THE-46")
def test_limits_that_allow_no_proper_blind_are_an_alarm() -> None:
    stage = seated({1: 100_000, 2: 100_000}, 2, table_min=1050, chip_unit=50).lay(1, "bet", 500)
    stage.key(Key.BETS_CLOSED)
    assert stage.alerts()["BLINDS_IMPOSSIBLE"].rule == "THE-46"
