"""The review queue: in order, folded, found, paged; shown also when its table is gone; each twin as promised."""

import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from string import Formatter
from typing import Any

import pytest

from sabot_gateway.journal.record import Kind
from sabot_gateway.model.alert import Alert, Clears, Severity
from sabot_gateway.projections.alerts import raise_alert
from sabot_gateway.projections.happening import Happening
from sabot_gateway.projections.sheet import Sheet
from sabot_gateway.table.alerts import KINDS
from sabot_gateway.web.accounts.role import Role
from sabot_gateway.web.wording import all_words
from web.twin_shapes import wrong_in_twin
from web.web_stage import Stage, stage

LATE = Alert("LATE_BET", Severity.ALARM, "TCF-25", "Mise tardive.", "Late bet.", Clears.OPERATOR, seat=3, spot="ante")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with stage(tmp_path_factory.mktemp("alerts")) as running:
        running.record(
            t1="tcf-wrong-payment-overridden",
            t2="tcf-overpaid",
            t3="tcf-deck-not-cut",
            t4="tcf-coup-too-slow",
            t5="tcp-overpaid",
        )
        yield running


def queue(house: Stage, query: str = "") -> list[dict[str, Any]]:
    answer = house.browser(Role.VIEWER).get(f"/alerts.json{query}")
    assert answer.status == 200, answer.body
    page: Any = answer.json()
    alerts: list[dict[str, Any]] = page["alerts"]
    return alerts


def test_the_gravest_come_first_and_among_them_the_newest(house: Stage) -> None:
    found = queue(house)
    grave = [("alarm", "warning", "notice").index(alert["severity"]) for alert in found]
    assert grave == sorted(grave)
    assert {alert["severity"] for alert in found} == {"alarm", "warning", "notice"}
    for one, other in pairwise(found):
        assert one["severity"] != other["severity"] or one["last_ms"] >= other["last_ms"]


@pytest.mark.parametrize(
    ("query", "tables"),
    [
        ("?table=t2", {"t2"}),
        ("?code=OVERPAID", {"t1", "t2", "t5"}),
        ("?code=overpaid&table=t1", {"t1"}),
        ("?rule=TCF-59", {"t1", "t2"}),
        ("?dealer=D1&severity=notice", {"t4"}),
        ("?dealer=nobody", set()),
        ("?severity=warning", {"t3"}),
        ("?coup=1&severity=alarm&rule=tcf-59", {"t1", "t2"}),
        ("?from=2026-11-17T19:00&to=2026-11-17T23:59&code=OVERPAID", {"t1", "t2", "t5"}),
        ("?from=2026-11-17T23:59", set()),
        ("?to=2026-11-17T10:00:00%2B01:00", set()),
        ("?mine=1", set()),
        ("?state=cleared&severity=alarm", set()),
        ("?state=all&code=OVERPAID", {"t1", "t2", "t5"}),
    ],
)
def test_alerts_are_found_by_table_code_rule_dealer_time_and_state(house: Stage, query: str, tables: set[str]) -> None:
    assert {alert["table"] for alert in queue(house, query)} == tables


@pytest.mark.parametrize(
    "query",
    ["state=x", "severity=worst", "coup=two", "coup=-1", "from=yesterday", "to=0001-01-01", "behind=1.2", "behind=x"],
)
def test_a_filter_without_sense_is_refused_in_a_sentence(house: Stage, query: str) -> None:
    answer = house.browser(Role.VIEWER).get(f"/alerts.json?{query}")
    assert answer.status == 422
    assert query.partition("=")[0] in str(answer.json())


def test_the_page_speaks_both_languages_and_tells_severity_in_words(house: Stage) -> None:
    browser = house.browser(Role.VIEWER)
    browser.cookies["language"] = "fr"
    french = browser.get("/alerts").body
    assert "au lieu de 20 (trop payé)" in french
    assert "Alarme" in french
    browser.cookies["language"] = "en"
    english = browser.get("/alerts").body
    assert "instead of 20 (overpaid)" in english
    assert "style=" not in english


