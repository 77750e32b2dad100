"""The review queue in a real Chromium: an alert arrives by itself, is heard if wanted, and is handled by keyboard."""

from collections.abc import Iterator

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.keys import Keys

from sabot_gateway.web.accounts.role import Role
from services.driven_chromium import DrivenChromium
from web.web_stage import Stage, stage

pytestmark = pytest.mark.slow


# So many rows, and the newest of them is lit: in one look, for the queue draws itself anew.
IS_LIT = """
const rows = document.querySelectorAll(".alert-row");
return rows.length === arguments[0] && rows[0].classList.contains("fresh");
"""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with stage(tmp_path_factory.mktemp("alerts")) as running:
        running.record(t1="tcf-overpaid", t2="tcf-deck-not-cut")
        yield running


def visit(house: Stage, chromium: DrivenChromium, path: str, role: Role = Role.SURVEILLANCE, **choice: str) -> None:
    chromium.visit(house.url, {**house.browser(role).cookies, "language": "en", **choice}, path)


def test_an_alert_appears_by_itself_is_counted_lit_and_heard(house: Stage, driven_chromium: DrivenChromium) -> None:
    visit(house, driven_chromium, "/alerts")
    before = len(driven_chromium.all(".alert-row"))
    assert driven_chromium.one("#sound").get_attribute("data-state") == "off"
    driven_chromium.one("#sound").click()
    assert driven_chromium.one("#sound").get_attribute("data-played") == "notice"  # a sample, so that one knows
    house.desk.record("t3", "tcf-overpaid")
    driven_chromium.until(lambda: driven_chromium.driver.execute_script(IS_LIT, before + 1))
    assert "(" in driven_chromium.driver.title
    driven_chromium.until(lambda: driven_chromium.one("#sound").get_attribute("data-played") == "alarm")
    assert driven_chromium.one("#came").get_attribute("textContent")
    driven_chromium.one("#sound").click()
    visit(house, driven_chromium, "/alerts")
    assert driven_chromium.one("#sound").get_attribute("data-state") == "off"
    assert driven_chromium.complaints() == []


def test_the_queue_is_walked_and_an_alert_cleared_by_keyboard_alone(
    house: Stage, driven_chromium: DrivenChromium
) -> None:
    visit(house, driven_chromium, "/alerts?table=t1")
    body = driven_chromium.one("body")
    body.send_keys("j")
    driven_chromium.until(lambda: driven_chromium.driver.execute_script("return document.activeElement.className"))
    assert driven_chromium.driver.execute_script("return document.activeElement.className") == "alert-link"
    ActionChains(driven_chromium.driver).send_keys(Keys.ENTER).perform()  # to whatever has the focus
    driven_chromium.until(lambda: driven_chromium.all("#clear"))
    driven_chromium.one("#clear").send_keys("seen on video, corrected", Keys.TAB, Keys.ENTER)
    driven_chromium.until(lambda: "Cleared by surveillance" in driven_chromium.text("main"))
    assert "seen on video, corrected" in driven_chromium.text(".history")
    assert driven_chromium.complaints() == []


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize(("language", "word"), [("fr", "Alarme"), ("en", "Alarm")])
def test_both_languages_and_themes(
    house: Stage, driven_chromium: DrivenChromium, language: str, word: str, theme: str
) -> None:
    for path in ("/alerts?state=all", "/alerts/1"):
        visit(house, driven_chromium, path, language=language, theme=theme)
        assert word in driven_chromium.text("main")
        root = driven_chromium.one("html")
        assert (root.get_attribute("lang"), root.get_attribute("data-theme")) == (language, theme)
    assert driven_chromium.complaints() == []
