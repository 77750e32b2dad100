"""The live line: what changed since a journal id, once, and the state of a table as it is now."""

import asyncio
import gc
import json
import threading
from collections.abc import AsyncIterator, Iterator
from http.client import HTTPResponse
from pathlib import Path
from types import SimpleNamespace

import pytest

from sabot_gateway.web import live
from sabot_gateway.web.accounts.role import Role
from web.web_stage import Stage, now_ms, played, stage


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Stage]:
    with stage(tmp_path) as running:
        yield running


def _next(line: HTTPResponse) -> tuple[str, dict[str, object]]:
    """The next message that carries something: its id and its data."""
    said: dict[str, str] = {}
    while True:
        text = line.readline().decode().rstrip("\n")
        if text:
            key, _, value = text.partition(": ")
            said[key] = value
        elif said.get("event") == "changed":
            return said["id"], json.loads(said["data"])
        else:
            said = {}


def _names(data: dict[str, object]) -> list[str]:
    tiles = data["tiles"]
    assert isinstance(tiles, list)
    return [each["table"] for each in tiles]


def test_a_reader_who_was_away_gets_what_changed_since_and_nothing_twice(house: Stage) -> None:
    for name in ("t1", "t2", "t3"):
        house.desk.put(name, played("tcf-nobody-plays"))
    browser = house.browser(Role.VIEWER)
    with browser.stream("/live") as line:
        last, data = _next(line)
    assert (last, _names(data)) == ("3", ["t1", "t2", "t3"])
    house.desk.put("t2", played("tcf-bank-wins"))
    with browser.stream("/live", last_event_id=last) as line:
        last, data = _next(line)
        assert (last, _names(data)) == ("4", ["t2"])
        house.desk.put("t1", played("tcf-bank-wins"))
        last, data = _next(line)
    assert (last, _names(data)) == ("5", ["t1"])


def test_one_tables_reader_gets_its_whole_view(house: Stage) -> None:
    house.desk.put("t1", played("uth-full-table"))
    with house.browser(Role.VIEWER).stream("/live?table=t1") as line:
        _, data = _next(line)
    view = data["view"]
    assert isinstance(view, dict)
    assert view["table"] == house.desk.view("t1")["table"]
    assert view["id"] == 1


def test_an_unknown_table_and_a_stranger_are_refused(house: Stage) -> None:
    assert house.browser(Role.VIEWER).get("/live?table=none").status == 404
    assert house.browser().get("/live").status == 401


@pytest.mark.parametrize("seen", ["x", "-1", "9" * 40, "é", ""])
def test_rubbish_as_the_last_id_means_from_the_beginning(house: Stage, seen: str) -> None:
    house.desk.put("t1", played("tcf-nobody-plays"))
    with house.browser(Role.VIEWER).stream("/live", last_event_id=seen.encode().decode("latin-1")) as line:
        assert _names(_next(line)[1]) == ["t1"]


def test_several_things_share_one_line_each_from_where_its_reader_stood(house: Stage) -> None:
    house.desk.put("t1", played("tcf-nobody-plays"))
    house.desk.put("floor", played("tcf-nobody-plays"))
    asked = "/live?watch=floor.1&watch=table:t1.0&watch=table:floor.0"
    with house.browser(Role.VIEWER).stream(asked) as line:
        found = {said["watch"]: said for said in (_carried(line) for _ in range(3))}
        assert _names(found["floor"]) == ["floor"]
        assert (found["table:t1"]["last_id"], found["table:floor"]["last_id"]) == (1, 2)
        house.desk.take_away("t1")
        house.desk.put("floor", played("tcf-bank-wins"))
        assert _carried(line, "leave") == {"watch": "table:t1"}


