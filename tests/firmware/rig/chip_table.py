"""A table of chip models: every driver of hal/ on its bus, put together by hal/assembly.py as on a board."""

from sabot_firmware.fake.clock import Clock
from sabot_firmware.fake.ports import FakePorts
from sabot_firmware.fake.tag import Tag
from sabot_firmware.hal.assembly import Hardware

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot_firmware.config import Config
    from sabot_firmware.hal.flash import BlockDevice


class ChipTable:
    """Hardware over models, and what lies on the antennas."""

    # An inventory takes six polls of a PN532, and a hundred or more of a PN5180 with its 16 slots.
    step_us = 6000
    card_turns = 30
    gap_turns = 30
    chip_turns = 1200

    def __init__(self, clock: Clock, config: "Config", flash: "BlockDevice") -> None:
        self.ports = FakePorts(clock, config, flash)
        self.hardware = Hardware(config, self.ports, clock.ticks())
        self.chain = self.ports.lamps
        self._fields = {row[0]: self.ports.fields[row[3], row[4]] for row in config.readers}
        self._chips = {row[0]: row[2] for row in config.readers}

    def put(self, reader: int, antenna: int, uids: "tuple[bytes, ...]") -> None:
        fields = self._fields[reader]
        fields.clear(antenna)
        for uid in uids:
            # ISO 15693 sends the least significant byte first.
            sent = bytes([uid[-1 - at] for at in range(len(uid))]) if self._chips[reader] == "pn5180" else uid
            fields.place(antenna, Tag(sent))


make = ChipTable
