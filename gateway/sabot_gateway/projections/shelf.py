"""The registers of the house by digest, found in the house streams of a journal when somebody asks for them.

Reads only what is new since it was last asked, so a register that was written a moment ago is found too.
"""

from typing import Final

from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.record import Stream
from sabot_gateway.model.registers import Registers
from sabot_gateway.projections.source import Source
from sabot_gateway.transcript.error import FactError
from sabot_gateway.transcript.house import House, house_from_bytes, take_house

HOUSE: Final = "house/"


class Shelf:
    """A `Lookup` for the fold of a table: KeyError when no house ever wrote such registers."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._houses: dict[Stream, House] = {}
        self._known: dict[str, Registers] = {}

    def __call__(self, digest: str) -> Registers:
        known = self._known.get(digest)
        if known is None:
            self._read_on()
            known = self._known[digest]
        return known

    def _read_on(self) -> None:
        for stream in self._source.heads():
            if not stream.startswith(HOUSE):
                continue
            house = self._houses.get(stream) or self._begun(stream)
            for record in self._source.read(stream, house.position):
                house = self._taken(house, record.body)
            self._houses[stream] = house
            self._known.update(house.registers)

    def _begun(self, stream: Stream) -> House:
        """From the beginning where it is kept: a snapshot leaves out registers that no table uses any more."""
        try:
            next(self._source.read(stream, 0), None)
        except JournalError as error:
            if error.code is not ErrorCode.REMOVED:
                raise
            snapshot = self._source.snapshot(stream)
            if snapshot is not None:
                return house_from_bytes(snapshot.body)
        return House()

    @staticmethod
    def _taken(house: House, body: bytes) -> House:
        try:
            return take_house(house, body).house
        except FactError:
            # What cannot be read names no register; a table that needs it will say so.
            return House(house.registers, house.latest, house.parts, house.parts_of, house.position + 1)
