"""Figures: hold with its bounds against theory, pace by hour, CSV that is safe to open, and the watch on cards."""

import csv
from collections.abc import Iterator
from contextlib import closing
from io import StringIO
from pathlib import Path
from sqlite3 import Connection, connect
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sabot_gateway.model.card import DECK
from sabot_gateway.model.game import Game
from sabot_gateway.projections.cards import BLOCK, count_cards
from sabot_gateway.projections.happening import Happening
from sabot_gateway.projections.rulesets import keep_ruleset
from sabot_gateway.projections.sheet import Sheet
from sabot_gateway.projections.statistics import HOUR_MS, count_coup
from sabot_gateway.rulebook import shipped_ruleset
from sabot_gateway.web.accounts.role import Role
from sabot_gateway.web.charts import HoldPoint, deviation, hold_chart, pace_chart, rank_chart, ticks_between
from sabot_gateway.web.spreadsheet import csv_from_rows
from web.web_stage import Browser, Stage, stage

LAW = shipped_ruleset(Game.TCP)
START_MS = 494_444 * HOUR_MS  # some hour of 2026


def play(db: Connection, number: int, table: str, dealer: str, stake: int, win: int) -> None:
    """One finished coup with a single pair plus bet; a coup every minute and a half."""
    at_ms = START_MS + number * 90_000
    db.execute(
        "INSERT INTO coup (id, stream, number, game, ruleset, ruleset_sha256, seance, dealer, head, start_id,"
        " start_position, start_ms, status, players, drop_cents, win_cents)"
        " VALUES (?, ?, ?, 'TCP', '', ?, 1, ?, '', 1, 1, 0, 'settled', '3', ?, ?)",
        (1000 + number, table, number, LAW.sha256, dealer, stake, win),
    )
    db.execute(
        "INSERT INTO spot (coup, nth, seat, spot, outcome, stake_cents, net_cents, rule, odds)"
        " VALUES (?, 0, 3, 'pair_plus', 'win', ?, ?, '', '')",
        (1000 + number, stake, -win),
    )
    sheet = Sheet(
        game="TCP", ruleset_sha256=LAW.sha256, dealer=dealer, coup=1000 + number, players=[3],
        start_ms=at_ms - 60_000, end_ms=at_ms - 90_000 if number else 0, settled_ms=at_ms - 20_000,
        paid_ms=at_ms - 8_000, errors=int(number % 50 == 0),
    )  # fmt: skip
    count_coup(db, sheet, Happening(number, table, number, number, at_ms))


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    folder: Path = tmp_path_factory.mktemp("house")
    with stage(folder) as running:
        with closing(connect(folder / "views.db", timeout=60)) as db:
            keep_ruleset(db, LAW)
            for number in range(120):  # the bank wins every other coup: far from what theory gives it
                play(db, number, "t1", "=cmd", 1000, 1000 if number % 2 else -1000)
            for number in range(120, 180):  # and here all of them
                play(db, number, "t2", "D2", 1000, 1000)
            for number in range(BLOCK):
                count_cards(db, "t1", "TCP", [DECK[(number + nth) % 52] for nth in range(6)])
            db.commit()
        yield running


@pytest.fixture
def viewer(house: Stage) -> Browser:
    return house.browser(Role.VIEWER)


def asked(browser: Browser, path: str) -> Any:
    return browser.get(path).json()


def test_hold_is_held_against_theory_and_an_odd_table_is_named(viewer: Browser) -> None:
    lines = {each["of"]: each for each in asked(viewer, "/statistics.json")["lines"]}
    first, second = lines["t1"], lines["t2"]
    assert (first["coups"], first["drop_cents"], first["win_cents"], first["hold"]) == (120, 120_000, 0, 0.0)
    assert first["low"] < first["theory"] < first["high"]
    assert (second["hold"], second["low"], second["high"], second["is_odd"]) == (1.0, 1.0, 1.0, True)
    assert first["is_odd"] is False
    page = viewer.get("/statistics").body
    assert "Worth a look: t2." in page
    assert page.count('class="theory"') == 2


def test_pace_errors_payments_and_side_bets_are_told(viewer: Browser) -> None:
    (line,) = asked(viewer, "/statistics.json?table=t1")["lines"]
    assert 39 < line["coups_per_hour"] <= 41  # one every ninety seconds
    assert line["errors"] == 3
    assert line["errors_per_thousand"] == 25.0
    assert line["payment_s"] == 12.0
    assert line["uptake"] == {"pair_plus": 1.0}
    page = viewer.get("/statistics").body
    for title in ("Errors per 1,000", "Reveal → last payment", "Pair Plus taken"):
        assert f'aria-label="{title}"' in page


@pytest.mark.parametrize(("by", "of"), [("table", {"t1", "t2"}), ("game", {"TCP"}), ("dealer", {"=cmd", "D2"})])
def test_figures_by_table_game_and_dealer(viewer: Browser, by: str, of: set[str]) -> None:
    assert {each["of"] for each in asked(viewer, f"/statistics.json?by={by}")["lines"]} == of


def test_figures_by_hour_add_up_and_a_period_cuts_them(viewer: Browser) -> None:
    hours = asked(viewer, "/statistics.json?by=hour")["lines"]
    assert [int(each["of"]) for each in hours] == [START_MS + nth * HOUR_MS for nth in range(5)]
    assert sum(each["coups"] for each in hours) == 180
    (first,) = asked(viewer, "/statistics.json?by=hour&to=2026-05-28T21:00%2B00:00")["lines"]
    assert first == hours[0]