def test_an_alert_shows_its_evidence_its_rule_in_both_tongues_and_the_way_to_its_moment(house: Stage) -> None:
    (alert,) = queue(house, "?table=t5&severity=alarm")
    page = house.browser(Role.VIEWER).get(f"/alerts/{alert['id']}").body
    assert "$" in page  # the Québec game is played in dollars
    (alert,) = queue(house, "?table=t1&severity=alarm")
    page = house.browser(Role.VIEWER).get(f"/alerts/{alert['id']}").body
    assert "€25" in page
    assert "En cas de main gagnante, la mise initiale est payée à égalité" in page
    assert f'href="/tables/t1/coups/1?at={alert["first_id"]}"' in page
    assert "overridden · H1" in page


def test_a_change_of_language_leads_back_to_the_same_filters(house: Stage) -> None:
    page = house.browser(Role.VIEWER).get("/alerts?table=t1&severity=alarm").body
    assert 'name="next" value="/alerts?table=t1&amp;severity=alarm"' in page


@pytest.mark.parametrize("number", ["0", "99999", "x", "9" * 30, "-1"])
def test_an_alert_that_is_not_there_is_a_404(house: Stage, number: str) -> None:
    assert house.browser(Role.VIEWER).get(f"/alerts/{number}").status == 404


def test_the_twins_are_what_the_openapi_document_promises(house: Stage) -> None:
    assert wrong_in_twin(house, "/alerts.json?state=all", "alerts") == []
    for alert in queue(house, "?state=all"):
        assert wrong_in_twin(house, f"/alerts/{alert['id']}.json", "alert") == []


def test_an_empty_queue_says_that_the_floor_is_quiet(tmp_path: Path) -> None:
    with stage(tmp_path) as empty:
        browser = empty.browser(Role.VIEWER)
        assert "The floor is quiet." in browser.get("/alerts").body
        assert "No alert fits these filters." in browser.get("/alerts?table=t9").body


def test_alerts_of_a_table_that_is_gone_are_reviewed_and_cleared_in_the_house_s_own_record(tmp_path: Path) -> None:
    with stage(tmp_path) as running:
        running.record(gone="tcf-overpaid")
        running.desk.take_away("gone")
        (alert,) = queue(running)
        browser = running.browser(Role.SURVEILLANCE)
        page = browser.get(f"/alerts/{alert['id']}")
        assert page.status == 200
        assert "no longer configured" in page.body
        here = f"/alerts/{alert['id']}"
        forms: dict[str, dict[str, str]] = {
            "assign": {"to": "investigator"},
            "comment": {"text": "the table went to storage"},
            "acknowledge": {"reason": "known"},
            "escalate": {"to": "table_head", "reason": "for the file"},
            "clear": {"reason": "seen on video"},
        }
        for what, form in forms.items():
            assert browser.post(f"{here}/{what}", {**form, "csrf": browser.csrf()}).status == 303
        shown: Any = browser.get(f"{here}.json").json()
        assert [(line["kind"], line["by"]) for line in shown["history"]] == [
            (kind, "surveillance") for kind in ("assigned", "commented", "acknowledged", "escalated", "cleared")
        ]
        assert (shown["alert"]["is_open"], shown["alert"]["cleared_reason"]) == (False, "seen on video")
        assert queue(running) == []
        running.site.views.catch_up(running.site.journal)
        journaled = [record for record in running.site.journal.tail(None) if record.kind is Kind.OPERATOR]
        assert [str(record.stream) for record in journaled[-5:]] == ["house/rounds"] * 5


def test_a_hold_of_a_table_that_is_gone_can_be_cleared_since_nobody_can_correct_it(tmp_path: Path) -> None:
    with stage(tmp_path) as running:
        running.record(gone="tcf-deal-out-of-order")
        browser = running.browser(Role.SURVEILLANCE)
        (held,) = (each for each in queue(running) if each["holds"] != "nothing" and each["ended_ms"] is None)
        here, form = f"/alerts/{held['id']}", {"reason": "the table was sold", "csrf": browser.csrf()}
        assert browser.post(f"{here}/clear", form).status == 422
        running.desk.take_away("gone")
        assert browser.post(f"{here}/clear", form).status == 303
        assert held["id"] not in {each["id"] for each in queue(running)}


