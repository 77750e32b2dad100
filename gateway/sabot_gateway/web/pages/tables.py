"""One table as it lies: the felt, the dealer's display, who is on duty, what happened, and what is wrong.

What the table head may do from here stands in `table_actions`.
"""

from collections.abc import Mapping
from typing import Final, TypedDict

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from sabot_gateway.model.coup import Decision, Void
from sabot_gateway.model.game import Game
from sabot_gateway.runtime.desk import DeskError, DeskErrorCode
from sabot_gateway.web.accounts.role import Right
from sabot_gateway.web.felt import felt_of
from sabot_gateway.web.page import NOT_FOUND, Data, Field, In, Page, PageError
from sabot_gateway.web.rendering import site_of
from sabot_gateway.web.running_log import LogLine, RunningLogs


class TablePage(TypedDict):
    """`view` is the table as `table.view` describes it; cards that the table does not show are `??`.

    `log` is the coup under way in sentences, newest first; null while it cannot be read.
    """

    table: str
    game: str
    view: Mapping[str, object]
    log: list[LogLine] | None
    last_id: int


async def load_table(request: Request) -> Data:
    name: str = request.path_params["table"]
    view = view_of_table(request, name)
    log = await run_in_threadpool(_logs(request).read, name)
    data: dict[str, object] = {
        "table": name,
        "game": view.get("game", ""),
        "view": view,
        "log": log,
        "last_id": view["id"],
    }
    if request.state.is_json:
        return data
    if "coup" in view:
        data["felt"] = felt_of(view)
    asked = request.query_params
    return data | {
        "is_holdem": view.get("game") == Game.THE,
        "voids": [str(each) for each in Void],
        "decisions": [str(each) for each in Decision],
        "alert_asked": asked.get("alert", ""),
        "is_done": "done" in asked,
    }


def view_of_table(request: Request, name: str) -> Mapping[str, object]:
    """PageError with a clear sentence where the settings have no such table, or no longer."""
    try:
        return site_of(request).desk.view(name)
    except DeskError as error:
        if error.code is DeskErrorCode.UNKNOWN_TABLE:
            raise PageError(NOT_FOUND, "table.gone", table=name[:64]) from error
        raise


def _logs(request: Request) -> RunningLogs:
    """One for the application: every open page of a table reads the same log."""
    state = request.app.state
    if not hasattr(state, "logs"):
        state.logs = RunningLogs(site_of(request).journal)
    logs: RunningLogs = state.logs
    return logs


TABLE: Final = Field("table", In.PATH, {"type": "string", "minLength": 1, "maxLength": 64})
PAGES: Final = (
    Page(
        "/tables/{table}",
        "table",
        Right.LOOK,
        load_table,
        "table.html",
        TablePage,
        "One table as it lies.",
        (TABLE,),
        part="table_part.html",
    ),
)
