"""A dealer and players made of numbers: cards leave the shoe, chips change on the spots, each tag unique.

Time is virtual and passes with each turn, so a night passes in a minute. How far they came lies in a file: whoever
starts again after a kill draws the card again that nobody may have seen.
"""

# MicroPython has no pathlib, and what a script of the rig prints is its result.
# ruff: noqa: PTH123, SIM115

import struct

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    from sabot_firmware.fake.clock import Clock

    class Felt(Protocol):
        """What lies where: `put(reader, antenna, uids)` replaces it; and how fast this table can be played."""

        step_us: int  # virtual time of one turn of the loop
        start_turns: int  # nobody deals before
        card_turns: int  # a card lies over the antenna for so long
        gap_turns: int  # then the next is so far away
        chip_turns: int  # bets change so often

        def put(self, reader: int, antenna: int, uids: tuple[bytes, ...]) -> None: ...


SHOE, SPOTS = 0, 1
ANTENNAS = 4

# Chips lie on the spots in the order of their making, but three are missing after each rack of a hundred. Fourteen in a
# row would each have a slot of their own; where three are missing the first and the last meet in one.
RACK, MISSING = 100, 3


def chip_uid(number: int) -> bytes:
    """The UID of a chip, most significant byte first."""
    return b"\xe0\x04\x01\x02" + struct.pack(">I", number + MISSING * (number // RACK))


def chip_number(uid: bytes) -> int:
    """Which chip this is."""
    made: int = struct.unpack(">I", uid[4:])[0]
    return made - MISSING * (made // (RACK + MISSING))


class Dealer:
    """Deals `cards` cards and bets `groups` groups of chips, going on from the progress file."""

    def __init__(self, path: str, clock: "Clock", felt: "Felt", cards: int, groups: int, chips: int) -> None:
        self._clock = clock
        self._felt = felt
        self._cards = cards
        self._groups = groups
        self._chips = chips
        try:
            with open(path, "rb") as file:
                card, group = struct.unpack("<II", file.read(8))
        except (OSError, ValueError):
            card, group = 0, 0
        self.card: int = card
        self.group: int = group
        self._file = open(path, "wb")
        self._keep()
        self._turn = -felt.start_turns
        self._chip_turn = 0

    @property
    def is_finished(self) -> bool:
        return self.card >= self._cards and self.group >= self._groups

    def turn(self) -> None:
        """Let time pass and move tags."""
        self._clock.pass_us(self._felt.step_us)
        self._deal()
        self._bet()

    def _deal(self) -> None:
        if self._turn == 0 and self.card < self._cards:
            self._felt.put(SHOE, 0, (b"\x04" + struct.pack(">I", self.card) + b"\x51\x52",))
        self._turn += 1
        if self._turn == self._felt.card_turns:
            self._felt.put(SHOE, 0, ())
        elif self._turn == self._felt.card_turns + self._felt.gap_turns:
            self._turn = 0
            if self.card < self._cards:
                self.card += 1
                self._keep()

    def _bet(self) -> None:
        if self.group >= self._groups:
            return
        if self._chip_turn == 0:
            self._lay()
        self._chip_turn += 1
        if self._chip_turn == self._felt.chip_turns:
            self._chip_turn = 0
            self.group += ANTENNAS
            self._keep()

    def _lay(self) -> None:
        for antenna in range(ANTENNAS):
            first = (self.group + antenna) * self._chips
            self._felt.put(SPOTS, antenna, tuple([chip_uid(first + chip) for chip in range(self._chips)]))

    def _keep(self) -> None:
        self._file.seek(0)
        self._file.write(struct.pack("<II", self.card, self.group))
        self._file.flush()
