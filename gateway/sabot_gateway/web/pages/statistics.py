"""Figures by table, game, dealer and hour: hold against theory, pace, side bets, errors, payments, and the cards dealt.

Reads the views alone. Each chart has its data as CSV at `/statistics.csv` with the same question.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from fractions import Fraction
from functools import partial
from typing import Final, TypedDict
from urllib.parse import urlencode

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from sabot_gateway.model.card import DECK, text_from_card
from sabot_gateway.model.game import Game
from sabot_gateway.projections.cards import CardWatch, card_watch
from sabot_gateway.projections.statistics import By, Line, Period, report
from sabot_gateway.projections.theory import SIDE_BETS
from sabot_gateway.settings.shape import Language
from sabot_gateway.web import entry
from sabot_gateway.web.accounts.role import Right
from sabot_gateway.web.asked import moment_asked, text_asked
from sabot_gateway.web.charts import HoldPoint, RankChart, deviation, hold_chart, pace_chart, rank_chart
from sabot_gateway.web.page import REFUSED, WRONG, Data, Field, In, Page, PageError
from sabot_gateway.web.rendering import language_of, site_of
from sabot_gateway.web.spreadsheet import Cell, csv_from_rows

CARDS: Final = "card"  # in the CSV's `by`, beside those of the report
MOST_ROWS: Final = 40  # of the hold chart
MOST_RANKED: Final = 8  # of the small charts
MOST_HOURS: Final = 72  # of the pace chart: three days and nights
DAY_MS: Final = 86_400_000
_SIDE_SPOTS: Final = tuple(dict.fromkeys(spot for spots in SIDE_BETS.values() for spot in spots))


class StatisticsLine(TypedDict):
    """Shares and rates are rounded; cents are exact. Null where there is nothing to divide by or no exact theory."""

    of: str
    game: str
    coups: int
    hands: int
    coups_per_hour: float | None
    drop_cents: int
    win_cents: int
    hold: float | None
    theory: float | None
    low: float | None
    high: float | None
    is_odd: bool
    errors: int
    errors_per_thousand: float | None
    caught_cents: int
    cost_cents: int
    payment_s: float | None
    uptake: dict[str, float]


class Watch(TypedDict):
    """The chi-square watch: `chance` is how often fair cards would look at least this uneven."""

    coups: int
    dealt: int
    statistic: float
    chance: float
    is_odd: bool
    counts: dict[str, int]


class StatisticsPage(TypedDict):
    by: str
    lines: list[StatisticsLine]
    hours: list[StatisticsLine]
    cards: Watch


async def load_statistics(request: Request) -> Data:
    by, period = _by(request), _period(request)
    lines, hours, watch = await run_in_threadpool(_read, request, by, period)
    data: dict[str, object] = {"by": str(by), "lines": lines, "hours": hours, "cards": watch}
    return data if request.state.is_json else data | _around(request, by, lines, hours, watch)


async def csv_file(request: Request) -> Response:
    """The figures behind a chart; `by` may also be `card`."""
    visitor = request.state.visitor
    if visitor is None:
        return entry.to_login(request)
    if not visitor.may(Right.LOOK):
        raise PageError(REFUSED, "error.right")
    is_cards = text_asked(request, "by") == CARDS
    by = By.HOUR if is_cards else _by(request)
    lines, _, watch = await run_in_threadpool(_read, request, by, _period(request))
    text = _cards_csv(watch) if is_cards else _lines_csv(by, lines)
    name = f"sabot-{CARDS if is_cards else by}.csv"
    return Response(
        text, media_type="text/csv; charset=utf-8", headers={"content-disposition": f'attachment; filename="{name}"'}
    )


def _read(request: Request, by: By, period: Period) -> tuple[list[StatisticsLine], list[StatisticsLine], Watch]:
    site = site_of(request)
    games = {status.name: status.game for status in site.desk.tables()}
    with site.views.reading() as db:
        found = report(db, by, period)
        hours = found if by is By.HOUR else report(db, By.HOUR, period)
        watch = card_watch(db, period.table or None)
    return (
        [_line(each, _game(by, each.of, games, period)) for each in found],
        [_line(each, period.game or games.get(period.table, "")) for each in hours[-MOST_HOURS:]],
        _watch(watch),
    )


def _game(by: By, of: str, games: Mapping[str, str], period: Period) -> str:
    """For its currency: a line over several games has none of its own."""
    match by:
        case By.GAME:
            return of
        case By.TABLE:
            return games.get(of, period.game)
        case _:
            return period.game or games.get(period.table, "")


def _line(line: Line, game: str) -> StatisticsLine:
    low, high = line.bounds or (None, None)
    spots = SIDE_BETS[Game(game)] if game in set(Game) else _SIDE_SPOTS
    uptake = {spot: _rounded(line.uptake(spot)) for spot in spots if spot in line.bets}
    payment = line.mean_payment_ms
    return {
        "of": line.of,
        "game": game,
        "coups": line.coups,
        "hands": line.hands,
        "coups_per_hour": _rounded(line.coups_per_hour, 1),
        "drop_cents": line.drop_cents,
        "win_cents": line.win_cents,
        "hold": _rounded(line.hold),
        "theory": _rounded(line.theory),
        "low": _rounded(low),
        "high": _rounded(high),
        "is_odd": line.is_odd,
        "errors": line.errors,
        "errors_per_thousand": _rounded(line.errors_per_thousand, 2),
        "caught_cents": line.caught_cents,
        "cost_cents": line.cost_cents,
        "payment_s": None if payment is None else _rounded(payment / 1000, 1),
        "uptake": {spot: share for spot, share in uptake.items() if share is not None},
    }


def _rounded(value: Fraction | float | None, digits: int = 6) -> float | None:
    return None if value is None else round(float(value), digits)


def _watch(watch: CardWatch) -> Watch:
    return {
        "coups": watch.coups,
        "dealt": watch.dealt,
        "statistic": round(float(watch.statistic), 3),
        "chance": round(watch.chance, 6),
        "is_odd": watch.is_odd,
        "counts": {text_from_card(card): watch.counts[card] for card in DECK},
    }


# The question.


def _by(request: Request) -> By:
    text = text_asked(request, "by") or By.TABLE
    if text not in set(By):
        raise PageError(WRONG, "error.value", name="by")
    return By(text)


def _period(request: Request) -> Period:
    zone = site_of(request).zone
    game = text_asked(request, "game")
    if game and game not in set(Game):
        raise PageError(WRONG, "error.value", name="game")
    return Period(
        table=text_asked(request, "table"),
        game=game,
        dealer=text_asked(request, "dealer"),
        from_ms=moment_asked(request, "from", zone),
        to_ms=moment_asked(request, "to", zone),
    )


# What only the page itself needs.


def _around(
    request: Request, by: By, lines: Sequence[StatisticsLine], hours: Sequence[StatisticsLine], watch: Watch
) -> dict[str, object]:
    site, language = site_of(request), language_of(request)
    asked = {name: text_asked(request, name) for name in _FILTERS}

    def address(path: str = "/statistics", **changed: str) -> str:
        query = {name: value for name, value in {**asked, **changed}.items() if value}
        return path + (f"?{urlencode(query)}" if query else "")

    def since(days: int) -> str:
        start = datetime.fromtimestamp((site.clock_ms() - days * DAY_MS) // 1000, site.zone)
        return address(**{"from": start.strftime("%Y-%m-%dT%H:00"), "to": ""})

    def hour(of: str) -> str:
        at = datetime.fromtimestamp(int(of) // 1000, site.zone)
        return at.strftime("%d/%m %Hh" if language is Language.FR else "%m-%d %H:00")

    def label(line: StatisticsLine) -> str:
        return hour(line["of"]) if by is By.HOUR else line["of"]

    shown = [each for each in lines if each["hold"] is not None][-MOST_ROWS:]
    return {
        "asked": asked,
        "address": address,
        "since": since,
        "bys": [str(each) for each in By],
        "games": [str(each) for each in Game],
        "spots": [spot for spot in _SIDE_SPOTS if any(spot in each["uptake"] for each in lines)],
        "label": label,
        "percent": lambda share, digits=2: _percent(share, digits, language),
        "decimal": lambda value, digits=1: _decimal(value, digits, language),
        "hold_chart": hold_chart([_point(each, label(each)) for each in shown]) if shown else None,
        "hold_left_out": len(lines) - len(shown),
        "pace_chart": pace_chart([(hour(each["of"]), each["coups_per_hour"] or 0.0) for each in hours]),
        "ranks": _ranks(lines, label),
        "strays": {card: deviation(count, watch["dealt"], len(DECK)) for card, count in watch["counts"].items()},
        "odd": [label(each) for each in lines if each["is_odd"]],
        "suits": [[(rank + suit) for rank in "AKQJT98765432"] for suit in "shdc"],
    }


def _ranks(lines: Sequence[StatisticsLine], label: Callable[[StatisticsLine], str]) -> list[tuple[str, str, RankChart]]:
    """What goes wrong, how long players wait for money, which side bets are liked: key, spot and chart of each."""

    def chart(value: Callable[[StatisticsLine], float | None]) -> RankChart:
        points = [(label(line), value(line)) for line in lines]
        return rank_chart([(name, each) for name, each in points if each is not None], MOST_RANKED)

    found = [
        ("errors", "", chart(lambda line: line["errors_per_thousand"])),
        ("payment", "", chart(lambda line: line["payment_s"])),
    ]
    for spot in _SIDE_SPOTS:
        found.append(("uptake", spot, chart(partial(_uptake, spot))))
    return [each for each in found if each[2].rows]


def _uptake(spot: str, line: StatisticsLine) -> float | None:
    return line["uptake"].get(spot)


def _point(line: StatisticsLine, label: str) -> HoldPoint:
    low, high, hold = line["low"], line["high"], line["hold"]
    bounds = None if low is None or high is None else (low, high)
    return HoldPoint(label, hold or 0.0, line["theory"], bounds, line["is_odd"])


def _percent(share: float | None, digits: int, language: Language) -> str:
    return "—" if share is None else f"{_decimal(share * 100, digits, language)}\N{NO-BREAK SPACE}%"


def _decimal(value: float | None, digits: int, language: Language) -> str:
    if value is None:
        return "—"
    text = f"{value:.{digits}f}".replace("-", "−")
    return text.replace(".", ",") if language is Language.FR else text


# CSV.


def _lines_csv(by: By, lines: Sequence[StatisticsLine]) -> str:
    header = [str(by), *(name for name in _COLUMNS if name != "of"), *(f"uptake_{spot}" for spot in _SIDE_SPOTS)]
    rows: list[list[Cell]] = []
    for line in lines:
        values: dict[str, Cell] = {name: line[name] for name in _COLUMNS}  # type: ignore[literal-required]  # its own
        first = _iso_hour(line["of"]) if by is By.HOUR else line["of"]
        rest = [values[name] for name in _COLUMNS if name != "of"]
        rows.append([first, *rest, *(line["uptake"].get(spot) for spot in _SIDE_SPOTS)])
    return csv_from_rows(header, rows)


def _cards_csv(watch: Watch) -> str:
    expected = watch["dealt"] / len(DECK)
    return csv_from_rows(
        ["card", "dealt", "expected"], [[card, n, round(expected, 3)] for card, n in watch["counts"].items()]
    )


def _iso_hour(of: str) -> str:
    return datetime.fromtimestamp(int(of) // 1000, UTC).strftime("%Y-%m-%dT%H:00Z")


_COLUMNS: Final = tuple(name for name in StatisticsLine.__annotations__ if name != "uptake")
_FILTERS: Final = ("by", "table", "game", "dealer", "from", "to")
_TEXT: Final = {"type": "string", "maxLength": 128}
_MOMENT: Final = {"type": "string", "maxLength": 64}
PAGES: Final = (
    Page(
        "/statistics",
        "statistics",
        Right.LOOK,
        load_statistics,
        "statistics.html",
        StatisticsPage,
        "Figures by table, game, dealer or hour.",
        (
            Field("by", In.QUERY, {"type": "string", "enum": [str(each) for each in By]}),
            Field("table", In.QUERY, _TEXT),
            Field("game", In.QUERY, {"type": "string", "enum": [str(each) for each in Game]}),
            Field("dealer", In.QUERY, _TEXT),
            Field("from", In.QUERY, _MOMENT, description="As the house's clocks show it: 2026-11-18T21:00."),
            Field("to", In.QUERY, _MOMENT, description="Excluded."),
        ),
    ),
)
ROUTES: Final = (Route("/statistics.csv", csv_file, methods=["GET"], name="statistics.csv"),)
