"""Every page in a real browser, in both languages and both themes: it complains of nothing, and neither does axe."""

import pytest
from selenium.webdriver import Chrome

from browser.room import PICTURES, choose, come_in, complaints, violations
from sabot_gateway.projections.alert_queue import Search, all_alerts
from sabot_gateway.web.accounts.role import Role
from sabot_gateway.web.pages import PAGES
from web.web_stage import Stage

# By the page's name; a page that is not here fails the first test.
ADDRESSES = {
    "floor": ["/", "/?wall=1"],
    "table": ["/tables/t1", "/tables/t2", "/tables/t3", "/tables/t4", "/tables/t5", "/tables/t7"],
    "alerts": ["/alerts"],
    "alert": ["/alerts/{alert}"],
    "coups": ["/coups"],
    "recall": ["/tables/t6/coups/1"],
    "statistics": ["/statistics"],
    "audit": ["/audit"],
    "verification": ["/audit/verification"],
    "quarantine": ["/audit/quarantine"],
    "refused": ["/audit/quarantine/{refused}"],
    "history": ["/audit/history"],
    "devices": ["/devices"],
    "device": ["/devices/d1"],
    "people": ["/people"],
    "account": ["/account"],
}
LOOKS = [("fr", "dark"), ("fr", "light"), ("en", "dark"), ("en", "light")]


def test_every_page_is_looked_at() -> None:
    assert {page.name for page in PAGES} == set(ADDRESSES)


@pytest.mark.slow
@pytest.mark.parametrize("name", ADDRESSES)
@pytest.mark.parametrize(("language", "theme"), LOOKS)
def test_a_page_is_sound_and_open_to_everybody(
    house: Stage, browser: Chrome, name: str, language: str, theme: str
) -> None:
    come_in(browser, house, Role.ADMIN)
    choose(browser, language, theme)
    complaints(browser)
    with house.site.views.reading() as db:
        (alert, *_) = all_alerts(db, Search(), limit=1)
    (refused,) = house.site.journal.quarantined(limit=1)
    for nth, address in enumerate(ADDRESSES[name]):
        browser.get(house.url + address.format(alert=alert.id, refused=refused.id))
        root = browser.find_element("tag name", "html")
        assert (root.get_attribute("lang"), root.get_attribute("data-theme")) == (language, theme)
        assert browser.find_elements("css selector", "main h1"), browser.page_source
        browser.execute_script("document.getElementById('lost').hidden = false")  # the banner is read in bad moments
        assert complaints(browser) == []
        assert violations(browser) == []
        browser.execute_script("document.getElementById('lost').hidden = true")
        PICTURES.mkdir(parents=True, exist_ok=True)
        assert browser.save_screenshot(str(PICTURES / f"{name}-{nth + 1}-{language}-{theme}.png"))


@pytest.mark.parametrize(("language", "theme"), LOOKS)
def test_the_way_in_is_sound_too(house: Stage, browser: Chrome, language: str, theme: str) -> None:
    browser.get(f"{house.url}/login")
    browser.delete_all_cookies()
    choose(browser, language, theme)
    for address in ("/login", "/nowhere"):
        browser.get(house.url + address)
        assert violations(browser) == []
