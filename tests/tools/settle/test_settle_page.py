"""docs/settle.md and docs/rulesets.md say what the program does: their examples are run."""

import argparse
import json
import re
from typing import Any

from conftest import ROOT
from sabot_gateway.model.game import Game
from sabot_gateway.rulebook import ruleset_from_bytes, shipped_rulesets
from sabot_tools.cli import command_module
from sabot_tools.ruleset_docs import PAGE, pages
from sabot_tools.settle.line import settle_line
from sabot_tools.settle.procedure import CHECKS


def blocks(page: str, language: str) -> list[str]:
    text = (ROOT / page).read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, flags=re.DOTALL)


def test_the_example_coup_is_answered_as_the_page_shows() -> None:
    told, shown, rejected = (json.loads(block) for block in blocks("docs/settle.md", "json")[:3])
    answer: dict[str, Any] = settle_line(told, shipped_rulesets())
    assert shown["seats"][0]["bets"].pop("…") == {}
    assert set(answer) == set(shown)
    for key in ("status", "dealer", "announcements", "settlement_order", "bank_net"):
        assert answer[key] == shown[key]
    seat, expected = answer["seats"][0], shown["seats"][0]
    assert {**seat, "bets": seat["bets"]["ante"]} == {**expected, "bets": expected["bets"]["ante"]}
    told["id"] = rejected["id"]
    told["seats"][0]["bets"]["play"] = 900
    refused: dict[str, Any] = settle_line(told, shipped_rulesets())
    assert {**refused, "ruleset": None} == {**rejected, "ruleset": None}
    assert set(refused["ruleset"]) == set(rejected["ruleset"])


def test_the_holdem_example_is_answered_as_the_page_shows() -> None:
    told, shown = (json.loads(block) for block in blocks("docs/settle.md", "json")[3:5])
    answer = settle_line(told, shipped_rulesets())
    assert answer["status"] == "settled"
    assert {key: answer[key] for key in shown} == shown


def test_the_example_check_offers_the_cut_to_the_next_player() -> None:
    (told,) = (json.loads(block) for block in blocks("docs/settle.md", "json")[5:])
    assert settle_line(told, shipped_rulesets())["cutter"] == 4


def test_the_page_names_every_check_with_its_games_and_keys() -> None:
    text = (ROOT / "docs/settle.md").read_text(encoding="utf-8")
    rows = {
        row[0]: row[1:] for row in re.findall(r"^\| `([a-z_]+)` \| ([^|]+) \| ([^|]+) \|", text, flags=re.MULTILINE)
    }
    for op, (games, keys, _) in CHECKS.items():
        said_games, said_keys = rows[op]
        assert set(Game if said_games == "all" else said_games.split(", ")) == games
        assert [key for key in keys if f"`{key}`" not in said_keys] == []


def test_the_page_names_every_option() -> None:
    parser = argparse.ArgumentParser()
    command_module("settle").configure(parser)
    text = (ROOT / "docs/settle.md").read_text(encoding="utf-8")
    assert [option for option in re.findall(r"--[a-z]+", parser.format_help()) if option not in text + "--help"] == []


def test_the_example_house_file_is_accepted() -> None:
    (example,) = blocks(PAGE, "toml")
    ruleset = ruleset_from_bytes(example.encode("utf-8"), "example")
    assert (ruleset.game, ruleset.values["bonus_mode"]) == (Game.TCF, "ante_bonus")


def test_the_table_of_keys_is_current() -> None:
    assert pages()[PAGE] == (ROOT / PAGE).read_text(encoding="utf-8"), "run `make docs`"
