"""The review queue: gravest and newest first, by key, folded, searched; people's actions stay with the alert."""

import sqlite3
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sabot_gateway.model.alert import Alert, Clears, Severity
from sabot_gateway.model.effect import ClearAlert
from sabot_gateway.model.review import AlertAcknowledged, AlertAssigned, AlertCommented, AlertEscalated
from sabot_gateway.projections.alert_queue import (
    EVERYTHING,
    Key,
    QueuedAlert,
    Search,
    alert_by_id,
    all_alerts,
    folded_alerts,
    history_of,
    open_alerts,
    open_counts,
    similar_alerts,
)
from sabot_gateway.projections.alerts import QueueAction, end_alert, raise_alert, review_alert
from sabot_gateway.projections.happening import Happening
from sabot_gateway.projections.schema import TABLES
from sabot_gateway.projections.sheet import Sheet

OVERPAID = Alert("OVERPAID", Severity.ALARM, "TCF-59", "Trop payé.", "Overpaid.", Clears.OVERRIDE, seat=3, spot="ante")
NOTICE = Alert("KEY_OUT_OF_PLACE", Severity.NOTICE, "", "Touche.", "Key.", Clears.COUP_END)


@pytest.fixture
def db() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:")
    connection.executescript(TABLES)
    yield connection
    connection.close()


def happening(number: int, stream: str = "T1") -> Happening:
    return Happening(number, stream, number, number, number * 1_000)


def raised(
    db: sqlite3.Connection, number: int, alert: Alert = OVERPAID, stream: str = "T1", dealer: str = "D1"
) -> Alert:
    alert = replace(alert, coup=number, first_ms=number * 1_000, last_ms=number * 1_000)
    raise_alert(db, Sheet(dealer=dealer), alert, happening(number, stream))
    return alert


def walked(db: sqlite3.Connection, search: Search = EVERYTHING, limit: int = 7) -> list[QueuedAlert]:
    found: list[QueuedAlert] = []
    behind: Key | None = None
    while page := open_alerts(db, search, behind=behind, limit=limit):
        found += page
        behind = page[-1].key
    return found


def test_a_corrected_alarm_waits_for_a_person_and_a_notice_does_not(db: sqlite3.Connection) -> None:
    alarm, notice = raised(db, 1), raised(db, 2, NOTICE)
    end_alert(db, Sheet(), ClearAlert(alarm.id, "corrected"), happening(3))
    end_alert(db, Sheet(), ClearAlert(notice.id, "coup_end"), happening(4))
    (waiting,) = open_alerts(db)
    assert (waiting.alert, waiting.ended_how, waiting.ended_ms) == (alarm.id, "corrected", 3_000)
    end_alert(db, Sheet(), ClearAlert(alarm.id, "cleared", "S1", "seen on video"), happening(5))
    assert open_alerts(db) == []
    (cleared, _) = sorted(all_alerts(db), key=lambda alert: alert.id)
    assert (cleared.cleared_by, cleared.cleared_reason, cleared.cleared_ms) == ("S1", "seen on video", 5_000)


def test_an_override_at_the_table_does_not_clear_the_queue(db: sqlite3.Connection) -> None:
    alarm = raised(db, 1)
    end_alert(db, Sheet(), ClearAlert(alarm.id, "overridden", "H1", "key"), happening(2))
    (waiting,) = open_alerts(db)
    assert (waiting.ended_how, waiting.ended_by, waiting.cleared_by) == ("overridden", "H1", None)


def test_what_people_do_stays_with_the_alert(db: sqlite3.Connection) -> None:
    alarm = raised(db, 1)
    actions: tuple[QueueAction, ...] = (
        AlertAssigned("S1", alarm.id, "S2"),
        AlertCommented("S2", alarm.id, "camera 4"),
        AlertAcknowledged("S2", alarm.id, "seen"),
        AlertEscalated("S2", alarm.id, "investigator", "twice tonight"),
    )
    for number, action in enumerate(actions, start=2):
        review_alert(db, action, happening(number))
    (alert,) = open_alerts(db)
    assert (alert.assigned_to, alert.acknowledged_by, alert.escalated_to) == ("S2", "S2", "investigator")
    assert [(line.kind, line.by, line.to, line.text, line.at_ms) for line in history_of(db, alert.id)] == [
        ("assigned", "S1", "S2", "", 2_000),
        ("commented", "S2", "", "camera 4", 3_000),
        ("acknowledged", "S2", "", "seen", 4_000),
        ("escalated", "S2", "investigator", "twice tonight", 5_000),
    ]
    review_alert(db, AlertAssigned("S1", "9/NOTHING", "S2"), happening(9))
    assert len(history_of(db, alert.id)) == 4


