"""What people do about an alert: who may, what must be said, that it is journaled under a name and shown at once."""

from collections.abc import Iterator
from typing import Any

import pytest

from sabot_gateway.journal.record import Kind
from sabot_gateway.model.event import AlertCleared
from sabot_gateway.model.review import AlertAcknowledged, AlertAssigned, AlertCommented, AlertEscalated, HandsUnsealed
from sabot_gateway.transcript.fact import Said, read_fact
from sabot_gateway.web.accounts.role import RIGHTS, Right, Role
from web.web_stage import Answer, Browser, Stage, stage


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with stage(tmp_path_factory.mktemp("actions")) as running:
        yield running


@pytest.fixture
def table(house: Stage) -> str:
    """A table of the test's own, with one payment that was put right and waits for somebody to look at it."""
    name = f"t{len(house.desk.tables()) + 1}"
    house.record(**{name: "tcf-overpaid"})
    return name


def only_alert(house: Stage, table: str) -> dict[str, Any]:
    page: Any = house.browser(Role.VIEWER).get(f"/alerts.json?state=all&severity=alarm&table={table}").json()
    (alert,) = page["alerts"]
    found: dict[str, Any] = alert
    return found


def do(browser: Browser, number: int, what: str, **form: str) -> Answer:
    return browser.post(f"/alerts/{number}/{what}", {**form, "csrf": browser.csrf()})


def said_about(house: Stage, table: str) -> list[tuple[object, str]]:
    """What people declared about a table, in the journal's order."""
    found: list[tuple[object, str]] = []
    for record in house.site.journal.tail(None):
        if record.kind is Kind.OPERATOR and record.stream == table:
            said = read_fact(record.kind, record.body)
            assert isinstance(said, Said)
            found.append((said.event, said.by))
    return found


def test_each_step_of_a_review_is_journaled_under_a_name_and_shown_after_the_redirect(house: Stage, table: str) -> None:
    before = only_alert(house, table)
    number, name = before["id"], before["alert"]
    operator, investigator = house.browser(Role.SURVEILLANCE), house.browser(Role.INVESTIGATOR)
    steps = (
        (operator, "assign", {"to": "investigator"}),
        (operator, "comment", {"text": "camera 4, 20:00:42\nlooks like a habit"}),
        (investigator, "acknowledge", {"reason": "seen on video"}),
        (investigator, "escalate", {"to": "table_head", "reason": "third time tonight"}),
        (investigator, "clear", {"reason": "chips corrected, dealer told"}),
    )
    for browser, what, form in steps:
        answer = do(browser, number, what, **form)
        assert (answer.status, answer.headers["location"]) == (303, f"/alerts/{number}")
        page = browser.get(f"/alerts/{number}").body
        assert all(value.partition("\n")[0].replace("table_head", "table head") in page for value in form.values()), (
            what
        )
    facts = [(type(event), by) for event, by in said_about(house, table)[-5:]]
    assert facts == [
        (AlertAssigned, "surveillance"),
        (AlertCommented, "surveillance"),
        (AlertAcknowledged, "investigator"),
        (AlertEscalated, "investigator"),
        (AlertCleared, "investigator"),
    ]
    after = only_alert(house, table)
    assert (after["is_open"], after["cleared_by"], after["cleared_reason"]) == (
        False,
        "investigator",
        "chips corrected, dealer told",
    )
    assert after["alert"] == name
    assert "Cleared by investigator" in house.browser(Role.VIEWER).get(f"/alerts/{number}").body
    left: Any = house.browser(Role.VIEWER).get("/alerts.json").json()
    assert number not in [alert["id"] for alert in left["alerts"]]


@pytest.mark.parametrize("role", Role)
def test_only_those_with_the_right_clear_an_alert(house: Stage, table: str, role: Role) -> None:
    number = only_alert(house, table)["id"]
    browser = house.browser(role)
    answer = do(browser, number, "clear", reason="seen")
    is_allowed = Right.CLEAR_ALERTS in RIGHTS[role]
    assert answer.status == (303 if is_allowed else 403)
    assert only_alert(house, table)["is_open"] != is_allowed
    cleared = [by for event, by in said_about(house, table) if isinstance(event, AlertCleared)]
    assert cleared == ([role.value.replace("_", "-")] if is_allowed else [])
    has_form = f'action="/alerts/{number}/clear"' in browser.get(f"/alerts/{number}").body
    assert not has_form


@pytest.mark.parametrize("role", [Role.VIEWER, Role.TECHNICIAN])
@pytest.mark.parametrize("what", ["assign", "comment", "acknowledge", "escalate"])
def test_who_may_only_look_handles_nothing(house: Stage, table: str, role: Role, what: str) -> None:
    number = only_alert(house, table)["id"]
    before = len(said_about(house, table))
    browser = house.browser(role)
    assert do(browser, number, what, to="viewer", text="x", reason="x").status == 403
    assert "<textarea" not in browser.get(f"/alerts/{number}").body
    assert len(said_about(house, table)) == before


