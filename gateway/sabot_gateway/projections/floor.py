"""One tile per table: game, phase, seats in play, pace, open alerts by severity, last outcome, staff.

Read from the views, so that the floor can be shown without a gateway, or of another gateway's tables.
"""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass

from sabot_gateway.projections.alert_queue import awaiting_counts, open_counts
from sabot_gateway.projections.sheet import sheet_from_text
from sabot_gateway.projections.statistics import HOUR_MS


@dataclass(frozen=True, slots=True)
class Tile:
    """`coups_last_hour` counts coups that ended within the hour before now; `outcome` is the last finished coup.

    `alerts` are the open ones by severity, `awaiting` those among them whose cause is over.
    """

    table: str
    game: str
    ruleset: str
    is_open: bool
    phase: str
    phase_ms: int
    number: int
    players: tuple[int, ...]
    dealer: str
    head: str
    coups_last_hour: int
    alerts: Mapping[str, int]
    awaiting: Mapping[str, int]
    outcome: Mapping[str, int | str | None]
    last_id: int
    changed_ms: int


def tiles(db: sqlite3.Connection, now_ms: int) -> list[Tile]:
    """Every table that the journal knows, by name."""
    alerts, awaiting = open_counts(db), awaiting_counts(db)
    paces: dict[str, int] = dict(
        db.execute(
            "SELECT stream, COUNT(*) FROM coup WHERE end_ms > ? AND end_ms <= ? AND status != 'abandoned'"
            " GROUP BY stream",
            (now_ms - HOUR_MS, now_ms),
        )
    )
    found = []
    for stream, content in db.execute("SELECT stream, content FROM sheet ORDER BY stream"):
        sheet = sheet_from_text(content)
        found.append(
            Tile(
                stream,
                sheet.game,
                sheet.ruleset,
                sheet.is_open,
                sheet.phase,
                sheet.phase_ms,
                sheet.number,
                tuple(sheet.players) if sheet.coup else (),
                sheet.dealer,
                sheet.head,
                paces.get(stream, 0),
                alerts.get(stream, {}),
                awaiting.get(stream, {}),
                sheet.outcome,
                sheet.last_id,
                sheet.changed_ms,
            )
        )
    return found
