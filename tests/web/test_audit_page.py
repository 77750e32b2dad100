"""Proof: the chains and their signature, a verification on demand, what was refused, and who did what."""

import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from sqlite3 import connect
from typing import Any

import pytest

from sabot_gateway.journal.port import Append
from sabot_gateway.journal.quarantine import Refusal
from sabot_gateway.journal.record import Entry, Kind, Owner, Stream
from sabot_gateway.model.person import Person
from sabot_gateway.model.person import Role as TableRole
from sabot_gateway.model.tag import Tag
from sabot_gateway.rules.ruleset import Ruleset, digest
from sabot_gateway.runtime.desk import DeviceStatus
from sabot_gateway.transcript.fact import Configured, body_from_setup, read_fact
from sabot_gateway.transcript.house import House, bodies_from_registers, digest_of, take_house
from sabot_gateway.web.accounts.role import RIGHTS, Right, Role
from sabot_gateway.web.pages.audit import LIMIT
from sabot_tools.rounds.playing import play
from sabot_tools.rounds.reading import script_from_file
from sabot_tools.rounds.recording import FENCE, HOUSE, OWNER, Recorder
from web.web_stage import ROUNDS, Browser, Stage, now_ms, played, stage

GATEWAY = Owner("cannes-1")


def recorded(house: Stage, script: str, table: str) -> None:
    Recorder(house.site.journal).record(table, play(script_from_file(ROUNDS / f"{script}.round")))


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with stage(tmp_path_factory.mktemp("house")) as running:
        recorded(running, "tcf-overpaid", "t1")
        running.desk.put("t1", played("tcf-overpaid"))
        running.desk.known.append(DeviceStatus("d1", "t1", "table", "online", firmware="1.4.0", digest="cd" * 32))
        running.site.journal.sign_checkpoint(now_ms()).result()
        refusals = [Refusal("envelope", "sabot/v1/cannes/d1/event", b"<script>alert(1)</script>", 1_794_900_000_000)]
        refusals += [Refusal("topic", f"sabot/v1/{nth}", bytes([nth]) * 40, 1_794_900_000_000) for nth in range(120)]
        running.site.journal.quarantine(GATEWAY, 1, refusals).result()
        yield running


@pytest.fixture
def auditor(house: Stage) -> Browser:
    return house.browser(Role.INVESTIGATOR)


def asked(browser: Browser, path: str) -> dict[str, Any]:
    data = browser.get(path).json()
    assert isinstance(data, dict)
    return data


def verified(browser: Browser) -> dict[str, Any]:
    """Begins a verification and waits for its end."""
    assert browser.post("/audit/verify", {"csrf": browser.csrf()}).status == 303
    until = time.monotonic() + 60
    while (found := asked(browser, "/audit/verification.json")["verification"])["state"] == "running":
        assert time.monotonic() < until
        time.sleep(0.02)
    assert isinstance(found, dict)
    return found


def test_each_chain_is_shown_with_its_end_and_the_last_signature(house: Stage, auditor: Browser) -> None:
    data = asked(auditor, "/audit.json")
    heads = {each["stream"]: (each["position"], each["hash"]) for each in data["heads"]}
    journal = {name: (head.position, head.hash.hex()) for name, head in house.site.journal.heads().items()}
    assert heads == journal
    signed = data["extent"]["checkpoint"]
    assert signed["number"] == 1
    assert 0 < signed["last_id"] < data["extent"]["last_id"]
    page = auditor.get("/audit").body
    assert signed["heads"] in page
    assert all(digest in page for _, digest in journal.values())


def test_software_rules_and_retention_are_shown(house: Stage, auditor: Browser) -> None:
    data = asked(auditor, "/audit.json")
    assert len(data["gateway"]["digest"]) == 64
    assert data["controllers"] == [{"firmware": "1.4.0", "digest": "cd" * 32, "controllers": 1}]
    (ruled,) = data["rulesets"]
    view = house.desk.view("t1")["ruleset"]
    assert isinstance(view, dict)
    assert (ruled["ruleset"], ruled["sha256"]) == (view["id"], view["sha256"])
    assert data["retention"] == {"days": 0, "checkpoint_minutes": 10, "backup_hours": 0, "backups_kept": 0}
    assert "pour toujours" in auditor.get("/audit", accept_language="fr").body


def test_a_whole_journal_is_found_whole_and_the_asker_is_journaled(house: Stage, auditor: Browser) -> None:
    house.desk.asked.clear()
    found = verified(auditor)
    assert (found["state"], found["findings"], found["by"]) == ("whole", [], "investigator")
    assert found["done"] == found["total"] == asked(auditor, "/audit.json")["extent"]["last_id"]
    assert ("verification_begun", {}, "investigator") in house.desk.asked
    assert "it is what was written" in auditor.get("/audit").body


