"""A hundred thousand events through the whole application: what is allocated after a collection must not grow.

    micropython start.py IMAGE long_night FOLDER EVENTS

Eight readers see a card each, again and again; a link without a network acknowledges what it is given. Prints
`events N allocated BYTES` as it goes.
"""

# MicroPython has no pathlib, and what a script of the rig prints is its result.
# ruff: noqa: T201

import gc
import struct

from firmware.rig.shelf_table import ShelfReader
from sabot_firmware.app import App
from sabot_firmware.config import parse_config
from sabot_firmware.fake.clock import Clock
from sabot_firmware.fake.flash_store import FlashStore
from sabot_firmware.host import Host
from sabot_firmware.release import Release
from sabot_protocol.codec import encode
from sabot_protocol.device_key import DeviceKey
from sabot_protocol.envelope import seal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

READERS = 8
STEP_US = 60000
CARD_TURNS = 2
TURNS = 5
SAMPLES = 40
ACK_TOPIC = "sabot/v1/riviera/table-1/ack"
CONFIG = "site = riviera\ndevice = table-1\nboard = rig\nlink = serial\noutbox_sectors = 4\n"


class Echo:
    """A link whose gateway is this loop."""

    is_up = True
    connection = 1
    drops = 0
    is_idle = True

    def __init__(self) -> None:
        self.sent = 0

    def send(self, channel: str, data: bytes) -> bool:
        assert channel == "event"
        assert data
        self.sent += 1
        return True

    def rssi(self) -> "int | None":
        return -60


class Shelves:
    """Only readers and flash."""

    lamps = display = keypad = door = None

    def __init__(self) -> None:
        self.readers = {number: ShelfReader() for number in range(READERS)}
        self.flash = FlashStore(4096, 4)


def main(arguments: "list[str]") -> None:
    folder, events = arguments[0], int(arguments[1])
    rows = ["reader = " + str(number) + " seat pn532 spi0 " + str(number) for number in range(READERS)]
    config = parse_config((CONFIG + "\n".join(rows) + "\nend\n").encode())
    clock, shelves, echo = Clock(), Shelves(), Echo()
    key = DeviceKey("table-1", bytes(16))
    hardware: Any = shelves
    link: Any = echo
    app = App(config, hardware, Host("rig"), key, link, Release(folder, folder), clock.ticks)
    outbox = app.uplink.outbox
    serial = 0
    sample = 0
    while outbox.newest < events:
        for reader in shelves.readers.values():
            serial += 1
            reader.shelf[0] = (b"\x04" + struct.pack(">I", serial) + b"\x51\x52",)
        for turn in range(TURNS):
            if turn == CARD_TURNS:
                for reader in shelves.readers.values():
                    reader.shelf[0] = ()
            clock.pass_us(STEP_US)
            app.table.turn(clock.ticks())
            app.tell_health(clock.ticks())
            app.watch_outbox()
        while app.uplink.turn(clock.ticks(), link):
            pass
        ack = encode("ack", {"boot": outbox.boot, "upto": outbox.newest})
        app.received("ack", seal(key, ACK_TOPIC, ack))
        if outbox.newest >= sample:
            sample += events // SAMPLES
            gc.collect()
            allocated: Any = getattr(gc, "mem_alloc", int)
            print("events", outbox.newest, "allocated", allocated(), "messages", echo.sent)
