"""The writer thread: what waits is committed together, nothing lingers, nothing piles up without end."""

import threading
from concurrent.futures import Future

import pytest

from contract.journal.house import WAIT_S
from sabot_gateway.journal import writer
from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.writer import GroupWriter, Request


class Disk:
    """Stands for a commit that takes as long as the test wants."""

    def __init__(self) -> None:
        self.groups: list[int] = []
        self.started = threading.Semaphore(0)
        self.go = threading.Semaphore(0)

    def commit(self, group: list[Request]) -> None:
        self.groups.append(len(group))
        self.started.release()
        assert self.go.acquire(timeout=WAIT_S)
        for request in group:
            request.future.set_result(None)


def test_what_waits_during_a_commit_is_committed_together_next() -> None:
    disk = Disk()
    thread = GroupWriter(disk.commit)
    first = thread.submit(Request(()))
    assert disk.started.acquire(timeout=WAIT_S)
    rest = [thread.submit(Request(())) for _ in range(25)]
    disk.go.release(2)
    for future in (first, *rest):
        future.result(WAIT_S)
    thread.close()
    assert disk.groups == [1, 25], "the lonely one did not wait for company"


def test_a_group_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "MAX_GROUP", 10)
    disk = Disk()
    thread = GroupWriter(disk.commit)
    thread.submit(Request(()))
    assert disk.started.acquire(timeout=WAIT_S)
    for _ in range(25):
        thread.submit(Request(()))
    disk.go.release(4)
    thread.close()
    assert disk.groups == [1, 10, 10, 5]


def test_what_needs_no_flush_goes_first_and_never_with_what_does() -> None:
    groups: list[list[bool]] = []
    disk = Disk()

    def commit(group: list[Request]) -> None:
        groups.append([request.flush for request in group])
        disk.commit(group)

    thread = GroupWriter(commit)
    thread.submit(Request(()))
    assert disk.started.acquire(timeout=WAIT_S)
    for flush in (True, False, True, False):
        thread.submit(Request((), flush=flush))
    disk.go.release()
    assert disk.started.acquire(timeout=WAIT_S)
    late = thread.submit(Request((), flush=False))  # while those that waited longest are still overtaken
    disk.go.release(3)
    late.result(WAIT_S)
    thread.close()
    assert groups == [[True], [False, False], [False], [True, True]]


def test_a_moment_without_work_is_used_once() -> None:
    rests: list[int] = []
    rested = threading.Semaphore(0)
    disk = Disk()
    disk.go.release(3)

    def rest() -> None:
        rests.append(len(disk.groups))
        rested.release()

    thread = GroupWriter(disk.commit, rest)
    for _ in range(3):
        assert rested.acquire(timeout=WAIT_S)
        thread.submit(Request(())).result(WAIT_S)
    thread.close()
    assert rests[:3] == [0, 1, 2]


def test_beyond_the_bound_nothing_is_taken_and_nothing_is_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "MAX_WAITING", 3)
    disk = Disk()
    thread = GroupWriter(disk.commit)
    taken = [thread.submit(Request(()))]
    assert disk.started.acquire(timeout=WAIT_S)
    taken += [thread.submit(Request(())) for _ in range(3)]
    error = thread.submit(Request(())).exception(0)
    assert isinstance(error, JournalError)
    assert error.code is ErrorCode.BUSY
    disk.go.release(2)
    thread.close()
    assert [future.result(0) for future in taken] == [None] * 4


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_bug_reaches_everybody_who_waits() -> None:
    started, go = threading.Event(), threading.Event()

    def commit(group: list[Request]) -> None:
        started.set()
        assert go.wait(WAIT_S)
        raise ZeroDivisionError

    thread = GroupWriter(commit)
    waiting: list[Future[object]] = [thread.submit(Request(()))]
    assert started.wait(WAIT_S)
    waiting.append(thread.submit(Request(())))
    go.set()
    assert [type(future.exception(WAIT_S)) for future in waiting] == [ZeroDivisionError] * 2
    thread.close()
    late = thread.submit(Request(())).exception(0)
    assert isinstance(late, JournalError)
    assert late.code is ErrorCode.CLOSED