def test_a_shared_line_asked_for_nonsense_is_refused(house: Stage) -> None:
    viewer = house.browser(Role.VIEWER)
    assert viewer.get("/live?watch=cards.1").status == 422
    assert viewer.get("/live?" + "&".join(f"watch=table:t{nth}.0" for nth in range(300))).status == 422
    assert house.browser().get("/live?watch=floor.0").status == 401


def test_a_quiet_table_beats_while_the_rest_of_the_floor_is_busy(house: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "BEAT_S", 0.3)
    house.desk.put("t1", played("tcf-nobody-plays"))
    busy, over = played("tcf-nobody-plays"), threading.Event()

    def play() -> None:
        while not over.wait(0.02):
            house.desk.put("t2", busy)

    playing = threading.Thread(target=play)
    playing.start()
    try:
        for asked in ("/live?table=t1&after=1", "/live?watch=table:t1.1"):
            with house.browser(Role.VIEWER).stream(asked) as line:
                assert [_event(line), _event(line)] == ["beat", "beat"]
    finally:
        over.set()
        playing.join()


def test_the_floor_hears_that_a_table_is_gone(house: Stage) -> None:
    house.desk.put("t1", played("tcf-nobody-plays"))
    house.desk.put("t2", played("tcf-nobody-plays"))
    with house.browser(Role.VIEWER).stream("/live") as line:
        assert _next(line)[1]["tables"] == 2
        house.desk.take_away("t2")
        house.desk.ring()
        last, data = _next(line)
    assert (data["tables"], data["tiles"], last) == (1, [], "2")


def test_an_open_page_alone_does_not_keep_a_session(house: Stage) -> None:
    operator, wall = house.browser(Role.SURVEILLANCE), house.browser(Role.VIEWER)
    before = now_ms() - 5 * 60_000
    for browser in (operator, wall):
        (token,) = browser.cookies.values()
        house.site.vault.touch_session(token, before)
        with browser.stream("/live?after=1"):
            pass
        assert browser.get("/alerts?part=1").status == 200
    seen = [house.site.vault.session(token) for browser in (operator, wall) for token in browser.cookies.values()]
    assert [each is not None and each.seen_ms == before for each in seen] == [True, False]


def test_a_line_whose_reader_went_away_leaves_no_task_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    """A carrier that waits to hand over its message is held by nothing but its own line."""

    async def always(request: object, what: str, seen: int) -> AsyncIterator[live.Message]:
        while True:
            yield live.Message("changed", {"seen": seen}, seen)

    monkeypatch.setattr(live, "_watch", always)
    complaints: list[object] = []

    async def come_and_go() -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda _, context: complaints.append(context["message"]))
        request = SimpleNamespace(state=SimpleNamespace(bell=live.Bell()))
        line = live._together(request, {"floor": 1, "alerts": 1})  # type: ignore[arg-type]
        said = [await anext(line) for _ in range(3)]
        assert said[0].startswith("retry")
        for _ in range(10):
            await asyncio.sleep(0)  # both carriers have come to wait again
        cycle: list[object] = [line]
        cycle.append(cycle)  # as an exception's traceback holds the line of a reader who broke off
        del line, cycle
        gc.collect()
        async with asyncio.timeout(60):
            while len(asyncio.all_tasks()) > 1:
                await asyncio.sleep(0)
        gc.collect()

    asyncio.run(come_and_go())
    assert complaints == []


def _event(line: HTTPResponse) -> str:
    """What the next message is."""
    while True:
        key, _, value = line.readline().decode().rstrip("\n").partition(": ")
        if key == "event":
            return value


def _carried(line: HTTPResponse, event: str = "changed") -> dict[str, object]:
    """The data of the next message of this kind on a shared line, which has no ids."""
    said: dict[str, str] = {}
    while True:
        text = line.readline().decode().rstrip("\n")
        if text:
            key, _, value = text.partition(": ")
            said[key] = value
        elif said.get("event") == event:
            assert "id" not in said
            data: dict[str, object] = json.loads(said["data"])
            return data
        else:
            said = {}
