"""Door switch, watchdog, antenna multiplexer and flash store against their parts."""

import os

from firmware.on_both.seeded import Seeded
from sabot_firmware.core.ticks import MASK, ticks_add
from sabot_firmware.fake.block_device import BlockDevice, FileDevice
from sabot_firmware.fake.mux_chip import MuxChip
from sabot_firmware.fake.tag import Fields
from sabot_firmware.fake.wire import Pin
from sabot_firmware.hal.door import DEBOUNCE_MS, DoorSwitch
from sabot_firmware.hal.flash import ESP32_PAGE, RP2_PAGE, FlashStore
from sabot_firmware.hal.mux import AntennaMux
from sabot_firmware.hal.watchdog import Watchdog


def told(door: DoorSwitch, start_ms: int, for_ms: int) -> "list[bool]":
    """What the door tells over this time, polled each millisecond."""
    answers = [door.poll(ticks_add(start_ms, at)) for at in range(for_ms)]
    return [answer for answer in answers if answer is not None]


def test_the_door_tells_its_first_state_and_each_change_once() -> None:
    for start in (0, MASK - 30):
        pin = Pin(0)
        door = DoorSwitch(pin, start)
        assert told(door, start, 50) == [False]
        pin.level = 1
        assert told(door, ticks_add(start, 50), 50) == [True]
        pin.level = 0
        assert told(door, ticks_add(start, 100), 50) == [False]
        assert door.is_open is False


def test_a_bouncing_door_contact_is_one_change() -> None:
    random = Seeded(3)
    pin = Pin(0)
    door = DoorSwitch(pin, 0)
    assert told(door, 0, 50) == [False]
    changes = []
    for at in range(50, 150):
        pin.level = random.below(2) if at < 110 else 1
        answer = door.poll(at)
        if answer is not None:
            changes.append((at, answer))
    assert changes[-1][1] is True
    assert len(changes) == 1
    assert changes[0][0] >= 50 + DEBOUNCE_MS


def test_a_cut_wire_reads_as_an_open_door() -> None:
    pin = Pin(1)  # nothing but the pull-up
    assert told(DoorSwitch(pin, 0), 0, 50) == [True]


class Timer:
    def __init__(self) -> None:
        self.feeds = 0

    def feed(self) -> None:
        self.feeds += 1


def test_the_watchdog_is_fed_only_when_every_task_reported() -> None:
    timer = Timer()
    dog = Watchdog(timer, 3)
    for _ in range(100):
        dog.alive(0)
        dog.alive(2)
    assert timer.feeds == 0
    assert dog.missing() == (1,)
    dog.alive(1)
    assert timer.feeds == 1
    assert dog.missing() == (0, 1, 2)
    for task in (2, 1, 0):
        dog.alive(task)
    assert timer.feeds == 2
    dog.force()
    assert timer.feeds == 3


def test_each_address_connects_its_antenna_and_nothing_in_between() -> None:
    fields = Fields()
    chip = MuxChip(fields, lambda: True)
    mux = AntennaMux(chip.lines, chip.disable)
    assert fields.selected is None
    for antenna in (0, 1, 2, 4, 8, 15, 10, 5, 0):
        mux.select(antenna)
        assert fields.selected == antenna
    mux.off()
    assert fields.selected is None
    assert chip.glitches == 0


def test_the_flash_store_clears_bits_anywhere_and_only_there() -> None:
    for page in (RP2_PAGE, ESP32_PAGE):
        random = Seeded(page)
        device = BlockDevice(page, 3)
        store = FlashStore(device, page)
        assert (store.sector_size, store.sector_count) == (4096, 3)
        cells = bytearray(b"\xff" * 12288)
        for _ in range(60):
            data = random.bytes(1 + random.below(600))
            offset = random.below(12288 - len(data))
            store.program(offset, data)
            for at in range(len(data)):
                cells[offset + at] &= data[at]
            for sector in range(3):
                assert device.block(sector) == cells[sector * 4096 : sector * 4096 + 4096]
            room = bytearray(1 + random.below(700))
            offset = random.below(12288 - len(room))
            store.read_into(offset, room)
            assert room == cells[offset : offset + len(room)]


def test_an_erased_sector_is_all_ones_and_its_neighbours_stay() -> None:
    for page in (RP2_PAGE, ESP32_PAGE):
        device = BlockDevice(page, 3)
        store = FlashStore(device, page)
        for sector in range(3):
            store.program(sector * 4096, bytes(4096))
        store.erase(1)
        assert device.cells == bytes(4096) + b"\xff" * 4096 + bytes(4096)


def test_a_record_across_two_sectors_is_written_whole() -> None:
    for page in (RP2_PAGE, ESP32_PAGE):
        device = BlockDevice(page, 2)
        store = FlashStore(device, page)
        store.program(4090, b"twelve bytes")
        room = bytearray(12)
        store.read_into(4090, room)
        assert room == b"twelve bytes"


def test_flash_in_a_file_outlives_its_process() -> None:
    path = "/tmp/sabot-flash-" + str(id(object())) + ".bin"
    device = FileDevice(path, RP2_PAGE, 3)
    try:
        store = FlashStore(device, RP2_PAGE)
        store.program(4000, b"over the edge" * 20)
        store.program(4000, b"\x00")
        device.close()
        device = FileDevice(path, RP2_PAGE, 3)
        store = FlashStore(device, RP2_PAGE)
        room = bytearray(260)
        store.read_into(4000, room)
        assert room == b"\x00" + (b"over the edge" * 20)[1:]
        store.erase(0)
        store.read_into(4000, room)
        assert room == b"\xff" * 96 + (b"over the edge" * 20)[96:]
    finally:
        device.close()
        os.remove(path)  # noqa: PTH107 - MicroPython has no pathlib


def test_nothing_is_written_beyond_the_end() -> None:
    store = FlashStore(BlockDevice(RP2_PAGE, 2), RP2_PAGE)
    refused = False
    try:
        store.program(8190, b"abc")
    except AssertionError:
        refused = True
    assert refused
