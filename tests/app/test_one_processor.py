"""The hot threads of a gateway stay on one processor; everything else is free."""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from app.gateway_process import GatewayProcess
from gateway_config.house_files import House
from sabot_gateway.one_processor import TOGETHER, keep_on_one_processor
from services.process import free_port


@contextmanager
def running(*names: str) -> Iterator[dict[str, int]]:
    """Threads of these names, and their numbers for the system."""
    end = threading.Event()
    threads = [threading.Thread(target=end.wait, name=name) for name in names]
    for thread in threads:
        thread.start()
    try:
        yield {thread.name: thread.native_id or 0 for thread in threads}
    finally:
        end.set()
        for thread in threads:
            thread.join()


def test_the_hot_threads_meet_on_one_processor_and_the_others_stay_free() -> None:
    allowed = os.sched_getaffinity(0)
    with running(*TOGETHER, "web", "views") as threads:
        chosen = keep_on_one_processor()
        if len(allowed) == 1:
            assert chosen is None
            chosen = min(allowed)  # where they are anyway
        assert chosen in allowed
        for name, number in threads.items():
            assert os.sched_getaffinity(number) == ({chosen} if name in TOGETHER else allowed)
    assert os.sched_getaffinity(0) == allowed


def test_where_there_is_no_choice_nothing_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    with running("pump") as threads, monkeypatch.context() as patch:
        before = os.sched_getaffinity(threads["pump"])
        patch.setattr(os, "sched_getaffinity", lambda _: {0})
        assert keep_on_one_processor() is None
        patch.undo()
        assert os.sched_getaffinity(threads["pump"]) == before


def test_where_it_is_forbidden_the_gateway_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbid(_: int, __: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1})
    monkeypatch.setattr(os, "sched_setaffinity", forbid)
    with running("pump"):
        assert keep_on_one_processor() is None


def test_a_system_that_cannot_do_it_is_no_trouble(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "sched_setaffinity")
    assert keep_on_one_processor() is None


@pytest.mark.slow
def test_a_real_gateway_does_so_and_its_broker_is_free(tmp_path: Path) -> None:
    house = House(tmp_path)
    web_port = free_port()
    listens = f'[embedded]\nlisten = "127.0.0.1:{free_port()}"\n[web]\nlisten = "127.0.0.1:{web_port}"\n'
    for name in ("t1-a", "t2-a"):
        (tmp_path / "devices" / f"{name}.toml").unlink()
    house.write("sabot.toml", f'site = "riviera"\ngateway = "pit-1"\n{listens}')
    gateway = GatewayProcess(house.file, web_port)
    try:
        gateway.wait_until_ready()
        allowed = os.sched_getaffinity(0)
        hot = len(TOGETHER) if len(allowed) > 1 else 0
        gateway.wait_for(lambda: _bound(gateway.pid, allowed) == hot, "with its hot threads on one processor")
        (broker,) = _children(gateway.pid)
        assert _bound(broker, allowed) == 0
    finally:
        assert gateway.stop() == 0, gateway.said()


def _bound(pid: int, allowed: set[int]) -> int:
    """How many threads of a process may not go everywhere; they may all go to one and the same processor only."""
    sets = [frozenset(os.sched_getaffinity(int(task.name))) for task in Path(f"/proc/{pid}/task").iterdir()]
    bound = [each for each in sets if each != allowed]
    assert len(set(bound)) <= 1
    assert all(len(each) == 1 for each in bound)
    return len(bound)


def _children(pid: int) -> list[int]:
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return [int(child) for task in tasks for child in (task / "children").read_text().split()]
