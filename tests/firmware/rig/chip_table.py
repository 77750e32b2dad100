"""A table of chip models: every driver of hal/ on its bus, put together by hal/assembly.py as on a board."""

from sabot_firmware.fake.clock import Clock
from sabot_firmware.fake.pn5180_chip import Pn5180Chip
from sabot_firmware.fake.ports import FakePorts
from sabot_firmware.fake.tag import Tag
from sabot_firmware.hal.assembly import Hardware

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot_firmware.config import Config
    from sabot_firmware.hal.flash import BlockDevice


class ChipTable:
    """Hardware over models, and what lies on the antennas."""

    # A turn polls every reader once. With what passes on the buses it takes 7.3 to 9.7 ms, on average 8.8: a board that
    # is busy. Between two polls a PN5180's request and the answer to it are over (1.8, 0.3 and 4.3 ms).
    step_us = 7000
    # From its reset a PN532 takes 14 polls until it is set up, and five for an inventory.
    start_turns = 20
    # A dealer draws at most three cards a second, each for about 100 ms over the antenna and some 230 ms behind the
    # last (core/shoe.py). With a scan every 50 ms no more than 60 lie between two questions.
    card_turns = 11
    gap_turns = 26
    # Fourteen chips take an inventory of 22 polls, one for each answer and some for the field, and of 38 where two of
    # them meet in a slot, which happens on one of four antennas at most (dealer.py). So each has its turn in 104. Old
    # chips are gone after three inventories without them, two seconds at least, new ones are told after two more
    # (core/spots.py), and one inventory may have been half done: 5 * 104 + 38.
    chip_turns = 560

    def __init__(self, clock: Clock, config: "Config", flash: "BlockDevice") -> None:
        self.ports = FakePorts(clock, config, flash)
        self.hardware = Hardware(config, self.ports, clock.ticks())
        self.chain = self.ports.lamps
        self._fields = {row[0]: self.ports.fields[row[3], row[4]] for row in config.readers}
        self._chips = {row[0]: row[2] for row in config.readers}

    def figures(self) -> "tuple[tuple[str, int], ...]":
        """What the chips saw of their drivers in this life."""
        chips = self.ports.readers.values()
        return (
            ("most_collisions", sum([chip.collisions for chip in chips if isinstance(chip, Pn5180Chip)])),
            ("worst_chip_errors", sum([chip.errors for chip in chips if isinstance(chip, Pn5180Chip)])),
            ("worst_reader_errors", sum([reader.errors for reader in self.hardware.readers.values()])),
        )

    def put(self, reader: int, antenna: int, uids: "tuple[bytes, ...]") -> None:
        fields = self._fields[reader]
        fields.clear(antenna)
        for uid in uids:
            # ISO 15693 sends the least significant byte first.
            sent = bytes([uid[-1 - at] for at in range(len(uid))]) if self._chips[reader] == "pn5180" else uid
            fields.place(antenna, Tag(sent))


make = ChipTable
