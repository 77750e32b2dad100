"""A coup step by step: times, sentences, rules, expected against actual, and never a card that was not shown."""

import json
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from sabot_gateway.journal.port import Append
from sabot_gateway.journal.record import Entry, Head, Kind, Stream
from sabot_gateway.journal.snapshot import Snapshot
from sabot_gateway.journal.stored import StoredJournal
from sabot_gateway.model.card import RANKS, SUITS
from sabot_gateway.projections.bookmarks import EVERY, Bookmarks
from sabot_gateway.projections.coups import CoupEntry, coup_at
from sabot_gateway.projections.recall import RecallError, recall
from sabot_gateway.projections.rule_text import rule_text
from sabot_gateway.projections.shelf import Shelf
from sabot_gateway.projections.store import Views
from sabot_gateway.projections.tail import Tail
from sabot_gateway.transcript.decision import body_from_decision
from sabot_gateway.transcript.fold import Fold, kept_steps, skip_decision, take
from sabot_gateway.transcript.fold_snapshot import bytes_from_fold
from sabot_tools.rounds.playing import Played
from sabot_tools.rounds.recording import DAY_MS, FENCE, OWNER, UPTIME_MS

Record = Callable[..., Played]
FACES = {rank + suit for rank in RANKS for suit in SUITS}


def indexed(views: Views, journal: StoredJournal, number: int = 1) -> CoupEntry:
    views.catch_up(journal)
    with views.reading() as db:
        coup = coup_at(db, "T1", number)
    assert coup is not None
    return coup


def faces_in(value: object) -> set[str]:
    """Every card that a view or a text names."""
    return {word for word in json.dumps(value).replace('"', " ").replace(",", " ").split() if word in FACES}


def test_each_step_has_its_times_words_and_rules(journal: StoredJournal, record: Record, views: Views) -> None:
    record("tcf-overpaid")
    recalled = recall(journal, indexed(views, journal))
    assert recalled.differs == ()
    said = [step.sentence.en for step in recalled.steps]
    assert said[0] == "Seat 3's ANTE holds €10."
    assert "No more bets." in said
    (raised,) = [step for step in recalled.steps if any("raises €10" in each.sentence.en for each in step.concluded)]
    assert any(each.sentence.fr == "Siège 3 relance 10\N{NO-BREAK SPACE}€." for each in raised.concluded)
    assert raised.device_ms is not None
    assert raised.at_ms - raised.device_ms == DAY_MS - UPTIME_MS
    assert raised.received_ms == raised.at_ms + 15
    alerts = [each for step in recalled.steps for each in step.concluded if each.sentence.en.startswith("Alert:")]
    ((text,),) = [alert.rules for alert in alerts]
    assert text.id == "TCF-59"
    assert len({text.original, text.fr, text.en, ""}) == 4


def test_expected_stands_beside_actual_and_what_was_judged_stays(
    journal: StoredJournal, record: Record, views: Views
) -> None:
    record("tcf-wrong-payment-overridden")
    recalled = recall(journal, indexed(views, journal))
    assert [(spot.spot, spot.expected_cents, spot.actual_cents, spot.status) for spot in recalled.spots] == [
        ("ante", 2_000, 2_500, "overridden"),
        ("play", 2_000, 2_000, "right"),
    ]
    overpaid = next(step for step in recalled.steps if step.spots and step.spots[0].actual_cents == 2_500)
    assert overpaid.spots[0].status == "pending"


def test_a_step_shows_only_what_the_table_showed(journal: StoredJournal, record: Record, views: Views) -> None:
    """Law 7: the script deals 7s 8h 9d to a seat that folds and Qh 9s 2c to the dealer, who shows them."""
    record("tcf-bonus-of-a-folded-hand")
    recalled = recall(journal, indexed(views, journal))
    shown: set[str] = set()
    for step in recalled.steps:
        shown |= faces_in(step.view)
        assert not faces_in([step.sentence, *(each.sentence for each in step.concluded)])
        assert step.sealed == {}
    assert shown == {"Qh", "9s", "2c"}


