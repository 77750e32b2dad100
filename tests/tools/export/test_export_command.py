"""`sabot export`: columns as promised, cells that a spreadsheet may open, one sentence for what cannot be used."""

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sabot_gateway.journal.sqlite import open_sqlite_journal
from sabot_tools.cli import main
from sabot_tools.export.period import PeriodError, ms_from_text, text_from_ms
from sabot_tools.export.rows import EXPORTS
from sabot_tools.export.writing import safe_cell, write_csv, write_jsonl
from sabot_tools.rounds.playing import play
from sabot_tools.rounds.reading import script_from_file
from sabot_tools.rounds.recording import Recorder

ROOT = Path(__file__).parents[3]
ROUNDS = ROOT / "tests" / "rounds"
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def journal(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("export") / "journal.db"
    with open_sqlite_journal(path) as opened:
        recorder = Recorder(opened)
        for table, script in (("T1", "tcf-overpaid"), ("T2", "tcf-second-coup")):
            recorder.record(table, play(script_from_file(ROUNDS / f"{script}.round")))
    return path


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def ran(*words: object) -> tuple[int, str, str]:
        code = main(["export", *map(str, words)])
        said = capsys.readouterr()
        return code, said.out, said.err

    return ran


def lines_of(text: str) -> list[dict[str, object]]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("what", EXPORTS)
def test_csv_and_json_lines_say_the_same(what: str, journal: Path, run: Run) -> None:
    code, text, _ = run(what, journal)
    assert code == 0
    assert text.startswith("\N{BYTE ORDER MARK}")
    rows = list(csv.DictReader(io.StringIO(text.removeprefix("\N{BYTE ORDER MARK}"), newline="")))
    code, text, _ = run(what, journal, "--format", "jsonl")
    assert code == 0
    lines = lines_of(text)
    assert lines
    assert list(lines[0]) == list(EXPORTS[what].columns) == list(rows[0])
    assert [{name: "" if cell is None else str(cell) for name, cell in line.items()} for line in lines] == rows


def test_coups_that_are_over_and_no_others(journal: Path, run: Run) -> None:
    _, text, _ = run("coups", journal, "--format", "jsonl")
    lines = lines_of(text)
    assert [(line["table"], line["coup"], line["drop_cents"], line["win_cents"]) for line in lines] == [
        ("T2", 1, 2_000, -2_000),
        ("T1", 1, 2_000, -2_000),
    ]
    assert all(str(line["end"]).startswith("2026-11-17T20:") for line in lines)


def test_one_table_and_one_hour(journal: Path, run: Run) -> None:
    _, text, _ = run("settlements", journal, "--format", "jsonl", "--table", "T1")
    assert [(line["spot"], line["payment"], line["returned_cents"]) for line in lines_of(text)] == [
        ("ante", "corrected", 2_000),
        ("play", "right", 2_000),
    ]
    _, text, _ = run("coups", journal, "--format", "jsonl", "--from", "2026-11-17T20:00", "--to", "2026-11-17T21:00")
    assert len(lines_of(text)) == 2
    _, text, _ = run("coups", journal, "--format", "jsonl", "--from", "2026-11-18")
    assert text == ""


def test_alerts_with_their_sentences_and_staff_with_theirs(journal: Path, run: Run) -> None:
    _, text, _ = run("alerts", journal, "--format", "jsonl")
    (alert,) = lines_of(text)
    assert (alert["code"], alert["queue"], alert["ended"]) == ("OVERPAID", "open", "corrected")
    assert json.loads(str(alert["evidence"])) == {"actual_cents": 3_000, "due_cents": 2_000}
    _, text, _ = run("staff", journal, "--format", "jsonl", "--table", "T1")
    assert {(line["by"], line["kind"]) for line in lines_of(text)} == {
        ("D1", "dealer_on"),
        ("H1", "head_on"),
        ("H1", "seance_opening"),
    }


def test_a_file_stands_whole_and_views_are_used_again(journal: Path, run: Run, tmp_path: Path) -> None:
    out, views = tmp_path / "coups.csv", tmp_path / "views.db"
    for _ in range(2):
        assert run("coups", journal, "--output", out, "--views", views) == (0, "", "")
        assert out.read_bytes().startswith(b"\xef\xbb\xbftable,coup,game,")
        assert b"\r\n" in out.read_bytes()
    assert views.exists()
    assert not list(tmp_path.glob("*.part"))


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--from", "yesterday"), "--from 'yesterday' is no date"),
        (("--to", "2026-13-01"), "--to '2026-13-01' is no date"),
        (("--from", "2026-11-18", "--to", "2026-11-18"), "--from must lie before --to."),
        (("--table", "T9"), "knows no table 'T9'; it has T1, T2."),
        (("--output", "/nowhere/at/all.csv"), "/nowhere/at/all.csv cannot be written"),
    ],
)
def test_what_cannot_be_used_is_one_sentence(words: tuple[str, ...], sentence: str, journal: Path, run: Run) -> None:
    code, out, error = run("coups", journal, *words)
    assert (code, out) == (2, "")
    assert error.startswith("sabot export: ")
    assert sentence in error
    assert error.count("\n") == 1


