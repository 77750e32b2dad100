"""A coup step by step over HTTP: addresses, clocks, rules, accounts, video; and never a card that was not shown."""

import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sabot_gateway.journal.record import Kind
from sabot_gateway.model.review import HandsUnsealed
from sabot_gateway.projections.coups import coup_at
from sabot_gateway.transcript.fact import Said, read_fact
from sabot_gateway.web.accounts.role import RIGHTS, Right, Role
from sabot_gateway.web.unsealing import OPEN_MS, is_opened
from web.twin_shapes import wrong_in_twin
from web.web_stage import Answer, Browser, Stage, now_ms, stage

VIDEO = "https://video.example/play?c={camera}&from={from}&to={to}&x={y}"
FOLDED = ("7s", "8h", "9d")  # what tcf-bonus-of-a-folded-hand deals to seat 3, which folds
SUITS = {"s": "♠", "h": "♥", "d": "♦"}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with stage(tmp_path_factory.mktemp("recall"), video=VIDEO) as running:
        running.desk.cameras = ("cam 31", "cam-32")
        running.record(
            t1="tcf-wrong-payment-overridden",
            t2="tcf-second-coup",
            t3="tcf-bonus-of-a-folded-hand",
            t4="the-two-side-pots",
            t5="uth-full-table",
            t6="stu-seven-buyers",
            t7="tcp-six-card-royal",
        )
        yield running


def recalled(house: Stage, path: str, role: Role = Role.VIEWER) -> dict[str, Any]:
    answer = house.browser(role).get(path)
    assert answer.status == 200, answer.body
    data: Any = answer.json()
    page: dict[str, Any] = data
    return page


def unseal(browser: Browser, table: str, number: int, reason: str = "complaint 12") -> Answer:
    return browser.post(f"/tables/{table}/coups/{number}/unseal", {"reason": reason, "csrf": browser.csrf()})


def openings(house: Stage) -> list[tuple[str, int, str]]:
    found: list[tuple[str, int, str]] = []
    for record in house.site.journal.tail(None):
        said = (
            read_fact(record.kind, record.body) if record.kind is Kind.OPERATOR and "/" not in record.stream else None
        )
        if isinstance(said, Said) and isinstance(said.event, HandsUnsealed):
            found.append((said.by, said.event.coup, said.event.reason))
    return found


def cards_in(page: str) -> set[str]:
    """Every card that a page draws on the felt or writes out."""
    drawn = re.findall(r'>([0-9TJQKA]+)</text>\s*<text class="suit"[^>]*>([♠♥♦♣])<', page)
    return {rank + suit for rank, suit in [*drawn, *re.findall(r"([0-9TJQKA]+)([♠♥♦♣])", page)]}


def shows_folded(page: str) -> bool:
    return bool(cards_in(page) & {card[0] + SUITS[card[1]] for card in FOLDED})


def test_every_step_has_an_address_of_its_own(house: Stage) -> None:
    page = recalled(house, "/tables/t1/coups/1.json")
    steps = page["steps"]
    assert [step["number"] for step in steps] == list(range(1, len(steps) + 1))
    assert steps[page["step"] - 1]["en"] == "The dealer shows his hand."  # one lands where the coup is decided
    browser = house.browser(Role.VIEWER)
    for step in steps:
        part = browser.get(f"/tables/t1/coups/1?part=1&step={step['number']}").body
        assert f"{step['number']} of {len(steps)}" in part
        assert "<html" not in part
    whole = browser.get("/tables/t1/coups/1").body
    assert all(f'id="step-{step["number"]}"' in whole and f'href="?step={step["number"]}"' in whole for step in steps)
    assert recalled(house, "/tables/t1/coups/1.json?step=999")["step"] == len(steps)
    assert recalled(house, "/tables/t1/coups/1.json?step=0")["step"] == 1


def test_an_alert_leads_to_the_step_that_raised_it(house: Stage) -> None:
    alerts: Any = house.browser(Role.VIEWER).get("/alerts.json?table=t1&severity=alarm").json()
    (alert,) = alerts["alerts"]
    page = recalled(house, f"/tables/t1/coups/1.json?at={alert['first_id']}")
    step = page["steps"][page["step"] - 1]
    assert step["en"] == "Seat 3's ANTE holds €25."
    (raised,) = [said for said in step["concluded"] if said["rules"]]
    assert (raised["en"], raised["rules"]) == ("Alert: Seat 3, ANTE: 25 instead of 20 (overpaid).", ["TCF-59"])


