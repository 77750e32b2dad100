"""Ruleset files: what ships, what a house may change, what is refused and in which words, and the digest."""

import hashlib
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from conftest import ROOT
from sabot_gateway.model.game import Game
from sabot_gateway.rulebook import mapping_from_toml, ruleset_from_bytes, ruleset_from_file, shipped_ruleset
from sabot_gateway.rules.key import Key, Kind
from sabot_gateway.rules.key_table import keys_of
from sabot_gateway.rules.ruleset import Ruleset, RulesetError, check_published_returns, overridden, ruleset_from_mapping

FILES = ROOT / "gateway" / "sabot_gateway" / "rules" / "rulesets"
DEFAULTS = json.loads((ROOT / "tests" / "cases" / "defaults.json").read_text(encoding="utf-8"))

# Section by section, the keys that a ruleset must know beside those of the example cases.
SILENT = {
    Game.TCF: {"rnvp_before", "chef_max_tables", "source_version"},
    Game.STU: {"rnvp_before", "chef_max_tables", "source_version"},
    Game.TCP: {"source_version"},
    Game.THE: {"button_move", "session_hours", "absence_max_s", "missed_blinds", "source_version"},
    Game.UTH: {"float_min", "source_version"},
}
REQUIRED = {
    Game.TCF: {"table_min", "table_max", "chip_unit", "source_version", "bonus_mode"},
    Game.STU: {"table_min", "table_max", "chip_unit", "source_version", "raise_table"},
    Game.TCP: {
        "table_min",
        "table_max",
        "chip_unit",
        "source_version",
        "ante_bonus_table",
        "pair_plus_table",
        "six_card_table",
    },
    Game.THE: {
        "table_min",
        "chip_unit",
        "source_version",
        "version",
        "rake_bp",
        "rake_cap",
        "rake_basis",
        "no_flop_no_drop",
        "cave_min",
        "recave_max",
    },
    Game.UTH: {"table_min", "table_max", "chip_unit", "source_version"},
}
HOUSE: Mapping[Game, str] = {
    Game.TCF: 'table_min=500\ntable_max=50000\nchip_unit=100\nbonus_mode="ante_bonus"',
    Game.STU: 'table_min=500\ntable_max=50000\nchip_unit=100\nraise_table="second"',
    Game.TCP: "table_min=500\ntable_max=50000\nchip_unit=100\n"
    "ante_bonus_table={straight=1, trips=4, straight_flush=5}\n"
    "pair_plus_table={pair=1, flush=3, straight=6, trips=30, straight_flush=40, mini_royal=200}\n"
    "six_card_table={trips=5, straight=10, flush=20, full_house=25, quads=50, straight_flush=200, royal_flush=1000}",
    Game.THE: 'table_min=1000\nchip_unit=100\nversion="limit"\nrake_bp=500\nrake_cap=2000\nrake_basis="total"\n'
    'no_flop_no_drop=true\ncave_min=20000\nrecave_max="none"',
    Game.UTH: "table_min=500\ntable_max=50000\nchip_unit=100",
}


def written(game: Game) -> dict[str, Any]:
    return dict(mapping_from_toml((FILES / f"{game.lower()}.toml").read_bytes(), "x"))


def house(game: Game, more: str = "", without: str = "") -> Ruleset:
    lines = [line for line in HOUSE[game].splitlines() if not without or not line.startswith(without)]
    text = "\n".join(['id="h"', f'extends="{game.lower()}"', 'source_version="2026"', *lines, more])
    return ruleset_from_bytes(text.encode(), "house.toml")


def refusal(game: Game, changes: Mapping[str, object]) -> str:
    with pytest.raises(RulesetError) as caught:
        ruleset_from_mapping({**written(game), **changes}, "law.toml")
    return str(caught.value)


@pytest.mark.parametrize("game", Game)
def test_the_shipped_file_states_every_key_itself(game: Game) -> None:
    assert {key.name for key in keys_of(game)} | {"id"} == set(written(game))


