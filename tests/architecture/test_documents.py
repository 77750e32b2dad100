"""The documents list all there is: a command, key, message, event or code that nobody described fails here."""

from collections.abc import Iterable

import pytest

from conftest import ROOT
from sabot_firmware import config
from sabot_gateway.model.game import Game
from sabot_gateway.rules.key_table import keys_of
from sabot_gateway.table.alerts import KINDS
from sabot_gateway.web.figure_help import HELP
from sabot_protocol import errors, messages
from sabot_tools.cli import COMMANDS

MESSAGES = [row[1] for row in messages.MESSAGES if row]
EVENTS = [row[1] for row in messages.EVENTS if row]
KEYS = sorted({key.name for game in Game for key in keys_of(game)})

LISTED = {
    "commands in the README": ([f"sabot {name}" for name in COMMANDS], "README.md"),
    "commands in their page": ([f"## sabot {name}" for name in COMMANDS], "docs/commands.md"),
    "ruleset keys": ([f"`{key}`" for key in KEYS], "docs/rulesets.md"),
    "controller settings": ([f"`{field[0]}`" for field in config.FIELDS], "firmware/settings.md"),
    "alerts": ([kind.code for kind in KINDS], "docs/alerts.md"),
    "figures": ([f"`{name}`" for name in HELP], "docs/operations.md"),
    "messages": (MESSAGES, "protocol/README.md"),
    "events": (EVENTS, "protocol/README.md"),
    "wire errors": (list(errors.CODES), "protocol/README.md"),
}


def undocumented(names: Iterable[str], text: str) -> list[str]:
    return [name for name in names if name not in text]


@pytest.mark.parametrize("what", LISTED)
def test_the_page_lists_every_one(what: str) -> None:
    names, page = LISTED[what]
    assert len(names) > 3, f"nothing to look for: {what}"
    assert undocumented(names, (ROOT / page).read_text()) == []


@pytest.mark.parametrize("what", LISTED)
def test_a_page_that_loses_one_is_caught(what: str) -> None:
    names, page = LISTED[what]
    victim = max(names, key=len)  # the longest is no part of another name
    text = (ROOT / page).read_text().replace(victim, "…")
    assert undocumented(names, text) == [victim]


def test_every_target_of_the_makefile_is_explained() -> None:
    targets = [line for line in (ROOT / "Makefile").read_text().splitlines() if "##" in line]
    explained = (ROOT / "CONTRIBUTING.md").read_text() + (ROOT / "README.md").read_text()
    assert undocumented([f"make {line.split(':')[0]}" for line in targets if line[0] != "\t"], explained) == []
