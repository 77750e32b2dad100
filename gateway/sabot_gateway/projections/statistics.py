"""Figures by table, game, dealer and hour: pace, drop, win, hold against theory, side bets, errors, payments.

`drop` is what was staked in settled coups (all spots), `win` what the house kept of it; at hold'em the pots and the
rake. `hold` is win over drop. A coup counts in the hour of its end (UTC) and for the dealer at its closed bets. Void
coups count as coups and stake nothing. Sums are whole numbers; the only floats are the bounds of `report`.
"""

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from math import sqrt
from typing import Final

from sabot_gateway.projections.happening import Happening
from sabot_gateway.projections.rulesets import stored_ruleset
from sabot_gateway.projections.sheet import Sheet
from sabot_gateway.projections.theory import expected_win

HOUR_MS: Final = 3_600_000
PAUSE_MS: Final = 900_000  # a longer wait between two coups is no play: the table was idle
NORMAL_95: Final = 1.959963984540054  # two-sided 95 % of the normal law
LEAST_COUPS: Final = 30  # below this the sum of coups is no bell, and bounds would only look exact
_LOW_BITS: Final = 40  # squares of cents outgrow 64 bits in a sum, so they are kept in two parts


class By(StrEnum):
    """What a line of the report stands for."""

    TABLE = "table"
    GAME = "game"
    DEALER = "dealer"
    HOUR = "hour"


@dataclass(frozen=True, slots=True)
class Period:
    """Which coups are counted; empty and None match everything. `to_ms` is excluded; both are cut to whole hours."""

    table: str = ""
    game: str = ""
    dealer: str = ""
    from_ms: int | None = None
    to_ms: int | None = None


@dataclass(frozen=True, slots=True)
class Bet:
    """One kind of bet within a line: how often it was made, what was staked, what players netted."""

    bets: int
    stake_cents: int
    net_cents: int


@dataclass(frozen=True, slots=True)
class Line:
    """One line of the report; `theory_cents` is None where some bet has no exact figure."""

    of: str  # the table, game, dealer or hour (its start, UTC milliseconds as text)
    coups: int
    hands: int
    busy_ms: int
    drop_cents: int
    win_cents: int
    square_cents: int  # sum over coups of win squared
    errors: int
    caught_cents: int
    cost_cents: int
    payments: int
    payment_ms: int
    theory_cents: Fraction | None
    bets: Mapping[str, Bet] = field(default_factory=dict)

    @property
    def coups_per_hour(self) -> Fraction | None:
        """Per hour of play: waits of more than a quarter of an hour are left out."""
        return Fraction(self.coups * HOUR_MS, self.busy_ms) if self.busy_ms else None

    @property
    def hold(self) -> Fraction | None:
        return Fraction(self.win_cents, self.drop_cents) if self.drop_cents else None

    @property
    def theory(self) -> Fraction | None:
        """The hold that the rules promise on what was staked here, under best play."""
        if self.theory_cents is None or not self.drop_cents:
            return None
        return self.theory_cents / self.drop_cents

    @property
    def bounds(self) -> tuple[float, float] | None:
        """Between these the true hold lies, 95 times of 100, judged by how much single coups differ."""
        if self.coups < LEAST_COUPS or not self.drop_cents:
            return None
        variance = Fraction(self.coups * self.square_cents - self.win_cents**2, self.coups * (self.coups - 1))
        reach = NORMAL_95 * sqrt(float(variance) * self.coups)
        return (self.win_cents - reach) / self.drop_cents, (self.win_cents + reach) / self.drop_cents

    @property
    def is_odd(self) -> bool:
        """Whether theory lies outside the bounds: somebody should look at cards, payments or people."""
        if self.bounds is None or self.theory is None:
            return False
        low, high = self.bounds
        return not low <= self.theory <= high

    @property
    def errors_per_thousand(self) -> Fraction | None:
        return Fraction(1000 * self.errors, self.coups) if self.coups else None

    @property
    def mean_payment_ms(self) -> Fraction | None:
        """From the hands shown to the last payment, on average."""
        return Fraction(self.payment_ms, self.payments) if self.payments else None

    def uptake(self, spot: str) -> Fraction | None:
        """How many of the hands played made this bet."""
        bet = self.bets.get(spot)
        return Fraction(bet.bets if bet else 0, self.hands) if self.hands else None


# Writing.


