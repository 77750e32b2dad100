"""The views: what they hold of a night, and that they can be lost, stopped and put beside another journal."""

import sqlite3
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from sabot_gateway.journal.error import JournalError
from sabot_gateway.journal.port import Append
from sabot_gateway.journal.record import Entry, Head, Kind, Owner, Stream
from sabot_gateway.journal.snapshot import Snapshot
from sabot_gateway.journal.sqlite import open_sqlite_journal
from sabot_gateway.journal.stored import StoredJournal
from sabot_gateway.model.review import AlertAssigned
from sabot_gateway.projections import store
from sabot_gateway.projections.alert_queue import all_alerts, open_alerts
from sabot_gateway.projections.coups import coup_at, coups, spots_of
from sabot_gateway.projections.floor import tiles
from sabot_gateway.projections.house_sentences import action_sentence
from sabot_gateway.projections.staff import staff_actions
from sabot_gateway.projections.statistics import HOUR_MS, By, Period, report
from sabot_gateway.projections.store import Views
from sabot_gateway.projections.tail import Tail
from sabot_gateway.transcript.fact import body_from_event
from sabot_gateway.transcript.house import Action, body_from_action
from sabot_tools.rounds.playing import Played
from sabot_tools.rounds.recording import DAY_MS, FENCE, HOUSE, OWNER

Record = Callable[..., Played]
WAIT_S = 60.0


