"""The list of coups: newest first, found by table, number, dealer, time and outcome, nothing told of one under way."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sabot_gateway.web.accounts.role import Role
from sabot_gateway.web.pages import coups as coups_page
from web.twin_shapes import wrong_in_twin
from web.web_stage import Stage, stage


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with stage(tmp_path_factory.mktemp("coups")) as running:
        running.record(
            t1="tcf-wrong-payment-overridden",
            t2="tcf-second-coup",
            t3="uth-full-table",
            t4="tcf-collusion",
            t5="tcf-alert-cleared-by-a-person",
        )
        yield running


def listed(house: Stage, query: str = "") -> list[tuple[str, int]]:
    answer = house.browser(Role.VIEWER).get(f"/coups.json{query}")
    assert answer.status == 200, answer.body
    page: Any = answer.json()
    return [(coup["table"], coup["number"]) for coup in page["coups"]]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", [("t5", 1), ("t4", 1), ("t3", 1), ("t2", 2), ("t2", 1), ("t1", 1)]),
        ("?table=t2", [("t2", 2), ("t2", 1)]),
        ("?number=2", [("t2", 2)]),
        ("?table=t2&number=1", [("t2", 1)]),
        ("?game=UTH", [("t3", 1)]),
        ("?dealer=D2", []),
        ("?status=void", [("t4", 1)]),
        ("?status=running", [("t2", 2)]),
        ("?from=2026-11-17T20:01&to=2026-11-17T21:00", [("t2", 2)]),
        ("?to=2026-11-16T00:00", []),
        ("?table=none", []),
    ],
)
def test_coups_are_found_by_table_number_game_dealer_outcome_and_time(
    house: Stage, query: str, expected: list[tuple[str, int]]
) -> None:
    assert listed(house, query) == expected


@pytest.mark.parametrize("query", ["number=x", "status=won", "game=XYZ", "from=soon", "before=-1"])
def test_a_filter_without_sense_is_refused_in_a_sentence(house: Stage, query: str) -> None:
    assert house.browser(Role.VIEWER).get(f"/coups?{query}").status == 422


def test_a_coup_under_way_tells_no_money(house: Stage) -> None:
    page: Any = house.browser(Role.VIEWER).get("/coups.json?status=running").json()
    (coup,) = page["coups"]
    assert (coup["end_ms"], coup["drop_cents"], coup["win_cents"], coup["rules"]) == (None, None, None, [])


def test_the_list_says_how_the_payment_went(house: Stage) -> None:
    page = house.browser(Role.VIEWER).get("/coups?table=t1").body
    assert "▲ overridden" in page
    assert 'href="/tables/t1/coups/1"' in page


def test_older_coups_are_a_page_away_each_once(house: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coups_page, "LIMIT", 2)
    browser, seen, before = house.browser(Role.VIEWER), [], ""
    for _ in range(3):
        page: Any = browser.get(f"/coups.json?before={before}").json()
        seen += [(coup["table"], coup["number"]) for coup in page["coups"]]
        before = str(page["next"])
    assert before == "0"
    assert seen == [("t5", 1), ("t4", 1), ("t3", 1), ("t2", 2), ("t2", 1), ("t1", 1)]


def test_the_twin_is_what_the_openapi_document_promises(house: Stage) -> None:
    assert wrong_in_twin(house, "/coups.json", "coups") == []


def test_a_house_without_coups_says_so(tmp_path: Path) -> None:
    with stage(tmp_path) as empty:
        assert "No coup has been played yet." in empty.browser(Role.VIEWER).get("/coups").body
