"""The gateway dies while people watch: the pages say so, and have missed nothing once it is back."""

from functools import partial
from typing import Any

import pytest

from house_browser.live_house import LiveHouse, until
from house_browser.windows import Windows
from sabot_gateway.web.accounts.role import Role


def is_lost(windows: Windows, handle: str) -> bool:
    windows.driver.switch_to.window(handle)
    return bool(windows.driver.execute_script("return document.getElementById('lost')?.hidden === false"))


def is_back(windows: Windows, handle: str) -> bool:
    windows.driver.switch_to.window(handle)
    return bool(windows.driver.execute_script("return document.getElementById('lost')?.hidden === true"))


@pytest.mark.slow
def test_a_killed_gateway_comes_back_and_nobody_missed_anything(house: LiveHouse, windows: Windows) -> None:
    table = house.tables["UTH"]
    windows.come_in(Role.SURVEILLANCE)
    views = {"floor": windows.open("/"), "table": windows.open(f"/tables/{table}")}
    try:
        for handle in views.values():
            windows.driver.switch_to.window(handle)
            windows.driver.execute_script("window.isTheSame = true")
        house.wait_for_coups(1)
        house.kill_gateway()
        for name, handle in views.items():
            until(partial(is_lost, windows, handle), f"the banner on the {name} page")
        house.start_gateway()
        for name, handle in views.items():
            until(partial(is_back, windows, handle), f"the end of the banner on the {name} page")
        house.wait_for_coups(1)
        house.cause("late-bet", table)
        settled = house.settled()

        def has_caught_up() -> bool:
            told = coups_told(windows.value(views["floor"], "heard"))
            return all(told.get(name, [0])[-1] >= numbers[-1] for name, numbers in settled.items())

        until(has_caught_up, "every settled coup on the floor")
        assert all(windows.value(handle, "isTheSame") for handle in views.values()), "a page had to be loaded again"
        heard = {name: windows.value(handle, "heard") for name, handle in views.items()}
    finally:
        windows.close_others()
    for name, messages in heard.items():
        ids = [each["id"] for each in messages]
        assert ids == sorted(set(ids)), f"the {name} page got a message twice, or an old one after a new one"
    for name, numbers in coups_told(heard["floor"]).items():
        assert numbers == list(range(numbers[0], numbers[-1] + 1)), f"{name}: a coup is missing on the floor"
        assert set(numbers) >= {each for each in settled[name] if each >= numbers[0]}, name
    numbers = list(dict.fromkeys(each["data"]["view"]["coup"]["number"] for each in heard["table"]))
    assert numbers == list(range(numbers[0], numbers[-1] + 1)), "a coup is missing on the table's page"
    known = house.alerts(f"table={table}&code=LATE_BET")
    told = {alert["id"] for each in heard["table"] for alert in each["data"]["view"]["alerts"]}
    first_ms = heard["table"][0]["at"]
    assert {each["alert"] for each in known if each["first_ms"] > first_ms} <= told, "an alert is missing"


def coups_told(messages: list[dict[str, Any]]) -> dict[str, list[int]]:
    """By table: the coups that the floor's live line showed settled, in the order it told them."""
    told: dict[str, list[int]] = {}
    for each in messages:
        for tile in each["data"]["tiles"]:
            if tile["outcome"]:
                numbers = told.setdefault(tile["table"], [])
                if not numbers or numbers[-1] != tile["outcome"]["number"]:
                    numbers.append(tile["outcome"]["number"])
    return told
