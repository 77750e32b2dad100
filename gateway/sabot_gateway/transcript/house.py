"""The stream of the house: its registers by content, and what people did that concerns no table.

    register   [VERSION, "register", digest, part, of, bytes]     chips, cards, decks and badges, in parts
    action     [VERSION, "action", by, at_ms, name, detail]       staff and configuration

Registers are content-addressed: the digest is the SHA-256 of their canonical bytes, and a table's setup names it, so
that a replay of a table finds the very registers it had that night. They are written again only when they changed.
Owns the forms, the fold and its snapshot. Pure.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import cbor2

from sabot_gateway.model.alert import Alert
from sabot_gateway.model.card import Card
from sabot_gateway.model.person import Person, Role
from sabot_gateway.model.registers import Registers
from sabot_gateway.model.tag import CardTag, Chip, ChipState, Deck, Tag
from sabot_gateway.transcript.error import FactError
from sabot_gateway.transcript.fact import parts_from_body
from sabot_gateway.transcript.plain import reader_of, writer_of

VERSION: Final = 1

# Half of what a record may hold, so that the head of the body never matters.
PART_BYTES: Final = 1 << 19

Detail = Mapping[str, int | str | bool | None]


class Action(NamedTuple):
    """What somebody did; `by` is a person's id, or empty for the gateway itself."""

    name: str
    at_ms: int
    by: str = ""
    detail: Detail = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class House:
    """Every register that a table may still name, by digest; `latest` is the one written last."""

    registers: Mapping[str, Registers] = field(default_factory=dict)
    latest: str = ""
    parts: tuple[bytes, ...] = ()  # the beginning of a register under way
    parts_of: str = ""
    position: int = 0

    def lookup(self, digest: str) -> Registers:
        """For the fold of a table; KeyError when the house never wrote such registers."""
        return self.registers[digest]


class HouseTaken(NamedTuple):
    house: House
    action: Action | None = None


def digest_of(registers: Registers) -> str:
    """By what a table's setup names these registers."""
    return hashlib.sha256(_bytes_from_registers(registers)).hexdigest()


def bodies_from_registers(registers: Registers) -> tuple[bytes, ...]:
    """The records that keep these registers, to be appended together (Kind.FACT)."""
    content = _bytes_from_registers(registers)
    digest = hashlib.sha256(content).hexdigest()
    pieces = [content[at : at + PART_BYTES] for at in range(0, len(content), PART_BYTES)]
    return tuple(
        cbor2.dumps((VERSION, "register", digest, part, len(pieces), piece)) for part, piece in enumerate(pieces, 1)
    )


def body_from_action(action: Action) -> bytes:
    """The record of something done (Kind.OPERATOR for a person, Kind.FACT for the gateway)."""
    return cbor2.dumps((VERSION, "action", action.by, action.at_ms, action.name, dict(sorted(action.detail.items()))))


def take_house(house: House, body: bytes) -> HouseTaken:
    """The house after the next record of its stream; FactError for a body that cannot be read."""
    position = house.position + 1
    match parts_from_body(body):
        case [1, "register", str(digest), int(part), int(of), bytes(piece)]:
            return HouseTaken(_registered(house, digest, part, of, piece, position))
        case [1, "action", str(by), int(at_ms), str(name), dict(detail)]:
            if not all(isinstance(key, str) and isinstance(each, _PLAIN) for key, each in detail.items()):
                raise FactError("An action's detail is of no known form.")
            done = Action(name, at_ms, by, detail)
            return HouseTaken(House(house.registers, house.latest, house.parts, house.parts_of, position), done)
        case [1, "said", str(), _]:
            # What somebody did about an alarm of the house; for the views, and for `read_fact`.
            return HouseTaken(House(house.registers, house.latest, house.parts, house.parts_of, position))
    raise FactError("A record of the house is of no known form.")