@pytest.mark.parametrize("game", Game)
def test_the_shipped_values_are_those_of_the_rule_book(game: Game) -> None:
    values = shipped_ruleset(game).values
    assert {name: values[name] for name in DEFAULTS[game]} == DEFAULTS[game]
    assert SILENT[game] <= set(values)


@pytest.mark.parametrize("game", Game)
def test_keys_without_a_safe_default_must_be_set(game: Game) -> None:
    needed = {key.name for key in keys_of(game) if key.is_required and key.house}
    assert needed == REQUIRED[game]
    for name in needed:
        law = written(game)
        del law[name]
        with pytest.raises(RulesetError, match=rf"^law.toml: {name}: must be set, it has no safe default"):
            ruleset_from_mapping(law, "law.toml")


@pytest.mark.parametrize("game", Game)
def test_a_house_sets_the_required_keys_itself_and_inherits_the_rest(game: Game) -> None:
    ruleset = house(game)
    assert (ruleset.id, ruleset.game) == ("h", game)
    assert ruleset.values["resolutions"] == shipped_ruleset(game).values["resolutions"]
    with pytest.raises(RulesetError, match=r"house.toml: table_min: must be set by the house"):
        house(game, without="table_min")


def test_every_key_has_a_meaning_and_a_rule_or_is_a_statement() -> None:
    for game in Game:
        for key in keys_of(game):
            assert key.meaning.endswith("."), key.name
            assert key.rules or key.only is not None, key.name
            assert key.is_required or key.problem(key.default) is None, key.name


@pytest.mark.parametrize(
    ("game", "changes", "sentence"),
    [
        (Game.TCF, {"jackpot": 1}, "law.toml: jackpot: is not a key of this game."),
        (Game.TCF, {"game": "BJK"}, "law.toml: game: must be one of TCF, STU, TCP, THE, UTH."),
        (Game.TCF, {"id": ""}, "law.toml: id: must be a short name."),
        (Game.TCF, {"table_min": "500"}, "law.toml: table_min: must be a whole number (TCF-23)."),
        (Game.TCF, {"table_min": 500.0}, "law.toml: table_min: must be a whole number (TCF-23)."),
        (Game.TCF, {"table_min": True}, "law.toml: table_min: must be a whole number (TCF-23)."),
        (Game.TCF, {"table_min": 0}, "law.toml: table_min: must be at least 1 (TCF-23)."),
        (Game.TCF, {"table_min": 60000}, "law.toml: table_min: 60000 is above table_max 50000."),
        (Game.TCF, {"side_min": 60, "side_max": 50}, "law.toml: side_min: 60 is above side_max 50."),
        (Game.TCF, {"chip_unit": 300}, "law.toml: table_min: 500 is not a whole number of chips of 300."),
        (Game.TCF, {"seats_total": 4}, "law.toml: seats_total: must be at least 5 (TCF-18)."),
        (Game.TCF, {"seats_total": 8}, "law.toml: seats_total: must be at most 7 (TCF-18)."),
        (Game.STU, {"seats_total": 8}, "law.toml: seats_total: must be at most 7 (STU-17)."),
        (Game.UTH, {"seats_total": 8}, "law.toml: seats_total: must be at most 7 (UTH-13)."),
        (Game.THE, {"seats_total": 11}, "law.toml: seats_total: must be at most 10 (THE-18)."),
        (
            Game.TCF,
            {"claim_required": 1},
            "law.toml: claim_required: must be true or false (A-TCF-09, TCF-77, TCF-78).",
        ),
        (Game.TCF, {"qualification": "king"}, "is fixed by the rules to 'queen high or better'"),
        (Game.TCF, {"resolutions": {}}, "law.toml: resolutions: is fixed by the rules to"),
        (Game.TCF, {"bonus_table": {"straight": 1, "trips": 4}}, "misses a hand: straight_flush (TCF-70)."),
        (Game.TCF, {"bonus_table": {"straight": 9, "trips": 4, "straight_flush": 5}}, "pays trips less than straight"),
        (Game.TCF, {"bonus_table": {"flush": 1}}, "pays an unknown hand 'flush'"),
        (Game.TCF, {"bonus_table": {"straight": 0, "trips": 4, "straight_flush": 5}}, "impossible odds for straight"),
        (Game.TCF, {"bonus_table": {"straight": [3], "trips": 4, "straight_flush": 5}}, "impossible odds for straight"),
        (Game.TCF, {"bonus_table": [1]}, "must be a table of hands and odds"),
        (Game.TCF, {"articles": "55-21"}, "is fixed by the rules"),
        (Game.STU, {"table_min": 502, "table_max": 502}, "one fifth of it, the bonus stake, is not a whole number"),
        (Game.STU, {"raise_table": "third"}, "must be a table, or one of first, second"),
        (Game.STU, {"raise_tables": {}}, "must hold the tables first, second"),
        (Game.STU, {"raise_tables": {"third": {"pair": 1}}}, "must hold the tables first, second"),
        (Game.STU, {"raise_tables": {"first": {"pair": 1}, "second": 2}}, "table 'first' misses a hand: high_card"),
        (Game.THE, {"table_min": 1001}, "half of it, the small blind, is not a whole number of chips of 1 (THE-46)."),
        (Game.THE, {"big_blind": 1001}, "law.toml: big_blind: must lie between 500 and 1000 (THE-47)."),
        (Game.UTH, {"blind_table": {"straight": [1, 1], "flush": [3, 2]}}, "misses a hand: full_house"),
        (Game.UTH, {"rounding": "up"}, "law.toml: rounding: must be one of floor, ceil, half_up (A-UTH-07)."),
    ],
)
def test_a_ruleset_that_cannot_be_used_says_file_key_and_reason(
    game: Game, changes: Mapping[str, object], sentence: str
) -> None:
    said = refusal(game, changes)
    assert sentence in said
    assert re.match(r"^law\.toml: \w+: [^\n]+\.$", said)


