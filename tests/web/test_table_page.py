"""The page of one table: its log in sentences, what a table head declares there, and a table that is gone."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sabot_gateway.model import event as facts
from sabot_gateway.model.card import cards_from_text
from sabot_gateway.model.coup import Decision, Void
from sabot_gateway.table.machine import step
from sabot_gateway.table.state import TableState
from sabot_gateway.web.accounts.role import RIGHTS, Right, Role
from sabot_tools.rounds.playing import play
from sabot_tools.rounds.reading import script_from_file
from sabot_tools.rounds.recording import Recorder
from web.web_stage import ROUNDS, Browser, Stage, played, stage

HEAD = "table-head"


@pytest.fixture(scope="module")
def open_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with stage(tmp_path_factory.mktemp("house")) as running:
        yield running


@pytest.fixture
def house(open_house: Stage) -> Stage:
    open_house.desk.asked.clear()
    return open_house


@pytest.fixture
def head(house: Stage) -> Browser:
    return house.browser(Role.TABLE_HEAD)


def declare(browser: Browser, path: str, **form: str) -> tuple[int, str]:
    answer = browser.post(path, {"csrf": browser.csrf(), "sure": "yes", **form})
    return answer.status, answer.body


def recorded(house: Stage, script: str, table: str) -> None:
    Recorder(house.site.journal).record(table, play(script_from_file(ROUNDS / f"{script}.round")))


def test_the_log_tells_the_coup_in_both_languages_newest_first(house: Stage) -> None:
    recorded(house, "tcf-overpaid", "log1")
    house.desk.put("log1", played("tcf-overpaid"))
    browser = house.browser(Role.VIEWER)
    page = browser.get("/tables/log1", accept_language="fr").body
    assert "Siège 3 relance 10\N{NO-BREAK SPACE}€." in page
    data = browser.get("/tables/log1.json").json()
    assert isinstance(data, dict)
    log = data["log"]
    times = [line["at_ms"] for line in log]
    assert times == sorted(times, reverse=True)
    assert "Seat 3 raises €10." in [line["en"] for line in log]
    assert sum(line["kind"] == "alert" for line in log) == 1


def test_the_log_goes_on_where_it_stopped_and_begins_anew_with_each_coup(house: Stage) -> None:
    house.desk.put("log2", played("tcf-nobody-plays"))
    browser = house.browser(Role.VIEWER)
    assert "Nothing yet in this coup." in browser.get("/tables/log2").body
    recorded(house, "tcf-overpaid", "log2")
    first = browser.get("/tables/log2").body
    assert "Seat 3 raises €10." in first
    assert first.count("Seat 3 raises €10.") == browser.get("/tables/log2").body.count("Seat 3 raises €10.") == 1


def test_a_log_that_cannot_be_read_says_so_and_the_felt_is_still_there(tmp_path: Path) -> None:
    with stage(tmp_path) as house:
        house.desk.put("t1", played("tcf-seven-players", 8))
        house.site.journal.close()
        page = house.browser(Role.VIEWER).get("/tables/t1")
    assert page.status == 200
    assert "cannot be read just now" in page.body
    assert 'class="chair"' in page.body


def test_a_table_that_is_no_longer_in_the_settings_says_so_in_a_sentence(house: Stage) -> None:
    house.desk.put("t1", played("tcf-nobody-plays"))
    browser = house.browser(Role.VIEWER)
    assert browser.get("/tables/t1").status == 200
    house.desk.take_away("t1")
    for path in ("/tables/t1", "/tables/t1?part=1"):
        gone = browser.get(path)
        assert gone.status == 404
        assert "Table t1 is not, or no longer, in this gateway&#39;s settings" in gone.body
    assert "settings" in str(browser.get("/tables/t1.json").json())


def test_who_follows_a_table_that_goes_is_told_to_look_again(house: Stage) -> None:
    house.desk.put("brief", played("tcf-nobody-plays"))
    with house.browser(Role.VIEWER).stream("/live?table=brief") as line:
        while not line.readline().startswith(b"data"):
            pass
        house.desk.take_away("brief")
        house.desk.put("t1", played("tcf-nobody-plays"))  # something rings
        assert b"event: leave\n" in line.read()


@pytest.mark.parametrize(
    ("script", "left", "path", "form", "event"),
    [
        ("tcf-seven-players", 8, "void", {"cause": "collusion"}, facts.CoupVoided(HEAD, Void.COLLUSION)),
        ("tcf-seven-players", 8, "seat", {"seat": "2", "change": "absent"}, facts.PlayerAbsent(2)),
        ("tcf-seven-players", 8, "seat", {"seat": "2", "change": "left"}, facts.PlayerLeft(2)),
        ("tcf-seven-players", 8, "float", {"amount": "12000,50"}, facts.FloatDeclared(1_200_050)),
        (
            "the-two-side-pots", 6, "seat", {"seat": "6", "change": "seated", "player": "Zoé"},
            facts.PlayerSeated(6, "Zoé"),
        ),
        ("the-two-side-pots", 6, "wait", {"player": "Zoé"}, facts.PlayerWaiting("Zoé")),
        ("the-two-side-pots", 6, "recave", {"seat": "4", "amount": "200"}, facts.Recaved(4, 20_000)),
        ("the-two-side-pots", 6, "consign", {"seat": "3", "amount": "1.50"}, facts.StakeConsigned(HEAD, 3, 150)),
        ("the-two-side-pots", 6, "claim", {"player": "Zoé"}, facts.ConsignmentClaimed(HEAD, "Zoé")),
        ("the-two-side-pots", 6, "button", {"seat": "1"}, facts.ButtonPlaced(1)),
        ("the-two-side-pots", 6, "rake", {"amount": "5"}, facts.RakeDropped(500)),
        (
            "tcf-gap-in-the-coup", -1, "confirm", {"seat": "3", "cards": "A♠ Kd 10h", "decision": "raise"},
            facts.HandConfirmed(HEAD, 3, cards_from_text("AsKdTh"), Decision.RAISE),
        ),
        ("uth-gap-in-the-coup", -1, "confirm", {"seat": "-1", "cards": ""}, facts.HandConfirmed(HEAD, -1, ())),
    ],
)  # fmt: skip
def test_what_a_table_head_declares_is_submitted_under_his_name(
    house: Stage, head: Browser, script: str, left: int, path: str, form: dict[str, str], event: object
) -> None:
    house.desk.put("t1", in_review(script) if left < 0 else played(script, left))
    status, body = declare(head, f"/tables/t1/{path}", **form)
    assert (status, body) == (303, "")
    assert house.desk.asked == [("t1", event, HEAD)]
    assert "under your name" in head.get(f"/tables/t1?done={path}").body


def in_review(script: str) -> TableState:
    """The script as far as the moment at which its coup is in review."""
    for left in range(40):
        state = played(script, left)
        if state.review is not None:
            return state
    raise AssertionError(f"{script} never comes to a review")


def test_a_review_says_whose_cards_nobody_has_confirmed_yet(house: Stage, head: Browser) -> None:
    state = in_review("tcf-gap-in-the-coup")
    house.desk.put("t1", state)
    before = head.get("/tables/t1.json").json()
    assert isinstance(before, dict)
    awaiting = before["view"]["review"]["awaiting"]
    assert awaiting == [3, 0]
    assert "Left to confirm: Seat 3, Dealer<" in " ".join(head.get("/tables/t1").body.split())
    word = facts.HandConfirmed(HEAD, 3, cards_from_text("As9h4c"), at_ms=state.coup.phase_ms + 1_000)
    house.desk.put("t1", step(state, word).state)
    after = head.get("/tables/t1.json").json()
    assert isinstance(after, dict)
    assert after["view"]["review"]["awaiting"] == [0]
    assert "Left to confirm: Dealer<" in " ".join(head.get("/tables/t1").body.split())


def test_an_alert_is_overridden_with_a_reason(house: Stage, head: Browser) -> None:
    state = next(state for left in range(20) if (state := played("tcf-past-posting", left)).alerts)
    house.desk.put("t1", state)
    alert = next(iter(state.alerts))
    assert declare(head, "/tables/t1/override", alert=alert, reason=" ")[0] == 422
    assert declare(head, "/tables/t1/override", alert="none", reason="seen")[0] == 422
    assert house.desk.asked == []
    assert declare(head, "/tables/t1/override", alert=alert, reason="He moved his own chip.")[0] == 303
    assert house.desk.asked == [("t1", facts.AlertOverridden(HEAD, alert, "He moved his own chip."), HEAD)]


@pytest.mark.parametrize(
    ("script", "left", "path", "form", "said"),
    [
        ("tcf-nobody-plays", 0, "void", {"cause": "collusion"}, "nothing to void"),
        ("tcf-seven-players", 8, "void", {"cause": "boredom"}, "makes no sense"),
        ("tcf-seven-players", 8, "confirm", {"seat": "3", "cards": "AsKd"}, "not in review"),
        ("tcf-seven-players", 8, "recave", {"seat": "3", "amount": "20"}, "Only Texas"),
        ("the-two-side-pots", 6, "seat", {"seat": "9", "change": "absent"}, "Nobody sits at seat 9"),
        ("the-two-side-pots", 6, "seat", {"seat": "11", "change": "seated"}, "makes no sense"),
        ("the-two-side-pots", 6, "call", {"player": "Zoé", "answered": "yes"}, "not on the waiting list"),
        ("the-two-side-pots", 6, "recave", {"seat": "4", "amount": "twenty"}, "Write an amount"),
        ("the-two-side-pots", 6, "recave", {"seat": "4", "amount": "0"}, "Write an amount"),
        ("the-two-side-pots", 6, "wait", {"player": "\x1b[31m"}, "makes no sense"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_refused_with_a_sentence_and_not_journaled(
    house: Stage, head: Browser, script: str, left: int, path: str, form: dict[str, str], said: str
) -> None:
    house.desk.put("t1", played(script, left))
    status, body = declare(head, f"/tables/t1/{path}", **form)
    assert status == 422
    assert said in body
    assert house.desk.asked == []


@pytest.mark.parametrize("cards", ["", "As As", "Zz", "A"])
def test_a_hand_in_review_must_be_cards_each_once(house: Stage, head: Browser, cards: str) -> None:
    house.desk.put("t1", in_review("tcf-gap-in-the-coup"))
    status, body = declare(head, "/tables/t1/confirm", seat="0", cards=cards)
    assert status == 422
    assert "each once" in body


def test_nothing_is_declared_without_the_tick(house: Stage, head: Browser) -> None:
    house.desk.put("t1", played("tcf-seven-players", 8))
    answer = head.post("/tables/t1/void", {"csrf": head.csrf(), "cause": "collusion"})
    assert answer.status == 422
    assert "nothing was done" in answer.body
    assert house.desk.asked == []


@pytest.mark.parametrize("role", Role)
def test_only_who_may_direct_a_table_sees_and_may_send_the_forms(house: Stage, role: Role) -> None:
    house.desk.put("t1", played("tcf-seven-players", 8))
    browser = house.browser(role)
    is_allowed = Right.DIRECT_TABLE in RIGHTS[role]
    assert ("/tables/t1/void" in browser.get("/tables/t1").body) is is_allowed
    assert declare(browser, "/tables/t1/void", cause="collusion")[0] == (303 if is_allowed else 403)
    assert bool(house.desk.asked) is is_allowed
