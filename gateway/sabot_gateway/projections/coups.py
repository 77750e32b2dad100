"""The index of coups: where each begins and ends in the journal, who dealt, what was staked, decided and paid.

Folded from decisions alone. Law 7: until a coup is over, readers get no settlement from here; what the table shows of
it stands in the table's own view.
"""

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from sabot_gateway.model.effect import RecordDecision, RecordSettlement
from sabot_gateway.model.holdem import HoldemSettlement
from sabot_gateway.model.settlement import Settlement
from sabot_gateway.projections.happening import Happening, inserted
from sabot_gateway.projections.sheet import Sheet

RUNNING: Final = "running"
ABANDONED: Final = "abandoned"  # opened, and no bet was ever closed
LOST: Final = "lost"  # its end is in no record that is kept

RIGHT, CORRECTED, OVERRIDDEN, UNFINISHED = PAYMENTS = ("right", "corrected", "overridden", "unfinished")


@dataclass(frozen=True, slots=True)
class SpotResult:
    """What one spot was due, and how its payment went, as one of PAYMENTS."""

    seat: int
    spot: str
    outcome: str
    stake_cents: int
    net_cents: int
    rule: str
    odds: str
    payment: str


@dataclass(frozen=True, slots=True)
class CoupEntry:
    """One coup of the index; money, rules and spots are None or empty while it is under way."""

    id: int
    table: str
    number: int
    game: str
    ruleset: str
    ruleset_sha256: str
    seance: int
    dealer: str
    head: str
    start_id: int
    start_position: int
    start_ms: int
    end_id: int | None
    end_position: int | None
    end_ms: int | None
    status: str
    players: tuple[int, ...]
    drop_cents: int | None
    win_cents: int | None
    rules: tuple[str, ...]
    by: str
    payment: str
    settled_ms: int | None
    paid_ms: int | None

    @property
    def payment_ms(self) -> int | None:
        """From the settlement, when the hands are shown, to the last payment."""
        if self.settled_ms is None or self.paid_ms is None:
            return None
        return self.paid_ms - self.settled_ms


# Writing.


def begin_coup(db: sqlite3.Connection, sheet: Sheet, number: int, at: Happening) -> None:
    if sheet.coup:
        db.execute("UPDATE coup SET status = ? WHERE id = ? AND end_id IS NULL", (LOST, sheet.coup))
    sheet.number, sheet.start_ms = number, at.at_ms
    sheet.players, sheet.settled_ms, sheet.paid_ms, sheet.category = [], 0, 0, ""
    sheet.errors = sheet.caught_cents = sheet.cost_cents = 0
    sheet.payments = {}
    sheet.coup = inserted(
        db,
        "INSERT INTO coup (stream, number, game, ruleset, ruleset_sha256, seance, dealer, head,"
        " start_id, start_position, start_ms, status, players) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, '')",
        (
            at.stream,
            number,
            sheet.game,
            sheet.ruleset,
            sheet.ruleset_sha256,
            sheet.seance,
            sheet.dealer,
            sheet.head,
            at.id,
            at.cause,
            at.at_ms,
            RUNNING,
        ),
    )


def close_bets(db: sqlite3.Connection, sheet: Sheet, effect: RecordDecision) -> None:
    """The staff of a coup are those at the table when the bets close."""
    text = str(dict(effect.detail).get("players", ""))
    sheet.players = [int(seat) for seat in text.split(",") if seat]
    db.execute(
        "UPDATE coup SET players = ?, dealer = ?, head = ? WHERE id = ?", (text, sheet.dealer, sheet.head, sheet.coup)
    )


def settle_coup(db: sqlite3.Connection, sheet: Sheet, effect: RecordSettlement, at: Happening) -> None:
    """A claim settles a coup anew: the later settlement stands, the hands were shown at the first."""
    settlement = effect.settlement
    sheet.game, sheet.ruleset, sheet.ruleset_sha256 = str(effect.game), effect.ruleset, effect.ruleset_sha256
    sheet.settled_ms = sheet.settled_ms or at.at_ms
    if isinstance(settlement, Settlement) and settlement.dealer is not None:
        sheet.category = settlement.dealer.hand.category
    rows = list(_spots(settlement))
    drop = sum(stake for _, _, _, stake, _, _, _ in rows)
    win = settlement.rake_total if isinstance(settlement, HoldemSettlement) else settlement.bank_net
    db.execute(
        "UPDATE coup SET status = ?, drop_cents = ?, win_cents = ?, rules = ?, by = ?, settled_ms = ?, game = ?,"
        " ruleset = ?, ruleset_sha256 = ? WHERE id = ?",
        (
            str(settlement.status),
            drop,
            win,
            " ".join(effect.rules),
            effect.by,
            sheet.settled_ms,
            sheet.game,
            effect.ruleset,
            effect.ruleset_sha256,
            sheet.coup,
        ),
    )
    db.execute("DELETE FROM spot WHERE coup = ?", (sheet.coup,))
    db.executemany(
        "INSERT INTO spot (coup, nth, seat, spot, outcome, stake_cents, net_cents, rule, odds)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [(sheet.coup, nth, *row) for nth, row in enumerate(rows)],
    )