def test_what_is_over_and_awaits_review_is_told_from_what_still_goes_on(tmp_path: Path) -> None:
    with stage(tmp_path) as running:
        running.record(over="tcf-overpaid", going="tcf-deal-out-of-order")
        browser = running.browser(Role.SURVEILLANCE)
        tiles: Any = browser.get("/floor.json").json()
        told = {each["table"]: (each["trouble"], each["awaiting"], each["is_over"]) for each in tiles["tiles"]}
        assert told["over"] == ("alarm", 1, True)
        assert told["going"][0] == "alarm"
        assert not told["going"][2]
        page: Any = browser.get("/alerts.json").json()
        assert page["counts"]["awaiting"] == sum(awaiting for _, awaiting, _ in told.values())
        (corrected,) = queue(running, "?table=over")
        assert "corrected at the table, awaiting review" in browser.get("/alerts").body
        assert "corrigée à la table, à classer" in browser.get(f"/alerts/{corrected['id']}", accept_language="fr").body
        assert 'class="tile alarm over"' in browser.get("/").body


@pytest.fixture(scope="module")
def crowd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """Ten thousand open alerts at forty tables, of two codes."""
    folder = tmp_path_factory.mktemp("crowd")
    with stage(folder) as running:
        db = sqlite3.connect(folder / "views.db", timeout=60)
        with db:
            for number in range(1, 10_001):
                code = "LATE_BET" if number % 4 else "OVERPAID"
                at = replace(LATE, code=code, coup=number, first_ms=number * 1_000, last_ms=number * 1_000)
                table = f"t{number % 40:02d}"
                raise_alert(db, Sheet(dealer="D1"), at, Happening(number, table, number, number, number * 1_000))
        db.close()
        yield running


def test_ten_thousand_open_alerts_are_walked_page_by_page_each_once(crowd: Stage) -> None:
    browser = crowd.browser(Role.VIEWER)
    seen: list[int] = []
    behind = ""
    for _ in range(12):
        page: Any = browser.get(f"/alerts.json?fold=no&behind={behind}").json()
        assert len(page["alerts"]) == 50
        seen += [alert["id"] for alert in page["alerts"]]
        behind = page["next"]
    assert seen == list(range(10_000, 10_000 - 12 * 50, -1))
    last: Any = browser.get("/alerts.json?fold=no&behind=2.51000.51").json()
    assert [alert["id"] for alert in last["alerts"]] == list(range(50, 0, -1))
    assert last["next"] == ""
    assert last["counts"] == {"alarm": 10_000, "warning": 0, "notice": 0, "awaiting": 0}


def test_similar_ones_fold_into_one_line_with_the_way_to_all_of_them(crowd: Stage) -> None:
    folded = queue(crowd)
    assert sum(alert["similar"] for alert in folded) == 10_000
    assert len({(alert["table"], alert["code"]) for alert in folded}) == len(folded) == 40
    page = crowd.browser(Role.VIEWER).get("/alerts").body
    assert "250 alike" in page
    one = folded[0]
    alike = queue(crowd, f"?table={one['table']}&code={one['code']}&fold=no")
    assert {(each["table"], each["code"]) for each in alike} == {(one["table"], one["code"])}


def test_whatever_an_alert_tells_as_evidence_has_a_name_in_both_languages() -> None:
    told = {name for kind in KINDS for text in (kind.fr, kind.en) for _, name, _, _ in Formatter().parse(text) if name}
    assert {"due_cents", "device"} <= told
    named = {key.removeprefix("evidence.") for key in all_words() if key.startswith("evidence.")}
    assert told - named - {"seat", "spot"} == set()
