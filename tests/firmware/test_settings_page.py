"""The settings page says what the code does: its example is a config that runs, its marks are what may be changed."""

import re

from conftest import ROOT
from sabot_firmware.config import FIELDS, parse_config

PAGE = (ROOT / "firmware" / "settings.md").read_text()
EXAMPLE = re.search(r"```text\n(.*?)```", PAGE, re.DOTALL)
ROWS = [line for line in PAGE.splitlines() if line.startswith("| `")]


def test_the_example_is_a_sound_config() -> None:
    assert EXAMPLE is not None
    assert parse_config(EXAMPLE.group(1).encode()).text("broker_host") == "gateway.pit"


def test_exactly_what_the_gateway_may_change_is_marked() -> None:
    marked = {name for row in ROWS if row.endswith("* |") for name in re.findall(r"`(\w+)`", row.split("|")[1])}
    assert marked == {field[0] for field in FIELDS if field[4]}


def test_bounds_are_those_of_the_code() -> None:
    for name, kind, bounds, _, _ in FIELDS:
        if kind == "int" and name != "revision":
            row = next(row for row in ROWS if f"`{name}`" in row.split("|")[1])
            assert f"{bounds[0]}–{bounds[1]}" in row.split("|")[2], name
