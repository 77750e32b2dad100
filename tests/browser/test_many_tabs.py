"""A browser with more tabs than it has connections to a house: all of them stay current over the line they share."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.webdriver import Chrome

from browser.room import come_in, complaints, eventually
from sabot_gateway.web.accounts.role import Role
from web.web_stage import Stage, played, stage

TABLES = tuple(f"t{nth}" for nth in range(1, 9))
FACES = "svg .playing-card:not(.back)"


@pytest.fixture
def floor(tmp_path: Path) -> Iterator[Stage]:
    with stage(tmp_path) as running:
        for name in TABLES:
            running.desk.put(name, played("tcf-seven-players", 8))
        yield running


@pytest.fixture
def tabs(browser: Chrome, floor: Stage) -> Iterator[dict[str, str]]:
    """A tab for each table, one for the floor and one for the queue, by what it shows."""
    come_in(browser, floor, Role.SURVEILLANCE)
    complaints(browser)  # of whatever it saw before
    first = browser.current_window_handle
    opened: dict[str, str] = {}
    for path in ("/", "/alerts", *(f"/tables/{name}" for name in TABLES)):
        browser.switch_to.new_window("tab")
        browser.get(floor.url + path)
        opened[path] = browser.current_window_handle
    yield opened
    for handle in browser.window_handles:
        if handle != first:
            browser.switch_to.window(handle)
            browser.close()
    browser.switch_to.window(first)


@pytest.mark.slow
def test_ten_tabs_share_one_line_and_all_stay_current(browser: Chrome, floor: Stage, tabs: dict[str, str]) -> None:
    browser.switch_to.window(tabs["/alerts"])
    before = len(browser.find_elements("css selector", ".alert-row"))
    for name in TABLES:
        floor.desk.put(name, played("tcf-seven-players", 3))
    floor.desk.record("t9", "tcf-overpaid")
    for name in TABLES:
        browser.switch_to.window(tabs[f"/tables/{name}"])
        eventually(lambda: browser.find_elements("css selector", FACES), f"{name} shows the hands that were shown")
        eventually(lambda: not browser.find_element("id", "lost").is_displayed(), f"{name} has its line")
    browser.switch_to.window(tabs["/"])
    # In one look: the page loads itself anew when a table comes to the floor.
    phase = """return document.querySelector('[data-table="t8"] [data-field="phase"]')?.innerText"""
    eventually(lambda: browser.execute_script(phase) == "clearing", "the floor follows")
    browser.switch_to.window(tabs["/alerts"])
    eventually(lambda: len(browser.find_elements("css selector", ".alert-row")) > before, "the queue follows")
    assert complaints(browser) == []
