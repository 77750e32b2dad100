"""The frame around a coup: id, game, config, ruleset, refusals; and that no JSON whatever makes it raise."""

import copy
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sabot_gateway.model.game import Game
from sabot_gateway.rulebook import shipped_rulesets
from sabot_tools.settle.line import settle_line

RULESETS = shipped_rulesets()

TCF: Mapping[str, Any] = {
    "id": "a",
    "game": "TCF",
    "seats": [
        {
            "seat": 1,
            "cards": ["8h", "8c", "2d"],
            "bets": {"ante": 1000, "play": 1000, "pair_plus": 500},
            "decision": "raise",
        }
    ],
    "dealer": {"cards": ["As", "9d", "4c"]},
}
STU: Mapping[str, Any] = {
    "id": "b",
    "game": "STU",
    "seats": [
        {
            "seat": 1,
            "cards": ["Ks", "Ts", "7s", "5s", "2h"],
            "bets": {"ante": 1000, "raise": 2000, "buy": 1000},
            "buy": {"discard": "2h", "drawn": "2s"},
            "decision": "raise",
        }
    ],
    "dealer": {"cards": ["Ah", "Kc", "Jc", "9d", "7d"]},
}
UTH: Mapping[str, Any] = {
    "id": "c",
    "game": "UTH",
    "seats": [
        {
            "seat": 1,
            "cards": ["Ah", "5d"],
            "bets": {"ante": 1000, "blind": 1000, "play": 4000},
            "decision": "play_preflop",
        }
    ],
    "dealer": {"cards": ["Th", "Td"]},
    "board": ["Ks", "9s", "8s", "4d", "2c"],
}


def decide(record: Mapping[str, Any], **changes: Any) -> dict[str, Any]:
    return settle_line({**record, **changes}, RULESETS)


def with_seat(record: Mapping[str, Any], **changes: Any) -> dict[str, Any]:
    return {**record, "seats": [{**record["seats"][0], **changes}]}


def with_bet(record: Mapping[str, Any], spot: str, amount: Any) -> dict[str, Any]:
    return with_seat(record, bets={**record["seats"][0]["bets"], spot: amount})


def only_error(answer: Mapping[str, Any]) -> tuple[str, str | None, int | None]:
    assert answer["status"] == "rejected", answer
    (error,) = answer["errors"]
    assert error["message"].endswith(".")
    return error["code"], error["rule"], error.get("seat")


def test_a_settled_coup_carries_totals_odds_and_its_ruleset() -> None:
    answer = decide(TCF)
    seat = answer["seats"][0]
    # A pair of eights beats ace high: 1000 on the ante, 1000 on the raise, 500 on Paire Plus.
    assert seat["total"] == {"stake": 2500, "returned": 5000, "net": 2500}
    assert seat["bets"]["pair_plus"] == {
        "outcome": "win",
        "stake": 500,
        "net": 500,
        "returned": 1000,
        "rule": "TCF-74",
        "pay": "1:1",
        "breakage": "0",
    }
    assert answer["bank_net"] == -2500
    assert answer["ruleset"] == {"id": "tcf", "sha256": RULESETS[Game.TCF].sha256}
    assert answer["errors"] == []


def test_a_coup_with_its_own_config_names_the_digest_it_was_settled_by() -> None:
    plain, own, again = decide(TCF), decide(TCF, config={"table_min": 600}), decide(TCF, config={"table_min": 600})
    assert plain["ruleset"]["sha256"] != own["ruleset"]["sha256"] == again["ruleset"]["sha256"]
    assert decide(TCF, config={})["ruleset"] == plain["ruleset"]
    assert decide(TCF, config={"table_min": 500})["ruleset"] == plain["ruleset"]


@pytest.mark.parametrize("amount", [True, 1000.0, "1000", None, [1000], {"cents": 1000}, 10**30, -5])
@pytest.mark.rules("TCF-24")
def test_an_amount_that_is_no_whole_number_of_cents_is_refused(amount: object) -> None:
    answer = decide(with_bet(TCF, "pair_plus", amount))
    assert answer["status"] == "rejected"
    first = answer["errors"][0]
    assert (first["code"], first["rule"], first["seat"], first["detail"]) == ("BAD_AMOUNT", "TCF-24", 1, "pair_plus")
    assert not {"seats", "bank_net", "dealer"} & set(answer)


