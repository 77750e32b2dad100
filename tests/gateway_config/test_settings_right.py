"""A right configuration becomes exactly the settings that it writes."""

from dataclasses import fields
from pathlib import Path

import pytest

from gateway_config.house_files import House, tag_of
from sabot_gateway.config import load
from sabot_gateway.model.card import card_from_text
from sabot_gateway.model.game import Game
from sabot_gateway.model.person import Person, Role
from sabot_gateway.model.tag import CardTag, Chip, ChipState, Deck, Tag
from sabot_gateway.mqtt.port import Version
from sabot_gateway.registry import DeviceRole
from sabot_gateway.settings.key_table import FITTED, TIMING
from sabot_gateway.settings.shape import Address, MetricsReader, Subject
from sabot_gateway.table.setup import Fitted, Timing
from sabot_protocol.envelope import seal, unseal
from sabot_protocol.topics import build_topic


@pytest.fixture
def house(tmp_path: Path) -> House:
    return House(tmp_path)


def test_tables_have_their_rules_sensors_and_patience(house: House) -> None:
    first, second = load(house.file).tables
    assert (first.name, first.pit, first.game, first.cameras) == ("t1", "salle 1", Game.TCF, ("cam-11", "cam-12"))
    assert first.ruleset.id == "house-tcf"
    assert first.timing == Timing(lamps_ms=3000)
    assert first.fitted == Fitted(rack=False, seat_readers={2: 1, 3: 0})
    assert (second.name, second.pit, second.game) == ("t2", "", Game.UTH)
    assert second.timing == Timing()
    assert second.fitted == Fitted(seat_readers={})


def test_registers_say_what_each_tag_is(house: House) -> None:
    registers = load(house.file).registers
    assert registers.chips == {
        Tag("04a1000000000a"): Chip(500),
        Tag("04a1000000000b"): Chip(1000, ChipState.WITHDRAWN),
    }
    assert registers.badges == {
        Tag("0badbad1"): Person("p-17", Role.DEALER),
        Tag("0badbad2"): Person("p-3", Role.TABLE_HEAD),
    }
    assert registers.decks == {"d1": Deck("d1", "red"), "d2": Deck("d2", "blue")}
    assert len(registers.cards) == 104
    assert registers.cards[Tag(tag_of("Qh", 2))] == CardTag(card_from_text("Qh"), "d2")


def test_a_table_is_set_up_with_the_registers_of_the_house(house: House) -> None:
    settings = load(house.file)
    setup = settings.tables[0].setup(settings.registers)
    assert (setup.table, setup.game) == ("t1", Game.TCF)
    assert setup.cards == settings.registers.cards
    assert setup.timing.lamps_ms == 3000


def test_every_patience_and_sensor_of_a_table_can_be_set() -> None:
    derived = {"ahead_min"}  # from the house's time zone
    assert {key.name for key in TIMING.keys} == {field.name for field in fields(Timing)} - derived
    assert {key.name for key in FITTED.keys} == {field.name for field in fields(Fitted)}


def test_paths_are_relative_to_the_file_they_are_written_in(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("/")
    settings = load(house.file)
    assert settings.data == house.folder / "data"
    assert settings.store.sqlite == house.folder / "data" / "journal.db"
    assert [device.id for device in settings.devices] == ["t1-a", "t2-a"]


def test_a_device_seals_with_its_key(house: House) -> None:
    house.add_device("t1-b", "t1", 'role = "shoe"\n')
    registry = load(house.file).devices.registry_at(0)
    assert [device.id for device in registry.devices()] == ["t1-a", "t1-b", "t2-a"]
    device = registry.find("t1-b")
    assert device is not None
    assert (device.table, device.role) == ("t1", DeviceRole.SHOE)
    (key,) = device.keys
    topic = build_topic("riviera", "t1-b", "event")
    assert unseal(key, topic, seal(key, topic, b"abc")) == b"abc"
    assert registry.find("stranger") is None


def test_an_earlier_key_opens_until_its_end(house: House) -> None:
    house.secret("devices/t1-b.old", bytes(range(16)))
    # 2027-01-31T06:00:00Z is 1801375200 s after the epoch (GNU date).
    house.add_device("t1-b", "t1", 'previous_key = "t1-b.old"\nprevious_until = 2027-01-31T07:00:00+01:00\n')
    book = load(house.file).devices
    before, after = (book.registry_at(1_801_375_200_000 + late).find("t1-b") for late in (-1, 0))
    assert before is not None
    assert after is not None
    assert len(before.keys) == 2
    assert after.keys == before.keys[:1]
    assert book.next_end_ms(0) == 1_801_375_200_000
    assert book.next_end_ms(1_801_375_200_000) is None


def test_without_a_broker_the_embedded_one_is_meant(house: House) -> None:
    settings = load(house.file)
    assert settings.broker is None
    assert settings.embedded.listen == Address("127.0.0.1", 1883)


def test_a_broker_of_the_house(house: House) -> None:
    house.secret("password", b"open sesame\n")
    house.write("ca.pem", "-")
    house.append(
        '\n[broker]\nurl = "mqtts://broker.pit"\nversion = "5"\nca = "ca.pem"\n'
        'username = "sabot"\npassword_file = "password"\n'
    )
    broker = load(house.file).broker
    assert broker is not None
    assert (broker.host, broker.port, broker.version) == ("broker.pit", 8883, Version.V5)
    assert broker.tls is not None
    assert broker.tls.ca == house.folder / "ca.pem"
    assert (broker.username, broker.password) == ("sabot", "open sesame")
    assert "sesame" not in repr(load(house.file))


def test_a_webhook_and_its_secret(house: House) -> None:
    house.secret("hook", b"0123456789abcdef\n")
    house.append(
        '\n[[webhook]]\nname = "cage"\nurl = "https://cage.example/in"\nsecret_file = "hook"\n'
        'subjects = ["alert"]\ntables = ["t2"]\n'
    )
    (hook,) = load(house.file).webhooks
    assert (hook.name, hook.url, hook.secret) == ("cage", "https://cage.example/in", b"0123456789abcdef")
    assert (hook.subjects, hook.tables) == ((Subject.ALERT,), ("t2",))
    assert "0123456789abcdef" not in repr(load(house.file))


def test_a_journal_in_postgresql(house: House) -> None:
    house.append('\n[store]\npostgresql = "postgresql://sabot:sesame@db/sabot"\nretention_days = 400\n')
    store = load(house.file).store
    assert (store.sqlite, store.postgresql) == (None, "postgresql://sabot:sesame@db/sabot")
    assert store.retention_days == 400
    assert "sesame" not in repr(load(house.file))


def test_addresses_of_both_kinds(house: House) -> None:
    house.replace("sabot.toml", 'listen = "none"', 'listen = "[::1]:8443"')
    house.append('\n[metrics]\nreaders = "everyone"\n')
    settings = load(house.file)
    assert settings.web.listen == Address("::1", 8443)
    assert str(settings.web.listen) == "[::1]:8443"
    assert settings.metrics is MetricsReader.EVERYONE


def test_everything_that_was_read_is_known_so_that_a_change_is_noticed(house: House) -> None:
    names = {path.relative_to(house.folder).as_posix() for path in load(house.file).read}
    assert names == {
        "sabot.toml",
        "chips.csv",
        "decks.csv",
        "badges.csv",
        "house-tcf.toml",
        "devices",
        "devices/t1-a.toml",
        "devices/t1-a.key",
        "devices/t2-a.toml",
        "devices/t2-a.key",
    }
