"""The order of a coup's steps, by rule; and that no list of steps is ever too strange."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sabot_gateway.model.game import Game
from sabot_gateway.rules.phase import PhaseEvent, check_phases, known_events
from sabot_gateway.rules.phase_table import STEPS

LEGAL = {
    Game.TCF: "count shuffle cut bets stakes_checked rnvp deal decision:1 decision:2 burn_stub "
    "reveal compare pay clear",
    Game.STU: "count bets stakes_checked shuffle cut rnvp deal decision:2 decision:1 purchase:1 purchase:2 burn_stub "
    "reveal compare pay clear",
    Game.TCP: "shuffle bets rnvp deal decision:1 decision:2 reveal compare pay clear",
    Game.UTH: "count shuffle bets deal decision:1 flop board decision:2 reveal compare pay clear",
    Game.THE: "count button shuffle blinds deal decision:1 flop turn river showdown rake pay clear",
}


def steps(text: str) -> list[PhaseEvent]:
    """`deal decision:2` as events, so that a test reads like a coup."""
    split = (word.partition(":") for word in text.split())
    return [PhaseEvent(name, int(seat) if seat else None) for name, _, seat in split]


def findings(game: Game, text: str, **values: object) -> list[dict[str, object]]:
    faults = check_phases(game, values, [1, 2], steps(text))
    return [{"code": fault.code, "rule": fault.rule, "seat": fault.seat, **dict(fault.extra)} for fault in faults]


def brief(game: Game, text: str, **values: object) -> list[tuple[object, ...]]:
    return [
        (f["index"], f["code"], f.get("missing") or f.get("after"), f["rule"]) for f in findings(game, text, **values)
    ]


@pytest.mark.parametrize("game", Game)
def test_a_coup_in_order_and_the_next_one_after_it_have_no_finding(game: Game) -> None:
    coup = LEGAL[game]
    following = coup.removeprefix("count ").removeprefix("button ")
    assert findings(game, f"{coup} relief {following}") == []
    assert findings(game, f"{coup} {coup}") == []


@pytest.mark.parametrize("game", Game)
def test_a_new_coup_may_open_without_a_word_about_clearing(game: Game) -> None:
    coup = LEGAL[game].removesuffix(" clear")
    assert findings(game, f"{coup} {coup}") == []


@pytest.mark.rules("TCF-06", "STU-06", "THE-04", "UTH-04")
@pytest.mark.parametrize(
    ("game", "rule"), [(Game.TCF, "TCF-06"), (Game.STU, "STU-06"), (Game.THE, "THE-04"), (Game.UTH, "UTH-04")]
)
def test_cards_are_counted_before_they_are_shuffled(game: Game, rule: str) -> None:
    assert brief(game, "stakes_checked shuffle count" if game is Game.STU else "shuffle count") == [
        (1 if game is Game.STU else 0, "TOO_EARLY", "count", rule)
    ]


@pytest.mark.rules("TCF-25", "STU-25")
def test_cards_are_dealt_after_rien_ne_va_plus() -> None:
    assert brief(Game.TCF, "count shuffle cut stakes_checked deal rnvp") == [(4, "TOO_EARLY", "rnvp", "TCF-25")]
    assert brief(Game.STU, "count stakes_checked shuffle cut deal") == [(4, "TOO_EARLY", "rnvp", "STU-25")]


@pytest.mark.rules("TCF-25", "STU-25", "TCP-08", "UTH-18")
def test_a_stake_after_the_close_is_late() -> None:
    assert brief(Game.TCF, "count shuffle stakes_checked rnvp bet:1") == [(4, "TOO_LATE", "rnvp", "TCF-25")]
    assert brief(Game.STU, "count stakes_checked shuffle rnvp bets") == [(4, "TOO_LATE", "rnvp", "STU-25")]
    assert brief(Game.TCP, "shuffle bets deal bets") == [(3, "TOO_LATE", "deal", "TCP-08")]
    assert brief(Game.UTH, "count shuffle bets deal bets") == [(4, "TOO_LATE", "deal", "UTH-18")]


@pytest.mark.rules("STU-23", "TCF-23", "TCF-14", "STU-13")
def test_stakes_are_verified_before_the_shuffle_at_stud_and_before_the_deal_at_three_cards() -> None:
    assert brief(Game.STU, "count shuffle cut") == [(1, "TOO_EARLY", "stakes_checked", "STU-23")]
    assert brief(Game.TCF, "count shuffle cut rnvp deal") == [(4, "TOO_EARLY", "stakes_checked", "TCF-23")]
    assert brief(Game.STU, "count shuffle rnvp deal", rnvp_before="deal") == [
        (3, "TOO_EARLY", "stakes_checked", "STU-23")
    ]
    assert brief(Game.TCF, "count shuffle", rnvp_before="shuffle") == [(1, "TOO_EARLY", "stakes_checked", "TCF-23")]


@pytest.mark.rules("TCF-44", "STU-44", "UTH-24", "TCP-12")
@pytest.mark.parametrize(
    ("game", "rule"), [(Game.TCF, "TCF-44"), (Game.STU, "STU-44"), (Game.TCP, "TCP-12"), (Game.UTH, "UTH-24")]
)
def test_the_dealer_waits_for_every_decision(game: Game, rule: str) -> None:
    undecided = " ".join(word for word in LEGAL[game].split() if not word.startswith(("decision:2", "purchase")))
    (finding,) = findings(game, undecided)
    assert (finding["code"], finding["seat"], finding["rule"]) == ("DECISION_PENDING", 2, rule)


@pytest.mark.rules("TCF-37", "STU-35")
def test_nobody_waits_for_a_hand_that_an_early_look_made_void() -> None:
    assert findings(Game.TCF, LEGAL[Game.TCF].replace("decision:2", "early_look:2")) == []


@pytest.mark.rules("TCF-44", "STU-44", "UTH-24", "TCP-12")
@pytest.mark.parametrize("game", [Game.TCF, Game.STU, Game.TCP, Game.UTH])
def test_a_decision_after_the_reveal_is_late(game: Game) -> None:
    text = LEGAL[game].replace("compare", "decision:1 compare")
    (finding,) = findings(game, text)
    assert (finding["code"], finding["after"]) == ("TOO_LATE", "reveal")


@pytest.mark.rules("STU-32", "STU-44", "STU-61", "STU-80")
def test_a_purchase_has_its_time_and_its_turn() -> None:
    opening = "count stakes_checked shuffle cut rnvp deal decision:1 decision:2"
    assert brief(Game.STU, f"{opening} burn_stub purchase:1") == [(9, "TOO_LATE", "burn_stub", "STU-32")]
    assert brief(Game.STU, f"{opening} reveal purchase:1") == [(9, "TOO_LATE", "reveal", "STU-44")]
    assert brief(Game.STU, f"{opening} purchase:2 purchase:1") == [(9, "OUT_OF_ORDER", None, "STU-61")]
    assert brief(Game.STU, f"{opening} purchase:2 purchase:2") == [(9, "MORE_THAN_ONE_CARD", None, "STU-80")]
    early = opening.removesuffix(" decision:2")
    assert brief(Game.STU, f"{early} purchase:1") == [(7, "DECISION_PENDING", None, "STU-44")]


@pytest.mark.rules("TCF-15", "STU-14", "THE-09", "UTH-09")
@pytest.mark.parametrize(
    ("game", "rule"), [(Game.TCF, "TCF-15"), (Game.STU, "STU-14"), (Game.THE, "THE-09"), (Game.UTH, "UTH-09")]
)
def test_nobody_is_relieved_between_the_first_card_and_the_last_payment(game: Game, rule: str) -> None:
    before, _, after = LEGAL[game].partition(" deal ")
    assert brief(game, f"{before} relief deal relief {after}")[0][1:] == ("TOO_LATE", "deal", rule)
    assert findings(game, f"{before} relief deal {after.replace('pay', 'pay relief')}") == []


@pytest.mark.rules("UTH-21", "UTH-23", "UTH-27")
def test_ultimate_turns_its_board_in_order() -> None:
    assert brief(Game.UTH, "count shuffle bets deal board") == [(4, "TOO_EARLY", "flop", "UTH-23")]
    assert brief(Game.UTH, "count shuffle bets flop") == [(3, "TOO_EARLY", "deal", "UTH-21")]
    assert brief(Game.UTH, "count shuffle bets deal decision:1 decision:2 flop reveal") == [
        (7, "TOO_EARLY", "board", "UTH-27")
    ]


@pytest.mark.rules("THE-50", "THE-45", "THE-41")
def test_holdem_posts_its_blinds_before_the_deal() -> None:
    assert brief(Game.THE, "count button shuffle deal") == [(3, "TOO_EARLY", "blinds", "THE-50")]
    assert brief(Game.THE, "count button shuffle deal blinds") == [(3, "TOO_EARLY", "blinds", "THE-50")]
    assert brief(Game.THE, "count shuffle blinds deal") == [(3, "TOO_EARLY", "button", "THE-41")]


@pytest.mark.rules("THE-44")
def test_the_deck_is_shuffled_again_after_the_draw_for_the_button() -> None:
    assert brief(Game.THE, "count shuffle button blinds deal") == [(4, "TOO_EARLY", "shuffle", "THE-44")]


@pytest.mark.rules("THE-71", "THE-85", "THE-88", "THE-111")
def test_holdem_streets_rake_and_payment_follow_each_other() -> None:
    opening = "count button shuffle blinds deal"
    assert brief(Game.THE, f"{opening} turn") == [(5, "TOO_EARLY", "flop", "THE-85")]
    assert brief(Game.THE, f"{opening} flop river") == [(6, "TOO_EARLY", "turn", "THE-88")]
    assert brief(Game.THE, f"{opening} pay") == [(5, "TOO_EARLY", "rake", "THE-111")]
    assert brief(Game.THE, "count button shuffle blinds flop") == [(4, "TOO_EARLY", "deal", "THE-71")]


@pytest.mark.rules("THE-21", "THE-39")
def test_no_seat_is_changed_during_a_game_and_no_recave_during_a_coup() -> None:
    assert brief(Game.THE, f"{LEGAL[Game.THE]} seat_change:2")[0][1:] == ("TOO_LATE", "deal", "THE-21")
    assert findings(Game.THE, f"seat_change:2 {LEGAL[Game.THE]} recave") == []
    assert brief(Game.THE, "count button shuffle blinds deal recave") == [(5, "TOO_LATE", "deal", "THE-39")]


@pytest.mark.rules("TCP-07", "TCP-48")
def test_every_coup_is_shuffled_and_a_void_one_ends_it() -> None:
    assert brief(Game.TCP, "shuffle bets deal void bets deal") == [(5, "TOO_EARLY", "shuffle", "TCP-07")]


def test_a_step_or_seat_that_the_game_does_not_know_is_reported() -> None:
    assert [f["code"] for f in findings(Game.TCF, "seance")] == ["UNKNOWN_EVENT"]
    assert [f["code"] for f in findings(Game.TCF, "decision:9 decision")] == ["SEAT_NUMBER"] * 2


@pytest.mark.parametrize("game", Game)
def test_the_tables_speak_only_of_steps_that_the_game_knows(game: Game) -> None:
    table = STEPS[game]
    named = {need.event for need in table.needs} | {need.missing for need in table.needs}
    named |= {late.event for late in table.lates} | {late.after for late in table.lates}
    named |= set(table.pending)
    assert named <= known_events(game)
    assert {need.rule[:3] for need in table.needs} == {str(game)}
    assert {late.rule[:3] for late in table.lates} == {str(game)}


@settings(deadline=None)
@given(
    st.sampled_from(list(Game)),
    st.lists(st.integers(-2, 12), max_size=8),
    st.lists(
        st.builds(
            PhaseEvent,
            st.one_of(st.sampled_from(sorted(set().union(*map(known_events, Game)))), st.text(max_size=8)),
            st.one_of(st.none(), st.integers(-2, 12)),
        ),
        max_size=40,
    ),
)
def test_any_list_of_steps_gives_findings_that_point_into_it(
    game: Game, players: list[int], events: list[PhaseEvent]
) -> None:
    for fault in check_phases(game, {}, players, events):
        facts = dict(fault.extra)
        assert events[int(str(facts["index"]))].event == facts["event"]
        assert fault.sentence
        assert fault.rule or fault.code == "UNKNOWN_EVENT"
