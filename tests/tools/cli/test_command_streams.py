"""Any command where its streams are not what it hopes for: closed, full, or without the letters it needs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sabot_tools.cli import COMMANDS, main

FULL = Path("/dev/full")  # takes no byte: a disk without space


def sabot(words: str, redirection: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    command = f"{sys.executable} -m sabot_tools.cli {words} {redirection}"
    return subprocess.run(
        ["/bin/sh", "-c", command],
        capture_output=True,
        text=True,
        encoding="latin-1",
        check=False,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), **environment},
    )


@pytest.mark.parametrize("words", ["examples --game TCF", "rules TCF-69", "settle tests/cases/tcf.jsonl"])
def test_a_full_disk_is_one_sentence_and_exit_code_2(words: str) -> None:
    done = sabot(words, f"> {FULL}")
    assert (done.returncode, done.stderr) == (2, "sabot: the output cannot be written: No space left on device.\n")


def test_a_closed_input_cannot_be_read() -> None:
    done = sabot("settle", "<&-")
    assert (done.returncode, done.stderr) == (2, "sabot settle: standard input is closed.\n")


def test_an_input_that_breaks_off_is_named() -> None:
    done = sabot("settle /proc/self/mem")
    assert done.returncode == 2
    assert done.stderr == "sabot settle: /proc/self/mem cannot be read: Input/output error.\n"


def test_closed_outputs_are_no_error() -> None:
    assert sabot("examples --game TCF", ">&- 2>&-").returncode == 0


@pytest.mark.parametrize("words", ["examples --game TCF --language fr", "rules TCF-69"])
def test_a_terminal_without_accents_shows_the_rest(words: str) -> None:
    done = sabot(words, PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert "TCF-69" in done.stdout
    assert "?" in done.stdout


def test_a_reader_that_leaves_is_no_error_to_speak_of() -> None:
    done = sabot("rules --game THE", "| true")
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["settle", "--game", "xyz"], "'xyz' is not one of TCF, STU, TCP, THE, UTH"),
        (["examples", "--language", "de"], "'de' is not one of fr, en"),
        (["rules", "--mark", "x"], "'x' is not one of OBSERVE, ENFORCE, COMPUTE, ASSIST, OUT-OF-SENSOR-SCOPE"),
        (["rtp", "xyz"], "'xyz' is not a game: there are TCF, STU, TCP, UTH"),
    ],
)
def test_a_wrong_name_is_answered_with_the_right_ones(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(words)
    assert stopped.value.code == 2
    assert capsys.readouterr().err.endswith(f"{sentence}\n")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_help_page_has_a_sentence_and_an_example(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main([name, "--help"])
    assert stopped.value.code == 0
    page = capsys.readouterr().out
    sentence = page.split("\n\n")[1]
    assert sentence[0].isupper()
    assert sentence.endswith(".")
    assert "example" in page
