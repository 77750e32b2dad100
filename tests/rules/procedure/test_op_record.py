"""The `op` records, `deal` and `bet_log` of the settle input: shapes, codes, and that nothing ever raises."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sabot_gateway.model.card import DECK, text_from_card
from sabot_gateway.model.game import Game
from sabot_gateway.rules.deal import plan_deal
from sabot_gateway.rules.ruleset import Ruleset
from sabot_tools.settle.observation import deal_check, window_check
from sabot_tools.settle.procedure import CHECKS, check
from sabot_tools.settle.refusal import rejected
from sabot_tools.settle.shape import ShapeError

CASES = Path(__file__).resolve().parents[2] / "cases"
DEFAULTS = json.loads((CASES / "defaults.json").read_text(encoding="utf-8"))
WHOLE_DECK = [text_from_card(card) for card in DECK]
RULESETS = {game: Ruleset(f"{game} of the examples", game, DEFAULTS[game], "") for game in Game}
Record = dict[str, object]


def answer(game: str, op: str, **record: object) -> dict[str, object]:
    return check({"game": game, "op": op, **record}, RULESETS[Game(game)])


def codes(game: str, op: str, **record: object) -> list[object]:
    """The codes of the errors, whether the rule or the shape refused the record."""
    try:
        errors = answer(game, op, **record)["errors"]
    except ShapeError as error:
        return [error.fault.code]
    assert isinstance(errors, list)
    return [error["code"] for error in errors]


def op_cases() -> list[Record]:
    lines = [line for path in sorted(CASES.glob("*.jsonl")) for line in path.read_text(encoding="utf-8").splitlines()]
    return [case for case in map(json.loads, lines) if "op" in case]


def includes(actual: object, expected: object) -> bool:
    """Every key of `expected` is in `actual`; lists agree item by item."""
    if isinstance(expected, Mapping):
        return isinstance(actual, Mapping) and all(
            key in actual and includes(actual[key], value) for key, value in expected.items()
        )
    if isinstance(expected, list):
        if not isinstance(actual, list) or len(actual) != len(expected):
            return False
        return all(includes(*pair) for pair in zip(actual, expected, strict=True))
    return type(actual) is type(expected) and actual == expected


@pytest.mark.parametrize("case", op_cases(), ids=lambda case: str(case["id"]))
def test_example(case: Record) -> None:
    got = check(case, RULESETS[Game(str(case["game"]))])
    assert includes(got, case["expect"]), got


def test_the_examples_show_every_check() -> None:
    assert {case["op"] for case in op_cases()} == set(CHECKS)


@pytest.mark.rules("TCP-44", "TCP-45", "TCP-46", "TCP-47")
def test_a_pay_table_is_held_to_its_published_return() -> None:
    pair_plus = {"pair": 1, "flush": 3, "straight": 6, "trips": 30, "straight_flush": 40, "mini_royal": 200}
    assert answer("TCP", "rtp_check", bet="pair_plus", table=pair_plus) == {
        "status": "ok",
        "errors": [],
        "rtp": "95.62",
        "rule": "TCP-46",
    }
    changed = answer("TCP", "rtp_check", bet="pair_plus", table={**pair_plus, "flush": 4})
    assert (changed["status"], changed["rule"]) == ("rejected", "TCP-46")
    assert codes("TCP", "rtp_check", bet="pair_plus", table={**pair_plus, "flush": 4}) == ["RTP_MISMATCH"]
    assert codes("TCP", "rtp_check", bet="pair_plus", table={"quads": 3}) == ["BAD_VALUE"]
    assert codes("TCP", "rtp_check", bet="pair_plus", table={"pair": -1}) == ["BAD_VALUE"]
    assert codes("TCP", "rtp_check", bet="pair_plus", table={"pair": 1.0}) == ["BAD_TYPE"]
    assert codes("TCP", "rtp_check", bet="ante", table={}) == ["BAD_VALUE"]
    assert codes("TCP", "rtp_check", table={}) == ["MISSING_KEY"]


@pytest.mark.rules("TCP-57")
def test_the_six_card_return_needs_the_wheel() -> None:
    table = DEFAULTS["TCP"]["six_card_table"]
    bare = Ruleset("no wheel", Game.TCP, {**DEFAULTS["TCP"], "six_card_wheel": False}, "")
    got = check({"op": "rtp_check", "bet": "six_card", "table": table}, bare)
    assert (got["status"], got["rtp"]) == ("rejected", "87.68")


@pytest.mark.parametrize(
    ("game", "op", "record", "code"),
    [
        ("TCF", "deck_check", {}, "MISSING_KEY"),
        ("TCF", "deck_check", {"deck": "As"}, "BAD_TYPE"),
        ("TCF", "deck_check", {"deck": ["1s"]}, "BAD_CARD"),
        ("TCF", "deck_check", {"deck": WHOLE_DECK, "jokers": 2}, "UNKNOWN_KEY"),
        ("UTH", "deck_check", {"deck": WHOLE_DECK, "decks": "2"}, "BAD_TYPE"),
        ("TCF", "staff_check", {"chef_tables": "2"}, "BAD_TYPE"),
        ("TCF", "staff_check", {"chef_tables": True}, "BAD_TYPE"),
        ("TCF", "staff_check", {"chef_tables": -1}, "BAD_VALUE"),
        ("TCF", "staff_check", {"relief_phase": "lunch"}, "BAD_VALUE"),
        ("TCF", "staff_check", {"chef": None}, "STAFF_MISSING"),
        ("TCF", "staff_check", {"chef": 7}, "BAD_TYPE"),
        ("TCF", "cut_offer", {"players": [], "refused": []}, "NO_PLAYER"),
        ("TCF", "cut_offer", {"players": [1, 1]}, "SEAT_TWICE"),
        ("TCF", "cut_offer", {"players": [8]}, "SEAT_NUMBER"),
        ("TCF", "cut_offer", {"players": [1], "refused": [2]}, "BAD_VALUE"),
        ("UTH", "cut_offer", {"players": [1]}, "UNKNOWN_OP"),
        ("TCF", "button_draw", {"draw": []}, "UNKNOWN_OP"),
        ("THE", "button_draw", {}, "MISSING_KEY"),
        ("THE", "button_draw", {"draw": [{"seat": 1}]}, "BAD_CARD"),
        ("THE", "last_hands", {"hands_played_since": 3}, "MISSING_KEY"),
        ("THE", "last_hands", {"announced_before_last_three": 1, "hands_played_since": 3}, "BAD_TYPE"),
        ("THE", "last_hands", {"announced_before_last_three": True, "hands_played_since": -3}, "BAD_VALUE"),
        ("TCF", "phase_check", {"players": [1]}, "MISSING_KEY"),
        ("TCF", "phase_check", {"players": [1], "events": [{"e": 5}]}, "BAD_TYPE"),
        ("TCF", "phase_check", {"players": [1], "events": [{"e": "nap"}]}, "UNKNOWN_EVENT"),
        ("TCF", "phase_check", {"players": [1], "events": [{"e": "deal", "at": 3}]}, "UNKNOWN_KEY"),
        ("TCF", "tea_break", {}, "UNKNOWN_OP"),
    ],
)
def test_a_record_that_cannot_be_read_is_refused_with_its_code(game: str, op: str, record: Record, code: str) -> None:
    assert codes(game, op, **record) == [code]


@pytest.mark.rules("TCF-33", "TCF-29")
def test_a_deal_is_answered_with_violations_and_observations() -> None:
    plan = plan_deal(Game.TCF, {}, [1])
    cards = [{"to": to, "card": "As", "face": "down"} for to in (1, "D", 1, "D", 1, "D")]
    assert deal_check({}, plan) == {}
    assert deal_check({"deal": cards}, plan) == {"deal_check": {"ok": True, "violations": [], "observations": []}}
    cards[0]["face"] = "up"
    cards[5]["to"] = "?"
    (body,) = deal_check({"deal": cards}, plan).values()
    expected = {
        "ok": False,
        "violations": [{"index": 5, "code": "WRONG_RECIPIENT", "expected": "D", "got": "?", "rule": "TCF-30"}],
        "observations": [{"index": 0, "code": "EXPOSED_CARD", "rule": "TCF-33"}],
    }
    assert includes(body, expected), body


@pytest.mark.parametrize(
    ("item", "code"),
    [
        ({"to": None, "card": "As"}, "BAD_TYPE"),
        ({"to": True, "card": "As"}, "BAD_TYPE"),
        ({"to": 1, "card": "1s"}, "BAD_CARD"),
        ({"to": 1}, "BAD_CARD"),
        ({"to": 1, "card": "As", "face": "sideways"}, "BAD_VALUE"),
        ({"to": 1, "card": "As", "speed": 3}, "UNKNOWN_KEY"),
    ],
)
def test_a_deal_that_cannot_be_read_is_refused(item: Record, code: str) -> None:
    with pytest.raises(ShapeError) as refusal:
        deal_check({"deal": [item]}, plan_deal(Game.TCF, {}, [1]))
    assert refusal.value.fault.code == code


@pytest.mark.rules("TCF-25")
def test_a_bet_log_is_answered_with_its_violations() -> None:
    late = {"phase": "dealing", "seat": 1, "spot": "ante", "op": "change", "amount": 1000}
    (body,) = window_check({"bet_log": [late]}, RULESETS[Game.TCF]).values()
    violation = {"index": 0, "code": "WINDOW_CLOSED", "spot": "ante", "seat": 1, "rule": "TCF-25"}
    assert includes(body, {"ok": False, "violations": [violation]}), body


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"phase": "noon"}, "BAD_VALUE"),
        ({"phase": None}, "MISSING_KEY"),
        ({"op": None}, "MISSING_KEY"),
        ({"seat": "1"}, "BAD_TYPE"),
        ({"amount": -1}, "BAD_AMOUNT"),
        ({"amount": 10**18}, "BAD_AMOUNT"),
        ({"amount": "500"}, "BAD_AMOUNT"),
        ({"colour": "red"}, "UNKNOWN_KEY"),
    ],
)
def test_a_bet_log_that_cannot_be_read_is_refused(change: Record, code: str) -> None:
    item = {"phase": "betting", "seat": 1, "spot": "ante", "op": "place", "amount": 500, **change}
    with pytest.raises(ShapeError) as refusal:
        window_check({"bet_log": [item]}, RULESETS[Game.TCF])
    assert refusal.value.fault.code == code


KEYS = sorted({key for _, keys, _ in CHECKS.values() for key in keys})
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**20), 10**20) | st.floats(allow_nan=False) | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["e", "seat", "card", "pair", "trips"]), inner, max_size=4)
    ),
    max_leaves=8,
)


@settings(deadline=None)
@given(
    st.sampled_from(list(Game)),
    st.one_of(st.sampled_from(sorted(CHECKS)), JSON),
    st.dictionaries(st.sampled_from(KEYS), JSON, max_size=6),
)
def test_any_record_is_answered_or_refused_in_shape(game: Game, op: object, record: Record) -> None:
    try:
        got = check({"op": op, **record}, RULESETS[game])
    except ShapeError as error:
        got = rejected([error.fault])
    assert got["status"] in ("ok", "rejected")
    assert bool(got["errors"]) == (got["status"] == "rejected")
    json.dumps(got)
