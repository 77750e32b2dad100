"""`sabot rtp` as a person or a program meets it: answers, refusals, and life without the compiled kernels."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import ROOT
from sabot_tools.cli import main

HOUSE = """
id = "house"
extends = "tcf"
table_min = 500
table_max = 50000
chip_unit = 100
source_version = "confirmed"
bonus_mode = "{mode}"
"""


def test_every_bet_of_a_game_is_answered_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rtp", "tcp", "--json"]) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [(record["bet"], record["net"], record["deals"], record["exact"]) for record in records] == [
        ("ante", -13_733_780, 407_170_400, True),
        ("pair_plus", -968, 22_100, True),
        ("six_card", -2_081_616, 20_358_520, True),
    ]
    assert records[0]["rtp"] == "96.6270"
    assert records[0]["house_edge"] == "3.3730"
    assert records[0]["counts"]["hands raised"] == 14_900


def test_one_bet_is_shown_to_people_with_its_fraction(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rtp", "UTH", "--bet", "trips"]) == 0
    shown = capsys.readouterr()
    assert "-4,679,700 / 133,784,560" in shown.out
    assert "96.5021 %" in shown.out
    assert shown.err == ""  # no bar where there is no terminal


@pytest.mark.slow
def test_a_plain_strategy_can_be_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rtp", "STU", "--bet", "ante", "--strategy", "any-pair", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["net"] == -1_090_272_101_460


@pytest.mark.parametrize(("mode", "bets", "rtp"), [("ante_bonus", 2, "97.7237"), ("none", 2, "92.4387")])
def test_a_tcf_03_a_house_file_decides_the_bonus_mode(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], mode: str, bets: int, rtp: str
) -> None:
    file = tmp_path / "house.toml"
    file.write_text(HOUSE.format(mode=mode))
    assert main(["rtp", "TCF", "--ruleset", str(file), "--json"]) == 0
    records = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert (len(records), records[0]["rtp"]) == (bets, rtp)
    assert main(["rtp", "TCF", "--ruleset", str(file), "--bet", "bonus"]) == 2
    assert "bonus_mode" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "part"),
    [
        (["THE"], "no bank"),
        (["TCP", "--bet", "blind"], "has no bet 'blind'"),
        (["TCP", "--strategy", "hope"], "knows no strategy 'hope'"),
        (["TCP", "--ruleset", "no-such-file.toml"], "no-such-file.toml"),
        (["STU", "--bet", "ante_buy", "--strategy", "always"], "optimal strategy only"),
        pytest.param(["STU", "--bet", "bonus", "--sample", "2"], "take more", marks=pytest.mark.slow),
    ],
)
def test_what_cannot_be_answered_is_refused_in_one_sentence(
    words: list[str], part: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rtp", *words]) == 2
    shown = capsys.readouterr()
    assert part in shown.err
    assert shown.err.count("\n") == 1
    assert shown.out == ""


@pytest.mark.parametrize("words", [["chess"], ["TCP", "--sample", "0"], ["TCP", "--sample", "x"], []])
def test_words_that_mean_nothing_are_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["rtp", *words])
    assert stopped.value.code == 2
    assert "Traceback" not in capsys.readouterr().err


def test_a_house_file_of_another_game_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "house.toml"
    file.write_text(HOUSE.format(mode="none"))
    assert main(["rtp", "TCP", "--ruleset", str(file)]) == 2
    assert "TCF" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "exact"),
    [
        (["TCP", "--bet", "ante", "--sample", "3000"], "96.6270"),
        (["TCF", "--bet", "pair_plus", "--sample", "3000"], "92.7240"),
        pytest.param(["STU", "--bet", "ante", "--sample", "2000"], "94.7757", marks=pytest.mark.slow),
        pytest.param(["UTH", "--bet", "ante", "--sample", "40"], "97.8150", marks=pytest.mark.slow),
    ],
)
def test_a_sample_says_that_it_is_one_and_lies_near_the_exact_return(
    words: list[str], exact: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["rtp", *words, "--json"]) == 0
    record = json.loads(capsys.readouterr().out)
    assert record["exact"] is False
    # The seed is fixed. Three half-intervals: an honest estimator leaves them once in 10^8 runs.
    assert abs(_units(record["rtp"]) - _units(exact)) <= 3 * _units(record["margin_95"])


def _units(text: str) -> int:
    return int(text.replace(".", ""))


def _without_kernels(*words: str) -> subprocess.CompletedProcess[str]:
    program = (
        "import sys; sys.modules['numba'] = None; sys.modules['numpy'] = None; "
        f"from sabot_tools.cli import main; sys.exit(main({['rtp', *words]!r}))"
    )
    path = os.pathsep.join(str(ROOT / folder) for folder in ("protocol", "gateway", "tools"))
    return subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": path},
        check=False,
    )


@pytest.mark.parametrize("game", ["TCP", "TCF"])
def test_three_card_games_need_no_compiled_kernels(game: str) -> None:
    done = _without_kernels(game)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("words", [("STU",), ("UTH", "--bet", "ante"), ("STU", "--sample", "10")])
def test_without_numba_the_others_say_what_to_install(words: tuple[str, ...]) -> None:
    done = _without_kernels(*words)
    assert done.returncode == 2
    assert "pip install 'sabot[rtp]'" in done.stderr
    assert done.stderr.count("\n") == 1
