"""The stream of the house: registers by content, in parts that fit a record, and what people did."""

from hashlib import sha256

import cbor2
import pytest

from sabot_gateway.journal.record import MAX_BODY
from sabot_gateway.model.card import Card
from sabot_gateway.model.game import Game
from sabot_gateway.model.person import Person, Role
from sabot_gateway.model.registers import Registers
from sabot_gateway.model.tag import CardTag, Chip, Deck, Tag
from sabot_gateway.runtime.alarm import table_not_followed
from sabot_gateway.transcript.error import FactError
from sabot_gateway.transcript.house import (
    Action,
    House,
    alarms_from_bytes,
    bodies_from_registers,
    body_from_action,
    bytes_from_house,
    digest_of,
    house_from_bytes,
    take_house,
)
from table.table_stage import setup_for
from transcript.story import registers_of

REGISTERS = registers_of(setup_for(Game.TCF))
LARGE = Registers({Tag(f"{number:016x}"): Chip(100) for number in range(60_000)})


def with_registers(house: House, registers: Registers) -> House:
    for body in bodies_from_registers(registers):
        house = take_house(house, body).house
    return house


@pytest.mark.parametrize("registers", [REGISTERS, LARGE, Registers()], ids=["a table's", "large", "empty"])
def test_registers_read_back_under_their_digest(registers: Registers) -> None:
    bodies = bodies_from_registers(registers)
    assert all(len(body) <= MAX_BODY for body in bodies)
    house = with_registers(House(), registers)
    assert house.latest == digest_of(registers)
    assert house.lookup(house.latest) == registers
    assert house.position == len(bodies)


def test_the_large_register_needs_several_records() -> None:
    assert len(bodies_from_registers(LARGE)) > 1


def test_the_digest_is_of_the_content_and_not_of_its_order() -> None:
    backwards = Registers(
        dict(reversed(list(REGISTERS.chips.items()))), REGISTERS.cards, REGISTERS.decks, REGISTERS.badges
    )
    assert digest_of(backwards) == digest_of(REGISTERS)
    fewer = Registers(REGISTERS.chips, REGISTERS.cards, REGISTERS.decks, {})
    assert digest_of(fewer) != digest_of(REGISTERS)


def test_earlier_registers_can_still_be_found() -> None:
    house = with_registers(with_registers(House(), REGISTERS), Registers())
    assert house.lookup(digest_of(REGISTERS)) == REGISTERS
    with pytest.raises(KeyError):
        house.lookup("00" * 32)


def test_a_missing_part_and_a_changed_part_are_errors() -> None:
    first, second, *_ = bodies_from_registers(LARGE)
    with pytest.raises(FactError, match="part"):
        take_house(House(), second)
    *_, last = bodies_from_registers(REGISTERS)
    parts = cbor2.loads(last)
    parts[5] = parts[5][:-1] + b"\x00"
    with pytest.raises(FactError, match="digest"):
        take_house(House(), cbor2.dumps(parts))
    assert take_house(House(), first).house.parts_of == digest_of(LARGE)


def test_a_register_of_the_first_release_still_reads() -> None:
    """Written out by hand, so that no change of the writer can hide a change of the form."""
    flat = [["aa", 500, "in_play"], ["bb", 7, "red"], ["red", "red", "rouge", 2], ["cc", "D1", "dealer"]]
    content = cbor2.dumps(flat)
    digest = sha256(content).hexdigest()
    house = take_house(House(), cbor2.dumps([1, "register", digest, 1, 1, content])).house
    assert house.lookup(digest) == Registers(
        {Tag("aa"): Chip(500)},
        {Tag("bb"): CardTag(Card(7), "red")},
        {"red": Deck("red", "rouge", 2)},
        {Tag("cc"): Person("D1", Role.DEALER)},
    )
    assert digest_of(house.lookup(digest)) == digest


def test_an_action_reads_back() -> None:
    action = Action("export", 5, "C1", {"table": "t1", "rows": 7, "csv": True, "until": None})
    taken = take_house(House(), body_from_action(action))
    assert (taken.action, taken.house.position) == (action, 1)


def test_a_snapshot_keeps_what_tables_still_name() -> None:
    house = with_registers(with_registers(with_registers(House(), REGISTERS), LARGE), Registers())
    assert house_from_bytes(bytes_from_house(house)) == house
    fewer = house_from_bytes(bytes_from_house(house, frozenset({digest_of(REGISTERS)})))
    assert set(fewer.registers) == {digest_of(REGISTERS), digest_of(Registers())}
    assert (fewer.latest, fewer.position) == (house.latest, house.position)


def test_a_snapshot_keeps_the_open_alarms_and_one_of_an_earlier_release_has_none() -> None:
    house = with_registers(House(), REGISTERS)
    alarm = table_not_followed("t1", "KeyError at record 7", 5)
    data = bytes_from_house(house, None, [alarm])
    assert alarms_from_bytes(data) == (alarm,)
    assert house_from_bytes(data) == house
    before = cbor2.dumps(cbor2.loads(data)[:7])  # as it was written before it kept alarms
    assert house_from_bytes(before) == house
    assert alarms_from_bytes(before) == ()


@pytest.mark.parametrize("body", [b"\xff", cbor2.dumps([1, "action", "C1", 5, "x", {"a": [1]}]), cbor2.dumps([1, "x"])])
def test_what_is_no_record_of_the_house_is_one_clear_error(body: bytes) -> None:
    with pytest.raises(FactError):
        take_house(House(), body)
