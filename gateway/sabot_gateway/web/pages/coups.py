"""The coups of all nights, newest first: found by table, number, dealer, time and how they ended."""

from sqlite3 import Connection
from typing import Final, TypedDict
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from sabot_gateway.model.game import Game
from sabot_gateway.projections.coups import ABANDONED, LOST, RUNNING, CoupEntry, coups
from sabot_gateway.web.accounts.role import Right
from sabot_gateway.web.asked import moment_asked, number_asked, text_asked
from sabot_gateway.web.page import WRONG, Data, Field, In, Page, PageError
from sabot_gateway.web.rendering import site_of

LIMIT: Final = 50
STATUSES: Final = ("settled", "void", "rejected", RUNNING, ABANDONED, LOST)


class CoupLine(TypedDict):
    """Money is None until the coup is over; `payment` is right, corrected, overridden or unfinished."""

    table: str
    number: int
    game: str
    ruleset: str
    ruleset_sha256: str
    seance: int
    dealer: str
    head: str
    start_id: int
    start_ms: int
    end_id: int | None
    end_ms: int | None
    status: str
    players: list[int]
    drop_cents: int | None
    win_cents: int | None
    rules: list[str]
    by: str
    payment: str


class CoupsPage(TypedDict):
    """`next` is the value of `before` for the following page, 0 on the last one."""

    coups: list[CoupLine]
    next: int
    last_id: int


async def load_coups(request: Request) -> Data:
    site = site_of(request)
    table, dealer = text_asked(request, "table") or None, text_asked(request, "dealer") or None
    game, status = _one_of(request, "game", tuple(Game)), _one_of(request, "status", STATUSES)
    number, before = number_asked(request, "number"), number_asked(request, "before")
    from_ms, to_ms = moment_asked(request, "from", site.zone), moment_asked(request, "to", site.zone)

    def read() -> tuple[list[CoupEntry], int]:
        with site.views.reading() as db:
            found = coups(
                db,
                table=table,
                game=game,
                dealer=dealer,
                number=number,
                status=status,
                from_ms=from_ms,
                to_ms=to_ms,
                before_id=before,
                limit=LIMIT + 1,
            )
            return found, last_id_of(db)

    found, last_id = await run_in_threadpool(read)
    following = found[LIMIT - 1].id if len(found) > LIMIT else 0
    data: dict[str, object] = {
        "coups": [line_of(coup) for coup in found[:LIMIT]],
        "next": following,
        "last_id": last_id,
    }
    return data if request.state.is_json else data | _around(request, following)


def _around(request: Request, following: int) -> dict[str, object]:
    asked = {name: value for name, value in request.query_params.items() if name in _FILTERS and value}
    return {
        "asked": {name: asked.get(name, "") for name in _FILTERS},
        "is_filtered": bool(asked),
        "is_first": "before" not in request.query_params,
        "games": [str(game) for game in Game],
        "statuses": STATUSES,
        "tables": sorted({status.name for status in site_of(request).desk.tables()}),
        "next_address": f"/coups?{urlencode({**asked, 'before': following})}" if following else "",
    }


def line_of(coup: CoupEntry) -> CoupLine:
    return {
        "table": coup.table,
        "number": coup.number,
        "game": coup.game,
        "ruleset": coup.ruleset,
        "ruleset_sha256": coup.ruleset_sha256,
        "seance": coup.seance,
        "dealer": coup.dealer,
        "head": coup.head,
        "start_id": coup.start_id,
        "start_ms": coup.start_ms,
        "end_id": coup.end_id,
        "end_ms": coup.end_ms,
        "status": coup.status,
        "players": [*coup.players],
        "drop_cents": coup.drop_cents,
        "win_cents": coup.win_cents,
        "rules": [*coup.rules],
        "by": coup.by,
        "payment": coup.payment,
    }


def last_id_of(db: Connection) -> int:
    """How far the views have come."""
    (last_id,) = db.execute("SELECT last_id FROM progress").fetchone()
    return int(last_id)


def _one_of(request: Request, name: str, known: tuple[str, ...]) -> str | None:
    text = text_asked(request, name)
    if text and text not in known:
        raise PageError(WRONG, "error.value", name=name)
    return text or None


_TEXT: Final = {"type": "string", "maxLength": 128}
_MOMENT: Final = {"type": "string", "maxLength": 40}
FIELDS: Final = (
    Field("table", In.QUERY, _TEXT),
    Field("number", In.QUERY, {"type": "integer", "minimum": 0}),
    Field("game", In.QUERY, {"enum": [str(game) for game in Game]}),
    Field("dealer", In.QUERY, _TEXT),
    Field("status", In.QUERY, {"enum": [*STATUSES]}),
    Field("from", In.QUERY, _MOMENT, description="ISO 8601; without an offset by the house's clocks."),
    Field("to", In.QUERY, _MOMENT),
    Field("before", In.QUERY, {"type": "integer", "minimum": 0}, description="`next` of the page before."),
)
_FILTERS: Final = frozenset(field.name for field in FIELDS) - {"before"}
PAGES: Final = (
    Page(
        "/coups",
        "coups",
        Right.LOOK,
        load_coups,
        "coups.html",
        CoupsPage,
        "The coups of all nights, a page at a time.",
        FIELDS,
    ),
)
