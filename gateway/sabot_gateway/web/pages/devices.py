"""Controllers: what runs on them, how well they are heard, and what a technician asks of them.

Reads the desk alone. A command is journaled and sent; its end comes back as a report of the controller, shown when it
is there.
"""

import asyncio
from collections import Counter
from collections.abc import Mapping
from typing import Any, Final, Literal, TypedDict

from starlette.requests import Request

from sabot_gateway.runtime.desk import DeskError, DeskErrorCode, DeviceStatus
from sabot_gateway.web.accounts.role import Right
from sabot_gateway.web.asked import number_from_text
from sabot_gateway.web.declaring import RECEIPT_S, receipt_of
from sabot_gateway.web.page import NOT_FOUND, WRONG, Action, Data, Field, In, Page, PageError
from sabot_gateway.web.rendering import site_of
from sabot_protocol.messages import TEST

TESTS: Final[tuple[str, ...]] = tuple(str(each) for each in TEST[1])
IDENTIFY_S: Final = 30  # long enough to walk along a row of tables
MOST_IDENTIFY_S: Final = 3600  # of the wire
# What a technician's walk with a telephone finds, too: below the first a controller resends, below the second it hangs.
_FAIR_DBM: Final = -70
_POOR_DBM: Final = -80
_FULL_PERCENT: Final = 50  # an outbox that full is not being acknowledged

Quality = Literal["good", "fair", "poor", "unknown"]


class DeviceLine(TypedDict):
    """`state` is online, lost, leaving, unheard, refused or twin; `clock_off_ms` is null while it is unknown."""

    id: str
    table: str
    role: str
    state: str
    refusal: str
    boot: int
    upto: int
    heard_ms: int
    firmware: str
    board: str
    digest: str
    capabilities: list[str]
    clock_off_ms: int | None
    clock_spread_ms: int | None
    health: dict[str, int]
    quality: Quality
    reports: list[str]


class Software(TypedDict):
    firmware: str
    digest: str
    controllers: int


class DevicesPage(TypedDict):
    devices: list[DeviceLine]
    software: list[Software]
    online: int


class DevicePage(TypedDict):
    device: DeviceLine
    tests: list[str]


async def load_devices(request: Request) -> Data:
    devices = [line_of(each) for each in site_of(request).desk.devices()]
    return {
        "devices": devices,
        "software": software_of(devices),
        "online": sum(each["state"] == "online" for each in devices),
    }


async def load_device(request: Request) -> Data:
    device = _known(request)
    data: dict[str, object] = {"device": line_of(device), "tests": [*TESTS]}
    if request.state.is_json:
        return data
    return data | {"identify_s": IDENTIFY_S, "is_done": "done" in request.query_params}


def line_of(status: DeviceStatus) -> DeviceLine:
    return {
        "id": status.id,
        "table": status.table,
        "role": status.role,
        "state": status.state,
        "refusal": status.refusal,
        "boot": status.boot,
        "upto": status.upto,
        "heard_ms": status.heard_ms,
        "firmware": status.firmware,
        "board": status.board,
        "digest": status.digest,
        "capabilities": [*status.capabilities],
        "clock_off_ms": status.clock_off_ms,
        "clock_spread_ms": status.clock_spread_ms,
        "health": dict(status.health),
        "quality": quality_of(status.health),
        "reports": [*status.reports],
    }


def quality_of(health: Mapping[str, int]) -> Quality:
    """How well a controller is heard, by its own figures; a wired one has no field strength."""
    if not health:
        return "unknown"
    strength = health.get("rssi_dbm", 0)
    used, free = health.get("outbox_used", 0), health.get("outbox_free", 0)
    if strength < _POOR_DBM or 100 * used > _FULL_PERCENT * (used + free):
        return "poor"
    return "fair" if strength < _FAIR_DBM or health.get("link_drops", 0) else "good"


