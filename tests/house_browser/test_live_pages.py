"""Every page against the house at play, in both languages and both themes: whole, translated, without a complaint."""

import re
from pathlib import Path

import pytest

from house_browser.live_house import LiveHouse
from house_browser.windows import Windows
from sabot_gateway.web.accounts.role import Role
from sabot_gateway.web.wording import all_words

PICTURES = Path(__file__).resolve().parents[2] / "build" / "screenshots" / "live"
KEY = re.compile(r"\b[a-z_]+\.[a-z_]+\b")


def addresses(house: LiveHouse) -> dict[str, str]:
    alert = house.alerts()[0]["id"]
    tables = {f"table-{game}": f"/tables/{name}" for game, name in house.tables.items()}
    return {
        "floor": "/",
        **tables,
        "alerts": "/alerts",
        "alert": f"/alerts/{alert}",
        "coups": "/coups",
        "recall": f"/tables/{house.tables['UTH']}/coups/1",
        "statistics": "/statistics",
        "audit": "/audit",
        "devices": "/devices",
        "device": f"/devices/{house.tables['THE']}",
        "accounts": "/people",
        "account": "/account",
    }


@pytest.mark.slow
@pytest.mark.usefixtures("watcher")
@pytest.mark.parametrize("language", ["fr", "en"])
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_every_page_of_the_live_house(house: LiveHouse, windows: Windows, language: str, theme: str) -> None:
    if not house.alerts():
        house.cause("late-bet", house.tables["UTH"])
    if len(house.settled()) < len(house.tables):
        house.wait_for_coups(1)
    windows.come_in(Role.ADMIN, language, theme)
    PICTURES.mkdir(parents=True, exist_ok=True)
    keys = set(all_words())
    for name, path in addresses(house).items():
        windows.visit(path)
        driver = windows.driver
        status = driver.execute_script("return performance.getEntriesByType('navigation')[0].responseStatus")
        assert status == 200, f"{path}: {status}"
        root = windows.chromium.one("html")
        assert (root.get_attribute("lang"), root.get_attribute("data-theme")) == (language, theme)
        text = windows.text("body")
        assert windows.text("main h1")
        assert not keys & set(KEY.findall(text)), f"{path} shows a key"
        assert "None" not in re.findall(r"\w+", text), f"{path} shows a Python value:\n{text}"
        assert driver.execute_script("return window.breaches") == [], path
        assert windows.chromium.complaints() == [], path
        assert driver.save_screenshot(str(PICTURES / f"{name}-{language}-{theme}.png"))