@pytest.mark.parametrize(
    ("what", "form"),
    [
        ("clear", {"reason": "  "}),
        ("clear", {}),
        ("clear", {"reason": "x" * 1_001}),
        ("acknowledge", {"reason": ""}),
        ("acknowledge", {"reason": "bell \x07"}),
        ("comment", {"text": ""}),
        ("escalate", {"to": "investigator"}),
        ("escalate", {"to": "nobody", "reason": "x"}),
        ("escalate", {"to": "", "reason": "x"}),
        ("assign", {"to": "nobody"}),
    ],
)
def test_nothing_is_journaled_without_a_reason_or_for_nobody(
    house: Stage, table: str, what: str, form: dict[str, str]
) -> None:
    before = said_about(house, table)
    assert do(house.browser(Role.INVESTIGATOR), only_alert(house, table)["id"], what, **form).status == 422
    assert said_about(house, table) == before


def test_money_that_is_wrong_is_not_cleared_away(house: Stage) -> None:
    """TCF: an alert that holds the settlement is corrected or overridden at the table, not here."""
    table = "held"
    house.record(held="tcf-deal-out-of-order")
    alert = only_alert(house, table)
    assert (alert["holds"], alert["ended_ms"]) == ("settle", None)
    browser = house.browser(Role.SURVEILLANCE)
    page = browser.get(f"/alerts/{alert['id']}").body
    assert "The table waits" in page
    assert f'action="/alerts/{alert["id"]}/clear"' not in page
    before = said_about(house, table)
    answer = do(browser, alert["id"], "clear", reason="in a hurry")
    assert answer.status == 422
    assert "holds the table up" in answer.body
    assert said_about(house, table) == before


def test_an_alert_is_cleared_once(house: Stage, table: str) -> None:
    number = only_alert(house, table)["id"]
    assert do(house.browser(Role.SURVEILLANCE), number, "clear", reason="seen").status == 303
    again = do(house.browser(Role.INVESTIGATOR), number, "clear", reason="me too")
    assert again.status == 422
    assert "already cleared (by surveillance)" in again.body
    assert do(house.browser(Role.INVESTIGATOR), 4711, "clear", reason="what").status == 404


def test_mine_are_those_assigned_to_me_and_an_empty_name_gives_one_back(house: Stage, table: str) -> None:
    number = only_alert(house, table)["id"]
    browser = house.browser(Role.SURVEILLANCE)
    do(browser, number, "assign", to="surveillance")
    mine: Any = browser.get("/alerts.json?mine=1").json()
    assert [alert["id"] for alert in mine["alerts"]] == [number]
    do(browser, number, "assign", to="")
    mine = browser.get("/alerts.json?mine=1").json()
    assert mine["alerts"] == []
    assert "gives it back to everybody" in browser.get(f"/alerts/{number}").body


def test_what_somebody_wrote_stays_text(house: Stage, table: str) -> None:
    number = only_alert(house, table)["id"]
    browser = house.browser(Role.SURVEILLANCE)
    do(browser, number, "comment", text="<script>alert(1)</script>")
    page = browser.get(f"/alerts/{number}").body
    assert "&lt;script&gt;alert(1)" in page
    assert "<script>alert" not in page


def test_similar_ones_are_cleared_with_one_reason(house: Stage) -> None:
    """The script leaves three payments that were put right, each an alarm for somebody to look at."""
    table = "alike"
    house.record(alike="tcf-losing-side-bet-looks-like-a-winning-one")
    page: Any = house.browser(Role.VIEWER).get("/alerts.json?table=alike&code=UNDERPAID").json()
    (folded,) = page["alerts"]
    assert folded["similar"] == 3
    browser = house.browser(Role.SURVEILLANCE)
    assert "and all that are alike (2 more)" in browser.get(f"/alerts/{folded['id']}").body
    assert do(browser, folded["id"], "clear", reason="one story", similar="yes").status == 303
    page = browser.get("/alerts.json?table=alike&code=UNDERPAID&fold=no").json()
    assert page["alerts"] == []
    cleared = [event for event, _ in said_about(house, table) if isinstance(event, AlertCleared)]
    assert [event.reason for event in cleared] == ["one story"] * 3
    assert len({event.alert for event in cleared}) == 3


def test_the_live_line_tells_of_the_queue_and_of_nothing_else(house: Stage, table: str) -> None:
    alert, views = only_alert(house, table)["alert"], house.site.views
    with house.browser(Role.VIEWER).stream("/live?alerts=1&after=0") as line:
        while not line.readline().startswith(b"id: "):
            pass  # that it went on since the beginning; from here on it listens
        opened = house.desk.submit(table, HandsUnsealed("investigator", 1, "why"), "investigator").result(60)
        views.catch_up(house.site.journal)
        assert views.last_id >= opened.id
        commented = house.desk.submit(table, AlertCommented("surveillance", alert, "seen"), "surveillance").result(60)
        said = ""
        while not said.startswith("id: "):
            said = line.readline().decode()
    assert int(said.removeprefix("id: ")) >= commented.id


@pytest.mark.usefixtures("table")
def test_who_was_away_hears_that_the_queue_went_on(house: Stage) -> None:
    with house.browser(Role.VIEWER).stream("/live?alerts=1", last_event_id="1") as line:
        said = ""
        while said != f"id: {house.site.views.last_id}\n":
            said = line.readline().decode()
        assert line.readline() == b"event: changed\n"
    assert house.browser().get("/live?alerts=1").status == 401