def test_sealed_hands_open_only_when_asked_and_over(journal: StoredJournal, record: Record, views: Views) -> None:
    record("tcf-bonus-of-a-folded-hand")
    recalled = recall(journal, indexed(views, journal), unsealed=True)
    opened = [step.sealed for step in recalled.steps if step.sealed.get("3")]
    assert set(opened[-1]["3"]) == {"7s", "8h", "9d"}
    assert not any(faces_in(step.view) & {"7s", "8h", "9d"} for step in recalled.steps)


def test_sealed_hands_of_a_coup_under_way_stay_sealed(journal: StoredJournal, record: Record, views: Views) -> None:
    record("tcf-second-coup")
    running = indexed(views, journal, 2)
    assert running.end_id is None
    assert recall(journal, running).steps
    with pytest.raises(RecallError, match="not over"):
        recall(journal, running, unsealed=True)


def test_a_recall_from_any_bookmark_is_the_recall_from_the_start(
    journal: StoredJournal, record: Record, views: Views, tmp_path: Path
) -> None:
    record("stu-second-coup")
    coup = indexed(views, journal, 2)
    plain = recall(journal, coup)
    shelf = Shelf(journal)
    fold = Fold(shelf)
    for each in journal.read(Stream("T1")):
        fold = take(fold, each.kind, each.body, each.received_ms).fold
        if each.position >= coup.start_position or each.position % 7:
            continue
        path = tmp_path / f"bookmarks-{each.position}.db"
        bookmarks = Bookmarks(path)
        bookmarks.keep(Stream("T1"), Head(each.position, each.hash), bytes_from_fold(fold))
        near = recall(journal, coup, bookmarks=bookmarks)
        assert near.folded == coup.start_position - 1 - each.position
        assert (near.steps, near.spots, near.differs) == (plain.steps, plain.spots, plain.differs)
        bookmarks.close()


def test_a_bookmark_of_another_story_is_dropped(
    journal: StoredJournal, record: Record, views: Views, tmp_path: Path
) -> None:
    record("tcf-second-coup")
    coup = indexed(views, journal, 2)
    bookmarks = Bookmarks(tmp_path / "bookmarks.db")
    bookmarks.keep(Stream("T1"), Head(20, b"x" * 32), b"anything")
    right = next(iter(journal.read(Stream("T1"), 9)))
    assert recall(journal, coup, bookmarks=bookmarks).folded == coup.start_position - 1
    assert bookmarks.before(Stream("T1"), coup.start_position) is None
    bookmarks.keep(Stream("T1"), Head(right.position, right.hash), b"no fold of ours")
    assert recall(journal, coup, bookmarks=bookmarks).steps
    bookmarks.close()


def test_the_tail_keeps_the_journals_snapshots(
    journal: StoredJournal, record: Record, views: Views, tmp_path: Path
) -> None:
    """The journal replaces a snapshot by the next; the recall of an older coup begins at the one it had then."""
    record("tcf-second-coup")
    coup = indexed(views, journal, 2)
    fold = Fold(Shelf(journal))
    for each in journal.read(Stream("T1")):
        if each.position >= coup.start_position:
            break
        fold = take(fold, each.kind, each.body, each.received_ms).fold
        head = Head(each.position, each.hash)
    journal.save_snapshots([Snapshot(Stream("T1"), head, DAY_MS, bytes_from_fold(fold))]).result(60)
    bookmarks = Bookmarks(tmp_path / "bookmarks.db")
    folded = threading.Event()
    tail = Tail(views, journal, 0.01, bookmarks=bookmarks)
    tail.start()
    try:
        for _ in range(6_000):
            if bookmarks.before(Stream("T1"), coup.start_position):
                break
            folded.wait(0.01)
    finally:
        tail.stop()
    kept = bookmarks.before(Stream("T1"), coup.start_position)
    assert kept is not None
    assert kept[0] == head
    assert recall(journal, coup, bookmarks=bookmarks).folded == 0
    assert recall(journal, coup).folded == 0  # the journal's own snapshot serves as well
    bookmarks.close()