@pytest.mark.parametrize(
    ("game", "line", "rule"),
    [
        (Game.TCF, "ante_win_table={trips=3, straight_flush=5}", "TCF-60"),
        (Game.TCF, "pair_plus_table={pair=1, flush=4, straight=6, trips=30, straight_flush=40}", "TCF-75"),
        (
            Game.STU,
            "bonus_table={flush=50, full_house=150, quads=1000, straight_flush=2000, royal_flush=5000}",
            "STU-72",
        ),
        (
            Game.UTH,
            "trips_table={trips=3, straight=4, flush=6, full_house=8, quads=30, straight_flush=40, royal_flush=50}",
            "UTH-36",
        ),
    ],
)
def test_a_house_cannot_override_what_the_law_prints(game: Game, line: str, rule: str) -> None:
    with pytest.raises(RulesetError, match=rf"is not open to the house \({rule}"):
        house(game, line)


def test_a_house_may_restate_what_the_law_prints() -> None:
    assert house(Game.TCF, "bonus_table={straight=1, trips=4, straight_flush=5}").sha256 == house(Game.TCF).sha256


def test_a_raise_table_is_chosen_by_name_or_written_out() -> None:
    second = shipped_ruleset(Game.STU).values["raise_tables"]
    assert isinstance(second, Mapping)
    assert house(Game.STU).values["raise_table"] == second["second"]
    listed = ", ".join(f"{hand}={odds}" for hand, odds in second["second"].items())
    assert house(Game.STU, f"raise_table={{{listed}}}", without="raise_table").sha256 == house(Game.STU).sha256


def test_the_digest_ignores_comments_and_order_and_sees_every_value() -> None:
    plain = house(Game.TCF)
    shuffled = "\n".join(['id="h"', *reversed(HOUSE[Game.TCF].splitlines()), 'source_version="2026"', 'extends="tcf"'])
    assert ruleset_from_bytes(("# a remark\n\n" + shuffled).encode(), "y").sha256 == plain.sha256
    seen = {plain.sha256}
    for line in ("side_max=900", 'early_look="forfeit"', "claim_required=true", "seats_total=6"):
        seen.add(house(Game.TCF, line).sha256)
    assert len(seen) == 5
    canonical = json.dumps({"game": "TCF", "values": dict(plain.values)}, sort_keys=True, separators=(",", ":"))
    assert hashlib.sha256(canonical.encode()).hexdigest() == plain.sha256


