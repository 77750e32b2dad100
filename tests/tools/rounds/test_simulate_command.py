"""`sabot simulate --script`: transcripts for people, JSON for programs, and exit codes that tell how it went."""

import argparse
import json
from pathlib import Path

import pytest

from sabot_tools import simulate
from sabot_tools.help_page import HelpPage

HEAD = "GAME tcf\nTITLE A late bet\nRULES TCF-25\n"
LATE = HEAD + "OPEN\nbet 3 ante 10\nCLOSE\nbet 3 bonus 5\n"
PASSES = LATE + "EXPECT alert LATE_BET seat 3 spot bonus by TCF-25\n"


def run(*words: str) -> int:
    parser = argparse.ArgumentParser(formatter_class=HelpPage)
    simulate.configure(parser)
    return simulate.run(parser.parse_args(words))


@pytest.fixture
def scripts(tmp_path: Path) -> dict[str, str]:
    found = {}
    for name, text in {"passes": PASSES, "fails": LATE, "nonsense": HEAD + "dance\n"}.items():
        path = tmp_path / f"{name}.round"
        path.write_text(text, encoding="utf-8")
        found[name] = str(path)
    return found


def test_a_transcript_shows_steps_alerts_and_the_verdict(
    scripts: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("--script", scripts["passes"]) == 0
    shown = capsys.readouterr().out
    assert "passes.round  TCF  A late bet" in shown
    assert "bet 3 bonus 5" in shown
    assert "LATE_BET seat 3 spot bonus by TCF-25: Seat 3: a bet of 5 was placed on BONUS" in shown
    assert shown.rstrip().endswith("expectations held")


def test_a_failed_script_exits_with_one_and_names_its_line(
    scripts: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("--brief", "--script", scripts["passes"], scripts["fails"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("passes.round: passed")
    assert lines[1].startswith("fails.round: FAILED at fails.round:7: raised an alert that no EXPECT names: LATE_BET")


def test_nonsense_exits_with_two_and_the_others_are_still_played(
    scripts: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("--brief", "--script", scripts["nonsense"], scripts["fails"], scripts["passes"]) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith("sabot simulate: nonsense.round:4: 'dance' is not a step")
    assert len(captured.out.splitlines()) == 2


def test_a_missing_file_exits_with_two(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--script", str(tmp_path / "none.round")) == 2
    assert "cannot be read" in capsys.readouterr().err


def test_json_has_one_object_per_script(scripts: dict[str, str], capsys: pytest.CaptureFixture[str]) -> None:
    assert run("--json", "--script", scripts["passes"], scripts["fails"]) == 1
    passed, failed = map(json.loads, capsys.readouterr().out.splitlines())
    assert (passed["passed"], passed["failure"], passed["rules"]) == (True, None, ["TCF-25"])
    assert passed["expectations"] > 0
    assert failed["passed"] is False
    assert failed["failure"]["line"] == 7


def test_a_transcript_names_no_card_of_its_own(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "sealed.round"
    path.write_text(
        HEAD + "OPEN\nbet 3 ante 10\nCLOSE\nhand 3 8s 8d 2c\nhand dealer Qh 9d 3c\ndeal\nbet 3 play 10\nreveal\n"
    )
    assert run("--script", str(path)) == 0
    shown = [line for line in capsys.readouterr().out.splitlines() if " hand " not in line]
    assert not any(card in line for line in shown for card in ("8s", "8d", "Qh", "9d", "3c"))
