"""The whole application on MicroPython, from its image, over TLS to a real broker: started, killed and started again.

    micropython start.py IMAGE whole_app TABLE FOLDER PORT CARDS GROUPS CHIPS

TABLE is shelf_table or chip_table. Prints figures as `name value` pairs every second and `finished` when everything
that was dealt is acknowledged.
"""

# MicroPython has no pathlib, and what a script of the rig prints is its result.
# ruff: noqa: PTH123, T201

import asyncio
import gc
import sys
import time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_time: "Any" = time
_gc: "Any" = gc
_sys: "Any" = sys


def heap() -> int:
    gc.collect()
    return int(_gc.mem_alloc())


EMPTY = heap()

from sabot_firmware.app import App  # noqa: E402 - what the code costs is measured around its import
from sabot_firmware.config import parse_config  # noqa: E402
from sabot_firmware.host import Host  # noqa: E402
from sabot_firmware.net.mqtt_link import MqttLink  # noqa: E402
from sabot_firmware.net.pause import sleep_ms, ticks_ms  # noqa: E402
from sabot_firmware.net.stream import Certificates  # noqa: E402
from sabot_firmware.release import Release  # noqa: E402
from sabot_firmware.tasks import Tasks  # noqa: E402
from sabot_protocol.device_key import DeviceKey  # noqa: E402

CODE = heap() - EMPTY

from firmware.rig.dealer import Dealer  # noqa: E402
from firmware.rig.file_flash import FileFlash  # noqa: E402
from sabot_firmware.fake.clock import Clock  # noqa: E402

# Turns of the virtual table in one turn of the real loop: MicroPython's unix port waits a millisecond in each
# turn while a TLS stream is open.
TURNS = 16

# The table is played a hundred times too fast: a second without a network is two minutes of a real night. Players
# wait when so many events do, since 64 sectors are made for an hour.
BACKLOG = 2000


class Cable:
    """The rig's network interface: always there."""

    name = "ethernet"

    def poll(self, now_ms: int) -> bool:
        return now_ms >= 0

    def rssi(self) -> "int | None":
        return None


def data_of(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def unit_us() -> int:
    """What a fixed piece of work takes here when nothing disturbs it: figures of two machines compare by it."""
    best = 1000000
    for _ in range(20):
        begun, number = _time.ticks_us(), 0
        for step in range(20000):
            number = (number * 31 + step) & 0xFFFF
        best = min(best, _time.ticks_diff(_time.ticks_us(), begun))
    return best


class Pauses:
    """How long the loop stood still, by what it was doing: in service, or on its way back to the broker.

    Other programs stretch a pause now and then; a call that blocks stretches every one of its kind. So the worst pause
    of each window is taken, and of those the smallest: a handshake is in every reconnection, and in service half a
    second holds hundreds of events, acks, erases and collections.
    """

    WINDOW_MS = 500

    def __init__(self) -> None:
        self.worst = 0
        self.quietest = {"service": 0, "reconnect": 0}
        self.windows = {"service": 0, "reconnect": 0}
        self._kind = "reconnect"
        self._since = ticks_ms()
        self._now = 0

    def note(self, us: int, is_up: bool) -> None:
        self.worst = max(self.worst, us)
        self._now = max(self._now, us)
        if self._kind == "service":
            if not is_up:
                self._begin("reconnect")  # what the loss itself took counts with the way back
            elif _time.ticks_diff(ticks_ms(), self._since) >= self.WINDOW_MS:
                self._end("service")
        elif is_up:
            self._end("service")

    def forget(self) -> None:
        self.worst = self._now = 0

    def _begin(self, kind: str) -> None:
        self._kind = kind
        self._since = ticks_ms()

    def _end(self, following: str) -> None:
        kind = self._kind
        if not self.windows[kind] or self._now < self.quietest[kind]:
            self.quietest[kind] = self._now
        self.windows[kind] += 1
        self._now = 0
        self._begin(following)

    def tell(self) -> None:
        print("worst_pause_us", self.worst)
        for kind in ("service", "reconnect"):
            if self.windows[kind]:
                print("quietest_" + kind + "_us", self.quietest[kind], "total_" + kind, self.windows[kind])


class Rig:
    """One start of the controller."""

    def __init__(self, kind: str, folder: str, port: int, cards: int, groups: int, chips: int) -> None:
        config = parse_config(data_of(folder + "/sabot.conf"))
        self.clock = clock = Clock()
        before = heap()
        table: Any = __import__("firmware.rig." + kind, None, None, ("*",)).make(
            clock, config, FileFlash(folder + "/flash", config.number("outbox_sectors"))
        )
        self.figures = table.figures
        self.dealer = Dealer(folder + "/progress", clock, table, cards, groups, chips)
        self.rig_heap = heap() - before
        certificates = Certificates(
            data_of(folder + "/authority.der"),
            data_of(folder + "/table-1.der"),
            data_of(folder + "/table-1.key.der"),
            config.text("server_name"),
        )
        link = MqttLink("riviera", "table-1", ("127.0.0.1", port), Cable(), certificates)
        key = DeviceKey("table-1", data_of(folder + "/device.key"))
        release = Release(folder, "/rom")
        self.app = App(config, table.hardware, Host("rig", "power_on"), key, link, release, clock.ticks)
        self.tasks = Tasks(self.app, 0)

    async def run(self) -> None:
        main = asyncio.create_task(self.tasks.run())
        app, dealer = self.app, self.dealer
        outbox = app.uplink.outbox
        first_boot_event = outbox.newest
        is_scanning = False
        print("unit_us", unit_us())
        pauses = Pauses()
        said = ticks_ms()
        while True:
            begun = _time.ticks_us()
            await sleep_ms(0)
            pauses.note(_time.ticks_diff(_time.ticks_us(), begun), app.link.is_up)
            if outbox.newest == first_boot_event or not is_scanning:
                # Hello is recorded in one go, before anything is scanned.
                is_scanning = outbox.newest != first_boot_event
                pauses.forget()
                continue
            for _ in range(TURNS if outbox.newest - outbox.floor < BACKLOG else 0):
                dealer.turn()
                app.table.turn(self.clock.ticks())
            is_finished = dealer.is_finished and outbox.newest == outbox.floor
            if is_finished or _time.ticks_diff(ticks_ms(), said) >= 1000:
                said = ticks_ms()
                print("card", dealer.card, "group", dealer.group, "newest", outbox.newest, "floor", outbox.floor)
                print("heap_used", heap(), "heap_free", _gc.mem_free(), "rig_heap", self.rig_heap, "code_heap", CODE)
                pauses.tell()
                for name, value in self.figures():
                    print(name, value)
                if self.tasks.last_error is not None:
                    _sys.print_exception(self.tasks.last_error)
                    raise AssertionError("a loop failed")
            if is_finished:
                print("finished")
                break
        main.cancel()
        await sleep_ms(0)


def main(arguments: "list[str]") -> None:
    kind, folder = arguments[:2]
    port, cards, groups, chips = [int(word) for word in arguments[2:]]
    asyncio.run(Rig(kind, folder, port, cards, groups, chips).run())