def software_of(devices: list[DeviceLine]) -> list[Software]:
    """Which software runs on how many controllers, the most common first."""
    counted = Counter((each["firmware"], each["digest"]) for each in devices if each["firmware"])
    return [{"firmware": name, "digest": digest, "controllers": n} for (name, digest), n in counted.most_common()]


async def self_test(request: Request, form: Mapping[str, str]) -> str:
    test = form.get("test", "all")
    if test not in TESTS:
        raise PageError(WRONG, "error.value", name="test")
    return await _command(request, "selftest", {"test": test})


async def identify(request: Request, form: Mapping[str, str]) -> str:
    """Lets it blink; 0 seconds ends it."""
    seconds = number_from_text(form.get("seconds", str(IDENTIFY_S)))
    if seconds is None or seconds > MOST_IDENTIFY_S:
        raise PageError(WRONG, "error.value", name="seconds")
    return await _command(request, "identify", {"seconds": seconds})


async def restart(request: Request, form: Mapping[str, str]) -> str:
    if form.get("sure") != "yes":
        raise PageError(WRONG, "table.sure_wanted")
    return await _command(request, "restart", {})


async def release(request: Request, form: Mapping[str, str]) -> str:
    """Somebody has taken a controller's twin away: what comes under its name is taken again."""
    device = _known(request)
    if form.get("sure") != "yes":
        raise PageError(WRONG, "table.sure_wanted")
    if device.state != "twin":
        raise PageError(WRONG, "devices.no_twin", device=device.id)
    await receipt_of(site_of(request).desk.release(device.id, request.state.visitor.name))
    return f"/devices/{device.id}?done=release"


async def _command(request: Request, name: str, values: Mapping[str, object]) -> str:
    device = _known(request)
    future = site_of(request).desk.command(device.id, name, values, request.state.visitor.name)
    try:
        await asyncio.wait_for(asyncio.wrap_future(future), RECEIPT_S)
    except TimeoutError as error:
        raise DeskError(DeskErrorCode.NOT_WRITTEN) from error
    return f"/devices/{device.id}?done={name}"


def _known(request: Request) -> DeviceStatus:
    name: str = request.path_params["device"]
    found = next((each for each in site_of(request).desk.devices() if each.id == name), None)
    if found is None:
        raise PageError(NOT_FOUND, "error.desk_unknown_device")
    return found


DEVICE: Final = Field("device", In.PATH, {"type": "string", "minLength": 1, "maxLength": 64})
_CSRF: Final = Field("csrf", In.FORM, {"type": "string"}, is_required=True, description="Of the session; or as X-CSRF.")
_SURE: Final = Field(
    "sure", In.FORM, {"type": "string"}, is_required=True, description="yes: whoever sends it is sure."
)
PAGES: Final = (
    Page(
        "/devices",
        "devices",
        Right.LOOK,
        load_devices,
        "devices.html",
        DevicesPage,
        "Every controller.",
        part="devices_part.html",
    ),
    Page(
        "/devices/{device}",
        "device",
        Right.LOOK,
        load_device,
        "device.html",
        DevicePage,
        "One controller.",
        (DEVICE,),
        part="device_part.html",
    ),
)


def _action(name: str, act: Any, summary: str, *fields: Field) -> Action:
    return Action(
        f"/devices/{{device}}/{name}", f"{name}_device", Right.SERVICE_DEVICES, act, summary, (DEVICE, _CSRF, *fields)
    )


ACTIONS: Final = (
    _action(
        "selftest",
        self_test,
        "Asks a controller to test itself.",
        Field("test", In.FORM, {"type": "string", "enum": [*TESTS]}),
    ),
    _action(
        "identify",
        identify,
        "Lets a controller's lamps blink, so that one finds it.",
        Field("seconds", In.FORM, {"type": "string", "maxLength": 4}),
    ),
    _action("restart", restart, "Restarts a controller.", _SURE),
    _action("release", release, "Says that a controller's twin was taken away.", _SURE),
)
