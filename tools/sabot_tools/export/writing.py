"""Rows as CSV that a spreadsheet may open without harm, or as JSON lines.

CSV: UTF-8 with a byte order mark (spreadsheets need it to read accents), commas, CRLF, RFC 4180 quotes. A text that a
spreadsheet would take for a formula gets an apostrophe before it; numbers are written as numbers. JSON lines are exact.
"""

import csv
import json
from collections.abc import Iterable
from typing import Final, TextIO

from sabot_tools.export.rows import Cell, Row

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
FORMATS: Final = ("csv", "jsonl")


def write_csv(columns: Iterable[str], rows: Iterable[Row], out: TextIO) -> None:
    out.write("\N{BYTE ORDER MARK}")
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(columns)
    for row in rows:
        writer.writerow([safe_cell(cell) for cell in row])


def write_jsonl(columns: Iterable[str], rows: Iterable[Row], out: TextIO) -> None:
    names = tuple(columns)
    for row in rows:
        out.write(json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=False) + "\n")


def safe_cell(cell: Cell) -> Cell:
    """A text that begins like a formula is led by an apostrophe; nothing else changes."""
    if isinstance(cell, str) and cell.startswith(_FORMULA):
        return f"'{cell}"
    return cell