def test_a_step_tells_the_clocks_of_the_controller_and_of_the_wall(house: Stage) -> None:
    page = recalled(house, "/tables/t1/coups/1.json?step=1")
    step = page["steps"][0]
    assert (step["device"], step["device_ms"], step["spread_ms"]) == ("spots", 72_027_000, 20)
    assert step["received_ms"] - step["at_ms"] == 15
    shown = house.browser(Role.VIEWER).get("/tables/t1/coups/1?step=1").body
    assert "20:00:22.000" in shown
    assert "± 20 ms" in shown


def test_the_rules_stand_in_their_own_french_beside_ours(house: Stage) -> None:
    rules = {rule["id"]: rule for rule in recalled(house, "/tables/t1/coups/1.json")["rules"]}
    assert set(rules) >= {"TCF-46", "TCF-59", "TCF-62"}  # of the settlement and the payments
    assert set(rules) >= {"TCF-25", "TCF-29", "TCF-42", "TCF-44"}  # of the bets, the deal, the raise, the dealer's hand
    page = house.browser(Role.VIEWER).get("/tables/t1/coups/1").body
    assert "En cas de main gagnante, la mise initiale est payée à égalité" in page
    assert "the initial stake is paid even money" in page


def test_expected_stands_beside_actual_step_by_step(house: Stage) -> None:
    wrong = next(
        step["number"]
        for step in recalled(house, "/tables/t1/coups/1.json")["steps"]
        if step["en"] == "Seat 3's ANTE holds €25."
    )
    spots = {spot["spot"]: spot for spot in recalled(house, f"/tables/t1/coups/1.json?step={wrong}")["spots"]}
    assert (spots["ante"]["expected_cents"], spots["ante"]["actual_cents"]) == (2_000, 2_500)
    assert spots["ante"]["status"] == "pending"
    last = {spot["spot"]: spot for spot in recalled(house, "/tables/t1/coups/1.json?step=999")["spots"]}
    assert (last["ante"]["status"], last["play"]["status"]) == ("overridden", "right")
    assert "+€5" in house.browser(Role.VIEWER).get("/tables/t1/coups/1").body  # the report's own table, at the end


def test_video_is_a_link_per_camera_around_the_moment(house: Stage) -> None:
    page = recalled(house, "/tables/t1/coups/1.json?step=1")  # at 20:00:22.000, give or take 20 ms
    assert page["video"][0] == {
        "camera": "cam 31",
        "address": "https://video.example/play?c=cam%2031&from=2026-11-17T20%3A00%3A16.980Z"
        "&to=2026-11-17T20%3A00%3A32.020Z&x={y}",
    }
    assert [link["camera"] for link in page["video"]] == ["cam 31", "cam-32"]


def test_a_coup_still_running_is_shown_up_to_now_and_says_so(house: Stage) -> None:
    page = recalled(house, "/tables/t2/coups/2.json")
    assert page["is_running"]
    assert page["step"] == len(page["steps"])
    browser = house.browser(Role.INVESTIGATOR)
    shown = browser.get("/tables/t2/coups/2").body
    assert "still running" in shown
    assert 'data-live="/live?table=t2"' in shown
    assert "/unseal" not in shown
    before = openings(house)
    assert unseal(browser, "t2", 2).status == 422
    assert openings(house) == before


def test_coups_that_are_not_there_are_a_404(house: Stage) -> None:
    browser = house.browser(Role.VIEWER)
    for path in ("/tables/t1/coups/2", "/tables/none/coups/1", "/tables/t1/coups/x", "/tables/t1/coups/" + "9" * 30):
        assert browser.get(path).status == 404, path
    assert browser.get("/tables/t1/coups/1?step=x").status == 422


@pytest.mark.parametrize("table", ["t1", "t2", "t4", "t5", "t6", "t7"])
def test_every_game_is_drawn_at_every_step_and_its_twin_is_as_promised(house: Stage, table: str) -> None:
    path = f"/tables/{table}/coups/1"
    assert wrong_in_twin(house, f"{path}.json", "recall") == []
    browser = house.browser(Role.VIEWER)
    browser.cookies["language"] = "fr"
    for step in recalled(house, f"{path}.json")["steps"]:
        part = browser.get(f"{path}?part=1&step={step['number']}")
        assert part.status == 200
        assert '<svg class="felt"' in part.body