def test_a_repeated_cause_is_one_alert_and_one_that_comes_back_is_another(db: sqlite3.Connection) -> None:
    alarm = raised(db, 1)
    raise_alert(db, Sheet(), replace(alarm, count=2, last_ms=2_000), happening(2))
    (alert,) = open_alerts(db)
    assert (alert.count, alert.first_ms, alert.last_ms, alert.last_id) == (2, 1_000, 2_000, 2)
    end_alert(db, Sheet(), ClearAlert(alarm.id, "corrected"), happening(3))
    raise_alert(db, Sheet(), replace(alarm, first_ms=4_000, last_ms=4_000), happening(4))
    assert [alert.first_ms for alert in open_alerts(db)] == [4_000, 1_000]


@settings(deadline=None, max_examples=50)
@given(
    st.lists(
        st.tuples(st.sampled_from([OVERPAID, NOTICE]), st.sampled_from(["T1", "T2"]), st.integers(0, 5)), max_size=40
    ),
    st.integers(1, 9),
)
def test_pages_by_key_give_every_alert_once_in_order(cases: list[tuple[Alert, str, int]], limit: int) -> None:
    db = sqlite3.connect(":memory:")
    db.executescript(TABLES)
    for number, (alert, stream, at) in enumerate(cases, 1):
        alert = replace(alert, coup=number, first_ms=at, last_ms=at)
        raise_alert(db, Sheet(), alert, happening(number, stream))
    found = walked(db, limit=limit)
    assert [alert.key for alert in found] == sorted((alert.key for alert in found), reverse=True)
    assert sorted(alert.first_id for alert in found) == list(range(1, len(cases) + 1))
    folded = folded_alerts(db, limit=100)
    assert sum(alert.similar for alert in folded) == len(cases)
    assert len({(alert.table, alert.code) for alert in folded}) == len(folded)
    counts = open_counts(db)
    assert sum(sum(each.values()) for each in counts.values()) == len(cases)
    db.close()


def test_search_by_table_code_rule_dealer_and_time(db: sqlite3.Connection) -> None:
    raised(db, 1)
    raised(db, 2, stream="T2")
    raised(db, 3, dealer="D2")
    raised(db, 4, replace(OVERPAID, code="UNDERPAID", rule="TCF-60"))
    searches = {
        Search(table="T2"): [2],
        Search(code="UNDERPAID"): [4],
        Search(rule="TCF-60"): [4],
        Search(dealer="D2"): [3],
        Search(from_ms=2_000, to_ms=4_000): [3, 2],
        Search(severity="alarm", coup=1): [1],
        Search(table="T1", dealer="D1"): [4, 1],
        Search(table="T3"): [],
    }
    for search, expected in searches.items():
        assert [alert.first_id for alert in open_alerts(db, search)] == expected
        assert [alert.first_id for alert in all_alerts(db, search)] == expected
    assert [alert.first_id for alert in similar_alerts(db, "T1", "OVERPAID")] == [3, 1]
    assert alert_by_id(db, 99) is None


def test_ten_thousand_open_alerts_are_paged_by_the_index_alone(db: sqlite3.Connection) -> None:
    """No page sorts or scans the queue: the order is the index."""
    plan = db.execute(
        "EXPLAIN QUERY PLAN SELECT id FROM alert WHERE is_open = 1 AND (rank, last_ms, id) < (2, 5, 7)"
        " ORDER BY rank DESC, last_ms DESC, id DESC LIMIT 50"
    ).fetchall()
    assert "alert_queue" in plan[0][-1]
    assert not any("TEMP B-TREE" in row[-1] for row in plan)
    with db:
        for number in range(1, 10_001):
            raised(db, number, stream=f"T{number % 40}")
    assert len(folded_alerts(db, limit=100)) == 40
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += 1
        return 0

    db.set_progress_handler(count, 100)  # every hundred instructions of SQLite's machine
    first = open_alerts(db, limit=50)
    early = steps
    open_alerts(db, behind=Key(2, 100_000, 100), limit=50)
    db.set_progress_handler(None, 0)
    assert len(first) == 50
    assert steps - early <= 2 * early + 10