def test_the_csv_holds_the_same_figures_and_no_formula(viewer: Browser) -> None:
    answer = viewer.get("/statistics.csv?by=dealer")
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(StringIO(answer.body.removeprefix("\ufeff"))))
    assert {row["dealer"] for row in rows} == {"'=cmd", "D2"}
    assert {row["win_cents"] for row in rows} == {"0", "60000"}
    hours = list(csv.DictReader(StringIO(viewer.get("/statistics.csv?by=hour").body.removeprefix("\ufeff"))))
    assert hours[0]["hour"].endswith(":00Z")


def test_the_card_watch_says_what_chance_says_and_gives_its_counts(viewer: Browser) -> None:
    watch = asked(viewer, "/statistics.json?table=t1")["cards"]
    assert (watch["coups"], watch["dealt"]) == (BLOCK, 6 * BLOCK)
    assert sum(watch["counts"].values()) == 6 * BLOCK
    assert watch["is_odd"] is False
    rows = list(csv.DictReader(StringIO(viewer.get("/statistics.csv?by=card&table=t1").body.removeprefix("\ufeff"))))
    assert {row["card"]: int(row["dealt"]) for row in rows} == watch["counts"]


def test_an_empty_period_says_so(viewer: Browser) -> None:
    page = viewer.get("/statistics?from=2030-01-01T00:00", accept_language="fr").body
    assert "Aucun coup terminé dans cette période." in page


@pytest.mark.parametrize("question", ["by=nothing", "game=XXX", "from=yesterday", f"table={'x' * 129}"])
def test_a_question_that_makes_no_sense_is_refused(viewer: Browser, question: str) -> None:
    assert viewer.get(f"/statistics.json?{question}").status == 422
    assert viewer.get(f"/statistics.csv?{question}").status == 422


def test_a_stranger_gets_no_figures(house: Stage) -> None:
    assert house.browser().get("/statistics.csv").status == 303


@given(st.text(), st.integers())
def test_no_cell_of_a_csv_begins_a_formula(text: str, number: int) -> None:
    (row,) = list(csv.reader(StringIO(csv_from_rows(["a", "b"], [[text, number]]).removeprefix("\ufeff"), newline="")))[
        1:
    ]
    assert not row[0].startswith(("=", "+", "-", "@", "\t", "\r", "\n"))
    assert row[0].removeprefix("'") == text.removeprefix("'")
    assert row[1] == str(number)


_SHARES = st.floats(-5, 5)
_POINTS = st.builds(
    HoldPoint, st.just("t"), _SHARES, st.none() | _SHARES,
    st.none() | st.tuples(_SHARES, _SHARES).map(lambda pair: (min(pair), max(pair))), st.booleans(),
)  # fmt: skip


@given(st.lists(_POINTS, min_size=1, max_size=40))
def test_everything_on_the_hold_chart_lies_within_it_and_in_order(points: list[HoldPoint]) -> None:
    chart = hold_chart(points)
    for row, point in zip(chart.rows, points, strict=True):
        marks = [row.hold, *(mark for mark in (row.theory, row.low, row.high) if mark is not None)]
        assert all(chart.left <= mark <= chart.right for mark in marks)
        assert 0 < row.y < chart.height
        if row.low is not None and row.high is not None:
            assert row.low <= row.high
        if point.theory is not None and point.theory > point.hold:
            assert row.theory is not None
            assert row.theory >= row.hold
    assert 2 <= len(chart.ticks) <= 12


@given(st.lists(st.tuples(st.just("21h"), st.floats(0, 10_000)), max_size=72))
@example([("21h", 5e-324)])
def test_bars_stand_on_the_base_and_keep_their_order(hours: list[tuple[str, float]]) -> None:
    chart = pace_chart(hours)
    assert all(bar.y + bar.height == chart.base and bar.y >= 0 for bar in chart.bars)
    ranked = sorted(zip(hours, chart.bars, strict=True), key=lambda pair: pair[0][1])
    heights = [bar.height for _, bar in ranked]
    assert heights == sorted(heights)


@given(st.lists(st.tuples(st.text(max_size=4), st.floats(0, 10_000)), max_size=20), st.integers(1, 8))
@example([("t1", 5e-324), ("t2", 1e-320)], 8)
def test_the_worst_stand_first_and_no_bar_leaves_its_chart(points: list[tuple[str, float]], most: int) -> None:
    chart = rank_chart(points, most)
    assert [row.value for row in chart.rows] == sorted((value for _, value in points), reverse=True)[:most]
    assert len(chart.rows) + chart.left_out == len(points)
    widths = [row.width for row in chart.rows]
    assert widths == sorted(widths, reverse=True)
    assert all(row.width >= 0 and chart.left + row.width < chart.width and row.y < chart.height for row in chart.rows)


def test_a_count_strays_by_whole_standard_deviations() -> None:
    # 5,200 cards, 100 of each expected: one deviation is the root of 100 times 51/52, 9.9.
    assert [deviation(count, 5_200, 52) for count in (100, 109, 110, 120, 91, 90, 80)] == [0, 0, 1, 2, 0, -1, -2]
    assert deviation(0, 0, 52) == 0


@given(_SHARES, _SHARES)
def test_ticks_enclose_the_range(one: float, other: float) -> None:
    least, most = min(one, other), max(one, other)
    ticks = ticks_between(least, most)
    assert ticks[0] <= least + 1e-6
    assert ticks[-1] >= most - 1e-6
