"""`sabot settle` as a user meets it: files, pipes, exit codes, bad lines, and constant memory."""

import io
import json
import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sabot_tools.cli import main
from sabot_tools.settle.stream import MOST_BYTES, lines_of

GOOD = json.dumps(
    {
        "id": "good",
        "game": "TCF",
        "seats": [{"seat": 1, "cards": ["8h", "8c", "2d"], "bets": {"ante": 1000, "play": 1000}, "decision": "raise"}],
        "dealer": {"cards": ["As", "9d", "4c"]},
    }
)
BAD_COUP = GOOD.replace('"play": 1000', '"play": 900').replace("good", "bad")
HOUSE = """
id = "house"
extends = "tcf"
source_version = "2026"
table_min = 2000
table_max = 20000
chip_unit = 100
bonus_mode = "none"
"""


def settle(tmp_path: Path, capfd: pytest.CaptureFixture[str], content: str | bytes, *options: str) -> Any:
    """The exit code, the answers and what was said on stderr."""
    file = tmp_path / "coups.jsonl"
    file.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    code = main(["settle", str(file), *options])
    said = capfd.readouterr()
    return code, [json.loads(line) for line in said.out.splitlines()], said.err


def test_all_lines_settled_is_exit_code_0(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code, answers, said = settle(tmp_path, capfd, f"{GOOD}\n\n{GOOD}")
    assert (code, [answer["status"] for answer in answers], said) == (0, ["settled", "settled"], "")


def test_a_rejected_line_is_exit_code_1_and_the_run_goes_on(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code, answers, _ = settle(tmp_path, capfd, f"{BAD_COUP}\n{GOOD}\n")
    assert code == 1
    assert [(answer["id"], answer["status"]) for answer in answers] == [("bad", "rejected"), ("good", "settled")]
    assert answers[0]["errors"][0]["code"] == "PLAY_NOT_EQUAL_ANTE"


@pytest.mark.parametrize(
    ("line", "error"),
    [
        ("{", "BAD_JSON"),
        ("[1]", "BAD_JSON"),
        ("7", "BAD_JSON"),
        ("null", "BAD_JSON"),
        ('{"id": NaN}', "BAD_JSON"),
        ('{"id": -Infinity}', "BAD_JSON"),
        ('{"id": ' + "9" * 5000 + "}", "BAD_JSON"),
        ('{"id": "a", "id": "b"}', "DUPLICATE_KEY"),
        ('{"dealer": {"cards": [], "cards": []}}', "DUPLICATE_KEY"),
        ("[" * 100_000, "BAD_JSON"),
        ('{"a":' * 50_000 + "1" + "}" * 50_000, "LINE_TOO_LONG"),
        ('{"a":' * 30_000 + "1" + "}" * 30_000, "BAD_JSON"),
        ('"' + "x" * (MOST_BYTES + 10) + '"', "LINE_TOO_LONG"),
    ],
    ids=lambda value: value[:20],
)
def test_a_bad_line_is_answered_with_its_number(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], line: str, error: str
) -> None:
    code, answers, said = settle(tmp_path, capfd, f"{GOOD}\n{line}\n{GOOD}\n")
    assert (code, said) == (1, "")
    assert [answer["status"] for answer in answers] == ["settled", "rejected", "settled"]
    assert (answers[1]["id"], answers[1]["line"], answers[1]["errors"][0]["code"]) == (None, 2, error)


def test_a_deep_config_is_refused_not_followed(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for depth in (100, 900, 980, 990, 995):
        deep = GOOD[:-1] + ', "config": {"rounding": ' + "[" * depth + "]" * depth + "}}"
        code, answers, _ = settle(tmp_path, capfd, deep)
        assert (code, answers[0]["status"]) == (1, "rejected")


def test_bytes_that_are_no_text_are_exit_code_2_after_the_run(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    code, answers, said = settle(tmp_path, capfd, b"\xff\xfe\x00\n" + GOOD.encode())
    assert code == 2
    assert [answer["status"] for answer in answers] == ["rejected", "settled"]
    assert said.startswith("sabot settle: ")
    assert said.count("\n") == 1


def test_a_byte_order_mark_is_passed_over(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert settle(tmp_path, capfd, b"\xef\xbb\xbf" + GOOD.encode())[0] == 0


def test_an_id_with_half_a_character_is_echoed(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code, answers, _ = settle(tmp_path, capfd, GOOD.replace('"good"', '"\\ud800"'))
    assert (code, answers[0]["id"]) == (0, "\ud800")


def test_an_input_that_cannot_be_opened_is_exit_code_2(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    for name in (tmp_path / "absent.jsonl", tmp_path, "\0"):
        assert main(["settle", str(name)]) == 2
        said = capfd.readouterr()
        assert said.out == ""
        assert said.err.startswith("sabot settle: ")
        assert said.err.count("\n") == 1


def test_the_game_of_lines_that_do_not_name_one(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    nameless = GOOD.replace('"game": "TCF", ', "")
    assert settle(tmp_path, capfd, nameless)[0] == 1
    code, answers, _ = settle(tmp_path, capfd, nameless, "--game", "TCF")
    assert (code, answers[0]["game"]) == (0, "TCF")


def test_a_house_ruleset_replaces_the_shipped_one(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    house = tmp_path / "house.toml"
    house.write_text(HOUSE, encoding="utf-8")
    code, answers, _ = settle(tmp_path, capfd, GOOD, "--ruleset", str(house))
    assert (code, answers[0]["errors"][0]["code"]) == (1, "BELOW_MIN")
    rich = GOOD.replace("1000", "2000")
    code, answers, _ = settle(tmp_path, capfd, rich, "--ruleset", str(house))
    assert (code, answers[0]["ruleset"]["id"]) == (0, "house")


def test_a_ruleset_that_cannot_be_used_is_exit_code_2_with_file_key_and_reason(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    house = tmp_path / "house.toml"
    house.write_text(HOUSE + "[bonus_table]\nstraight = 2\ntrips = 4\nstraight_flush = 5\n", encoding="utf-8")
    code, answers, said = settle(tmp_path, capfd, GOOD, "--ruleset", str(house))
    assert (code, answers) == (2, [])
    assert said == f"sabot settle: {house}: bonus_table: is not open to the house (TCF-70).\n"
    assert settle(tmp_path, capfd, GOOD, "--ruleset", str(tmp_path / "absent.toml"))[0] == 2


def test_the_summary_counts_every_line(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    _, _, said = settle(tmp_path, capfd, f"{GOOD}\n{BAD_COUP}\n{{\n", "--summary")
    assert json.loads(said) == {"lines": 3, "rejected": 2, "settled": 1}


def test_standard_input_and_a_reader_that_leaves(tmp_path: Path) -> None:
    """A pipe closed early ends the run without a traceback."""
    source = "import sys; from sabot_tools.cli import main; sys.exit(main(['settle']))"
    with subprocess.Popen(
        [sys.executable, "-c", source],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={"PYTHONPATH": ":".join(sys.path)},
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdin.write((GOOD + "\n").encode() * 200)
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["status"] == "settled"
        process.stdout.close()
        try:
            process.stdin.write((GOOD + "\n").encode() * 2000)
            process.stdin.close()
        except BrokenPipeError:
            pass
        said = process.stderr.read().decode()
        process.wait(timeout=60)
    assert "Traceback" not in said


class Endless(io.RawIOBase):
    """A million lines that exist only as they are read."""

    def __init__(self, line: bytes, count: int) -> None:
        self.line, self.left = line, count

    def readline(self, size: int | None = -1) -> bytes:
        if not self.left:
            return b""
        self.left -= 1
        return self.line[:size]


def test_lines_are_read_one_at_a_time() -> None:
    source = Endless(b'{"id": 1}\n', 1_000_000)
    found: Iterator[Any] = lines_of(source)  # type: ignore[arg-type]  # a file by its readline alone
    assert next(found).content == {"id": 1}
    assert source.left == 999_999


def test_a_bar_is_drawn_on_a_terminal_and_only_there(tmp_path: Path) -> None:
    coups = tmp_path / "coups.jsonl"
    coups.write_text((GOOD + "\n") * 50, encoding="utf-8")
    source = f"import sys; from sabot_tools.cli import main; sys.exit(main(['settle', {str(coups)!r}]))"
    terminal, side = pty.openpty()
    with os.fdopen(terminal, "rb", buffering=0) as screen:
        done = subprocess.run(
            [sys.executable, "-c", source],
            stdout=subprocess.PIPE,
            stderr=side,
            env={"PYTHONPATH": ":".join(sys.path)},
            check=False,
            timeout=60,
        )
        os.close(side)
        drawn = screen.read(4096)
    assert done.returncode == 0
    assert done.stdout.count(b'"settled"') == 50
    assert b"settling" in drawn