def test_no_journal_and_half_a_journal_are_one_sentence(journal: Path, run: Run, tmp_path: Path) -> None:
    half = tmp_path / "half.db"
    half.write_bytes(journal.read_bytes()[: journal.stat().st_size // 2 // 4096 * 4096 + 100])
    for path in (tmp_path / "none.db", half, Path(__file__)):
        code, out, error = run("coups", path)
        assert (code, out) == (2, "")
        assert error.startswith("sabot export: ")
        assert error.count("\n") == 1


def test_export_runs_while_a_gateway_writes(journal: Path, run: Run) -> None:
    with open_sqlite_journal(journal):
        assert run("coups", journal)[0] == 0


@settings(deadline=None)
@given(st.text())
def test_no_text_is_a_formula_and_nothing_is_lost(text: str) -> None:
    safe = safe_cell(text)
    assert isinstance(safe, str)
    assert not safe.startswith(("=", "+", "-", "@", "\t", "\r"))
    assert safe in (text, f"'{text}")


@settings(deadline=None)
@given(st.lists(st.lists(st.one_of(st.none(), st.integers(), st.text()), min_size=2, max_size=2), max_size=5))
def test_any_cell_can_be_read_back(cells: list[list[int | str | None]]) -> None:
    rows = [(row[0], row[1]) for row in cells]
    out = io.StringIO(newline="")
    write_csv(("a", "b"), rows, out)
    read = list(csv.reader(io.StringIO(out.getvalue().removeprefix("\N{BYTE ORDER MARK}"), newline="")))
    assert len(read) == 1 + len(rows) or any("\0" in str(cell) or "\r" in str(cell) for row in rows for cell in row)
    out = io.StringIO()
    write_jsonl(("a", "b"), rows, out)
    assert [tuple(json.loads(line).values()) for line in out.getvalue().split("\n") if line] == rows


def test_negative_money_stays_a_number() -> None:
    assert safe_cell(-500) == -500


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1970-01-01", 0),
        ("1970-01-01T01:00", 3_600_000),
        ("1970-01-01T01:00+01:00", 0),
        ("1970-01-01T00:00:00.250Z", 250),
    ],
)
def test_times_are_utc_unless_they_say_otherwise(text: str, expected: int) -> None:
    assert ms_from_text(text, "--from") == expected
    assert text_from_ms(250) == "1970-01-01T00:00:00.250Z"


def test_a_time_beyond_all_calendars_is_refused() -> None:
    with pytest.raises(PeriodError):
        ms_from_text("99999-01-01", "--to")
    assert text_from_ms(10**18) == str(10**18)


def test_every_column_is_documented() -> None:
    page = (ROOT / "docs" / "exports.md").read_text("utf-8")
    for export in EXPORTS.values():
        section = page.split(f"## {export.name}\n", 1)[1].split("\n## ", 1)[0]
        assert [line.split("|")[1].strip(" `") for line in section.splitlines() if line.startswith("| `")] == list(
            export.columns
        )
        for name, meaning in export.columns.items():
            assert f"| `{name}` | {meaning} |" in section
