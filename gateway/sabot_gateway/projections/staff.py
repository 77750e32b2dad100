"""Who is at a table, and what people did: badges at the table, declarations at a console, words that let play go on.

Beside them stands how tables were set up, each with the values that changed.
"""

import json
import sqlite3
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final

from sabot_gateway.projections.happening import Happening
from sabot_gateway.projections.sentence import Sentence
from sabot_gateway.projections.sheet import Sheet

CONFIGURED: Final = "configured"
# What changes how a table or the house is set up, whoever did it.
CONFIGURATION: Final = frozenset(
    {CONFIGURED, "deck_registered", "chips_registered", "badge_registered", "account_changed"}
)


@dataclass(frozen=True, slots=True)
class StaffAction:
    """One thing a person did, with its record, so that it can be found again in the journal.

    `changes` are values of a configuration: its name, what it was, what it is; None where there was or is none.
    """

    id: int
    record: int
    table: str
    position: int
    at_ms: int
    kind: str
    by: str
    coup: int
    fr: str
    en: str
    changes: tuple[tuple[str, str | None, str | None], ...] = ()


def keep_action(
    db: sqlite3.Connection,
    sheet: Sheet | None,
    at: Happening,
    kind: str,
    by: str,
    sentence: Sentence,
    changes: str = "",
) -> None:
    number = sheet.number if sheet is not None and sheet.coup else 0
    db.execute(
        "INSERT INTO staff_action (record, stream, position, at_ms, kind, by, coup, fr, en, changes)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (at.id, at.stream, at.position, at.at_ms, kind, by, number, sentence.fr, sentence.en, changes),
    )


def staff_actions(
    db: sqlite3.Connection,
    *,
    table: str | None = None,
    by: str | None = None,
    kinds: Collection[str] = (),
    from_ms: int | None = None,
    to_ms: int | None = None,
    before_id: int | None = None,
    limit: int = 100,
) -> list[StaffAction]:
    """Newest first, a page at a time."""
    tests: list[tuple[str, object]] = [
        ("stream = ?", table),
        ("by = ?", by),
        ("at_ms >= ?", from_ms),
        ("at_ms < ?", to_ms),
        ("id < ?", before_id),
    ]
    chosen = [(test, value) for test, value in tests if value is not None]
    where = " AND ".join(test for test, _ in chosen) or "1"
    where += f" AND kind IN ({', '.join('?' * len(kinds))})" if kinds else ""
    rows = db.execute(
        f"SELECT {_COLUMNS} FROM staff_action WHERE {where} ORDER BY id DESC LIMIT ?",  # noqa: S608 - our own names
        (*(value for _, value in chosen), *kinds, limit),
    )
    return [replace(StaffAction(*row), changes=_changes(row[-1])) for row in rows]


def _changes(text: str) -> tuple[tuple[str, str | None, str | None], ...]:
    return tuple((what, before, after) for what, before, after in json.loads(text or "[]"))


_COLUMNS: Final = "id, record, stream, position, at_ms, kind, by, coup, fr, en, changes"
