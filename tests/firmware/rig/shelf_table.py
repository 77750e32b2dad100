"""A table for volume: readers without a bus, so that a night of tags fits into a minute and the rig into a few KiB."""

from sabot_firmware.fake.clock import Clock
from sabot_firmware.fake.lamp_chain import LampChain
from sabot_firmware.fake.wire import Pin
from sabot_firmware.hal.flash import FlashStore
from sabot_firmware.hal.lamps import LampStrip

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot_firmware.config import Config
    from sabot_firmware.hal.flash import BlockDevice


class ShelfReader:
    """The interface of hal/reader.py over tags on a shelf."""

    limit = 48
    refused = 0
    errors = 0

    def __init__(self) -> None:
        self.shelf: dict[int, tuple[bytes, ...]] = {}
        self.is_busy = False
        self._antenna = 0

    def start(self, antenna: int) -> None:
        self._antenna = antenna
        self.is_busy = True

    def poll(self, now_ms: int) -> "tuple[bytes, ...] | None":
        assert now_ms >= 0
        if not self.is_busy:
            return None
        self.is_busy = False
        return self.shelf.get(self._antenna, ())

    def reset(self) -> None:
        self.is_busy = False

    def self_test(self) -> None:
        self.start(-1)


class ShelfTable:
    """The drivers of this table, as hal/assembly.py would make them, and what lies on it."""

    # A brisk dealer: a card for 80 ms, the next 160 ms later. Old chips are gone after 1.5 s, and new ones are told
    # after 0.4 s of rest; each of four antennas has its turn every 80 ms.
    step_us = 20000
    start_turns = 0
    card_turns = 4
    gap_turns = 8
    chip_turns = 130

    def __init__(self, clock: Clock, config: "Config", flash: "BlockDevice") -> None:
        pixels = config.number("pixels")
        self.chain = LampChain(clock, pixels)
        self.readers = {0: ShelfReader(), 1: ShelfReader()}
        self.flash = FlashStore(flash, 256)
        self.lamps = LampStrip(self.chain.bitstream, Pin(), pixels)
        self.display = None
        self.keypad = None
        self.door = None
        self.hardware = self

    def figures(self) -> "tuple[tuple[str, int], ...]":
        return ()  # there are no chips

    def put(self, reader: int, antenna: int, uids: "tuple[bytes, ...]") -> None:
        self.readers[reader].shelf[antenna] = uids


make = ShelfTable
