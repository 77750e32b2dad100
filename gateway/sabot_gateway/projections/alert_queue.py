"""The review queue, read: gravest and newest first, a page at a time by key, similar ones folded, searched.

Every page costs the same however long the queue is: the order is an index, and a page goes on behind the key of the
last alert that was seen.
"""

import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, NamedTuple


class Key(NamedTuple):
    """Where a page ends: the next one begins behind it."""

    rank: int
    last_ms: int
    id: int


@dataclass(frozen=True, slots=True)
class Search:
    """Empty fields match everything; times are UTC milliseconds, `to_ms` excluded."""

    table: str = ""
    code: str = ""
    rule: str = ""
    dealer: str = ""
    severity: str = ""
    assigned_to: str = ""
    coup: int | None = None
    from_ms: int | None = None
    to_ms: int | None = None
    is_open: bool | None = None


EVERYTHING: Final = Search()


@dataclass(frozen=True, slots=True)
class QueuedAlert:
    """One alert as the queue has it; `similar` counts the open ones of its table and code, itself included."""

    id: int
    table: str
    alert: str
    code: str
    severity: str
    rank: int
    rule: str
    seat: int | None
    spot: str | None
    fr: str
    en: str
    evidence: Mapping[str, int | str]
    holds: str
    clears: str
    coup: int
    dealer: str
    count: int
    first_id: int
    last_id: int
    first_ms: int
    last_ms: int
    ended_how: str | None
    ended_by: str | None
    ended_ms: int | None
    is_open: bool
    acknowledged_by: str
    assigned_to: str
    escalated_to: str
    cleared_by: str | None
    cleared_reason: str | None
    cleared_ms: int | None
    similar: int = 1

    @property
    def key(self) -> Key:
        return Key(self.rank, self.last_ms, self.id)


@dataclass(frozen=True, slots=True)
class Reviewed:
    """One line of an alert's history."""

    record: int
    at_ms: int
    kind: str
    by: str
    to: str
    text: str


class Mark(NamedTuple):
    """`last_id` is how far the views have come; one of the others changes whenever the queue does."""

    last_id: int = 0
    newest: int = 0
    handled: int = 0
    open: int = 0
    raised: int = 0
    ended: int = 0

    def is_like(self, other: "Mark") -> bool:
        return self[1:] == other[1:]


def queue_mark(db: sqlite3.Connection) -> Mark:
    """Costs a look at what is open, however many alerts were cleared before."""
    (last_id,) = db.execute("SELECT last_id FROM progress").fetchone()
    (newest,) = db.execute("SELECT COALESCE(MAX(id), 0) FROM alert").fetchone()
    (handled,) = db.execute("SELECT COALESCE(MAX(id), 0) FROM review").fetchone()
    held = db.execute("SELECT COUNT(*), COALESCE(MAX(last_id), 0), COUNT(ended_ms) FROM alert WHERE is_open = 1")
    return Mark(last_id, newest, handled, *held.fetchone())


def open_alerts(
    db: sqlite3.Connection, search: Search = EVERYTHING, *, behind: Key | None = None, limit: int = 50
) -> list[QueuedAlert]:
    """The queue, one alert after the other."""
    tests, values = _tests(search)
    tests, values = _behind(tests, values, behind)
    return _read(db, f"WHERE is_open = 1{tests} ORDER BY rank DESC, last_ms DESC, id DESC LIMIT ?", [*values, limit])


def folded_alerts(
    db: sqlite3.Connection, search: Search = EVERYTHING, *, behind: Key | None = None, limit: int = 50
) -> list[QueuedAlert]:
    """The queue with the open alerts of one table and code folded into the first of them."""
    tests, values = _tests(search)
    leads = f"""
        SELECT id FROM (
            SELECT id, rank, last_ms,
                   ROW_NUMBER() OVER (PARTITION BY stream, code ORDER BY rank DESC, last_ms DESC, id DESC) AS nth
            FROM alert WHERE is_open = 1{tests}
        ) WHERE nth = 1
    """  # noqa: S608 - our own names; values are bound
    lead_tests, lead_values = _behind("", [], behind)
    found = _read(
        db,
        f"WHERE id IN ({leads}){lead_tests} ORDER BY rank DESC, last_ms DESC, id DESC LIMIT ?",
        [*values, *lead_values, limit],
    )
    return [_with_similar(db, alert) for alert in found]


