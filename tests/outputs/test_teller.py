"""What a receiver is told from the hand and what from the journal: together everything, once, in order."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

from outputs.decided import alert, decide, open_journal
from outputs.post_office import PATIENCE_S
from sabot_gateway.journal.port import Journal
from sabot_gateway.model.effect import RecordDecision
from sabot_gateway.outputs import teller
from sabot_gateway.outputs.notice import Notice
from sabot_gateway.outputs.outputs import Outputs


class Ear:
    """A receiver in this process that keeps what it hears, and answers only while its door is open."""

    name = "ear"

    def __init__(self) -> None:
        self.heard: list[Notice] = []
        self.door = threading.Event()
        self.door.set()
        self.is_called = threading.Event()

    def wants(self, notice: Notice) -> bool:
        return notice.id != ""

    def tell(self, notice: Notice) -> None:
        self.is_called.set()
        assert self.door.wait(PATIENCE_S)
        self.heard.append(notice)

    def stop(self) -> None:
        self.door.set()

    def close(self) -> None:
        """Holds nothing."""

    def shut(self) -> None:
        """From here on it answers nobody; `is_called` says when somebody waits."""
        self.door.clear()
        self.is_called.clear()

    @property
    def positions(self) -> list[int]:
        return [int(notice.id.split("/")[1]) for notice in self.heard]


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[Journal]:
    opened = open_journal(tmp_path)
    yield opened
    opened.close()


@contextmanager
def telling(journal: Journal, folder: Path, ear: Ear) -> Iterator[Outputs]:
    outputs = Outputs(journal, [ear], folder, "site", "pit-1", lambda _: None)
    outputs.start()
    try:
        yield outputs
    finally:
        outputs.stop()


def until(is_so: Callable[[], bool]) -> None:
    limit = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < limit
        time.sleep(0.005)  # a thread's progress has no other sign


def test_what_is_in_hand_is_told_without_the_journal(
    journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ear = Ear()
    with telling(journal, tmp_path, ear) as outputs:
        outputs.said(decide(journal, "table-1", alert()))
        until(lambda: len(ear.heard) == 1)
        monkeypatch.setattr(journal, "tail", None)  # whoever reads it now fails
        for _ in range(20):
            outputs.said(decide(journal, "table-1", alert()))
        until(lambda: len(ear.heard) == 21)
    assert ear.positions == list(range(2, 43, 2))


def test_what_the_hand_has_no_room_for_is_read_again(
    journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(teller, "MOST_IN_HAND", 3)
    ear = Ear()
    with telling(journal, tmp_path, ear) as outputs:
        outputs.said(decide(journal, "table-1", alert()))
        until(lambda: len(ear.heard) == 1)
        for _ in range(4):  # is overrun more than once
            ear.shut()
            outputs.said(decide(journal, "table-1", alert()))
            assert ear.is_called.wait(PATIENCE_S)
            for _ in range(10):
                outputs.said(decide(journal, "table-1", alert()))
            ear.door.set()
        until(lambda: len(ear.heard) >= 45)
    assert ear.positions == list(range(2, 91, 2))


def test_what_is_decided_while_the_past_is_told_is_told_once(journal: Journal, tmp_path: Path) -> None:
    ear = Ear()
    with telling(journal, tmp_path, ear) as outputs:
        outputs.said(decide(journal, "table-1", alert()))
        until(lambda: len(ear.heard) == 1)
    for _ in range(10):
        decide(journal, "table-1", alert())  # while nobody tells
    ear.shut()
    with telling(journal, tmp_path, ear) as outputs:
        assert ear.is_called.wait(PATIENCE_S)
        for _ in range(10):
            outputs.said(decide(journal, "table-1", alert()))
        ear.door.set()
        until(lambda: len(ear.heard) >= 21)
        outputs.said(decide(journal, "table-1", alert()))
        until(lambda: len(ear.heard) >= 22)
    assert ear.positions == list(range(2, 45, 2))


def test_a_decision_that_comes_late_is_told_all_the_same(journal: Journal, tmp_path: Path) -> None:
    ear = Ear()
    with telling(journal, tmp_path, ear) as outputs:
        outputs.said(decide(journal, "table-1", alert()))
        until(lambda: len(ear.heard) == 1)
        late = decide(journal, "table-1", alert())
        outputs.said(decide(journal, "table-2", alert()))
        until(lambda: len(ear.heard) == 2)
        outputs.said(late)
        until(lambda: len(ear.heard) == 3)
        assert outputs.figures[0].upto == late.id + 2
    assert [notice.id for notice in ear.heard] == ["table-1/2/1", "table-2/2/1", "table-1/4/1"]


def test_a_decision_that_comes_late_while_the_hand_is_full_is_told_too(
    journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(teller, "MOST_IN_HAND", 1)
    ear = Ear()
    with telling(journal, tmp_path, ear) as outputs:
        outputs.said(decide(journal, "table-1", alert()))
        until(lambda: len(ear.heard) == 1)
        late = decide(journal, "table-2", alert())
        outputs.said(decide(journal, "table-1", alert()))
        until(lambda: len(ear.heard) == 2)
        ear.shut()
        outputs.said(decide(journal, "table-1", alert()))
        assert ear.is_called.wait(PATIENCE_S)
        for _ in range(5):
            outputs.said(decide(journal, "table-1", alert()))
        outputs.said(late)
        ear.door.set()
        until(lambda: len(ear.heard) >= 9)
    assert sorted(notice.id for notice in ear.heard) == sorted(
        ["table-2/2/1", *(f"table-1/{position}/1" for position in range(2, 17, 2))]
    )


def test_a_mark_stays_behind_for_decisions_that_come_late(
    journal: Journal, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kill between a decision that was told and an earlier one that comes late must not pass over the latter."""
    seconds = 0.0
    monkeypatch.setattr(teller, "time", SimpleNamespace(monotonic=lambda: seconds))
    mark = tmp_path / "outputs" / "ear.json"
    marks, told = [], []
    ear = Ear()
    with telling(journal, tmp_path, ear) as outputs:
        for count in range(1, 6):
            seconds = 10.0 * count
            news = decide(journal, "table-1", alert())
            outputs.said(news)
            until(lambda: outputs.figures[0].upto == news.id)  # noqa: B023  # asked in this turn only
            marks.append(json.loads(mark.read_bytes())["told"])
            told.append(news.id)
    assert json.loads(mark.read_bytes())["told"] == told[-1], "who stops in order has told everything"
    assert marks[-1] > 0
    assert all(marked <= id_ for marked, id_ in zip(marks[1:], told, strict=False))


def test_the_place_moves_on_past_what_is_told_to_nobody(journal: Journal, tmp_path: Path) -> None:
    ear = Ear()
    with telling(journal, tmp_path, ear) as outputs:
        for _ in range(5):
            outputs.said(decide(journal, "table-1", RecordDecision(1, "phase")))
        outputs.said(decide(journal, "table-1", alert()))
        last = decide(journal, "table-1", RecordDecision(1, "phase"))
        outputs.said(last)
        until(lambda: outputs.figures[0].upto >= last.id)
    assert ear.positions == [12]
