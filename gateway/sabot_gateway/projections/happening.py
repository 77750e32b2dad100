"""One conclusion or fact on its way into the views: which record it stands in, at which table, and when it happened."""

import sqlite3
from collections.abc import Sequence
from typing import NamedTuple


class Happening(NamedTuple):
    """`cause` is the position of the fact behind a decision, else the record's own; `at_ms` is when it happened."""

    id: int
    stream: str
    position: int
    cause: int
    at_ms: int


def inserted(db: sqlite3.Connection, sql: str, values: Sequence[object]) -> int:
    """Runs an INSERT and gives the new row's id."""
    row = db.execute(sql, values).lastrowid
    assert row is not None
    return row
