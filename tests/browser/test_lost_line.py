"""The line to the gateway breaks and comes back: the page says so meanwhile, and has missed nothing afterwards."""

from collections.abc import Iterator

import pytest
from selenium.webdriver import Chrome

from browser.room import come_in, eventually
from sabot_gateway.settings.shape import Address
from sabot_gateway.web.accounts.role import Role
from sabot_gateway.web.application import build_application
from sabot_gateway.web.server import WebServer
from web.web_stage import Stage, played


class Gateway:
    """A server over the same house that can be stopped and started again on its port."""

    def __init__(self, house: Stage) -> None:
        self._house = house
        self._port = 0
        self.start()

    def start(self) -> None:
        self._server = WebServer(build_application(self._house.site), Address("127.0.0.1", self._port))
        self._server.start()
        self._port = self._server.address.port

    def stop(self) -> None:
        self._server.stop()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._port}"


@pytest.fixture
def gateway(house: Stage) -> Iterator[Gateway]:
    started = Gateway(house)
    yield started
    started.stop()


def is_shown(browser: Chrome, selector: str) -> bool:
    return browser.find_element("css selector", selector).is_displayed()


def coup_of(browser: Chrome, table: str) -> str:
    return browser.find_element("css selector", f'[data-table="{table}"] [data-field="phase"]').text


@pytest.mark.slow
def test_a_floor_that_lost_its_gateway_says_so_and_catches_up(house: Stage, browser: Chrome, gateway: Gateway) -> None:
    house.desk.put("lost1", played("tcf-seven-players", 8))
    house.desk.put("lost2", played("tcf-seven-players", 8))
    come_in(browser, house, Role.VIEWER, gateway.url)
    browser.get(gateway.url)
    before = coup_of(browser, "lost1")
    assert not is_shown(browser, "#lost")
    gateway.stop()
    eventually(lambda: is_shown(browser, "#lost"), "the banner says that the line is lost")
    house.desk.put("lost1", played("tcf-seven-players", 3))  # while nobody listens
    house.desk.put("lost2", played("tcf-seven-players", 3))
    gateway.start()
    eventually(lambda: not is_shown(browser, "#lost"), "the banner goes when the line is back")
    eventually(lambda: coup_of(browser, "lost1") != before, "the first table catches up")
    eventually(lambda: coup_of(browser, "lost2") == coup_of(browser, "lost1"), "the second table catches up")


@pytest.mark.slow
def test_a_table_page_follows_its_table_and_says_when_it_is_gone(house: Stage, browser: Chrome) -> None:
    house.desk.put("brief", played("tcf-seven-players", 8))
    come_in(browser, house, Role.VIEWER)
    browser.get(f"{house.url}/tables/brief")
    faces = "svg .playing-card:not(.back)"
    assert browser.find_elements("css selector", faces) == []
    house.desk.put("brief", played("tcf-seven-players", 3))
    eventually(lambda: browser.find_elements("css selector", faces), "the hands that were shown are drawn")
    house.desk.take_away("brief")
    house.desk.put("t1", played("tcf-seven-players", 8))  # something rings: the page looks again
    # In one look: the page loads itself anew meanwhile.
    text = "return document.querySelector('main')?.innerText ?? ''"
    eventually(lambda: "no longer" in str(browser.execute_script(text)), "the page says that it is gone")