def test_bookmarks_keep_their_distance_and_survive_a_broken_file(tmp_path: Path) -> None:
    path = tmp_path / "bookmarks.db"
    path.write_bytes(b"no database at all" * 100)
    bookmarks = Bookmarks(path)
    for position in (EVERY, EVERY + 1, 2 * EVERY - 1, 2 * EVERY):
        bookmarks.keep(Stream("T1"), Head(position, b"h"), b"%d" % position)
    found = bookmarks.before(Stream("T1"), 10 * EVERY)
    assert found is not None
    assert found[0].position == 2 * EVERY
    first = bookmarks.before(Stream("T1"), 2 * EVERY)
    assert first is not None
    assert first[0].position == EVERY
    bookmarks.close()


def test_a_decision_that_was_another_that_night_is_named(journal: StoredJournal, record: Record, views: Views) -> None:
    record("tcf-overpaid")
    coup = indexed(views, journal)
    decided = next(
        each.position
        for each in journal.read(Stream("T1"), coup.start_position)
        if each.kind is Kind.DECISION and b"TCF-59" in each.body
    )

    class Altered:
        """The same stream with one decision in other words."""

        tail, heads, snapshot = journal.tail, journal.heads, journal.snapshot

        def read(self, stream: Stream, after: int = 0) -> object:
            for each in journal.read(stream, after):
                is_it = stream == "T1" and each.position == decided
                yield each._replace(body=each.body.replace(b"TCF-59", b"TCF-58")) if is_it else each

    assert recall(Altered(), coup).differs == (decided,)  # type: ignore[arg-type]


def test_decisions_that_stand_behind_later_facts_are_the_same_decisions(
    journal: StoredJournal, record: Record, views: Views, tmp_path: Path
) -> None:
    """A gateway commits the facts that wait together, then what it decided on each of them."""
    record("tcf-second-coup", "T0")
    written_in_pairs(journal, Stream("T0"), Stream("T1"))
    for number in (1, 2):
        coup = indexed(views, journal, number)
        assert recall(journal, coup).differs == ()
        fold = Fold(Shelf(journal))
        for each in journal.read(Stream("T1")):
            fold = take(fold, each.kind, each.body, each.received_ms).fold
            if each.position >= coup.start_position:
                break
            near = Bookmarks(tmp_path / f"{number}-{each.position}.db")  # also one between a fact and its decision
            near.keep(Stream("T1"), Head(each.position, each.hash), bytes_from_fold(fold))
            assert recall(journal, coup, bookmarks=near).differs == ()
            near.close()


def written_in_pairs(journal: StoredJournal, source: Stream, to: Stream) -> None:
    """The facts of one stream again in another, two at a time and the decisions on both behind them."""
    fold = Fold(Shelf(journal))
    facts = [each for each in journal.read(source) if each.kind is not Kind.DECISION]
    for at in range(0, len(facts), 2):
        entries, decisions = [], []
        for fact in facts[at : at + 2]:
            entries.append(Entry(fact.kind, fact.body, fact.received_ms, fact.device_ms))
            taken = take(fold, fact.kind, fact.body, fact.received_ms)
            fold = taken.fold
            body = body_from_decision(fold.position, kept_steps(taken))
            if body:
                decisions.append(Entry(Kind.DECISION, body, fact.received_ms))
        for _ in decisions:
            fold = skip_decision(fold)
        journal.append(Append(to, OWNER, FENCE, [*entries, *decisions])).result(60)


def test_words_of_rules_and_resolutions() -> None:
    text = rule_text("TCF-02")
    assert text is not None
    assert "cartes neuves" in text.original
    assert "New cards" in text.en
    resolved = rule_text("A-TCF-05")
    assert resolved is not None
    assert (resolved.original, resolved.derived) == ("", "A-TCF-05")
    assert rule_text("XYZ-99") is None