def test_a_journal_altered_by_one_bit_is_found_broken_and_where(tmp_path: Path) -> None:
    with stage(tmp_path) as house:
        recorded(house, "tcf-overpaid", "t1")
        auditor = house.browser(Role.SURVEILLANCE)
        assert verified(auditor)["state"] == "whole"
        with closing(connect(tmp_path / "journal.db")) as db:
            number, body = db.execute("SELECT id, body FROM record WHERE id > 5 LIMIT 1").fetchone()
            db.execute("UPDATE record SET body = ? WHERE id = ?", (bytes([body[0] ^ 1]) + body[1:], number))
            db.commit()
        found = verified(auditor)
        assert found["state"] == "broken"
        assert found["findings"][0]["id"] == number
        assert f"Record {number} " in auditor.get("/audit").body


def test_refused_bytes_are_digits_and_never_markup(auditor: Browser) -> None:
    listed = asked(auditor, "/audit/quarantine.json?reason=envelope")["refused"]
    assert [bytes.fromhex(each["hex"])[:8] for each in listed] == [b"<script>"]
    page = auditor.get(f"/audit/quarantine/{listed[0]['id']}")
    assert b"<script>".hex(" ") in page.body
    assert "alert(1)" not in page.body
    assert auditor.get("/audit/quarantine/1").status == 404


def test_the_quarantine_is_read_page_by_page_without_a_gap(auditor: Browser) -> None:
    seen: list[int] = []
    before = ""
    while True:
        data = asked(auditor, f"/audit/quarantine.json?reason=topic{before}")
        seen += [each["id"] for each in data["refused"]]
        assert len(data["refused"]) <= LIMIT
        if not data["next"]:
            break
        before = f"&before={data['next']}"
    assert len(seen) == len(set(seen)) == data["counts"]["topic"] == 120
    assert seen == sorted(seen, reverse=True)


def test_the_history_tells_who_came_on_duty_and_filters_by_person(house: Stage, auditor: Browser) -> None:
    house.site.views.catch_up(house.site.journal)
    everybody = asked(auditor, "/audit/history.json")["actions"]
    assert {"H1", "D1"} <= {each["by"] for each in everybody}
    heads = asked(auditor, "/audit/history.json?by=H1")["actions"]
    assert heads
    assert {each["by"] for each in heads} == {"H1"}
    assert asked(auditor, "/audit/history.json?table=none")["actions"] == []
    assert "Nothing yet" in auditor.get("/audit/history?table=none").body


def test_a_new_configuration_is_told_value_by_value_the_old_beside_the_new(tmp_path: Path) -> None:
    with stage(tmp_path) as house:
        recorded(house, "tcf-overpaid", "t1")
        configure(house, "t1", table_max=77_700)
        auditor = house.browser(Role.INVESTIGATOR)
        changed, first = asked(auditor, "/audit/history.json?about=configuration")["actions"]
        assert (first["kind"], first["changes"], first["by"]) == ("configured", [], "")
        told = {each["what"]: (each["before"], each["after"]) for each in changed["changes"]}
        assert set(told) == {"ruleset.table_max", "ruleset.sha256", "timing.stall_ms", "badges.H9", "registers"}
        assert told["ruleset.table_max"][1] == "77700"
        assert told["timing.stall_ms"] == ("180000", "60000")
        assert told["badges.H9"] == (None, "table_head")
        assert asked(auditor, "/audit.json")["configuration"] == [changed, first]
        for path in ("/audit", "/audit/history", "/audit/history?about=configuration&table=t1"):
            page = auditor.get(path, accept_language="en").body
            assert "ruleset.table_max" in page
            assert "77700" in page
            assert "settings" in page
        assert auditor.get("/audit/history?about=cards").status == 422


def configure(house: Stage, table: str, **values: object) -> None:
    """The same table with other values, another patience and one more table head."""
    journal = house.site.journal
    house.site.views.catch_up(journal)
    records = [record for record in journal.tail(None) if record.stream == table]
    fact = read_fact(records[0].kind, records[0].body)
    assert isinstance(fact, Configured)
    old = fact.setup
    shelf = House()
    for record in journal.tail(None):
        if record.stream == HOUSE:
            shelf = take_house(shelf, record.body).house
    registers = shelf.lookup(old.registers)
    registers = replace(registers, badges={**registers.badges, Tag("0a" * 7): Person("H9", TableRole.TABLE_HEAD)})
    for body in bodies_from_registers(registers):
        journal.append(Append(HOUSE, OWNER, FENCE, [Entry(Kind.FACT, body, now_ms())])).result(60)
    changed = {**old.ruleset.values, **values}
    ruleset = Ruleset(old.ruleset.id, old.ruleset.game, changed, digest(old.ruleset.game, changed))
    setup = replace(old, ruleset=ruleset, registers=digest_of(registers), timing=replace(old.timing, stall_ms=60_000))
    journal.append(Append(Stream(table), OWNER, FENCE, [Entry(Kind.FACT, body_from_setup(setup), now_ms())])).result(60)
    house.site.views.catch_up(journal)


@pytest.mark.parametrize("role", Role)
def test_only_who_may_audit_sees_the_proof(house: Stage, role: Role) -> None:
    browser = house.browser(role)
    is_allowed = Right.AUDIT in RIGHTS[role]
    for path in ("/audit", "/audit/quarantine", "/audit/history", "/audit/verification", "/audit.json"):
        assert browser.get(path).status == (200 if is_allowed else 403)
    assert browser.post("/audit/verify", {"csrf": browser.csrf()}).status == (303 if is_allowed else 403)
