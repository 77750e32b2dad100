"""The tiles of the floor: each table's live state joined with what the views know of it.

Every open page shows the same floor, so it is put together once and shared; a page takes from it what changed since
the id it has seen. Not the event loop's business to wait for the database: `read` is called in a worker thread.
"""

import threading
from collections.abc import Mapping, Sequence
from typing import Final, TypedDict

from sabot_gateway.projections.floor import Tile, tiles
from sabot_gateway.runtime.desk import DeviceStatus, TableStatus
from sabot_gateway.web.site import Site

FRESH_MS: Final = 200  # a floor put together this long ago is still shown: a person does not see it
SEVERITIES: Final = ("alarm", "warning", "notice")


class Outcome(TypedDict):
    number: int
    status: str
    win: int


class FloorTile(TypedDict):
    """`trouble` is the worst of what is wrong: a fault, a severity, a lost controller, or nothing.

    `awaiting` counts open alerts whose cause is over (corrected, ended with the coup): they wait for a person's review.
    `is_over` says that the trouble is nothing but that.
    """

    table: str
    pit: str
    game: str
    seance: str
    coup: int
    phase: str
    phase_ms: int
    in_review: bool
    seats: int
    coups_last_hour: int
    alarm: int
    warning: int
    notice: int
    awaiting: int
    online: int
    controllers: int
    outcome: Outcome | None
    dealer: str
    head: str
    fault: str
    trouble: str
    is_over: bool
    id: int


class Floor(TypedDict):
    """`tiles` are those that changed, `tables` how many there are: a page that shows another number looks again."""

    tiles: list[FloorTile]
    tables: int
    last_id: int


class TileBoard:
    """May be read from any thread."""

    def __init__(self, site: Site) -> None:
        self._site = site
        self._lock = threading.Lock()
        self._made_ms = -FRESH_MS
        self._tiles: list[FloorTile] = []

    def read(self, after: int = -1) -> Floor:
        """The tiles that changed behind `after`, and how far the floor has come."""
        with self._lock:
            now = self._site.clock_ms()
            if not 0 <= now - self._made_ms < FRESH_MS:
                self._tiles = _join(self._site, now)
                self._made_ms = now
            made = self._tiles
        last = max((tile["id"] for tile in made), default=0)
        return {"tiles": [tile for tile in made if tile["id"] > after], "tables": len(made), "last_id": last}


def _join(site: Site, now_ms: int) -> list[FloorTile]:
    with site.views.reading() as db:
        known = {tile.table: tile for tile in tiles(db, now_ms)}
    controllers: dict[str, list[DeviceStatus]] = {}
    for device in site.desk.devices():
        controllers.setdefault(device.table, []).append(device)
    return [_tile(status, known.get(status.name), controllers.get(status.name, ())) for status in site.desk.tables()]


def _tile(status: TableStatus, tile: Tile | None, devices: Sequence[DeviceStatus]) -> FloorTile:
    alerts: Mapping[str, int] = {} if tile is None else tile.alerts
    awaiting: Mapping[str, int] = {} if tile is None else tile.awaiting
    online = sum(device.state == "online" for device in devices)
    counts = {severity: alerts.get(severity, 0) for severity in SEVERITIES}
    if status.worst and not any(counts.values()):
        counts[status.worst] = status.alerts  # the views are a moment behind
    is_whole = online == len(devices)
    is_calm = is_whole and status.fault is None and not status.in_review
    trouble = _trouble(status, counts, is_whole=is_whole)
    return {
        "table": status.name,
        "pit": status.pit,
        "game": status.game,
        "seance": status.seance,
        "coup": status.coup,
        "phase": status.phase,
        "phase_ms": status.phase_ms,
        "in_review": status.in_review,
        "seats": 0 if tile is None else len(tile.players),
        "coups_last_hour": 0 if tile is None else tile.coups_last_hour,
        "alarm": counts["alarm"],
        "warning": counts["warning"],
        "notice": counts["notice"],
        "awaiting": sum(awaiting.values()),
        "online": online,
        "controllers": len(devices),
        "outcome": None if tile is None else _outcome(tile),
        "dealer": "" if tile is None else tile.dealer,
        "head": "" if tile is None else tile.head,
        "fault": "" if status.fault is None else str(status.fault),
        "trouble": trouble,
        "is_over": is_calm and bool(trouble) and counts[trouble] == awaiting.get(trouble, 0),
        "id": max(status.id, 0 if tile is None else tile.last_id),
    }


def _outcome(tile: Tile) -> Outcome | None:
    number, win = tile.outcome.get("number"), tile.outcome.get("win_cents")
    if not isinstance(number, int):
        return None
    return {"number": number, "status": str(tile.outcome.get("status", "")), "win": win if isinstance(win, int) else 0}


def _trouble(status: TableStatus, counts: Mapping[str, int], *, is_whole: bool) -> str:
    if status.fault is not None or status.in_review:
        return "alarm"
    worst = next((severity for severity in SEVERITIES if counts[severity]), "")
    return "warning" if not is_whole and worst in ("", "notice") else worst
