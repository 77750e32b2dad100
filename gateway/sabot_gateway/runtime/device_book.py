"""What controllers said about themselves: software, board, health, and how their tests and commands ended.

For pages and technicians only; no table depends on it. Bounded: the last REPORTS of each controller.
"""

from collections import deque
from collections.abc import Iterable
from typing import Final

from sabot_gateway.link.device import Device
from sabot_gateway.link.line import Line
from sabot_gateway.runtime.desk import DeviceStatus
from sabot_gateway.transcript.wire_events import Report

REPORTS: Final = 10


class _Page:
    __slots__ = ("health", "hello", "reports")

    def __init__(self) -> None:
        self.hello: dict[str, object] = {}
        self.health: dict[str, int] = {}
        self.reports: deque[str] = deque(maxlen=REPORTS)


class DeviceBook:
    def __init__(self, reports: Iterable[Report] = ()) -> None:
        self._pages: dict[str, _Page] = {}
        self.waiting: dict[str, int] = {}  # controllers with a verified release, and its number (update_grant.py)
        self.heard(reports)

    def heard(self, reports: Iterable[Report]) -> None:
        for report in reports:
            page = self._pages.setdefault(report.device, _Page())
            if report.name in ("hello", "update_progressed"):
                self._heard_of_update(report)
            if report.name == "health":
                page.health = {name: value for name, value in report.values.items() if isinstance(value, int)}
            elif report.name == "hello":
                page.hello = report.values
            elif report.name != "modules_listed":
                said = ", ".join(f"{name} {value}" for name, value in report.values.items() if name != "device_ms")
                page.reports.append(f"{report.name}: {said}")

    def _heard_of_update(self, report: Report) -> None:
        update = report.values.get("update")
        if report.values.get("state") == "waiting" and isinstance(update, int):
            self.waiting[report.device] = update
        else:
            self.waiting.pop(report.device, None)  # a restart forgets an update that was not granted

    def status(self, device: Device, line: Line | None) -> DeviceStatus:
        """One controller, from what it said and from its live line."""
        page = self._pages.get(device.id) or _Page()
        hello = page.hello
        digest, capabilities = hello.get("digest"), hello.get("capabilities")
        status = DeviceStatus(
            device.id,
            device.table,
            device.role,
            "unheard",
            firmware=str(hello.get("firmware", "")),
            board=str(hello.get("board", "")),
            digest=digest.hex() if isinstance(digest, bytes) else "",
            capabilities=tuple(map(str, capabilities)) if isinstance(capabilities, list | tuple) else (),
            health=page.health,
            reports=tuple(page.reports),
        )
        return status if line is None else _live(status, line)


def _live(status: DeviceStatus, line: Line) -> DeviceStatus:
    sequence, clock = line.sequence, line.clock
    return DeviceStatus(
        status.id,
        status.table,
        status.role,
        line.state,
        sequence.refused,
        sequence.boot,
        sequence.upto,
        line.presence.heard_ms,
        status.firmware,
        status.board,
        status.digest,
        status.capabilities,
        clock.offset_ms if clock.boot else None,
        clock.spread_ms if clock.boot else None,
        status.health,
        status.reports,
    )
