"""Several whole controllers share one process and one asyncio loop of CPython: a simulated floor is made of these."""

import asyncio
from pathlib import Path

from firmware.stand_in_gateway import StandInGateway
from sabot_firmware.app import App
from sabot_firmware.config import parse_config
from sabot_firmware.fake.clock import Clock
from sabot_firmware.fake.ports import FakePorts
from sabot_firmware.fake.tag import Tag
from sabot_firmware.hal.assembly import Hardware
from sabot_firmware.host import Host
from sabot_firmware.net.mqtt_link import MqttLink
from sabot_firmware.release import Release
from sabot_firmware.tasks import Tasks
from sabot_protocol.device_key import DeviceKey
from services.mosquitto import Mosquitto

CONTROLLERS = 6
STEP_US = 2000
TURNS = 20000  # some minutes of the table's own time: far more than a card and a chip need


class Wire:
    """A network interface that is always there."""

    name = "ethernet"

    def poll(self, now_ms: int) -> bool:
        return now_ms >= 0

    def rssi(self) -> int | None:
        return None


class Controller:
    """One controller with its own flash, folder, key and clock, and the gateway that hears it."""

    def __init__(self, number: int, folder: Path, port: int) -> None:
        site, device, secret = f"site-{number}", f"table-{number}", bytes([number]) * 16
        config = parse_config(
            f"site = {site}\ndevice = {device}\nboard = rig\nlink = ethernet\nbroker_host = 127.0.0.1\ntls = no\n"
            "outbox_sectors = 8\nreader = 0 shoe pn532 spi0 0\nreader = 1 spots pn5180 spi1 0\n"
            "spot = 1 0 1 ante 0 0\nend\n".encode()
        )
        self.card = b"\x04" + bytes([number]) * 6
        self.chip = b"\xe0\x04" + bytes([number]) * 6
        self.clock = Clock()
        self.ports = FakePorts(self.clock, config)
        hardware = Hardware(config, self.ports, self.clock.ticks())
        link = MqttLink(site, device, ("127.0.0.1", port), Wire())
        release = Release(str(folder), str(folder))
        app = App(config, hardware, Host("rig"), DeviceKey(device, secret), link, release, self.clock.ticks)
        self.tasks = Tasks(app, 0)
        self.gateway = StandInGateway(site, device, secret, port)

    def deal(self) -> None:
        self.ports.fields["spi0", 0].place(0, Tag(self.card))
        self.ports.fields["spi1", 0].place(0, Tag(bytes(reversed(self.chip))))

    def read(self) -> tuple[list[bytes], set[bytes]]:
        """(cards, chips) as they reached the gateway."""
        events = list(self.gateway.events)
        cards = [values["uid"] for name, values in events if name == "card_scanned"]
        return cards, {uid for name, values in events if name == "chips_read" for uid in values["uids"]}


async def play(controllers: list[Controller]) -> None:
    running = [asyncio.create_task(each.tasks.run()) for each in controllers]
    for each in controllers:
        each.deal()
    for _ in range(TURNS):
        if all(each.read() == ([each.card], {each.chip}) for each in controllers):
            break
        for each in controllers:
            each.clock.pass_us(STEP_US)
        await asyncio.sleep(0)
    for task in running:
        task.cancel()
    await asyncio.gather(*running, return_exceptions=True)
    assert asyncio.all_tasks() == {asyncio.current_task()}, "a loop outlived its controller"


def test_controllers_of_one_process_share_nothing(mosquitto: Mosquitto, tmp_path: Path) -> None:
    controllers = []
    for number in range(1, CONTROLLERS + 1):
        folder = tmp_path / str(number)
        folder.mkdir()
        controllers.append(Controller(number, folder, mosquitto.port))
    try:
        asyncio.run(play(controllers))
        for each in controllers:
            assert each.tasks.last_error is None
            assert each.read() == ([each.card], {each.chip})
            assert each.gateway.events[0][0] == "hello"
    finally:
        for each in controllers:
            each.gateway.stop()
