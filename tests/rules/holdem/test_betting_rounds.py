"""Turn order and the end of a round (THE-56 to THE-91)."""

import pytest

from rules.holdem.holdem_script import DEEP, betting, coup, four, nets, refusal, refused, settled, waiting
from sabot_gateway.model.holdem import Act, Street
from sabot_gateway.rules.betting import legal_actions
from sabot_gateway.rules.betting_state import Betting

LIMPED = "3 call, 4 call, 1 call, 2 check"


def street(state: object) -> Street:
    assert isinstance(state, Betting), state
    return state.street


@pytest.mark.rules("THE-56", "THE-57", "THE-61")
def test_first_round_runs_clockwise_from_the_left_of_the_big_blind() -> None:
    spoken = ["", "3 call", "3 call, 4 call", "3 call, 4 call, 1 call"]
    assert [waiting(four(script)) for script in spoken] == [3, 4, 1, 2]
    assert {street(four(script)) for script in spoken} == {Street.PREFLOP}


@pytest.mark.rules("THE-57")
def test_speaking_out_of_turn_before_the_flop() -> None:
    assert refusal(four("4 fold")) == ("OUT_OF_TURN", "THE-57", 3, 4)
    assert refusal(four("3 call, 2 check")) == ("OUT_OF_TURN", "THE-57", 4, 2)


@pytest.mark.rules("THE-73")
def test_speaking_out_of_turn_after_the_flop() -> None:
    assert refusal(four(f"{LIMPED} / 2 check")) == ("OUT_OF_TURN", "THE-73", 1, 2)


@pytest.mark.rules("THE-73", "THE-76")
def test_after_the_flop_the_first_player_still_in_left_of_the_button_speaks() -> None:
    assert waiting(four(LIMPED)) == 1
    assert waiting(four("3 call, 4 call, 1 fold, 2 check")) == 2
    assert waiting(four(f"{LIMPED} / 1 fold, 2 fold, 3 check, 4 check")) == 3


@pytest.mark.rules("THE-68")
def test_big_blind_may_check_when_nobody_raised_and_that_ends_the_round() -> None:
    before = four("3 call, 4 call, 1 call")
    assert isinstance(before, Betting)
    legal = legal_actions(before)
    assert legal is not None
    assert legal.acts == {Act.FOLD, Act.CHECK, Act.RAISE, Act.ALLIN}
    assert street(four(LIMPED)) is Street.FLOP


@pytest.mark.rules("THE-67", "THE-69")
def test_raise_by_the_big_blind_gives_everybody_the_word_again() -> None:
    assert waiting(four("3 call, 4 call, 1 call, 2 raise 3000")) == 3
    assert waiting(four("3 call, 4 call, 1 call, 2 raise 3000, 3 call, 4 raise 6000")) == 1
    assert street(four("3 call, 4 fold, 1 call, 2 raise 3000, 3 call, 1 call")) is Street.FLOP


@pytest.mark.rules("THE-63", "THE-64", "THE-66")
def test_blinds_count_toward_what_their_players_match_or_raise() -> None:
    state = four("3 raise 3000, 4 fold, 1 call 3000, 2 call 3000")
    assert isinstance(state, Betting)
    assert {player.seat: player.total for player in state.players} == {1: 3000, 2: 3000, 3: 3000, 4: 0}
    assert {player.seat: player.stack for player in state.players}[1] == DEEP - 3000
    assert waiting(four("3 raise 3000, 4 fold, 1 raise 5000")) == 2


@pytest.mark.rules("THE-82", "THE-86", "THE-90")
@pytest.mark.parametrize("rounds", [1, 2, 3])
def test_later_rounds_all_go_alike(rounds: int) -> None:
    checked = "1 check, 2 check, 3 check, 4 check"
    script = " / ".join([LIMPED, *[checked] * (rounds - 1), "1 check, 2 bet 1000, 3 raise 2000, 4 fold, 1 call"])
    state = four(script)
    assert waiting(state) == 2
    assert street(state) is tuple(Street)[rounds]


