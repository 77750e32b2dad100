"""Each thing that can be wrong with a configuration is one sentence that names the file and the key or line."""

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway_config.house_files import House
from sabot_gateway.config import load
from sabot_gateway.errors import SettingsError
from sabot_gateway.settings.key import Kind
from sabot_gateway.settings.key_table import SECTIONS

Spoil = Callable[[House], object]


def _with(text: str) -> Spoil:
    return lambda house: house.append(text)


def _swap(name: str, old: str, new: str) -> Spoil:
    return lambda house: house.replace(name, old, new)


def _others_may_read(house: House) -> None:
    (house.folder / "devices/t1-a.key").chmod(0o640)


def _short_key(house: House) -> None:
    house.secret("devices/t1-a.key", b"too short")


def _without(name: str) -> Spoil:
    return lambda house: (house.folder / name).unlink()


def _webhook(size: int, more: str = "") -> Spoil:
    def spoil(house: House) -> None:
        house.secret("hook", b"x" * size)
        house.append(f'\n[[webhook]]\nname = "h"\nurl = "http://h"\nsecret_file = "hook"\n{more}')

    return spoil


def _bad_utf8(house: House) -> None:
    (house.folder / "chips.csv").write_bytes(b"tag,value_cents,state\n\xff\n")


# what is wrong -> (how, the sentence without the folder in front of it)
WRONG: dict[str, tuple[Spoil, str]] = {
    "unknown key": (
        _swap("sabot.toml", 'gateway = "pit-1"', 'gatewey = "pit-1"'),
        "sabot.toml: gatewey: is not a setting; did you mean `gateway`.",
    ),
    "unknown section": (_with("\n[mqtt]\n"), "sabot.toml: mqtt: is not a setting."),
    "unknown key of a section": (
        _swap("sabot.toml", 'listen = "none"', 'port = "none"'),
        "sabot.toml: web.port: is not a setting.",
    ),
    "unknown key of a table": (
        _swap("sabot.toml", 'pit = "salle 1"', "seats = 7"),
        "sabot.toml: table 1.seats: is not a setting.",
    ),
    "unknown timing": (
        _swap("sabot.toml", "lamps_ms", "lamp_ms"),
        "sabot.toml: table t1.timing.lamp_ms: is not a setting; did you mean `lamps_ms`.",
    ),
    "missing key": (_swap("sabot.toml", 'site = "riviera"', ""), "sabot.toml: site: must be set."),
    "text for a number": (
        _swap("sabot.toml", "lamps_ms = 3000", 'lamps_ms = "3000"'),
        "sabot.toml: table t1.timing.lamps_ms: must be a whole number.",
    ),
    "a yes for a number": (
        _swap("sabot.toml", "lamps_ms = 3000", "lamps_ms = true"),
        "sabot.toml: table t1.timing.lamps_ms: must be a whole number.",
    ),
    "number out of bounds": (
        _swap("sabot.toml", "lamps_ms = 3000", "lamps_ms = 5"),
        "sabot.toml: table t1.timing.lamps_ms: must be 100 to 60,000.",
    ),
    "number for text": (_swap("sabot.toml", '"riviera"', "7"), "sabot.toml: site: must be text in quotes."),
    "bad name": (
        _swap("sabot.toml", '"riviera"', '"La Riviera"'),
        "sabot.toml: site: must be a name of 1 to 32 small letters, digits and inner hyphens.",
    ),
    "unknown time zone": (
        _swap("sabot.toml", 'site = "riviera"', 'site = "riviera"\nzone = "Europe/Deauville"'),
        "sabot.toml: zone: this machine knows no time zone Europe/Deauville; write a name such as Europe/Paris.",
    ),
    "time zone out of its folder": (
        _swap("sabot.toml", 'site = "riviera"', 'site = "riviera"\nzone = "../passwd"'),
        "sabot.toml: zone: this machine knows no time zone ../passwd; write a name such as Europe/Paris.",
    ),
    "number for a yes": (
        _swap("sabot.toml", "rack = false", "rack = 0"),
        "sabot.toml: table t1.fitted.rack: must be true or false.",
    ),
    "a table for a list": (
        _swap("sabot.toml", '[[table]]\nname = "t1"', '[table]\nname = "t1"'),
        "sabot.toml: is not TOML",
    ),
    "a section for a list": (_with("\n[webhook]\n"), "sabot.toml: webhook: must be written [[webhook]]."),
    "bad readers": (
        _swap("sabot.toml", "{ 2 = 1, 3 = 0 }", "{ two = 1 }"),
        "sabot.toml: table t1.fitted.seat_readers: must be a table of reader number = seat, such as { 2 = 1 }.",
    ),
    "not TOML": (_swap("sabot.toml", 'site = "riviera"', "site = riviera"), "sabot.toml: is not TOML"),
    "a key twice": (_swap("sabot.toml", 'site = "riviera"', 'site = "a"\nsite = "b"'), "sabot.toml: is not TOML"),
    "missing file": (
        _without("chips.csv"),
        "sabot.toml: registers.chips: {folder}/chips.csv cannot be read (No such file or directory).",
    ),
    "a folder for a file": (
        _swap("sabot.toml", '"chips.csv"', '"devices"'),
        "sabot.toml: registers.chips: {folder}/devices is not a file.",
    ),
    "a file for a folder": (
        _swap("sabot.toml", 'site = "riviera"', 'site = "riviera"\ndata = "chips.csv"'),
        "sabot.toml: data: {folder}/chips.csv is not a folder.",
    ),
    "missing ruleset file": (
        _without("house-tcf.toml"),
        "sabot.toml: rulesets.house-tcf: {folder}/house-tcf.toml cannot be read (No such file or directory).",
    ),
    "bad ruleset": (
        _swap("house-tcf.toml", "table_min = 500", "table_min = 60000"),
        "house-tcf.toml: table_min: 60000 is above table_max 50000.",
    ),
    "ruleset that nobody wrote": (
        _swap("sabot.toml", 'ruleset = "house-tcf"', 'ruleset = "house"'),
        "sabot.toml: table 1.ruleset: there is no house in [rulesets].",
    ),
    "ruleset of another game": (
        _swap("sabot.toml", 'ruleset = "house-tcf"', 'game = "STU"\nruleset = "house-tcf"'),
        "sabot.toml: table 1.game: is STU, but the ruleset house-tcf is for TCF.",
    ),
    "ruleset named as the shipped ones": (
        _swap("sabot.toml", "house-tcf =", "shipped ="),
        "sabot.toml: rulesets.shipped: shipped means the rules that come with Sabot; use another name.",
    ),
    "shipped rules of no game": (
        _swap("sabot.toml", 'game = "UTH"\n', ""),
        'sabot.toml: table 2.game: must be set where ruleset = "shipped".',
    ),
    "unknown game": (
        _swap("sabot.toml", '"UTH"', '"BJ"'),
        "sabot.toml: table 2.game: must be one of TCF, STU, TCP, THE, UTH.",
    ),
    "two tables with one name": (
        _swap("sabot.toml", 'name = "t2"', 'name = "t1"'),
        "sabot.toml: table 2.name: there are two tables t1.",
    ),
    "device of an unknown table": (
        _swap("devices/t2-a.toml", 'table = "t2"', 'table = "t3"'),
        "devices/t2-a.toml: table: there is no table t3.",
    ),
    "device under another's name": (
        _swap("devices/t2-a.toml", 'id = "t2-a"', 'id = "t1-a"'),
        "devices/t2-a.toml: id: must be t2-a, as the file is called.",
    ),
    "unknown role": (
        lambda house: house.append('role = "boss"\n', "devices/t1-a.toml"),
        "devices/t1-a.toml: role: must be one of table, felt, shoe, dealer.",
    ),
    "key file readable by others": (
        _others_may_read,
        "devices/t1-a.toml: key: others may read {folder}/devices/t1-a.key; its mode must be 0600.",
    ),
    "key of the wrong size": (
        _short_key,
        "devices/t1-a.toml: key: {folder}/devices/t1-a.key must hold 16 bytes.",
    ),
    "missing key file": (
        _without("devices/t1-a.key"),
        "devices/t1-a.toml: key: {folder}/devices/t1-a.key cannot be read (No such file or directory).",
    ),
    "end of no earlier key": (
        lambda house: house.append("previous_until = 2027-01-31T06:00:00Z\n", "devices/t1-a.toml"),
        "devices/t1-a.toml: previous_key: must be set: an earlier key and its end go together.",
    ),
    "end without an offset": (
        lambda house: house.append("previous_until = 2027-01-31T06:00:00\n", "devices/t1-a.toml"),
        "devices/t1-a.toml: previous_until: must be a date and time with its offset, such as 2027-01-31T06:00:00Z.",
    ),
    "bad fingerprint": (
        lambda house: house.append('certificate_sha256 = "abc"\n', "devices/t1-a.toml"),
        "devices/t1-a.toml: certificate_sha256: must be 64 hexadecimal digits.",
    ),
    "bad digest": (
        _with('\n[firmware]\ndigests = ["abc"]\n'),
        "sabot.toml: firmware.digests: must be 64 hexadecimal digits each.",
    ),
    "broker of another protocol": (
        _with('\n[broker]\nurl = "amqp://b"\n'),
        "sabot.toml: broker.url: must be an address that begins with mqtt:// or mqtts://.",
    ),
    "broker with an account in its address": (
        _with('\n[broker]\nurl = "mqtt://u:sesame@b"\n'),
        "sabot.toml: broker.url: must hold no account; write username and password_file.",
    ),
    "certificates without TLS": (
        _with('\n[broker]\nurl = "mqtt://b"\nca = "chips.csv"\n'),
        "sabot.toml: broker.ca: is for TLS; write the url with mqtts://.",
    ),
    "certificate without its key": (
        _with('\n[broker]\nurl = "mqtts://b"\ncertificate = "chips.csv"\n'),
        "sabot.toml: broker.key: must be set where certificate is.",
    ),
    "two stores": (
        _with('\n[store]\nsqlite = "j.db"\npostgresql = "postgresql://db/x"\n'),
        "sabot.toml: store.postgresql: the journal is in a file or in PostgreSQL, not in both.",
    ),
    "address without a port": (
        _swap("sabot.toml", '"none"', '"127.0.0.1"'),
        "sabot.toml: web.listen: must be host:port, such as 127.0.0.1:8080.",
    ),
    "webhook of an unknown table": (
        _webhook(16, 'tables = ["t9"]\n'),
        "sabot.toml: webhook 1.tables: there is no table t9.",
    ),
    "webhook with a secret that can be guessed": (
        _webhook(15),
        "sabot.toml: webhook 1.secret_file: {folder}/hook must hold 16 to 1024 bytes.",
    ),
    "no heading": (
        lambda house: house.write("chips.csv", "04a1000000000a,500,in_play\n"),
        "chips.csv: line 1: must be the heading tag,value_cents,state.",
    ),
    "empty register": (
        lambda house: house.write("chips.csv", ""),
        "chips.csv: line 1: must be the heading tag,value_cents,state.",
    ),
    "bad line": (
        lambda house: house.append("04a1000000000c,500\n", "chips.csv"),
        "chips.csv: line 4: has 2 fields instead of 3.",
    ),
    "bad quotes": (
        lambda house: house.append('"04a1"x,500,in_play\n', "chips.csv"),
        "chips.csv: line 4: is no line of comma-separated values (',' expected after '\"').",
    ),
    "no UTF-8": (_bad_utf8, "chips.csv: is not UTF-8 text."),
    "bad tag": (
        lambda house: house.append("04xx,500,in_play\n", "chips.csv"),
        "chips.csv: line 4: its tag is no UID of 4, 7, 8 or 10 bytes in hexadecimal.",
    ),
    "duplicate tag in a register": (
        lambda house: house.append("04A1000000000a,500,in_play\n", "chips.csv"),
        "chips.csv: line 4: its tag stands in chips.csv, line 2, already.",
    ),
    "a chip's tag on a badge": (
        lambda house: house.append("04a1000000000a,p-9,dealer\n", "badges.csv"),
        "badges.csv: line 4: its tag stands in chips.csv, line 2, already.",
    ),
    "bad value": (
        lambda house: house.append("04a1000000000c,5.00,in_play\n", "chips.csv"),
        "chips.csv: line 4: its value_cents must be a whole number of cents above 0.",
    ),
    "bad state": (
        lambda house: house.append("04a1000000000c,500,lost\n", "chips.csv"),
        "chips.csv: line 4: its state must be one of in_play, withdrawn, foreign.",
    ),
    "bad role": (
        lambda house: house.append("0badbad3,p-9,croupier\n", "badges.csv"),
        "badges.csv: line 4: its role must be one of dealer, table_head, technician, surveillance.",
    ),
    "bad card": (
        _swap("decks.csv", "d1,red,2c,", "d1,red,1c,"),
        "decks.csv: line 2: its card must be a rank of 23456789TJQKA and a suit of cdhs, such as As.",
    ),
    "deck with a card twice": (
        _swap("decks.csv", "d1,red,2d,", "d1,red,2c,"),
        "decks.csv: line 3: deck d1 has this card in an earlier line.",
    ),
    "deck without a card": (
        _swap("decks.csv", "d1,red,2c,e001000000000000\n", ""),
        "decks.csv: deck d1: has 51 different cards instead of 52.",
    ),
    "deck of two colours": (
        _swap("decks.csv", "d1,red,2d,", "d1,green,2d,"),
        "decks.csv: line 3: deck d1 has another colour in an earlier line.",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_what_is_wrong_is_said_with_file_and_key(tmp_path: Path, what: str) -> None:
    house = House(tmp_path)
    load(house.file)
    spoil, sentence = WRONG[what]
    spoil(house)
    with pytest.raises(SettingsError) as caught:
        load(house.file)
    said = str(caught.value)
    expected = f"{tmp_path}/{sentence.format(folder=tmp_path) if '{folder}' in sentence else sentence}"
    assert said == expected if sentence.endswith(".") else said.startswith(expected)
    assert "\n" not in said
    assert "sesame" not in said


def test_no_file_at_all(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"sabot\.toml: cannot be read \(No such file or directory\)\.$"):
        load(tmp_path / "sabot.toml")


def _paths() -> list[tuple[str, str]]:
    return [
        (section.name, key.name)
        for section in SECTIONS.values()
        for key in section.keys
        if section.name and "." not in section.name and not section.is_repeated and key.kind is not Kind.BOOLEAN
    ]


@given(st.sampled_from(_paths()), st.sampled_from(["1.5", "true", "[1]", "{ a = 1 }", "1979-05-27", '"\\u0000"']))
def test_no_key_takes_a_value_of_a_foreign_type(
    tmp_path_factory: pytest.TempPathFactory, path: tuple[str, str], value: str
) -> None:
    section, key = path
    file = tmp_path_factory.mktemp("house") / "sabot.toml"
    file.write_text(f'site = "s"\n[{section}]\n{key} = {value}\n')
    with pytest.raises(SettingsError) as caught:
        load(file)
    named = caught.value.key
    assert named == f"{section}.{key}" or named == "broker.url"
