"""What a person asks of a table from a page: journaled under his name, then visible in the views he comes back to.

Owns the two waits and their bounds: for the receipt, without which nothing was done, and for the views, without which
the page would show the moment before. The second may end early: what is journaled is done.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import Future
from sqlite3 import Connection
from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from sabot_gateway.journal.port import Receipt
from sabot_gateway.model.event import OperatorEvent
from sabot_gateway.model.review import ReviewEvent
from sabot_gateway.projections.store import Views
from sabot_gateway.runtime.desk import DeskError, DeskErrorCode
from sabot_gateway.web.page import WRONG, PageError
from sabot_gateway.web.rendering import site_of

RECEIPT_S: Final = 10.0  # a disk that takes longer is a fault, and the person should hear of it
VIEWS_S: Final = 3.0
_LOOK_S: Final = 0.02
MOST_WORDS: Final = 1_000


async def declare(request: Request, table: str, event: OperatorEvent | ReviewEvent) -> Receipt:
    """Journals it; DeskError when it could not be written in time."""
    site = site_of(request)
    return await receipt_of(site.desk.submit(table, event, request.state.visitor.name))


async def receipt_of(future: Future[Receipt]) -> Receipt:
    try:
        return await asyncio.wait_for(asyncio.wrap_future(future), RECEIPT_S)
    except TimeoutError as error:
        raise DeskError(DeskErrorCode.NOT_WRITTEN) from error


async def shown(views: Views, is_there: Callable[[Connection], bool]) -> bool:
    """Waits until the views show it, for a while; whether they do."""

    def look() -> bool:
        with views.reading() as db:
            return is_there(db)

    loop = asyncio.get_running_loop()
    until = loop.time() + VIEWS_S
    while not await run_in_threadpool(look):
        if loop.time() > until:
            return False
        await asyncio.sleep(_LOOK_S)
    return True


def words_given(form_text: str, name: str) -> str:
    """A reason or comment: there must be one, and it has an end."""
    text = form_text.strip()
    if not text or len(text) > MOST_WORDS or not _is_text(text):
        raise PageError(WRONG, "error.value", name=name)
    return text


def _is_text(text: str) -> bool:
    """Lines of printable characters: a name or reason can hide nothing."""
    return all(line.isprintable() for line in text.splitlines())
