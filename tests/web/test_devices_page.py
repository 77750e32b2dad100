"""Controllers: what is known of them is shown, and a technician's commands go out under his name."""

import argparse
import re
from collections.abc import Iterator

import pytest

from sabot_gateway.runtime.desk import DeviceStatus
from sabot_gateway.web.accounts.role import RIGHTS, Right, Role
from sabot_gateway.web.pages.devices import TESTS, quality_of
from sabot_tools.field import provision
from web.web_stage import Browser, Stage, stage

DIGEST = "ab" * 32
D1 = DeviceStatus(
    "d1", "t1", "table", "online", boot=3, upto=812, heard_ms=1_794_900_000_000, firmware="1.4.0", board="pico2-w",
    digest=DIGEST, capabilities=("shoe", "lamps"), clock_off_ms=1_794_000_000_000, clock_spread_ms=4,
    health={"heap_free": 41_000, "outbox_used": 0, "outbox_free": 512, "link_drops": 0, "rssi_dbm": -61},
    reports=("selftest_finished: test all, passed True, part 0", "command_finished: number 7, outcome done"),
)  # fmt: skip


@pytest.fixture(scope="module")
def open_house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with stage(tmp_path_factory.mktemp("house")) as running:
        yield running


@pytest.fixture
def house(open_house: Stage) -> Stage:
    open_house.desk.asked.clear()
    open_house.desk.known[:] = [D1, DeviceStatus("d2", "t2", "table", "refused", "digest_unknown")]
    return open_house


def order(browser: Browser, path: str, **form: str) -> int:
    return browser.post(f"/devices/{path}", {"csrf": browser.csrf(), **form}).status


def test_every_controller_is_listed_with_state_software_and_link(house: Stage) -> None:
    page = house.browser(Role.VIEWER).get("/devices").body
    for shown in ("d1", "d2", "online", "refused", "digest_unknown", "1.4.0", DIGEST, "-61 dBm", "good"):
        assert shown in page
    data = house.browser(Role.VIEWER).get("/devices.json").json()
    assert isinstance(data, dict)
    assert data["software"] == [{"firmware": "1.4.0", "digest": DIGEST, "controllers": 1}]
    assert (data["online"], len(data["devices"])) == (1, 2)


def test_one_controller_is_shown_with_its_figures_and_its_reports_newest_first(house: Stage) -> None:
    page = house.browser(Role.VIEWER).get("/devices/d1").body
    assert page.index("number 7, outcome done") < page.index("test all, passed True")
    for shown in (DIGEST, "812", "pico2-w", "shoe, lamps", "running since", "(± 4 ms)", "Field strength"):
        assert shown in page
    assert house.browser(Role.VIEWER).get("/devices/none").status == 404


def test_the_command_to_swap_one_is_a_command_that_there_is(house: Stage) -> None:
    page = house.browser(Role.TECHNICIAN).get("/devices/d1").body
    words = re.findall(r"<code>sabot (provision .*?)</code>", page)
    parser = argparse.ArgumentParser()
    provision.configure(parser)
    assert [vars(parser.parse_args(each.split()[1:]))["device"] for each in words] == ["d1"]


def test_a_floor_without_controllers_says_how_to_add_one(house: Stage) -> None:
    house.desk.known.clear()
    assert "sabot provision" in house.browser(Role.VIEWER).get("/devices").body


@pytest.mark.parametrize(
    ("path", "form", "command"),
    [
        ("d1/identify", {"seconds": "45"}, ("identify", {"seconds": 45})),
        ("d1/identify", {}, ("identify", {"seconds": 30})),
        ("d1/selftest", {"test": "readers"}, ("selftest", {"test": "readers"})),
        ("d1/restart", {"sure": "yes"}, ("restart", {})),
    ],
)
def test_a_technicians_command_goes_out_under_his_name(
    house: Stage, path: str, form: dict[str, str], command: object
) -> None:
    assert order(house.browser(Role.TECHNICIAN), path, **form) == 303
    assert house.desk.asked == [("d1", command, "technician")]


@pytest.mark.parametrize(
    ("path", "form", "status"),
    [
        ("d1/identify", {"seconds": "3601"}, 422),
        ("d1/identify", {"seconds": "-1"}, 422),
        ("d1/selftest", {"test": "patience"}, 422),
        ("d1/restart", {}, 422),
        ("d9/restart", {"sure": "yes"}, 404),
    ],
)
def test_a_command_that_makes_no_sense_is_not_sent(house: Stage, path: str, form: dict[str, str], status: int) -> None:
    assert order(house.browser(Role.TECHNICIAN), path, **form) == status
    assert house.desk.asked == []


def test_a_controller_is_released_when_its_twin_is_gone(house: Stage) -> None:
    technician = house.browser(Role.TECHNICIAN)
    assert order(technician, "d1/release", sure="yes") == 422
    house.desk.known.append(DeviceStatus("d3", "t3", "table", "twin"))
    assert order(technician, "d3/release") == 422
    assert house.desk.asked == []
    assert order(technician, "d3/release", sure="yes") == 303
    assert house.desk.asked == [("d3", "release", "technician")]


@pytest.mark.parametrize("role", Role)
def test_only_who_may_service_devices_can_command_them(house: Stage, role: Role) -> None:
    browser = house.browser(role)
    is_allowed = Right.SERVICE_DEVICES in RIGHTS[role]
    assert ("/devices/d1/restart" in browser.get("/devices/d1").body) is is_allowed
    assert order(browser, "d1/identify") == (303 if is_allowed else 403)


@pytest.mark.parametrize(
    ("health", "quality"),
    [
        ({}, "unknown"),
        ({"outbox_used": 1, "outbox_free": 511}, "good"),
        ({"outbox_used": 257, "outbox_free": 255}, "poor"),
        ({"rssi_dbm": -71}, "fair"),
        ({"rssi_dbm": -81}, "poor"),
        ({"rssi_dbm": -50, "link_drops": 2}, "fair"),
    ],
)
def test_the_quality_of_a_link_is_judged_by_its_figures(health: dict[str, int], quality: str) -> None:
    assert quality_of(health) == quality


def test_every_test_of_the_wire_has_its_words(house: Stage) -> None:
    page = house.browser(Role.TECHNICIAN).get("/devices/d1", accept_language="fr").body
    assert all(f'value="{test}"' in page for test in TESTS)
    assert "Remplacer ce contrôleur" in page
