"""Hold'em records as a file tells them: both forms, the public keys, and every way to write nonsense."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.holdem.holdem_script import DEEP
from sabot_gateway.model.game import Game
from sabot_gateway.rulebook import shipped_rulesets
from sabot_gateway.rules.games.texas_holdem import KEYS
from sabot_gateway.rules.key import REQUIRED
from sabot_tools.settle.line import settle_line

CASES = Path(__file__).parents[2] / "cases"
ACTED: dict[str, Any] = {
    "id": "h1",
    "game": "THE",
    "button": 4,
    "seats": [
        {"seat": seat, "cards": [f"{rank}s", f"{rank}d"], "stack": DEEP}
        for seat, rank in zip((1, 2, 3, 4), "AKQJ", strict=True)
    ],
    "board": [],
    "actions": [
        {"street": "preflop", "seat": 3, "act": "raise", "to": 3000},
        {"street": "preflop", "seat": 4, "act": "fold"},
        {"street": "preflop", "seat": 1, "act": "fold"},
        {"street": "preflop", "seat": 2, "act": "fold"},
    ],
}
STAKED: dict[str, Any] = {
    "id": "h2",
    "game": "THE",
    "button": 1,
    "seats": [
        {"seat": 1, "cards": ["Ks", "Kd"], "contributed": 5000},
        {"seat": 2, "cards": ["As", "Ad"], "contributed": 2000},
        {"seat": 3, "cards": ["4s", "4d"], "contributed": 500, "folded": True},
    ],
    "board": ["2c", "5h", "8s", "9d", "3h"],
}


def answer(record: dict[str, Any]) -> dict[str, Any]:
    return settle_line(record, shipped_rulesets())


def errors(record: dict[str, Any]) -> list[tuple[object, ...]]:
    found = answer(record)
    assert found["status"] == "rejected", found
    assert all(error["message"].endswith(".") for error in found["errors"])
    return [(error["code"], error["rule"], error.get("seat"), error.get("detail")) for error in found["errors"]]


def changed(record: dict[str, Any], *path: str | int, to: object) -> dict[str, Any]:
    """A copy with the value at `path` replaced."""
    copy = deepcopy(record)
    inner: Any = copy
    for step in path[:-1]:
        inner = inner[step]
    inner[path[-1]] = to
    return copy


@pytest.mark.rules("THE-109", "THE-111", "THE-114")
def test_every_public_key_of_a_showdown() -> None:
    found = answer(STAKED)
    del found["ruleset"]
    assert found == {
        "id": "h2",
        "game": "THE",
        "status": "settled",
        "errors": [],
        "announcements": [],
        "bank_net": 180,
        "seats": [
            {
                "seat": 1,
                "category": "pair",
                "tiebreak": [13, 13, 9, 8, 5],
                "comparison": "lose",
                "bets": {"pot": {"outcome": "lose", "stake": 5000, "returned": 3000, "net": -2000, "rule": "THE-104"}},
                "total": {"stake": 5000, "returned": 3000, "net": -2000},
            },
            {
                "seat": 2,
                "category": "pair",
                "tiebreak": [14, 14, 9, 8, 5],
                "comparison": "win",
                "bets": {"pot": {"outcome": "win", "stake": 2000, "returned": 4320, "net": 2320, "rule": "THE-104"}},
                "total": {"stake": 2000, "returned": 4320, "net": 2320},
            },
            {
                "seat": 3,
                "comparison": "folded",
                "bets": {"pot": {"outcome": "forfeit", "stake": 500, "returned": 0, "net": -500, "rule": "THE-58"}},
                "total": {"stake": 500, "returned": 0, "net": -500},
            },
        ],
        # 2000 + 2000 + 500, less 4 %.
        "pots": [
            {
                "pot": 0,
                "amount": 4500,
                "rake": 180,
                "net": 4320,
                "eligible": [1, 2],
                "winners": [2],
                "shares": {"2": 4320},
                "rule": "THE-104",
            }
        ],
        "pot_amounts": [4500],
        "pot_rakes": [180],
        "pot_winners": [[2]],
        "uncalled": {"seat": 1, "amount": 3000, "rule": "THE-114"},
        "rake_total": 180,
        "contributions": {"1": 5000, "2": 2000, "3": 500},
        "showdown_order": [2, 1],
        "showdown_rule": "THE-127",
    }


@pytest.mark.rules("THE-122")
def test_uncontested_coup_tells_no_hand() -> None:
    found = answer(ACTED)
    assert found["showdown_order"] == []
    assert not any("category" in seat for seat in found["seats"])
    assert found["contributions"] == {"1": 500, "2": 1000, "3": 3000, "4": 0}


@pytest.mark.rules("THE-125")
def test_void_coup_is_announced_and_returns_everything() -> None:
    found = answer({**ACTED, "coup": {"void": "malfunction"}, "actions": ACTED["actions"][:1]})
    assert (found["status"], found["rule"], found["rake_total"]) == ("void", "THE-125", 0)
    assert found["announcements"] == [{"say": "coup nul", "english": "coup void", "rule": "THE-125"}]
    assert {seat["total"]["net"] for seat in found["seats"]} == {0}


@pytest.mark.rules("THE-51")
def test_deal_is_checked_from_the_left_of_the_button() -> None:
    deal = [{"to": seat, "card": card} for card in ("2c", "3c") for seat in (1, 2, 3, 4)]
    assert answer({**ACTED, "deal": deal})["deal_check"]["ok"] is True
    swapped = [deal[1], deal[0], *deal[2:]]
    assert answer({**ACTED, "deal": swapped})["deal_check"]["ok"] is False


@pytest.mark.rules("THE-39", "THE-40")
def test_recave_during_the_coup_is_found_beside_the_settlement() -> None:
    log = [{"phase": "coup", "seat": 1, "spot": "recave", "op": "place", "amount": 10000}]
    found = answer({**ACTED, "bet_log": log})
    assert found["status"] == "settled"
    assert found["window_check"]["ok"] is False


@pytest.mark.parametrize(
    ("record", "error"),
    [
        (changed(ACTED, "actions", 0, "act", to="muck"), ("UNKNOWN_ACTION", "THE-33", 3, "muck")),
        (changed(ACTED, "actions", 0, "act", to=7), ("BAD_TYPE", None, 3, "actions[0].act")),
        (changed(ACTED, "actions", 0, "street", to="fifth"), ("BAD_VALUE", None, None, "actions[0].street")),
        (changed(ACTED, "actions", 0, "street", to=None), ("MISSING_KEY", None, 3, "actions[0].street")),
        (changed(ACTED, "actions", 0, "to", to="3000"), ("BAD_TYPE", None, 3, "actions[0].to")),
        (changed(ACTED, "actions", 0, "to", to=3000.0), ("BAD_TYPE", None, 3, "actions[0].to")),
        (changed(ACTED, "actions", 0, "to", to=10**18), ("MORE_THAN_STACK", "THE-37", 3, None)),
        (changed(ACTED, "actions", 0, "to", to=10**15), ("MORE_THAN_STACK", "THE-37", 3, DEEP)),
        (changed(ACTED, "actions", 0, "to", to=-1), ("RAISE_NOT_HIGHER", "THE-60", 3, 1000)),
        (changed(ACTED, "actions", 0, "size", to=1), ("UNKNOWN_KEY", None, 3, "actions[0].size")),
        (changed(ACTED, "actions", to="none"), ("BAD_TYPE", None, None, "actions")),
        (changed(ACTED, "seats", 0, "stack", to=True), ("BAD_TYPE", None, 1, "seats[0].stack")),
        (changed(ACTED, "seats", 0, "stack", to=10**18), ("BAD_STACK", "THE-37", 1, None)),
        (changed(ACTED, "seats", 0, "stack", to=-5), ("BAD_STACK", "THE-37", 1, -5)),
        (changed(ACTED, "seats", 0, "bets", to={}), ("UNKNOWN_KEY", None, 1, "seats[0].bets")),
        (changed(ACTED, "seats", 0, "cards", to=["As", "1z"]), ("BAD_CARD", "THE-01", 1, "1z")),
        (changed(ACTED, "seats", 0, "cards", to=["As", "As"]), ("DUPLICATE_CARD", "THE-01", 1, "As")),
        (changed(ACTED, "seats", 0, "absent", to="no"), ("BAD_TYPE", None, 1, "seats[0].absent")),
        (changed(ACTED, "button", to="4"), ("BAD_TYPE", None, None, "button")),
        (changed(ACTED, "button", to=None), ("MISSING_KEY", None, None, "button")),
        (changed(ACTED, "dealer", to={"cards": []}), ("UNKNOWN_KEY", None, None, "dealer")),
        (changed(ACTED, "option", to={"seat": 3, "size": 1}), ("UNKNOWN_KEY", None, None, "option.size")),
        (changed(ACTED, "option", to={"seat": 3}), ("OPTION_NOT_AUTHORISED", "THE-48", 3, None)),
        (changed(ACTED, "coup", to={"void": "bored"}), ("BAD_VALUE", None, None, "coup.void")),
        (changed(ACTED, "config", to={"version": "spread"}), ("BAD_VALUE", "THE-60", None, "version")),
        (changed(ACTED, "config", to={"seats_total": 11}), ("SEATS_TOTAL", "THE-18", None, 11)),
        (changed(ACTED, "config", to={"big_blind": 1001}), ("BIG_BLIND_RANGE", "THE-47", None, 1001)),
        (changed(ACTED, "config", to={"rake_bp": 10_001}), ("BAD_VALUE", "THE-109", None, 10_001)),
        (changed(ACTED, "config", to={"ante": 5}), ("UNKNOWN_KEY", None, None, "config.ante")),
        (changed(STAKED, "seats", 0, "contributed", to="all"), ("BAD_TYPE", None, 1, "seats[0].contributed")),
        (changed(STAKED, "seats", 0, "contributed", to=10**18), ("BAD_CONTRIBUTION", "THE-37", 1, None)),
        (changed(STAKED, "seats", to=[]), ("TOO_FEW_PLAYERS", "THE-14", None, 0)),
        (changed(STAKED, "board", to=["2c"]), ("BOARD_COUNT", "THE-89", None, 1)),
    ],
)
def test_impossible_records_are_refused_with_code_rule_seat_and_detail(
    record: dict[str, Any], error: tuple[object, ...]
) -> None:
    assert errors(record) == [error]


json_values: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**19), 10**19) | st.floats(allow_nan=False) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=8,
)


def paths_of(value: object, path: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    found = [path] if path else []
    if isinstance(value, dict):
        for key, inner in value.items():
            found += paths_of(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(value):
            found += paths_of(inner, (*path, index))
    return found


@given(st.sampled_from([ACTED, STAKED]), st.data())
@settings(deadline=None, max_examples=300)
def test_no_value_anywhere_in_a_record_breaks_the_run(record: dict[str, Any], data: st.DataObject) -> None:
    path = data.draw(st.sampled_from(paths_of(record)))
    found = answer(changed(record, *path, to=data.draw(json_values)))
    assert found["status"] in {"settled", "void", "rejected"}
    assert bool(found["errors"]) == (found["status"] == "rejected")
    json.dumps(found)


def test_keys_name_every_setting_of_the_example_coups_with_its_default() -> None:
    settings_of_cases: dict[str, object] = json.loads((CASES / "defaults.json").read_text(encoding="utf-8"))["THE"]
    keys = {key.name: key for key in KEYS}
    assert set(settings_of_cases) <= set(keys)
    for name, value in settings_of_cases.items():
        assert keys[name].problem(value) is None
        assert keys[name].default in (value, REQUIRED), name
    required = {name for name, key in keys.items() if key.default is REQUIRED}
    assert required == {
        "version",
        "rake_bp",
        "rake_cap",
        "rake_basis",
        "no_flop_no_drop",
        "cave_min",
        "recave_max",
        "table_min",
        "chip_unit",
    }
    assert shipped_rulesets()[Game.THE].values.keys() >= keys.keys()