def similar_alerts(
    db: sqlite3.Connection, table: str, code: str, *, behind: Key | None = None, limit: int = 50
) -> list[QueuedAlert]:
    """What is folded behind one line of the queue."""
    return open_alerts(db, Search(table=table, code=code), behind=behind, limit=limit)


def all_alerts(
    db: sqlite3.Connection, search: Search = EVERYTHING, *, before_id: int | None = None, limit: int = 50
) -> list[QueuedAlert]:
    """Open and cleared ones alike, newest first by id."""
    tests, values = _tests(search)
    if before_id is not None:
        tests, values = f"{tests} AND id < ?", [*values, before_id]
    return _read(db, f"WHERE 1{tests} ORDER BY id DESC LIMIT ?", [*values, limit])


def alert_by_id(db: sqlite3.Connection, number: int) -> QueuedAlert | None:
    found = _read(db, "WHERE id = ?", [number])
    return found[0] if found else None


def history_of(db: sqlite3.Connection, number: int) -> list[Reviewed]:
    """What people did about an alert, in order."""
    rows = db.execute('SELECT record, at_ms, kind, by, "to", text FROM review WHERE alert = ? ORDER BY id', (number,))
    return [Reviewed(*row) for row in rows]


def open_counts(db: sqlite3.Connection) -> dict[str, dict[str, int]]:
    """By table, then by severity: how many alerts are open."""
    found: dict[str, dict[str, int]] = {}
    rows = db.execute("SELECT stream, severity, COUNT(*) FROM alert WHERE is_open = 1 GROUP BY stream, severity")
    for stream, severity, count in rows:
        found.setdefault(stream, {})[severity] = count
    return found


def awaiting_counts(db: sqlite3.Connection) -> dict[str, dict[str, int]]:
    """Of the open ones those whose cause is over, by table and severity: they wait for a person's word alone."""
    found: dict[str, dict[str, int]] = {}
    rows = db.execute(
        "SELECT stream, severity, COUNT(*) FROM alert WHERE is_open = 1 AND ended_ms IS NOT NULL"
        " GROUP BY stream, severity"
    )
    for stream, severity, count in rows:
        found.setdefault(stream, {})[severity] = count
    return found


_COLUMNS: Final = (
    "id, stream, alert, code, severity, rank, rule, seat, spot, fr, en, evidence, holds, clears, coup, dealer, count,"
    " first_id, last_id, first_ms, last_ms, ended_how, ended_by, ended_ms, is_open, acknowledged_by, assigned_to,"
    " escalated_to, cleared_by, cleared_reason, cleared_ms"
)
_EVIDENCE: Final = 11
_IS_OPEN: Final = 24


def _read(db: sqlite3.Connection, tail: str, values: list[object]) -> list[QueuedAlert]:
    rows = db.execute(f"SELECT {_COLUMNS} FROM alert {tail}", values)  # noqa: S608 - our own names
    return [_alert(list(row)) for row in rows]


def _alert(row: list[Any]) -> QueuedAlert:
    row[_EVIDENCE], row[_IS_OPEN] = json.loads(row[_EVIDENCE]), bool(row[_IS_OPEN])
    return QueuedAlert(*row)


def _with_similar(db: sqlite3.Connection, alert: QueuedAlert) -> QueuedAlert:
    (count,) = db.execute(
        "SELECT COUNT(*) FROM alert WHERE is_open = 1 AND stream = ? AND code = ?", (alert.table, alert.code)
    ).fetchone()
    return QueuedAlert(**{name: getattr(alert, name) for name in QueuedAlert.__slots__} | {"similar": count})


def _tests(search: Search) -> tuple[str, list[object]]:
    pairs: list[tuple[str, object]] = [
        ("stream = ?", search.table or None),
        ("code = ?", search.code or None),
        ("rule = ?", search.rule or None),
        ("dealer = ?", search.dealer or None),
        ("severity = ?", search.severity or None),
        ("assigned_to = ?", search.assigned_to or None),
        ("coup = ?", search.coup),
        ("last_ms >= ?", search.from_ms),
        ("first_ms < ?", search.to_ms),
        ("is_open = ?", search.is_open),
    ]
    chosen = [(test, value) for test, value in pairs if value is not None]
    return "".join(f" AND {test}" for test, _ in chosen), [value for _, value in chosen]


def _behind(tests: str, values: list[object], key: Key | None) -> tuple[str, list[object]]:
    if key is None:
        return tests, values
    return f"{tests} AND (rank, last_ms, id) < (?, ?, ?)", [*values, *key]
