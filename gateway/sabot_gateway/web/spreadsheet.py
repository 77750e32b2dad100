"""Rows as a CSV file that any spreadsheet opens safely: no cell of ours can become a formula there."""

import csv
from collections.abc import Iterable, Sequence
from io import StringIO
from typing import Final

Cell = str | int | float | None
_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")  # what a spreadsheet takes for the beginning of a formula
_MARK: Final = "\ufeff"  # tells Excel that it is UTF-8


def csv_from_rows(header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> str:
    """Numbers stay numbers; a text that looks like a formula is marked as a text."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow(header)
    writer.writerows([[_safe(cell) for cell in row] for row in rows])
    return _MARK + out.getvalue()


def _safe(cell: Cell) -> Cell:
    if isinstance(cell, str) and cell.startswith(_FORMULA):
        return f"'{cell}"
    return "" if cell is None else cell
