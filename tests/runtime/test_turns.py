"""Who is the pump: one thread at a time, nothing left lying, and a defect where it is heard."""

import threading
from queue import SimpleQueue

import pytest

from runtime.test_service import WAIT_S
from sabot_gateway.runtime.turns import MOST_TURNS, Turns


class Desk:
    """A cycle that a test can hold, and that notes who took what."""

    def __init__(self) -> None:
        self.inbox: SimpleQueue[object] = SimpleQueue()
        self.taken: list[tuple[object, str]] = []
        self.rings = 0
        self.begun = threading.Semaphore(0)
        self.go = threading.Semaphore(0)
        self.is_held = False
        self.busy = 0
        self.turns = Turns(self.cycle, self.inbox, self.ring)

    def cycle(self) -> None:
        self.busy += 1
        assert self.busy == 1, "two pumps at once"
        item = None if self.inbox.empty() else self.inbox.get_nowait()
        self.taken.append((item, threading.current_thread().name))
        self.begun.release()
        if self.is_held:
            assert self.go.acquire(timeout=WAIT_S)
        self.busy -= 1
        if isinstance(item, Exception):
            raise item

    def ring(self) -> None:
        self.rings += 1


def test_who_brings_something_is_the_pump_for_it() -> None:
    desk = Desk()
    desk.turns.bring("one")
    assert desk.taken == [("one", threading.current_thread().name)]
    assert desk.rings == 1, "the pump's own thread may have to look at the time"


def test_nobody_waits_for_a_turn_and_nothing_is_left_lying() -> None:
    desk = Desk()
    desk.is_held = True
    first = threading.Thread(target=desk.turns.bring, args=("one",), name="first")
    first.start()
    assert desk.begun.acquire(timeout=WAIT_S)
    for item in ("two", "three"):
        desk.turns.bring(item)  # returns although the first has not finished
    assert [item for item, _ in desk.taken] == ["one"]
    desk.go.release(3)
    first.join(WAIT_S)
    assert desk.taken == [("one", "first"), ("two", "first"), ("three", "first")]


def test_a_thread_with_other_duties_is_not_the_pump_for_ever() -> None:
    desk = Desk()
    for number in range(MOST_TURNS + 3):
        desk.inbox.put(number)
    desk.turns.take()
    assert len(desk.taken) == MOST_TURNS
    assert desk.inbox.qsize() == 3
    assert desk.rings == MOST_TURNS, "the pump's own thread is told that something is left"


def test_the_owners_turn_comes_even_when_nothing_was_left() -> None:
    desk = Desk()
    desk.turns.take_own()
    assert [item for item, _ in desk.taken] == [None]


def test_a_defect_is_kept_from_who_brought_it_and_raised_where_it_is_heard() -> None:
    desk = Desk()
    defect = ZeroDivisionError()
    desk.turns.bring(defect)
    assert desk.rings == 1
    desk.turns.bring("later")
    assert desk.inbox.qsize() == 1, "no turn after a defect"
    with pytest.raises(ZeroDivisionError) as caught:
        desk.turns.take_own()
    assert caught.value is defect


def test_a_defect_in_the_owners_turn_ends_all_turns_too() -> None:
    desk = Desk()
    desk.inbox.put(ZeroDivisionError())
    with pytest.raises(ZeroDivisionError):
        desk.turns.take_own()
    desk.turns.bring("later")
    assert desk.inbox.qsize() == 1


def test_behind_the_end_nobody_has_a_turn() -> None:
    desk = Desk()
    desk.turns.end()
    desk.turns.bring("late")
    assert desk.taken == []
