"""A config becomes drivers, and the drivers find the chips behind the fake board's ports."""

from sabot_firmware.config import parse_config
from sabot_firmware.fake.block_device import BlockDevice
from sabot_firmware.fake.clock import Clock
from sabot_firmware.fake.ports import FakePorts
from sabot_firmware.fake.tag import Tag
from sabot_firmware.hal.assembly import Hardware, HardwareError

HEAD = b"outbox_sectors = 3\nsite = riviera\ndevice = table-12-a\nboard = fake\nlink = serial\n"
FULL = (
    HEAD
    + b"reader = 0 shoe pn532 spi0 0\nreader = 1 spots pn5180 spi1 0\nreader = 2 badge pn532 uart1 0\n"
    + b"reader = 3 discard pn5180 spi0 2\n"
    + b"spot = 1 0 1 ante 0 8\npixels = 8\ndisplay = sh1106\nkeypad_rows = 4\nkeypad_columns = 5\ndoor = yes\nend\n"
)


class Table:
    """Drivers over a fake board."""

    def __init__(self, text: bytes) -> None:
        config = parse_config(text)
        self.clock = Clock()
        self.ports = FakePorts(self.clock, config)
        self.parts = Hardware(config, self.ports, self.clock.ticks())

    def inventories(self, antenna: int) -> "dict[int, tuple[bytes, ...]]":
        """What every reader sees, all polled in turn."""
        found: dict[int, tuple[bytes, ...]] = {}
        for reader in self.parts.readers.values():
            reader.start(antenna)
        for _ in range(2000):
            self.clock.pass_us(1000)
            for number, reader in self.parts.readers.items():
                uids = reader.poll(self.clock.ticks())
                if uids is not None:
                    found[number] = uids
            if len(found) == len(self.parts.readers):
                return found
        raise AssertionError(found)


def refusal(lines: bytes) -> str:
    """Why this config is refused by the board."""
    config = parse_config(HEAD + lines + b"end\n")
    try:
        Hardware(config, FakePorts(Clock(), config), 0)
    except HardwareError as error:
        return str(error)
    return ""


def test_every_reader_finds_its_tags_through_its_own_wires() -> None:
    table = Table(FULL)
    card, badge = b"\x04\x01\x02\x03\x04\x05\x06", b"\x04\x0a\x0b\x0c"
    chip, gone = b"\x01\x02\x03\x04\x05\x06\x04\xe0", b"\x09\x02\x03\x04\x05\x06\x04\xe0"
    table.ports.fields["spi0", 0].place(0, Tag(card))
    table.ports.fields["uart1", 0].place(0, Tag(badge))
    table.ports.fields["spi1", 0].place(5, Tag(chip))
    table.ports.fields["spi0", 2].place(0, Tag(gone))
    found = table.inventories(5)
    assert found[0] == (card,)
    assert found[2] == (badge,)
    assert found[1] == (b"\xe0\x04\x06\x05\x04\x03\x02\x01",)
    assert found[3] == (b"\xe0\x04\x06\x05\x04\x03\x02\x09",)
    assert table.inventories(4)[1] == ()


def test_lamps_display_keypad_and_door_are_wired() -> None:
    table = Table(FULL)
    parts, ports, clock = table.parts, table.ports, table.clock
    assert parts.lamps is not None
    assert parts.display is not None
    assert parts.keypad is not None
    assert parts.door is not None
    parts.lamps.show(clock.ticks(), bytearray(b"\x01\x02\x03" * 8))
    parts.display.draw(["Sabot"])
    ports.matrix.held = {(3, 4)}
    masks, doors = [], []
    for _ in range(40):
        clock.pass_us(1000)
        parts.display.poll(clock.ticks())
        masks.append(parts.keypad.poll())
        doors.append(parts.door.poll(clock.ticks()))
    assert ports.lamps.seen(7) == (2, 1, 3)
    assert ports.oled.rows() == ["Sabot"]
    assert 1 << 19 in masks
    assert False in doors
    assert True not in doors


def test_the_flash_survives_a_restart() -> None:
    config = parse_config(FULL)
    ports = FakePorts(Clock(), config, BlockDevice(256, 3, 512))
    first = Hardware(config, ports, 0)
    assert (first.flash.sector_count, first.flash.sector_size) == (3, 512)
    first.flash.program(5, b"kept")
    room = bytearray(4)
    Hardware(config, ports, 0).flash.read_into(5, room)
    assert room == b"kept"


def test_parts_that_the_config_does_not_name_are_absent() -> None:
    parts = Table(HEAD + b"end\n").parts
    assert parts.lamps is None
    assert parts.display is None
    assert parts.keypad is None
    assert parts.door is None
    assert parts.readers == {}


def test_what_a_board_lacks_is_refused_in_a_sentence() -> None:
    assert refusal(b"reader = 4 shoe pn532 spi0 7\n") == "Config: reader 4 has no socket spi0 7 on this board."
    assert refusal(b"reader = 5 spots pn5180 uart1 0\n").startswith("Config: reader 5 is a PN5180")