def bytes_from_house(house: House, used: "frozenset[str] | None" = None, alarms: Iterable[Alert] = ()) -> bytes:
    """The snapshot's body, with the registers that are `used` and the latest (None: all), and the open alarms."""
    kept = [digest for digest in house.registers if used is None or digest in used or digest == house.latest]
    contents = [(digest, _bytes_from_registers(house.registers[digest])) for digest in sorted(kept)]
    plain = [_WRITE_ALERT(alert) for alert in alarms]
    return cbor2.dumps(
        (VERSION, "house", house.position, house.latest, house.parts_of, list(house.parts), contents, plain)
    )


def alarms_from_bytes(data: bytes) -> tuple[Alert, ...]:
    """The alarms that were open; none in a snapshot of the first releases, which was made only while none had to be."""
    match parts_from_body(data):
        case [1, "house", _, _, _, _, _, list(alarms)]:
            return tuple([_READ_ALERT(plain) for plain in alarms])
    return ()


def house_from_bytes(data: bytes) -> House:
    """The house that was written; FactError when this release cannot read it."""
    match parts_from_body(data):
        case [1, "house", int(position), str(latest), str(parts_of), list(parts), list(contents), *alarms] if (
            len(alarms) <= 1
        ):
            registers = {}
            for digest, content in contents:
                registers[str(digest)] = _registers_from_bytes(content, digest)
            return House(registers, latest, tuple(parts), parts_of, position)
    raise FactError("A snapshot of the house is of no known form.")


def _registered(house: House, digest: str, part: int, of: int, piece: bytes, position: int) -> House:
    before = house.parts if part > 1 and house.parts_of == digest else ()
    if len(before) != part - 1 or part > of:
        raise FactError("A register of the house lacks a part.")
    parts = (*before, piece)
    if part < of:
        return House(house.registers, house.latest, parts, digest, position)
    known = house.registers.get(digest)
    registers = known if known is not None else _registers_from_bytes(b"".join(parts), digest)
    return House({**house.registers, digest: registers}, digest, (), "", position)


def _bytes_from_registers(registers: Registers) -> bytes:
    # Four flat lists, sorted: a house has a hundred thousand chips, and cbor2 is slow with small containers.
    chips: list[int | str] = []
    for tag, chip in sorted(registers.chips.items()):
        chips += (tag, chip.value_cents, str(chip.state))
    cards: list[int | str] = []
    for tag, known in sorted(registers.cards.items()):
        cards += (tag, known.card, known.deck)
    decks: list[int | str] = []
    for name, deck in sorted(registers.decks.items()):
        decks += (name, deck.name, deck.colour, deck.uses)
    badges: list[int | str] = []
    for tag, person in sorted(registers.badges.items()):
        badges += (tag, person.id, str(person.role))
    return cbor2.dumps((chips, cards, decks, badges))


def _registers_from_bytes(content: bytes, digest: str) -> Registers:
    if hashlib.sha256(content).hexdigest() != digest:
        raise FactError("The digest of a register does not fit its content.")
    try:
        chips, cards, decks, badges = cbor2.loads(content)
        return Registers(
            {Tag(tag): Chip(cents, _CHIP_STATE[state]) for tag, cents, state in _rows(chips, 3)},
            {Tag(tag): CardTag(Card(card), deck) for tag, card, deck in _rows(cards, 3)},
            {name: Deck(own, colour, uses) for name, own, colour, uses in _rows(decks, 4)},
            {Tag(tag): Person(number, Role(role)) for tag, number, role in _rows(badges, 3)},
        )
    except (cbor2.CBORDecodeError, TypeError, ValueError, KeyError) as error:
        raise FactError("A register of the house is of no known form.") from error


def _rows(flat: list[Any], width: int) -> Iterator[tuple[Any, ...]]:
    each = iter(flat)
    return zip(*[each] * width, strict=True)


_WRITE_ALERT: Final = writer_of(Alert)
_READ_ALERT: Final = reader_of(Alert)
_CHIP_STATE: Final = {str(state): state for state in ChipState}
_PLAIN: Final = (int, str, bool, type(None))
