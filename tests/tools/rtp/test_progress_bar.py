"""The progress bar: drawn on a terminal, erased at the end, silent anywhere else."""

from io import StringIO

import pytest

from sabot_tools.progress import Progress


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_nothing_is_written_where_there_is_no_terminal() -> None:
    stream = StringIO()
    with Progress(10, "deals", stream) as progress:
        progress.advance(10)
    assert stream.getvalue() == ""


def test_a_terminal_sees_label_bar_and_percentage() -> None:
    stream = Terminal()
    with Progress(10, "deals", stream) as progress:
        progress.advance(5)
        assert "deals [" in stream.getvalue()
        assert " 50 %" in stream.getvalue()


def test_the_bar_is_erased_at_the_end() -> None:
    stream = Terminal()
    with Progress(10, "deals", stream) as progress:
        progress.advance(10)
    last_line = stream.getvalue().split("\r")[-2]
    assert last_line.strip() == ""
    assert stream.getvalue().endswith("\r")


def test_without_a_total_the_count_is_shown() -> None:
    stream = Terminal()
    with Progress(None, "lines", stream) as progress:
        progress.advance(1_234)
        assert "lines 1,234" in stream.getvalue()


def test_more_than_the_total_stays_at_the_end_of_the_bar() -> None:
    stream = Terminal()
    with Progress(10, "deals", stream) as progress:
        progress.advance(25)
        assert "100 %" in stream.getvalue()


def test_drawing_is_limited_so_that_a_million_steps_cost_little() -> None:
    stream = Terminal()
    with Progress(1_000_000, "deals", stream) as progress:
        for _ in range(20_000):
            progress.advance()
    assert stream.getvalue().count("\r") < 200


def test_a_bar_never_wraps_on_a_narrow_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    stream = Terminal()
    with Progress(10, "a label that is longer than any narrow terminal", stream) as progress:
        progress.advance(5)
    shown = stream.getvalue().split("\r")
    assert max(map(len, shown)) <= 19
    assert any(line.endswith("50 %") for line in shown)
