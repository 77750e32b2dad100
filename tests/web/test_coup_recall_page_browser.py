"""Scrubbing a stored coup in a real Chromium: by slider, keys, links and address; playing; and a report to print."""

from collections.abc import Iterator

import pytest
from selenium.webdriver.common.keys import Keys

from sabot_gateway.model.review import AlertCommented
from sabot_gateway.web.accounts.role import Role
from services.driven_chromium import DrivenChromium
from web.web_stage import Stage, stage

pytestmark = pytest.mark.slow
COUP = "/tables/t1/coups/1"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with stage(tmp_path_factory.mktemp("recall")) as running:
        running.record(t1="tcf-wrong-payment-overridden", t2="tcf-second-coup")
        yield running


@pytest.fixture
def page(house: Stage, driven_chromium: DrivenChromium) -> DrivenChromium:
    cookies = {**house.browser(Role.VIEWER).cookies, "language": "en"}
    driven_chromium.visit(house.url, cookies, f"{COUP}?step=1")
    return driven_chromium


def stands_at(page: DrivenChromium, number: int) -> bool:
    """The drawing, the list, the slider and the address all say the same step, in one look."""
    return bool(page.driver.execute_script(STANDS_AT, str(number)))


STANDS_AT = """
const [number] = arguments;
return document.getElementById("moment").dataset.step === number &&
  document.querySelector(".step-number").innerText.startsWith(`${number} of`) &&
  document.querySelector(".step-list > [aria-current]")?.id === `step-${number}` &&
  document.getElementById("scrub").value === number && location.href.endsWith(`step=${number}`);
"""


def test_arrows_home_and_end_move_and_everything_follows(page: DrivenChromium) -> None:
    total = len(page.all(".step-list > li"))
    body = page.one("body")
    body.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
    page.until(lambda: stands_at(page, 3))
    body.send_keys(Keys.ARROW_LEFT)
    page.until(lambda: stands_at(page, 2))
    body.send_keys(Keys.END)
    page.until(lambda: stands_at(page, total))
    body.send_keys(Keys.ARROW_RIGHT, Keys.HOME)
    page.until(lambda: stands_at(page, 1))
    scrub = page.one("#scrub")
    scrub.send_keys(Keys.ARROW_RIGHT)  # on the slider one press is one step too
    page.until(lambda: stands_at(page, 2))
    assert page.complaints() == []


def test_the_slider_scrubs_and_the_felt_is_that_of_the_step(page: DrivenChromium) -> None:
    assert not page.all(".felt .playing-card")
    page.driver.execute_script(
        "const s = document.getElementById('scrub'); for (const n of [5, 9, 14]) { s.value = n;"
        " s.dispatchEvent(new Event('input', { bubbles: true })); }"
    )
    page.until(lambda: stands_at(page, 14))
    assert len(page.all(".felt .playing-card:not(.back)")) == 6  # seat 3 and the dealer, shown
    page.driver.execute_script("document.querySelector('a[data-step=\"16\"]').click()")
    page.until(lambda: stands_at(page, 16))
    assert "overpaid" in page.text(".concluded")
    assert page.complaints() == []


def test_a_step_is_reached_by_its_address_in_either_form(house: Stage, page: DrivenChromium) -> None:
    page.driver.get(f"{house.url}{COUP}#step-12")
    page.until(lambda: stands_at(page, 12))
    page.driver.get(f"{house.url}{COUP}?step=7")
    page.until(lambda: stands_at(page, 7))
    assert page.complaints() == []


def test_space_plays_to_the_end_and_stops_there(page: DrivenChromium) -> None:
    total = len(page.all(".step-list > li"))
    page.driver.execute_script("document.querySelector('a[data-step=\"22\"]').click()")
    page.until(lambda: stands_at(page, 22))
    page.driver.execute_script(
        "window.said = []; const play = document.getElementById('play');"
        " new MutationObserver(() => window.said.push(play.innerText)).observe(play, { childList: true });"
    )
    page.one("body").send_keys(" ")
    page.until(lambda: stands_at(page, total))
    page.until(lambda: page.driver.execute_script("return window.said") == ["Pause", "Play"])
    assert page.complaints() == []


def test_a_coup_under_way_grows_on_the_screen_and_whoever_stands_at_its_end_moves_along(
    house: Stage, driven_chromium: DrivenChromium
) -> None:
    page = driven_chromium
    page.visit(house.url, {**house.browser(Role.VIEWER).cookies, "language": "en"}, "/tables/t2/coups/2")
    before = len(page.all(".step-list > li"))
    house.desk.submit("t2", AlertCommented("surveillance", "2/NOTHING", "watching seat 5"), "surveillance").result(60)
    page.until(lambda: stands_at(page, before + 1))
    page.until(lambda: "watching seat 5" in page.text(".moment-said"))
    page.one("body").send_keys(Keys.HOME)
    page.until(lambda: stands_at(page, 1))
    house.desk.submit("t2", AlertCommented("surveillance", "2/NOTHING", "still watching"), "surveillance").result(60)
    page.until(lambda: len(page.all(".step-list > li")) == before + 2)
    page.until(lambda: stands_at(page, 1))
    assert page.complaints() == []


@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize(("language", "word"), [("fr", "Le croupier montre sa main."), ("en", "The dealer shows")])
def test_both_languages_and_themes(
    house: Stage, driven_chromium: DrivenChromium, language: str, word: str, theme: str
) -> None:
    cookies = {**house.browser(Role.VIEWER).cookies, "language": language, "theme": theme}
    for path in (COUP, "/tables/t2/coups/2", "/coups"):
        driven_chromium.visit(house.url, cookies, path)
        root = driven_chromium.one("html")
        assert (root.get_attribute("lang"), root.get_attribute("data-theme")) == (language, theme)
        if path == COUP:
            assert word in driven_chromium.text(".moment-said")
    assert driven_chromium.complaints() == []


def test_the_printed_report_has_every_step_the_accounts_and_the_rules(page: DrivenChromium) -> None:
    page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    try:
        shown = page.one("main").text
        assert "Expected against actual, at the end" in shown
        assert "Report made on" in shown
        assert "TCF-62" in shown
        assert not page.one("#controls").is_displayed()
        assert all(line.is_displayed() for line in page.all(".step-list > li"))
        pdf = page.driver.print_page()
        assert len(pdf) > 10_000
    finally:
        page.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