@pytest.mark.rules("TCP-44", "TCP-45", "TCP-46", "TCP-47")
def test_the_shipped_tables_return_what_was_published() -> None:
    for game in Game:
        check_published_returns(shipped_ruleset(game), "law.toml")


@pytest.mark.rules("TCP-45", "TCP-46", "TCP-47")
@pytest.mark.parametrize(
    ("line", "without", "reason"),
    [
        (
            "ante_bonus_table={straight=1, trips=3, straight_flush=4}",
            "ante_bonus",
            "not the published 96.63 % (TCP-45)",
        ),
        ("six_card_wheel=false", "nothing", "six_card_table: returns 87.68 %, not the published 89.78 % (TCP-47)"),
        (
            "pair_plus_table={pair=1, flush=4, straight=6, trips=30, straight_flush=40, mini_royal=50}",
            "pair_plus",
            "not the published 95.62 % (TCP-46)",
        ),
        (
            "ante_bonus_table={straight=[3,2], trips=4, straight_flush=5}",
            "ante_bonus",
            "must be in odds to one (TCP-45)",
        ),
    ],
)
def test_a_house_table_that_breaks_the_published_return_is_refused(line: str, without: str, reason: str) -> None:
    with pytest.raises(RulesetError, match=re.escape(reason)):
        house(Game.TCP, line, without=without)


@pytest.mark.rules("TCP-46")
def test_another_table_with_the_published_return_is_accepted() -> None:
    line = "pair_plus_table={pair=1, flush=3, straight=5, trips=25, straight_flush=35, mini_royal=500}"
    assert house(Game.TCP, line, without="pair_plus").id == "h"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\xff\xfe", "is not UTF-8 text (byte 0)"),
        (b"id = ", "is not TOML"),
        (b"x = " + b"[" * 20_000, "is not TOML"),
        (b'id="h"\nextends="bjk"', "extends: must be one of tcf, stu, tcp, the, uth"),
        (b'id="h"\nextends=["tcf"]', "extends: must be one of"),
        (b'id="h"\ngame="TCF"', "must be set, it has no safe default"),
    ],
)
def test_a_file_that_is_no_ruleset_is_refused_in_one_sentence(content: bytes, reason: str) -> None:
    with pytest.raises(RulesetError) as caught:
        ruleset_from_bytes(content, "house.toml")
    assert reason in str(caught.value)
    assert str(caught.value).startswith("house.toml: ")


def test_a_file_that_cannot_be_read_is_refused_in_one_sentence(tmp_path: Path) -> None:
    long = tmp_path / "long.toml"
    long.write_bytes(b"#" * 1_000_001)
    for path in (tmp_path, tmp_path / "absent.toml", long):
        with pytest.raises(RulesetError, match=rf"^{re.escape(str(path))}: file: "):
            ruleset_from_file(path)


def values_for(key: Key) -> st.SearchStrategy[object]:
    anything = st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.lists(st.integers(), max_size=2)
    if key.kind is Kind.CHOICE:
        return anything | st.sampled_from(key.choices)
    if key.kind is Kind.PAY_TABLE:
        odds = st.integers(-1, 9) | st.lists(st.integers(0, 9), max_size=3)
        return anything | st.dictionaries(st.sampled_from([*key.hands, "x"]), odds)
    return anything


@settings(max_examples=300, deadline=None)
@given(st.sampled_from(list(Game)), st.data())
def test_no_override_of_a_coup_raises(game: Game, data: st.DataObject) -> None:
    keys = {key.name: key for key in keys_of(game)}
    names = data.draw(st.lists(st.sampled_from([*keys, "unknown"]), max_size=3, unique=True))
    config = {name: data.draw(values_for(keys.get(name, keys["game"]))) for name in names}
    result = overridden(shipped_ruleset(game), config)
    if isinstance(result, Ruleset):
        assert all(result.values[name] == value or keys[name].kind is Kind.PAY_TABLE for name, value in config.items())
    else:
        assert result
        assert all(fault.code for fault in result)