@pytest.mark.parametrize("role", Role)
def test_no_step_shows_a_folded_hand_to_anybody(house: Stage, role: Role) -> None:
    """Law 7: the hand of seat 3 was folded and never shown."""
    browser = house.browser(role)
    assert cards_in(browser.get("/tables/t3/coups/1").body) == {"Q♥", "9♠", "2♣"}  # the dealer's own, which he shows
    for step in range(1, len(recalled(house, "/tables/t3/coups/1.json")["steps"]) + 1):
        page = recalled(house, f"/tables/t3/coups/1.json?step={step}", role)
        assert page["sealed"] == {}
        assert not {f"'{card}'" for card in FOLDED} & set(re.findall(r"'\w\w'", str(page)))
        assert not shows_folded(browser.get(f"/tables/t3/coups/1?part=1&step={step}").body)


@pytest.mark.parametrize("role", Role)
def test_only_an_investigator_opens_sealed_hands_and_it_is_journaled_first(house: Stage, role: Role) -> None:
    browser, before = house.browser(role), openings(house)
    answer = unseal(browser, "t3", 1)
    if Right.UNSEAL not in RIGHTS[role]:
        assert answer.status == 403
        assert openings(house) == before
        return
    assert role is Role.INVESTIGATOR
    assert answer.status == 303
    assert openings(house) == [*before, ("investigator", 1, "complaint 12")]
    there = answer.headers["location"]
    page = browser.get(there).body
    assert shows_folded(page)
    assert cards_in(page) >= {card[0] + SUITS[card[1]] for card in FOLDED}
    assert "Open to investigator" in page
    for other in set(Role) - {Role.INVESTIGATOR}:
        assert house.browser(other).get(there).status == 403
        assert house.browser(other).get(there.replace("?", ".json?")).status == 403
    assert not shows_folded(browser.get(there.partition("?")[0]).body)


def test_an_opening_holds_for_its_own_coup_and_person_and_not_for_ever(house: Stage) -> None:
    browser = house.browser(Role.INVESTIGATOR)
    there = unseal(browser, "t3", 1).headers["location"]
    opened = int(there.rpartition("=")[2])
    elsewhere = unseal(browser, "t1", 1).headers["location"].rpartition("=")[2]
    assert browser.get(f"/tables/t1/coups/1?opened={opened}").status == 403
    for other in (elsewhere, "1", "0", "999999999"):
        assert browser.get(f"/tables/t3/coups/1?opened={other}").status == 403, other
    with house.site.views.reading() as db:
        coup = coup_at(db, "t3", 1)
    assert coup is not None
    journal, now = house.site.journal, now_ms()
    assert is_opened(journal, opened, coup, "investigator", now)
    assert not is_opened(journal, opened, coup, "somebody", now)
    assert not is_opened(journal, opened, coup, "investigator", now + OPEN_MS + 60_000)


def test_without_a_reason_nothing_is_opened(house: Stage) -> None:
    before = openings(house)
    assert unseal(house.browser(Role.INVESTIGATOR), "t3", 1, reason="   ").status == 422
    assert openings(house) == before


def test_a_decision_of_today_that_differs_is_said(house: Stage) -> None:
    assert recalled(house, "/tables/t1/coups/1.json")["differs"] == []
    assert "would decide otherwise" not in house.browser(Role.VIEWER).get("/tables/t1/coups/1").body


def test_a_coup_whose_end_is_not_kept_ends_where_the_next_begins_and_stays_sealed(tmp_path: Path) -> None:
    with stage(tmp_path) as running:
        running.record(t1="tcf-second-coup")
        whole = recalled(running, "/tables/t1/coups/1.json")
        db = sqlite3.connect(tmp_path / "views.db", timeout=60)
        with db:
            db.execute("UPDATE coup SET status = 'lost', end_id = NULL, end_position = NULL WHERE number = 1")
        db.close()
        page = recalled(running, "/tables/t1/coups/1.json")
        assert page["coup"]["status"] == "lost"
        assert not page["is_running"]
        assert page["steps"][: len(whole["steps"])] == whole["steps"]
        assert page["steps"][-1]["id"] < recalled(running, "/tables/t1/coups/2.json")["steps"][0]["id"]
        assert unseal(running.browser(Role.INVESTIGATOR), "t1", 1).status == 422