@pytest.mark.parametrize(
    ("record", "expected"),
    [
        (with_seat(TCF, cards=["8h", "8c", "1d"]), ("BAD_CARD", "TCF-01", 1)),
        (with_seat(TCF, cards=["8h", "8c", 5]), ("BAD_CARD", "TCF-01", 1)),
        (with_seat(STU, cards=["8h", "8c", "2D", "3c", "4c"]), ("BAD_CARD", "STU-01", 1)),
        (with_seat(TCF, cards="8h8c2d"), ("BAD_TYPE", None, None)),
        (with_seat(TCF, seat="1"), ("BAD_TYPE", None, None)),
        (with_seat(TCF, seat=True), ("BAD_TYPE", None, None)),
        (with_seat(TCF, seat=10**20), ("BAD_VALUE", None, None)),
        (with_seat(TCF, bets=[1000]), ("BAD_TYPE", None, 1)),
        (with_seat(TCF, decision=7), ("BAD_TYPE", None, 1)),
        (with_seat(TCF, decision="check"), ("NO_DECISION", "TCF-39", 1)),
        (with_seat(TCF, standing="yes"), ("BAD_TYPE", None, 1)),
        (with_seat(TCF, claims=["jackpot"]), ("BAD_VALUE", None, 1)),
        (with_seat(TCF, buy={"discard": "8h", "drawn": "3c"}), ("UNKNOWN_KEY", None, 1)),
        (with_seat(UTH, early_look=True), ("UNKNOWN_KEY", None, 1)),
        (with_seat(TCF, player="p" * 300), ("BAD_VALUE", None, 1)),
        (with_seat(STU, buy={"discard": "2h"}), ("MISSING_KEY", None, 1)),
        (with_seat(STU, buy={"discard": "2h", "drawn": "2s", "price": 3}), ("UNKNOWN_KEY", None, 1)),
        (with_seat(STU, buy={"discard": "2h", "drawn": ["2s", "3s"]}), ("MORE_THAN_ONE_CARD", "STU-80", 1)),
        ({**TCF, "board": []}, ("UNKNOWN_KEY", None, None)),
        ({**TCF, "dealer": None}, ("MISSING_KEY", None, None)),
        ({**TCF, "dealer": {"cards": ["As", "9d", "4c"], "name": "x"}}, ("UNKNOWN_KEY", None, None)),
        ({**TCF, "seats": {}}, ("BAD_TYPE", None, None)),
        ({**TCF, "seats": [5]}, ("BAD_TYPE", None, None)),
        ({**TCF, "seats": []}, ("NO_PLAYER", "TCF-16", None)),
        ({**TCF, "coup": {"void": "rain"}}, ("BAD_VALUE", None, None)),
        ({**TCF, "coup": {"valid": True}}, ("UNKNOWN_KEY", None, None)),
        ({**TCF, "burned": ["As"]}, ("DUPLICATE_CARD", "TCF-01", None)),
        ({**TCF, "jackpot": 1}, ("UNKNOWN_KEY", None, None)),
        ({**TCF, "bet_log": [{"phase": "lunch"}]}, ("BAD_VALUE", None, None)),
        ({**TCF, "op": "juggle"}, ("UNKNOWN_OP", None, None)),
        ({**TCF, "game": "BJK"}, ("UNKNOWN_GAME", None, None)),
        ({**TCF, "game": ["TCF"]}, ("UNKNOWN_GAME", None, None)),
        ({**TCF, "id": {"n": 1}}, ("BAD_TYPE", None, None)),
        ({**TCF, "id": "x" * 1000}, ("BAD_TYPE", None, None)),
        ({**TCF, "config": [1]}, ("BAD_TYPE", None, None)),
        ({**TCF, "config": {"jackpot": 1}}, ("UNKNOWN_KEY", None, None)),
        ({**TCF, "config": {"ace_low_straight": 1}}, ("BAD_VALUE", "TCF-81", None)),
        ({**TCF, "config": {"bonus_mode": "sometimes"}}, ("BAD_VALUE", "TCF-28", None)),
        ({**TCF, "config": {"table_min": -1}}, ("BAD_VALUE", "TCF-23", None)),
        ({**TCF, "config": {"table_min": 10**30}}, ("BAD_VALUE", "TCF-23", None)),
        ({**TCF, "config": {"table_min": 60000}}, ("BAD_VALUE", None, None)),
        ({**TCF, "config": {"seats_total": 4}}, ("SEATS_TOTAL", "TCF-18", None)),
        ({**TCF, "config": {"bonus_table": {"straight": 1}}}, ("BAD_VALUE", "TCF-70", None)),
        ({**TCF, "config": {"game": "UTH"}}, ("BAD_VALUE", None, None)),
    ],
)
def test_a_record_that_cannot_be_read_is_refused_with_its_reason(
    record: Mapping[str, Any], expected: tuple[str, str | None, int | None]
) -> None:
    assert only_error(settle_line(record, RULESETS)) == expected


