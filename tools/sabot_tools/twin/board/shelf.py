"""Drivers of a table for volume: readers and keys without a bus, lamps and display with theirs.

Owns what lies on each antenna and which keys are held. Same shape as hal/assembly.py, so the application above is the
one of every board. Readers answer at once and keys show a whole matrix, which leaves a night's coups to the
application's own work; pixels and glass are read back from the models of the chips. Shared subset of both Pythons.
"""

from sabot_firmware.fake.lamp_chain import LampChain
from sabot_firmware.fake.oled_chip import Frame, OledChip
from sabot_firmware.fake.wire import I2c, Pin
from sabot_firmware.hal.door import DoorSwitch
from sabot_firmware.hal.errors import ReaderError
from sabot_firmware.hal.lamps import LampStrip
from sabot_firmware.hal.oled import SIZE, Oled
from sabot_tools.twin.board.kept_flash import KeptFlash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot_firmware.config import Config
    from sabot_firmware.fake.clock import Clock
    from sabot_firmware.hal.reader import Reader

SECTOR = 4096
DISPLAY = 0x3C


class ShelfReader:
    """The interface of hal/reader.py over tags on a shelf."""

    limit = 48

    def __init__(self) -> None:
        self.shelf: dict[int, tuple[bytes, ...]] = {}
        self.errors = 0
        self.refused = 0
        self.is_busy = False
        self.is_broken = False
        self._antenna = 0

    def start(self, antenna: int) -> None:
        self._antenna = antenna
        self.is_busy = True

    def poll(self, now_ms: int) -> "tuple[bytes, ...] | None":
        assert now_ms >= 0
        if not self.is_busy:
            return None
        self.is_busy = False
        if self.is_broken:
            self.errors += 1
            raise ReaderError("no_ack")
        return self.shelf.get(self._antenna, ())

    def reset(self) -> None:
        self.is_busy = False

    def self_test(self) -> None:
        self.start(-1)


class ShelfKeypad:
    """All contacts of the matrix at once, as bits."""

    def __init__(self) -> None:
        self.mask = 0

    def poll(self) -> "int | None":
        return self.mask


class Shelf:
    """The hardware of one controller; `put` lays tags on antennas."""

    def __init__(self, clock: "Clock", config: "Config", folder: str) -> None:
        pixels = config.number("pixels")
        self.shelves: dict[int, ShelfReader] = {row[0]: ShelfReader() for row in config.readers}
        self.readers: dict[int, Reader] = {}
        self.readers.update(self.shelves)
        self.flash = KeptFlash(folder + "/flash", SECTOR, config.number("outbox_sectors"))
        self.chain = LampChain(clock, pixels)
        self.lamps = LampStrip(self.chain.bitstream, Pin(), pixels) if pixels else None
        self.oled = OledChip("ssd1306")
        self.display = self._display(clock) if config.text("display") != "none" else None
        self.keypad = ShelfKeypad()
        self.door_pin = Pin(0)
        self.door = DoorSwitch(self.door_pin, clock.ticks()) if config.flag("door") else None

    def put(self, reader: int, antenna: int, uids: "tuple[bytes, ...]") -> None:
        """Replace what lies on an antenna."""
        self.shelves[reader].shelf[antenna] = uids

    def hold(self, key: int) -> None:
        """Hold one key of the matrix; -1 lets go of all."""
        self.keypad.mask = 0 if key < 0 else 1 << key

    def pixels(self) -> bytes:
        """What the lamps show, three bytes each: green, red, blue."""
        return self.chain.received

    def rows(self) -> "list[str]":
        """What the glass of the display shows."""
        return self.oled.rows()

    def _display(self, clock: "Clock") -> Oled:
        wire = I2c(clock)
        wire.chips[DISPLAY] = self.oled
        buffer = bytearray(SIZE)
        return Oled(wire, DISPLAY, "ssd1306", buffer, Frame(buffer))
