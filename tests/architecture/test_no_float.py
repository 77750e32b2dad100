"""Money and rules are integers: no float can appear in them, nor in what prints them."""

from pathlib import Path

import pytest

from architecture.float_guard import float_risks
from conftest import ROOT

EXACT = sorted(
    [
        *ROOT.glob("gateway/sabot_gateway/model/**/*.py"),
        *ROOT.glob("gateway/sabot_gateway/rules/**/*.py"),
        *ROOT.glob("gateway/sabot_gateway/table/**/*.py"),
        *ROOT.glob("tools/sabot_tools/settle/**/*.py"),
    ]
)


@pytest.mark.parametrize("path", EXACT, ids=lambda path: str(path.relative_to(ROOT)))
def test_exact_code_has_no_float(path: Path) -> None:
    assert float_risks(path.read_text()) == []


@pytest.mark.parametrize(
    "source",
    ["rate = 0.05", "share = pot / 2", "pot /= 3", "x = float('1')", "x = round(7)", "import math", "x: float = y"],
)
def test_the_guard_finds_each_way_in(source: str) -> None:
    assert float_risks(source)


def test_the_guard_lets_integers_pass() -> None:
    assert float_risks("share, odd = divmod(pot, 2)\nhalf = pot // 2\n") == []
