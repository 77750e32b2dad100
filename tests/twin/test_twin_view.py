"""The live view of a night: a line per table on a terminal, one plain line now and then elsewhere, gone in the end."""

import io
import os
import pty
import select
import subprocess
import sys
import time

from app.gateway_process import SOURCES
from sabot_tools.twin.book import Book, Expected, Line
from sabot_tools.twin.floor_view import FloorView
from sabot_tools.twin.standing import Standings


def line(table: str, number: int, cents: int) -> Line:
    return Line(table, number, {(1, "ante"): cents})


def test_each_coup_is_compared_once_both_books_have_it() -> None:
    standings, book = Standings({"t1": "TCF", "t2": "THE"}), Book()
    assert standings.tables["t1"].book == "opening"
    standings.open("t1")
    assert (standings.tables["t1"].book, standings.tables["t2"].book) == ("empty", "opening")
    book.lines = [line("t1", 1, 500), line("t1", 2, -500), line("t2", 1, 100)]
    settled = {"t1": [line("t1", 1, 500)], "t2": [line("t2", 1, 101)]}
    raised = [Expected("t2", "LATE_BET", 3)]
    standings.update(book, settled, raised)
    assert (standings.tables["t1"].coups, standings.tables["t1"].book) == (2, "1 to come")
    assert (standings.tables["t2"].book, standings.tables["t2"].last_alert) == ("1 DIFFER", "LATE_BET seat 3")
    settled["t1"].append(line("t1", 2, -500))
    standings.update(book, settled, raised)
    assert standings.tables["t1"].book == "equal"


def test_a_table_that_was_taken_over_begins_anew() -> None:
    standings, book = Standings({"t1": "TCF"}), Book([line("t1", 1, 5)])
    standings.update(book, {"t1": [line("t1", 1, 6)]}, [])
    assert standings.tables["t1"].differing == 1
    book.begin("t1")
    standings.update(book, {}, [])
    assert (standings.tables["t1"].coups, standings.tables["t1"].differing) == (0, 0)


def test_where_there_is_no_terminal_a_plain_line_comes_now_and_then() -> None:
    now = [0.0]
    told = io.StringIO()
    view = FloorView(10, told, plain_s=10, now_s=lambda: now[0])
    standings = Standings({"t1": "TCF"})
    standings.open("t1")
    standings.update(Book([line("t1", 1, 5)]), {"t1": [line("t1", 1, 5)]}, [Expected("t1", "OVERPAID", 2)])
    assert not view.is_due
    now[0] = 10.0
    assert view.is_due
    view.show(standings)
    assert not view.is_due
    view.close()
    bar = "[##..................]  10 %"
    assert told.getvalue() == (f"0:10 {bar}  1 coups, 0.1 a second, books equal, 1 alerts, last t1: OVERPAID seat 2\n")


def test_while_tables_are_opened_the_view_says_how_many_are() -> None:
    told = io.StringIO()
    view = FloorView(2, told, plain_s=0, now_s=lambda: 0.0)
    standings = Standings({f"t{number}": "TCF" for number in range(1, 1_501)})
    standings.open("t1")
    standings.open("t2")
    view.show(standings)
    for number in range(3, 1_501):
        standings.open(f"t{number}")
    view.show(standings)
    first, last = told.getvalue().splitlines()
    assert "2 of 1,500 tables open, 0 coups" in first
    assert "tables open" not in last


def test_a_program_that_reads_json_is_told_nothing() -> None:
    assert not FloorView(10, io.StringIO(), is_plain_told=False, plain_s=0).is_due


_NIGHT = """
import sys, time
from sabot_tools.twin.book import Book, Line
from sabot_tools.twin.floor_view import FloorView
from sabot_tools.twin.standing import Standings
view, book = FloorView(4, sys.stdout), Book()
standings = Standings({f"table-{n}": "TCF" for n in range(1, 31)})
for number in range(1, 5):
    book.lines.append(Line("table-1", number, {(1, "ante"): 5}))
    standings.update(book, {"table-1": book.lines}, [])
    view.show(standings)
view.close()
print("what the command says")
"""


def test_on_a_terminal_the_picture_is_drawn_over_itself_and_taken_away() -> None:
    said = on_a_terminal([sys.executable, "-c", _NIGHT], rows=24, columns=70)
    pictures = said.split("\x1b[J")
    assert len(pictures) == 5
    first, last = pictures[0].splitlines(), pictures[3].splitlines()
    assert first[0].split() == ["table", "game", "coups", "a", "second", "alerts", "book", "last", "alert"]
    assert first[1].split()[:3] == ["table-1", "TCF", "1"]
    assert last[1].split()[:3] == ["table-1", "TCF", "4"]
    assert "… and 10 more tables" in first
    assert all(len(row) < 70 for row in first[:-1])
    assert pictures[3].endswith("\x1b[23F"), "every row of it"
    assert pictures[4].strip() == "what the command says"


def on_a_terminal(command: list[str], rows: int, columns: int) -> str:
    """What a command writes to a terminal of this size."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "PYTHONPATH": SOURCES, "LINES": str(rows), "COLUMNS": str(columns)}
    process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=environment)
    os.close(theirs)
    said, ends = b"", time.monotonic() + 300
    while time.monotonic() < ends:
        if select.select([ours], [], [], 0.2)[0]:
            try:
                piece = os.read(ours, 65_536)
            except OSError:  # Linux: the other end is gone
                break
            if not piece:
                break
            said += piece
    os.close(ours)
    assert process.wait(60) == 0, said.decode()
    return said.decode().replace("\r\n", "\n")
