"""Live updates by server-sent events: what changed since a journal id, several changes in one message.

Pages show levels, so a message carries the whole of each table that changed, never a difference: a reader who was away
says with Last-Event-ID how far he had come and gets what changed since, once. Messages are coalesced; a reader that is
slow gets fewer and larger ones, and holds up nobody.
"""

import asyncio
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Coroutine, Mapping
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager, suppress
from typing import Final, NamedTuple

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from sabot_gateway.projections.alert_queue import Mark
from sabot_gateway.runtime.desk import DeskError
from sabot_gateway.web.accounts.role import Right
from sabot_gateway.web.gate import LIVE
from sabot_gateway.web.page import REFUSED, WRONG, PageError
from sabot_gateway.web.queue_board import QueueBoard
from sabot_gateway.web.recalls import Recalls
from sabot_gateway.web.rendering import site_of
from sabot_gateway.web.site import Site
from sabot_gateway.web.tiles import Floor, TileBoard

GATHER_S: Final = 0.15  # changes within this time travel together; a person does not see it
LAG_S: Final = 0.05  # between two looks whether the views have come as far as the bell
FLOOR_S: Final = 0.5  # with five hundred tables something always changes: twice a second is enough for a wall
BEAT_S: Final = 10  # a sign of life, so that a page knows a dead line from a quiet floor
MOST_WATCHED: Final = 200  # on one line; nobody has as many tabs
TABLE: Final = "table:"  # and the table's name