def end_coup(db: sqlite3.Connection, sheet: Sheet, at: Happening, *, abandoned: bool = False) -> None:
    if not sheet.coup:
        return
    paid = sheet.paid_ms or (at.at_ms if sheet.settled_ms else None)
    worst = max(sheet.payments.values(), key=PAYMENTS.index, default=RIGHT)
    db.execute(
        "UPDATE coup SET end_id = ?, end_position = ?, end_ms = ?, paid_ms = ?, payment = ?,"
        " status = CASE WHEN status = ? THEN ? ELSE status END WHERE id = ?",
        (at.id, at.position, at.at_ms, paid, worst, RUNNING, ABANDONED if abandoned else LOST, sheet.coup),
    )
    for key, payment in sheet.payments.items():
        seat, _, spot = key.partition("/")
        db.execute(
            "UPDATE spot SET payment = ? WHERE coup = ? AND seat = ? AND spot = ?",
            (payment, sheet.coup, int(seat), spot),
        )


def payment_key(seat: int | None, spot: str | None) -> str:
    """How the sheet names a spot whose payment was wrong."""
    return f"{seat or 0}/{spot or ''}"


def _spots(
    settlement: Settlement | HoldemSettlement,
) -> Iterator[tuple[int, str, str, int, int, str, str]]:
    if isinstance(settlement, HoldemSettlement):
        for player in settlement.seats:
            yield player.seat, "pot", str(player.outcome), player.stake, player.net, player.rule, ""
        return
    for seat in settlement.seats:
        for bet in seat.bets:
            odds = "" if bet.odds is None else f"{bet.odds.win}:{bet.odds.per}"
            yield seat.seat, str(bet.spot), str(bet.outcome), bet.stake, bet.net, bet.rule, odds


# Reading.

_COLUMNS: Final = (
    "id, stream, number, game, ruleset, ruleset_sha256, seance, dealer, head, start_id, start_position, start_ms,"
    " end_id, end_position, end_ms, status, players, drop_cents, win_cents, rules, by, payment, settled_ms, paid_ms"
)


def coup_at(db: sqlite3.Connection, table: str, number: int) -> CoupEntry | None:
    """The coup of this number at a table, the last one where a number came twice."""
    rows = db.execute(
        f"SELECT {_COLUMNS} FROM coup WHERE stream = ? AND number = ? ORDER BY id DESC LIMIT 1",  # noqa: S608
        (table, number),
    ).fetchall()
    return _entry(rows[0]) if rows else None


def coups(
    db: sqlite3.Connection,
    *,
    table: str | None = None,
    game: str | None = None,
    dealer: str | None = None,
    number: int | None = None,
    status: str | None = None,
    from_ms: int | None = None,
    to_ms: int | None = None,
    before_id: int | None = None,
    limit: int = 100,
) -> list[CoupEntry]:
    """Newest first, a page at a time; `before_id` is the id of the last one seen."""
    tests: list[tuple[str, object]] = [
        ("stream = ?", table),
        ("game = ?", game),
        ("dealer = ?", dealer),
        ("number = ?", number),
        # As it is given out: a settlement that is not yet paid is nobody's business.
        ("CASE WHEN end_id IS NULL AND status = 'settled' THEN 'running' ELSE status END = ?", status),
        ("start_ms >= ?", from_ms),
        ("start_ms < ?", to_ms),
        ("id < ?", before_id),
    ]
    chosen = [(test, value) for test, value in tests if value is not None]
    where = " AND ".join(test for test, _ in chosen) or "1"
    rows = db.execute(
        f"SELECT {_COLUMNS} FROM coup WHERE {where} ORDER BY id DESC LIMIT ?",  # noqa: S608 - our own names
        (*(value for _, value in chosen), limit),
    )
    return [_entry(row) for row in rows]


def spots_of(db: sqlite3.Connection, coup: CoupEntry) -> list[SpotResult]:
    """What each spot was due, in payment order; nothing while the coup is under way."""
    if coup.end_id is None:
        return []
    rows = db.execute(
        "SELECT seat, spot, outcome, stake_cents, net_cents, rule, odds, payment FROM spot WHERE coup = ? ORDER BY nth",
        (coup.id,),
    )
    return [SpotResult(*row) for row in rows]


def _entry(row: tuple[object, ...]) -> CoupEntry:
    values = list(row)
    values[16] = tuple(int(seat) for seat in str(row[16]).split(",") if seat)
    values[19] = tuple(str(row[19]).split())
    entry = CoupEntry(*values)  # type: ignore[arg-type]  # the columns' types are the schema's
    return entry if entry.end_id is not None else _sealed(entry)


def _sealed(entry: CoupEntry) -> CoupEntry:
    """A coup under way: its bonus that waits for a claim must not show in a sum (A-TCF-09)."""
    status = RUNNING if entry.status == "settled" else entry.status
    values = {name: getattr(entry, name) for name in CoupEntry.__slots__}
    return CoupEntry(**values | {"drop_cents": None, "win_cents": None, "rules": (), "status": status})


def text_from_spots(spots: list[SpotResult]) -> str:
    """The spots of a coup as one JSON text, for exports."""
    return json.dumps([{name: getattr(spot, name) for name in SpotResult.__slots__} for spot in spots])