@pytest.mark.rules("THE-83")
def test_round_ends_when_all_checked_or_all_called() -> None:
    assert street(four(f"{LIMPED} / 1 check, 2 check, 3 check, 4 check")) is Street.TURN
    assert street(four(f"{LIMPED} / 1 check, 2 bet 1000, 3 call, 4 fold, 1 call")) is Street.TURN


@pytest.mark.rules("THE-83")
def test_missing_word_is_found_in_a_finished_coup() -> None:
    played = coup(f"{LIMPED} / 1 check, 2 check, 3 check", dict.fromkeys((1, 2, 3, 4), DEEP), button=4)
    assert refused(played) == [("ACTION_MISSING", "THE-83", "flop", 4)]


@pytest.mark.rules("THE-83")
def test_street_begun_too_early_names_the_player_who_was_passed_over() -> None:
    assert refusal(four("3 call, 4 call, 1 call / 1 check")) == ("ACTION_MISSING", "THE-83", "preflop", 2)


@pytest.mark.rules("THE-83", "THE-122")
def test_nobody_speaks_after_the_end() -> None:
    assert refusal(four("3 raise 3000, 4 fold, 1 fold, 2 fold, 3 check")) == (
        "ACTION_AFTER_END",
        "THE-83",
        "preflop",
        3,
    )
    checked = "1 check, 2 check, 3 check, 4 check"
    over = f"{LIMPED} / {checked} / {checked} / {checked}, 1 check"
    assert refusal(four(over)) == ("ACTION_AFTER_END", "THE-83", "river", 1)


@pytest.mark.rules("THE-83")
def test_action_of_an_earlier_street_is_refused() -> None:
    state = four(f"{LIMPED} / 1 check")
    assert isinstance(state, Betting)
    late = four(f"{LIMPED}, 1 check")
    assert refusal(late) == ("ACTION_AFTER_END", "THE-83", "preflop", 1)


@pytest.mark.rules("THE-83")
def test_last_player_with_chips_is_not_asked_once_he_has_matched() -> None:
    stacks = {1: 5000, 2: DEEP, 3: 5000}
    state = betting("3 allin, 1 allin, 2 call", stacks, button=3)
    assert waiting(state) is None
    assert street(state) is Street.RIVER
    assert waiting(betting("3 allin, 1 allin", stacks, button=3)) == 2


@pytest.mark.rules("THE-58", "THE-62", "THE-65")
def test_folded_blinds_lose_what_they_posted() -> None:
    played = coup("3 raise 3000, 4 fold, 1 fold, 2 fold", dict.fromkeys((1, 2, 3, 4), DEEP), button=4, board="")
    assert nets(settled(played)) == {1: -500, 2: -1000, 3: 1500, 4: 0}


@pytest.mark.rules("THE-65", "THE-68", "THE-83")
def test_big_blind_alone_against_an_all_in_may_say_check_or_leave_it() -> None:
    stacks = {1: DEEP, 2: DEEP, 3: 1000}
    silent = betting("3 allin, 1 fold", stacks, button=3)
    spoken = betting("3 allin, 1 fold, 2 check", stacks, button=3)
    assert waiting(silent) is None
    assert waiting(spoken) is None
    played = coup("3 allin, 1 fold, 2 check", stacks, button=3)
    assert nets(settled(played)) == nets(settled(coup("3 allin, 1 fold", stacks, button=3)))
    given_up = coup("3 allin, 1 fold, 2 fold", stacks, button=3, board="")
    assert nets(settled(given_up)) == {1: -500, 2: -1000, 3: 1500}
    for script in ("3 allin, 1 fold, 2 raise 5000", "3 allin, 1 fold, 2 check, 2 check", "3 allin, 1 fold / 2 check"):
        assert refusal(betting(script, stacks, button=3))[:2] == ("ACTION_AFTER_END", "THE-83")