def everything(path: Path) -> dict[str, list[tuple[object, ...]]]:
    """The content of every table, in order."""
    db = sqlite3.connect(path)
    try:
        names = [name for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")]
        return {name: sorted(db.execute(f"SELECT * FROM {name}").fetchall(), key=repr) for name in names}
    finally:
        db.close()


def say(journal: StoredJournal, table: str, event: object, by: str) -> None:
    body = body_from_event(event, by)  # type: ignore[arg-type]
    entry = Entry(Kind.OPERATOR, body, DAY_MS + 80_000_000)
    journal.append(Append(Stream(table), OWNER, FENCE, [entry])).result(WAIT_S)


def test_a_coup_is_indexed_with_its_money_people_rules_and_places(
    journal: StoredJournal, record: Record, views: Views
) -> None:
    record("tcf-overpaid")
    views.catch_up(journal)
    assert views.unreadable == 0
    with views.reading() as db:
        coup = coup_at(db, "T1", 1)
        assert coup is not None
        assert (coup.game, coup.seance, coup.dealer, coup.head, coup.players) == ("TCF", 1, "D1", "H1", (3,))
        # Ten on the ante and ten on the play, both paid even money: TCF-59, TCF-62.
        assert (coup.status, coup.drop_cents, coup.win_cents) == ("settled", 2_000, -2_000)
        assert {"TCF-59", "TCF-62"} <= set(coup.rules)
        assert coup.payment == "corrected"
        # Paid over three beats of two seconds: too much, taken back, the play.
        assert coup.payment_ms == 6_000
        assert [(spot.spot, spot.outcome, spot.net_cents, spot.payment) for spot in spots_of(db, coup)] == [
            ("ante", "win", 1_000, "corrected"),
            ("play", "win", 1_000, "right"),
        ]
        records = {each.position: each for each in journal.read(Stream("T1"))}
        assert coup.end_position is not None
        assert records[coup.start_position].kind is Kind.FACT
        assert records[coup.end_position].id == coup.end_id


def test_a_coup_under_way_shows_no_settlement(journal: StoredJournal, record: Record, views: Views) -> None:
    """Law 7, A-TCF-09: a bonus that waits for its claim must not show in a sum."""
    record("tcf-claim-after-the-ante-was-taken")
    settled = next(
        each.position
        for each in journal.read(Stream("T1"))
        if each.kind is Kind.DECISION and b"RecordSettlement" not in each.body and b"TCF-47" in each.body
    )

    class UpTo:
        """The journal as it stood when the dealer had shown his hand."""

        read, heads, snapshot = journal.read, journal.heads, journal.snapshot

        def tail(self, after_id: int | None = None) -> object:
            return (each for each in journal.tail(after_id) if each.stream != "T1" or each.position <= settled)

    views.catch_up(UpTo())  # type: ignore[arg-type]
    with views.reading() as db:
        coup = coup_at(db, "T1", 1)
        assert coup is not None
        assert coup.end_id is None
        assert (coup.status, coup.drop_cents, coup.win_cents, coup.rules) == ("running", None, None, ())
        assert spots_of(db, coup) == []
        assert tiles(db, 0)[0].outcome == {}


def test_the_worst_payment_of_a_coup_and_what_it_cost(journal: StoredJournal, record: Record, views: Views) -> None:
    record("tcf-wrong-payment-overridden")
    views.catch_up(journal)
    with views.reading() as db:
        coup = coup_at(db, "T1", 1)
        assert coup is not None
        assert coup.payment == "overridden"
        (line,) = report(db, By.TABLE, Period())
        # Fifteen instead of ten were paid on the ante, and stayed there.
        assert (line.cost_cents, line.caught_cents, line.errors) == (500, 0, 1)
        assert ("alert_overridden", "H1") in [(action.kind, action.by) for action in staff_actions(db)]


@pytest.mark.parametrize(
    ("script", "status", "drop", "win"),
    [("tcf-collusion", "void", None, 0), ("the-void", "void", None, 0), ("stu-second-coup", "settled", None, None)],
)
def test_coups_of_every_kind_end(
    script: str, status: str, drop: None, win: int | None, journal: StoredJournal, record: Record, views: Views
) -> None:
    record(script)
    views.catch_up(journal)
    with views.reading() as db:
        first = coups(db)[-1]
        entry = db.execute("SELECT status, win_cents FROM coup WHERE id = ?", (first.id,)).fetchone()
        assert entry[0] == status
        assert win is None or entry[1] == win


def test_the_dealer_of_a_coup_is_the_one_at_its_closed_bets(
    journal: StoredJournal, record: Record, views: Views
) -> None:
    record("tcf-alarm-waits-for-a-person")
    views.catch_up(journal)
    with views.reading() as db:
        assert [(coup.number, coup.dealer) for coup in coups(db)] == [(2, "D2"), (1, "D1")]
        (tile,) = tiles(db, 0)
        assert (tile.dealer, tile.head, tile.number, tile.players) == ("D2", "H1", 2, (3,))
        assert [action.by for action in staff_actions(db) if action.kind == "dealer_on"] == ["D2", "D1"]


def test_a_tile_counts_the_coups_of_the_last_hour(journal: StoredJournal, record: Record, views: Views) -> None:
    record("tcf-overpaid")
    views.catch_up(journal)
    with views.reading() as db:
        end_ms = coups(db)[0].end_ms
        assert end_ms is not None
        assert tiles(db, end_ms)[0].coups_last_hour == 1
        assert tiles(db, end_ms + HOUR_MS)[0].coups_last_hour == 0
        (tile,) = tiles(db, end_ms)
        assert tile.alerts == {"alarm": 1}
        assert (tile.outcome["number"], tile.outcome["win_cents"]) == (1, -2_000)


def test_stopped_anywhere_the_views_end_the_same(
    journal: StoredJournal, record: Record, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record("tcf-overpaid", "T1")
    record("the-all-in-and-all-fold", "T2")
    say(journal, "T1", AlertAssigned("S1", "1/OVERPAID/3-ante", "S2"), "S1")
    whole = Views(tmp_path / "whole.db")
    whole.catch_up(journal)
    whole.close()
    monkeypatch.setattr(store, "BATCH", 7)
    parts = tmp_path / "parts.db"
    done = -1
    while done:
        views = Views(parts)
        batches = iter((False, True))
        done = views.catch_up(journal, stop=lambda: next(batches, True))  # noqa: B023 - called at once
        views.close()
    assert everything(parts) == everything(tmp_path / "whole.db")


def test_a_crash_within_a_batch_changes_nothing(
    journal: StoredJournal, record: Record, views: Views, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record("tcf-overpaid")
    before = everything(tmp_path / "views.db")

    def torn(*_: object) -> None:
        raise sqlite3.OperationalError("disk full")

    with monkeypatch.context() as patched:
        patched.setattr("sabot_gateway.projections.statistics.count_coup", torn)
        with pytest.raises(sqlite3.OperationalError):
            views.catch_up(journal)
    assert everything(tmp_path / "views.db") == before
    views.catch_up(journal)
    with views.reading() as db:
        assert coups(db)[0].status == "settled"


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\x00" + bytes(4096)])
def test_a_broken_file_is_built_anew(content: bytes, journal: StoredJournal, record: Record, tmp_path: Path) -> None:
    path = tmp_path / "broken.db"
    path.write_bytes(content)
    record("tcf-overpaid")
    views = Views(path)
    views.catch_up(journal)
    with views.reading() as db:
        assert len(coups(db)) == 1
    views.close()


def test_a_file_of_another_version_is_built_anew(journal: StoredJournal, record: Record, tmp_path: Path) -> None:
    path = tmp_path / "views.db"
    record("tcf-overpaid")
    views = Views(path)
    views.catch_up(journal)
    views.close()
    db = sqlite3.connect(path)
    db.execute("UPDATE progress SET version = 999")
    db.commit()
    db.close()
    views = Views(path)
    assert views.last_id == 0
    views.close()


def test_views_of_another_journal_are_built_anew(journal: StoredJournal, record: Record, tmp_path: Path) -> None:
    other_folder = tmp_path / "other"
    other_folder.mkdir()
    views = Views(tmp_path / "views.db")
    record("tcf-overpaid")
    views.catch_up(journal)
    with open_sqlite_journal(other_folder / "journal.db") as other:
        entry = Entry(Kind.FACT, b"\x00", DAY_MS)
        other.append(Append(Stream("T9"), Owner("x"), 1, [entry] * 2)).result(WAIT_S)
        assert views.catch_up(other) == 2
    with views.reading() as db:
        assert coups(db) == []
        assert [tile.table for tile in tiles(db, 0)] == ["T9"]
    views.close()


def test_views_outlive_what_retention_removed(journal: StoredJournal, record: Record, views: Views) -> None:
    record("tcf-overpaid", "T1")
    views.catch_up(journal)
    for stream, head in journal.heads().items():
        journal.save_snapshots([Snapshot(stream, Head(*head), DAY_MS, b"state")]).result(WAIT_S)
    record("tcf-second-coup", "T2")
    journal.retain(DAY_MS + 10**9, DAY_MS + 10**9)
    with pytest.raises(JournalError):
        next(journal.tail(0))
    views.catch_up(journal)
    with views.reading() as db:
        assert {coup.table for coup in coups(db)} == {"T1", "T2"}


def test_bytes_that_no_release_wrote_are_counted_and_passed_over(journal: StoredJournal, views: Views) -> None:
    for stream, kind in (("T1", Kind.DECISION), ("T1", Kind.OPERATOR), ("house/x", Kind.OPERATOR)):
        journal.append(Append(Stream(stream), Owner("x"), 1, [Entry(kind, b"\xff", DAY_MS)])).result(WAIT_S)
    views.catch_up(journal)
    assert (views.last_id, views.unreadable) == (3, 3)


def test_what_people_do_in_the_house_is_a_staff_action(journal: StoredJournal, views: Views) -> None:
    action = Action("settings_changed", DAY_MS, "A1", {"key": "retention_days", "days": 30})
    entry = Entry(Kind.OPERATOR, body_from_action(action), DAY_MS + 5)
    journal.append(Append(HOUSE, OWNER, FENCE, [entry])).result(WAIT_S)
    views.catch_up(journal)
    with views.reading() as db:
        (found,) = staff_actions(db)
        assert (found.by, found.kind, found.at_ms) == ("A1", "settings_changed", DAY_MS)
        assert "retention_days" in found.en


def test_the_tail_follows_while_the_journal_is_written(journal: StoredJournal, views: Views) -> None:
    seen: list[int] = []
    folded = threading.Condition()

    def on_folded(last_id: int) -> None:
        with folded:
            seen.append(last_id)
            folded.notify_all()

    def has_seen(last_id: int) -> bool:
        return bool(seen) and seen[-1] >= last_id

    tail = Tail(views, journal, idle_s=0.01, on_folded=on_folded)
    tail.start()
    try:
        for _ in range(3):
            receipt = journal.append(Append(Stream("T1"), OWNER, FENCE, [Entry(Kind.FACT, b"\x80", DAY_MS)]))
            last_id = receipt.result(WAIT_S)[0].id
            tail.wake()
            with folded:
                assert folded.wait_for(partial(has_seen, last_id), WAIT_S)
    finally:
        tail.stop()
    assert views.last_id == 3
    assert tail.fault == ""


def test_a_journal_that_is_closed_is_a_fault_and_no_crash(journal: StoredJournal, views: Views) -> None:
    journal.close()
    tail = Tail(views, journal, idle_s=0.01)
    tail.start()
    waiting = threading.Event()
    for _ in range(int(WAIT_S * 100)):
        if tail.fault:
            break
        waiting.wait(0.01)
    tail.stop()
    assert "closed" in tail.fault


def test_a_cleared_alert_leaves_the_queue_with_name_and_reason(
    journal: StoredJournal, record: Record, views: Views
) -> None:
    record("tcf-alert-cleared-by-a-person")
    views.catch_up(journal)
    with views.reading() as db:
        cleared = [alert for alert in all_alerts(db) if alert.cleared_by]
        assert cleared
        assert not any(alert.is_open for alert in cleared)
        assert {alert.id for alert in open_alerts(db)}.isdisjoint(alert.id for alert in cleared)


@pytest.mark.parametrize(
    ("name", "detail", "fr", "en"),
    [
        (
            "account_changed",
            {"name": "ada", "what": "made admin"},
            "compte ada, devient admin",
            "account ada, made admin",
        ),
        ("verification_begun", {}, "vérification du journal commencée", "verification of the journal begun"),
        (
            "command",
            {"device": "d1", "number": 7, "command": "identify", "value.seconds": 30},
            "fait clignoter le contrôleur d1",
            "lets controller d1 blink",
        ),
        (
            "command",
            {"device": "d1", "number": 8, "command": "dance"},
            "ordre « dance » au contrôleur d1",
            "order “dance” to controller d1",
        ),
        (
            "release",
            {"device": "d1"},
            "le jumeau du contrôleur d1 est écarté",
            "the twin of controller d1 has been removed",
        ),
        (
            "refused_unkept",
            {"sender": "stranger", "messages": 12, "bytes": 3400},
            "messages refusés d'un inconnu, comptés sans être conservés : 12, en tout 3400 octets",
            "refused messages of a stranger, counted and not kept: 12, 3400 bytes in all",
        ),
        (
            "alert_cleared",
            {"table": "t1", "alert": "7/late_bet/3-ante", "reason": "seen"},
            "alerte 7/late_bet/3-ante de la table t1 classée : seen",
            "alert 7/late_bet/3-ante of table t1 cleared: seen",
        ),
        ("alert_cleared", {"table": "t1"}, "alert cleared (table t1)", "alert cleared (table t1)"),
        ("something_new", {"a": 1, "b": ""}, "something new (a 1)", "something new (a 1)"),
    ],
)
def test_what_people_do_beside_the_tables_is_told_in_both_languages(
    name: str, detail: dict[str, int | str], fr: str, en: str
) -> None:
    said = action_sentence(Action(name, 1, "root", detail))
    assert (said.fr, said.en) == (f"root : {fr}.", f"root: {en}.")
