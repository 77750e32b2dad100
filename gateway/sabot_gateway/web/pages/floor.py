"""The floor: one tile per table, by pit, gravest trouble in sight."""

from typing import Final

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from sabot_gateway.web.accounts.role import Right
from sabot_gateway.web.page import Data, Page
from sabot_gateway.web.rendering import site_of
from sabot_gateway.web.tiles import Floor


async def load_floor(request: Request) -> Data:
    floor: Floor = await run_in_threadpool(request.state.board.read)
    if request.state.is_json:
        return {**floor}
    pits: dict[str, list[object]] = {}
    for tile in floor["tiles"]:
        pits.setdefault(tile["pit"], []).append(tile)
    games = sorted({tile["game"] for tile in floor["tiles"]})
    is_wall = "wall" in request.query_params
    return {**floor, "pits": pits, "games": games, "is_wall": is_wall, "ready": site_of(request).desk.health().is_ready}


PAGES: Final = (Page("/", "floor", Right.LOOK, load_floor, "floor.html", Floor, "Every table of the floor."),)