class Bell:
    """Rings for every open stream when a table changed; rung from the gateway's own thread."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._waiting: set[asyncio.Event] = set()
        self._carriers: set[asyncio.Task[None]] = set()
        self.is_closing = False
        self.last_id = 0  # the last record that it was rung for

    def ring(self, _tables: frozenset[str], last_id: int) -> None:
        """Never blocks: the loop does the rest. A loop that has ended has no readers."""
        self.last_id = last_id
        try:
            self._loop.call_soon_threadsafe(self._wake)
        except RuntimeError:
            return

    def _wake(self) -> None:
        for event in self._waiting:
            event.set()

    def close(self) -> None:
        self.is_closing = True
        self._wake()

    async def wait(self, event: asyncio.Event) -> None:
        """Until something changes, or a beat is due."""
        with suppress(TimeoutError):
            await asyncio.wait_for(event.wait(), BEAT_S)
        event.clear()

    def start(self, carrying: Coroutine[None, None, None]) -> asyncio.Task[None]:
        """A task of an open line. Kept here: the loop alone does not hold what waits for nobody but its own line."""
        carrier = self._loop.create_task(carrying)
        self._carriers.add(carrier)
        carrier.add_done_callback(self._carriers.discard)
        return carrier

    def join(self) -> asyncio.Event:
        event = asyncio.Event()
        self._waiting.add(event)
        return event

    def part(self, event: asyncio.Event) -> None:
        self._waiting.discard(event)


def lifespan(site: Site) -> Callable[[Starlette], AbstractAsyncContextManager[Mapping[str, object]]]:
    """The bell hangs, and what pages share stands, while the application runs."""

    @asynccontextmanager
    async def run(_: Starlette) -> AsyncIterator[Mapping[str, object]]:
        bell = Bell()
        end = site.desk.watch(bell.ring)
        try:
            yield {"bell": bell, "board": TileBoard(site), "queue": QueueBoard(site), "recalls": Recalls(site)}
        finally:
            end()
            bell.close()

    return run


class Message(NamedTuple):
    """One server-sent event; `last_id` is how far it brings its reader, None where it brings him nowhere."""

    event: str
    data: Mapping[str, object]
    last_id: int | None = None

    def text(self, watched: str = "") -> str:
        """As it travels. Of several things on one line each message names its own, and no id is common to them."""
        data = {"watch": watched, **self.data} if watched and self.event != "beat" else self.data
        number = f"id: {self.last_id}\n" if self.last_id is not None and not watched else ""
        return f"{number}event: {self.event}\ndata: {json.dumps(data, ensure_ascii=False)}\n\n"


_RETRY: Final = "retry: 1000\n\n"
_LEAVE: Final = Message("leave", {})
_BEAT: Final = Message("beat", {})
_LATE: Final = Message("late", {})  # never sent: the views have not yet come as far as the bell


async def stream(request: Request) -> Response:
    """`/live`: the floor's tiles; with `?table=` one table's whole view; with `?alerts=1` that the queue changed.

    With `?watch=` several of them on one line, which the tabs of a browser share: `floor`, `alerts`, `table:NAME`, each
    followed by the id its reader has come to (`watch=floor.812`).
    """
    visitor = request.state.visitor
    if visitor is None or not visitor.may(Right.LOOK):
        raise PageError(401 if visitor is None else REFUSED, "error.login" if visitor is None else "error.right")
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    watched = request.query_params.getlist("watch")
    if watched:
        messages = _together(request, _positions(watched))
        return StreamingResponse(messages, media_type="text/event-stream", headers=headers)
    table = request.query_params.get("table")
    if table is not None:
        site_of(request).desk.view(table)  # an unknown one is refused now, as a page would
    seen = _number(request.headers.get("last-event-id") or request.query_params.get("after", ""))
    what = f"{TABLE}{table}" if table is not None else "alerts" if "alerts" in request.query_params else "floor"
    return StreamingResponse(_alone(request, what, seen), media_type="text/event-stream", headers=headers)


def _positions(watched: list[str]) -> dict[str, int]:
    """How far the reader has come with each thing that he watches."""
    found: dict[str, int] = {}
    for each in watched[: MOST_WATCHED + 1]:
        what, _, seen = each.rpartition(".")
        if what not in ("floor", "alerts") and not what.startswith(TABLE):
            raise PageError(WRONG, "error.value", name="watch")
        found[what] = _number(seen)
    if len(found) > MOST_WATCHED:
        raise PageError(WRONG, "error.value", name="watch")
    return found


async def _alone(request: Request, what: str, seen: int) -> AsyncIterator[str]:
    yield _RETRY
    async with aclosing(_watch(request, what, seen)) as messages:
        async for message in messages:
            yield message.text()


async def _together(request: Request, positions: Mapping[str, int]) -> AsyncIterator[str]:
    """Each thing goes its own way and puts its messages here; a line that is slow lets all of them wait."""
    ready: asyncio.Queue[tuple[str, Message | None]] = asyncio.Queue(1)

    async def carry(what: str, seen: int) -> None:
        try:
            async with aclosing(_watch(request, what, seen)) as messages:
                async for message in messages:
                    await ready.put((what, message))
        except Exception:
            await ready.put((what, None))
            raise
        await ready.put((what, None))

    yield _RETRY
    carriers = {what: request.state.bell.start(carry(what, seen)) for what, seen in positions.items()}
    try:
        while carriers:
            what, message = await ready.get()
            if message is None:
                await carriers.pop(what)  # one that failed ends the line: the browser comes again and misses nothing
            else:
                yield message.text(what)
    finally:
        for carrier in carriers.values():
            carrier.cancel()
        await asyncio.gather(*carriers.values(), return_exceptions=True)


async def _watch(request: Request, what: str, seen: int) -> AsyncGenerator[Message]:
    """What is new about one thing, as long as its reader may see it and it is there."""
    bell = request.state.bell
    event = bell.join()
    news = _queue_news(request, seen) if what == "alerts" else _news(request, what, seen)
    pause = GATHER_S if what != "floor" else FLOOR_S
    beaten = asyncio.get_running_loop().time()
    try:
        while not bell.is_closing:
            now = asyncio.get_running_loop().time()
            if now - beaten >= BEAT_S:  # by the clock: on a busy floor there is no quiet moment, also for a quiet table
                beaten = now
                has_left = await run_in_threadpool(_has_left, request)
                yield _LEAVE if has_left else _BEAT
                if has_left:
                    return
            try:
                message = await anext(news)
            except DeskError:  # the table left the settings: the page looks again, and says so
                yield _LEAVE
                return
            if message is _LATE:
                await asyncio.sleep(LAG_S)
            elif message is not None:
                yield message
                await asyncio.sleep(pause)
            else:
                await bell.wait(event)
    finally:
        bell.part(event)


async def _news(request: Request, what: str, seen: int) -> AsyncGenerator[Message | None]:
    """The tiles that changed, or the whole of one table; None where nothing did."""
    tables: int | None = None
    while True:
        if what == "floor":
            floor: Floor = await run_in_threadpool(request.state.board.read, seen)
            changed: Mapping[str, object] = {**floor}
            last, is_new = floor["last_id"], bool(floor["tiles"]) or tables not in (None, floor["tables"])
            tables = floor["tables"]
        else:
            view = site_of(request).desk.view(what.removeprefix(TABLE))
            last = view["id"] if isinstance(view["id"], int) else 0
            changed, is_new = {"view": view, "last_id": last}, last > seen
        last = max(last, seen)  # the table that was furthest may be gone
        seen = last if is_new else seen
        yield Message("changed", changed, last) if is_new else None


async def _queue_news(request: Request, seen: int) -> AsyncGenerator[Message | None]:
    """Says that the queue changed and how far it has come; the page asks for what it shows.

    The queue is read from the views, which follow the journal a moment behind the bell: after a ring one looks until
    they have come as far. Whoever was away hears once, since whatever he missed is in what he asks for then.
    """
    bell, queue = request.state.bell, request.state.queue
    known: Mark | None = None
    while True:
        mark: Mark = await run_in_threadpool(queue.read)
        is_new = mark.last_id > seen if known is None else not mark.is_like(known)
        known, seen = mark, mark.last_id
        if is_new:
            yield Message("changed", {"last_id": mark.last_id}, mark.last_id)
        else:
            yield _LATE if mark.last_id < bell.last_id else None


def _has_left(request: Request) -> bool:
    """Whether the session ended while the page was open; an open page alone does not prolong it."""
    return site_of(request).door.visitor(request.cookies.get(request.state.cookie, ""), is_present=False) is None


def _number(text: str) -> int:
    """A journal id; anything else means: from the beginning."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 19 else 0


ROUTES: Final = (Route(LIVE, stream, methods=["GET"], name="live"),)