def count_coup(db: sqlite3.Connection, sheet: Sheet, at: Happening) -> None:
    """Adds a finished coup to its hour."""
    key = (at.stream, sheet.game, sheet.dealer, at.at_ms // HOUR_MS, sheet.ruleset_sha256)
    (drop, win) = db.execute("SELECT drop_cents, win_cents FROM coup WHERE id = ?", (sheet.coup,)).fetchone()
    drop, win = drop or 0, win or 0
    since = sheet.end_ms if 0 <= at.at_ms - sheet.end_ms <= PAUSE_MS else sheet.start_ms
    payment_ms = max(0, sheet.paid_ms - sheet.settled_ms) if sheet.paid_ms and sheet.settled_ms else None
    square = win * win
    db.execute(
        "INSERT INTO hour (stream, game, dealer, hour, ruleset_sha256) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
        key,
    )
    db.execute(
        "UPDATE hour SET coups = coups + 1, hands = hands + ?, busy_ms = busy_ms + ?, drop_cents = drop_cents + ?,"
        " win_cents = win_cents + ?, square_high = square_high + ?, square_low = square_low + ?, errors = errors + ?,"
        " caught_cents = caught_cents + ?, cost_cents = cost_cents + ?, payments = payments + ?,"
        " payment_ms = payment_ms + ?"
        " WHERE stream = ? AND game = ? AND dealer = ? AND hour = ? AND ruleset_sha256 = ?",
        (
            len(sheet.players),
            max(0, at.at_ms - since),
            drop,
            win,
            square >> _LOW_BITS,
            square & (1 << _LOW_BITS) - 1,
            sheet.errors,
            sheet.caught_cents,
            sheet.cost_cents,
            payment_ms is not None,
            payment_ms or 0,
            *key,
        ),
    )
    db.execute(
        "INSERT INTO hour_bet (stream, game, dealer, hour, ruleset_sha256, spot, bets, stake_cents, net_cents)"
        " SELECT ?, ?, ?, ?, ?, spot, COUNT(*), SUM(stake_cents), SUM(net_cents) FROM spot"
        " WHERE coup = ? AND (stake_cents > 0 OR net_cents != 0) GROUP BY spot"
        " ON CONFLICT DO UPDATE SET bets = bets + excluded.bets, stake_cents = stake_cents + excluded.stake_cents,"
        " net_cents = net_cents + excluded.net_cents",
        (*key, sheet.coup),
    )


# Reading.


def report(db: sqlite3.Connection, by: By, period: Period) -> list[Line]:
    """One line per table, game, dealer or hour, in that order."""
    column = {By.TABLE: "stream", By.GAME: "game", By.DEALER: "dealer", By.HOUR: "hour"}[by]
    where, values = _chosen(period)
    sums: dict[str, list[int]] = {}
    for of, *figures in db.execute(
        f"SELECT {column}, SUM(coups), SUM(hands), SUM(busy_ms), SUM(drop_cents), SUM(win_cents), SUM(square_high),"  # noqa: S608
        " SUM(square_low), SUM(errors), SUM(caught_cents), SUM(cost_cents), SUM(payments), SUM(payment_ms)"
        f" FROM hour WHERE {where} GROUP BY {column} ORDER BY {column}",
        values,
    ):
        sums[_named(by, of)] = figures
    stakes: dict[str, dict[str, dict[str, list[int]]]] = {}
    for of, sha256, spot, bets, stake, net in db.execute(
        f"SELECT {column}, ruleset_sha256, spot, SUM(bets), SUM(stake_cents), SUM(net_cents) FROM hour_bet"  # noqa: S608
        f" WHERE {where} GROUP BY {column}, ruleset_sha256, spot",
        values,
    ):
        stakes.setdefault(_named(by, of), {}).setdefault(sha256, {})[spot] = [bets, stake, net]
    return [_line(db, of, figures, stakes.get(of, {})) for of, figures in sums.items()]


def _line(
    db: sqlite3.Connection, of: str, figures: Sequence[int], stakes: Mapping[str, Mapping[str, list[int]]]
) -> Line:
    coups, hands, busy, drop, win, high, low, errors, caught, cost, payments, payment_ms = figures
    bets: dict[str, Bet] = {}
    for spots in stakes.values():
        for spot, (count, stake, net) in spots.items():
            known = bets.get(spot, Bet(0, 0, 0))
            bets[spot] = Bet(known.bets + count, known.stake_cents + stake, known.net_cents + net)
    return Line(
        of,
        coups,
        hands,
        busy,
        drop,
        win,
        (high << _LOW_BITS) + low,
        errors,
        caught,
        cost,
        payments,
        payment_ms,
        _theory(db, stakes),
        dict(sorted(bets.items())),
    )


def _theory(db: sqlite3.Connection, stakes: Mapping[str, Mapping[str, Iterable[int]]]) -> Fraction | None:
    total = Fraction(0)
    for sha256, spots in stakes.items():
        ruleset = stored_ruleset(db, sha256)
        if ruleset is None:
            return None
        expected = expected_win(ruleset, {spot: list(figures)[1] for spot, figures in spots.items()})
        if expected is None:
            return None
        total += expected
    return total if stakes else None


def _chosen(period: Period) -> tuple[str, list[object]]:
    tests: list[tuple[str, object]] = [
        ("stream = ?", period.table or None),
        ("game = ?", period.game or None),
        ("dealer = ?", period.dealer or None),
        ("hour >= ?", None if period.from_ms is None else period.from_ms // HOUR_MS),
        ("hour < ?", None if period.to_ms is None else -(-period.to_ms // HOUR_MS)),
    ]
    chosen = [(test, value) for test, value in tests if value is not None]
    return " AND ".join(test for test, _ in chosen) or "1", [value for _, value in chosen]


def _named(by: By, of: object) -> str:
    return str(int(str(of)) * HOUR_MS) if by is By.HOUR else str(of)
