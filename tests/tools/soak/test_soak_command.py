"""`sabot soak` as its users have it: the seed first, a night that holds, Ctrl-C, and refusals in a sentence."""

import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sabot_tools.cli import main


def soak(*words: str) -> list[str]:
    return [sys.executable, "-m", "sabot_tools.cli", "soak", "--broker", "mosquitto", *words]


@pytest.mark.slow
def test_a_short_night_with_faults_and_incidents_holds(tmp_path: Path) -> None:
    words = ("--coups", "10", "--seed", "4", "--incidents", "300", "--faults", "100")
    done = subprocess.run(
        soak(*words, "--folder", str(tmp_path / "night")), capture_output=True, text=True, check=False, timeout=900
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert "HELD" in done.stdout


@pytest.mark.slow
def test_ctrl_c_ends_the_night_after_the_coups_under_way_and_checks_it(tmp_path: Path) -> None:
    folder = tmp_path / "night"
    words = ("--hours", "100", "--seed", "3", "--tables", "2", "--faults", "0", "--incidents", "0")
    with subprocess.Popen(
        soak(*words, "--folder", str(folder)), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "seed 3\n"
        while process.poll() is None and not any((folder / "twin").glob("*/flash")):
            time.sleep(0.05)  # until controllers have been switched on
        process.send_signal(signal.SIGINT)
        said = process.stdout.read()
    assert process.returncode == 0, said
    assert "HELD" in said


@pytest.mark.parametrize("words", [["--coups", "0"], ["--hours", "x"], ["--seed", "-1"], ["--tables", "1.5"]])
def test_numbers_that_are_none_are_refused(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["soak", *words])
    assert ended.value.code == 2
    assert "no whole number" in capsys.readouterr().err


def test_a_folder_that_is_there_already_is_left_as_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["soak", "--seed", "5", "--folder", str(tmp_path)]) == 2
    told = capsys.readouterr()
    assert told.out == "seed 5\n"
    assert told.err == f"sabot soak: {tmp_path} is there already and was left as it is.\n"
    assert list(tmp_path.iterdir()) == []
