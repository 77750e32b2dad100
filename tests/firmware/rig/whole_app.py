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


def unit_cpu_us() -> int:
    """What a fixed piece of work costs here: figures of two machines compare as multiples of it."""
    best = 1000000
    for _ in range(5):
        begun, number = _time.clock(), 0
        for step in range(100000):
            number = (number * 31 + step) & 0xFFFF
        best = min(best, int((_time.clock() - begun) * 1000000))
    return best


class Rig:
    """One start of the controller."""

    def __init__(self, kind: str, folder: str, port: int, cards: int, groups: int, chips: int) -> None:
        config = parse_config(data_of(folder + "/sabot.conf"))
        self.clock = clock = Clock()
        before = heap()
        table: Any = __import__("firmware.rig." + kind, None, None, ("*",)).make(
            clock, config, FileFlash(folder + "/flash", config.number("outbox_sectors"))
        )
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
        worst_wall = worst_cpu = 0
        is_scanning = False
        print("unit_cpu_us", unit_cpu_us())
        said = ticks_ms()
        while True:
            wall, cpu = _time.ticks_us(), _time.clock()
            await sleep_ms(0)
            worst_wall = max(worst_wall, _time.ticks_diff(_time.ticks_us(), wall))
            paused = int((_time.clock() - cpu) * 1000000)
            if is_scanning and paused > max(worst_cpu, 15000):
                print("pause", paused, "up", int(app.link.is_up), "connection", app.link.connection)
            worst_cpu = max(worst_cpu, paused)
            if outbox.newest == first_boot_event or not is_scanning:
                # Hello is recorded in one go, before anything is scanned.
                is_scanning = outbox.newest != first_boot_event
                worst_wall = worst_cpu = 0
                continue
            for _ in range(TURNS if outbox.newest - outbox.floor < BACKLOG else 0):
                dealer.turn()
                app.table.turn(self.clock.ticks())
            is_finished = dealer.is_finished and outbox.newest == outbox.floor
            if is_finished or _time.ticks_diff(ticks_ms(), said) >= 1000:
                said = ticks_ms()
                print("card", dealer.card, "group", dealer.group, "newest", outbox.newest, "floor", outbox.floor)
                print("heap_used", heap(), "heap_free", _gc.mem_free(), "rig_heap", self.rig_heap, "code_heap", CODE)
                print("worst_wall_us", worst_wall, "worst_cpu_us", worst_cpu, "drops", app.link.drops)
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