def test_notes_of_a_book_of_cases_are_no_part_of_the_coup() -> None:
    noted = decide(TCF, title="pair against ace", rules=["TCF-74"], expect={"status": "whatever"})
    assert noted == decide(TCF)


def test_every_default_of_the_examples_is_a_key_and_changes_nothing() -> None:
    defaults = json.loads((Path(__file__).parents[2] / "cases" / "defaults.json").read_text(encoding="utf-8"))
    for record in (TCF, STU, UTH):
        answer = decide(record, config=defaults[record["game"]])
        assert answer["status"] == "settled"
        assert answer["ruleset"]["sha256"] == RULESETS[Game(record["game"])].sha256


JSON_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.text(max_size=8)
    | st.sampled_from(["As", "9d", "raise", "fold", "TCF", "STU", "TCP", "UTH", "THE", "ante", 500, 1000]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(["seat", "cards", "bets", "ante", "play", "void", "decision", "discard"])
            | st.text(max_size=4),
            inner,
            max_size=4,
        )
    ),
    max_leaves=12,
)
TOP_KEYS = ["id", "game", "op", "config", "seats", "dealer", "board", "coup", "burned", "deal", "bet_log", "actions"]


def check_answer(record: Mapping[str, Any]) -> None:
    answer: dict[str, Any] = settle_line(record, RULESETS)
    json.dumps(answer)
    assert answer["status"] in {"settled", "void", "rejected", "ok"} or "op" in record
    if answer["status"] == "rejected":
        assert answer["errors"]
        assert not {"seats", "bank_net", "pots", "rake_total"} & set(answer)
        for error in answer["errors"]:
            assert error["code"]
            assert error["message"]
    elif "bank_net" in answer:
        assert answer["bank_net"] + sum(seat["total"]["net"] for seat in answer["seats"]) == 0


@settings(max_examples=400, deadline=None)
@given(st.dictionaries(st.sampled_from(TOP_KEYS), JSON_VALUES, max_size=6), st.sampled_from(list(Game)))
def test_no_record_makes_it_raise(record: dict[str, Any], game: Game) -> None:
    check_answer(record)
    check_answer({**record, "game": str(game)})


@settings(max_examples=500, deadline=None)
@given(st.sampled_from([TCF, STU, UTH]), st.data())
def test_no_single_damage_to_a_good_record_makes_it_raise(record: Mapping[str, Any], data: st.DataObject) -> None:
    damaged = copy.deepcopy(dict(record))
    place: Any = damaged
    while isinstance(place, dict | list) and place:
        keys = list(place) if isinstance(place, dict) else list(range(len(place)))
        key = data.draw(st.sampled_from(keys))
        if data.draw(st.booleans()) or not isinstance(place[key], dict | list):
            place[key] = data.draw(JSON_VALUES)
            break
        place = place[key]
    check_answer(damaged)
