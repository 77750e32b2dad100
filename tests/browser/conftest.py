"""A real Chromium before a stage that has something of everything: play, alerts, coups, figures, proof, controllers."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from sqlite3 import connect

import pytest
from selenium.webdriver import Chrome, ChromeOptions, ChromeService

from sabot_gateway.journal.quarantine import Refusal
from sabot_gateway.journal.record import Owner
from sabot_gateway.model.card import DECK
from sabot_gateway.projections.cards import BLOCK, count_cards
from sabot_gateway.runtime.desk import DeviceStatus
from web.web_stage import Stage, now_ms, played, stage

TABLES = (
    ("t1", "tcf-seven-players", 8),
    ("t2", "stu-wheel", 4),
    ("t3", "tcp-six-card-royal", 5),
    ("t4", "the-two-side-pots", 6),
    ("t5", "uth-full-table", 10),
)
RECORDED = (("t6", "tcf-overpaid"), ("t7", "tcf-past-posting"), ("t8", "the-two-side-pots"))


@pytest.fixture(scope="package")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    folder = tmp_path_factory.mktemp("house")
    with stage(folder) as running:
        furnish(running, folder)
        yield running


def furnish(house: Stage, folder: Path) -> None:
    journal, desk = house.site.journal, house.desk
    for name, script in RECORDED:
        desk.record(name, script)
    for nth, (name, script, left) in enumerate(TABLES):
        desk.put(name, played(script, left), pit="AB"[nth // 3])
        health = {"rssi_dbm": -58 - 6 * nth, "outbox_used": nth, "outbox_free": 512, "link_drops": nth // 2}
        desk.known.append(
            DeviceStatus(
                f"d{nth + 1}",
                name,
                "table",
                "lost" if nth == 2 else "online",
                boot=3,
                upto=812 + nth,
                heard_ms=now_ms(),
                firmware="0.1.0",
                board="pico2-w",
                digest=f"{nth // 3}a" * 32,
                capabilities=("shoe", "spots", "lamps"),
                clock_off_ms=1_794_000_000_000,
                clock_spread_ms=3,
                health=health,
                reports=("selftest_finished: test all, passed True, part 0",),
            )
        )
    journal.sign_checkpoint(now_ms()).result(60)
    refusal = Refusal("envelope", "sabot/v1/cannes/d9/event", b"<script>alert(1)</script>", now_ms())
    journal.quarantine(Owner("cannes-1"), 1, [refusal]).result(60)
    house.site.views.catch_up(journal)
    with closing(connect(folder / "views.db", timeout=60)) as db:
        for nth in range(BLOCK):
            count_cards(db, "t1", "TCF", [DECK[(7 * nth + step * 11) % 52] for step in range(4)])
        db.commit()


@pytest.fixture(scope="package")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Chrome]:
    driver = chromium(tmp_path_factory.mktemp("chromium"))
    yield driver
    driver.quit()


def chromium(folder: Path) -> Chrome:
    program, service = shutil.which("chromium"), shutil.which("chromedriver")
    assert program, "Chromium is missing: run setup/system.sh."
    assert service, "Chromium's driver is missing: run setup/system.sh."
    options = ChromeOptions()
    options.binary_location = program
    for flag in (
        "--headless=new",
        "--no-sandbox",  # the tests may run as root, where Chromium's sandbox cannot start
        "--disable-gpu",
        "--disable-background-networking",
        "--disable-component-update",
        "--no-first-run",
        "--hide-scrollbars",
        "--window-size=1500,950",
        f"--user-data-dir={folder / 'profile'}",
    ):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = Chrome(options=options, service=ChromeService(service))
    driver.set_page_load_timeout(120)
    driver.set_script_timeout(120)
    return driver
