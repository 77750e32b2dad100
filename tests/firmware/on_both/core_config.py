"""A config is sound or it is refused with one sentence that names the line and the reason."""

from firmware.on_both.core_p256 import KEY as RELEASE_KEY
from firmware.on_both.seeded import Seeded
from sabot_firmware.config import FIELDS, Config, ConfigError, change_config, dump_config, parse_config
from sabot_firmware.hal.keypad_mcp23017 import LINES
from sabot_firmware.hal.lamps import MAX_PIXELS

GOOD = b"""# Table 12, left half
site = riviera
device = table-12-a
board = pico-w
link = wifi
wifi_ssid = floor # 2
wifi_password = with = and # inside
broker_host = 10.0.0.2
pixels = 16
keypad_rows = 4
keypad_columns = 4

reader = 0 shoe pn532 spi0 0
reader = 1 spots pn5180 spi1 0
spot = 1 0 1 ante 0 8
spot = 1 1 1 play 8 8
key = 0 1
key = 12 fold
cut_card = 04A1b2c3d4e5f6
cut_card = 0badcafe
end
"""


def refusal(data: bytes) -> str:
    try:
        parse_config(data)
    except ConfigError as error:
        return str(error)
    return "taken"


def replaced(old: bytes, new: bytes) -> bytes:
    assert GOOD.count(old) >= 1
    return GOOD.replace(old, new, 1)


def test_a_sound_file_is_read() -> None:
    config = parse_config(GOOD)
    assert (config.text("site"), config.text("device"), config.text("wifi_ssid")) == (
        "riviera",
        "table-12-a",
        "floor # 2",
    )
    assert config.text("wifi_password") == "with = and # inside"
    assert config.readers == [(0, "shoe", "pn532", "spi0", 0), (1, "spots", "pn5180", "spi1", 0)]
    assert config.spots == [(1, 0, 1, "ante", 0, 8), (1, 1, 1, "play", 8, 8)]
    assert config.cut_cards == [b"\x04\xa1\xb2\xc3\xd4\xe5\xf6", b"\x0b\xad\xca\xfe"]
    assert config.legend()[0] == 1
    assert config.legend()[12] == "fold"
    assert config.legend()[5] == ""
    assert (config.number("broker_port"), config.flag("tls"), config.flag("door")) == (8883, True, False)


def test_an_unknown_key_is_refused_with_its_line() -> None:
    assert refusal(replaced(b"pixels = 16", b"pixles = 16")) == "Config line 9: there is no key 'pixles'."


def test_every_mistake_has_its_sentence() -> None:
    for old, new, part in (
        (b"site = riviera", b"", "the key 'site' is missing"),
        (b"site = riviera", b"site = Riviera", "a-z, 0-9"),
        (b"site = riviera", b"site riviera", "line 2: write KEY = VALUE"),
        (b"board = pico-w", b"site = twice", "'site' stands there twice"),
        (b"board = pico-w", b"board = ", "1 to 32 characters"),
        (b"link = wifi", b"link = radio", "one of wifi, ethernet, serial"),
        (b"wifi_ssid = floor # 2", b"", "needs wifi_ssid"),
        (b"broker_host = 10.0.0.2", b"", "needs broker_host"),
        (b"broker_host = 10.0.0.2", b"broker_host = h\nbroker_port = 70000", "from 1 to 65535"),
        (b"pixels = 16", b"pixels = 1.5", "number from 0 to 300"),
        (b"pixels = 16", b"pixels = 0x10", "number from 0 to 300"),
        (b"pixels = 16", b"pixels = -1", "number from 0 to 300"),
        (b"pixels = 16", b"pixels = 15", "no pixel 15"),
        (b"pixels = 16", b"pixels = 16\ntls = maybe", "one of yes, no"),
        (b"pixels = 16", b"pixels = 16\nrelease_key = 00", "64 bytes in hexadecimal"),
        (b"pixels = 16", b"pixels = 16\nrelease_key = " + b"0g" * 64, "64 bytes in hexadecimal"),
        (b"pixels = 16", b"pixels = 16\nrelease_key = " + b"ab" * 64, "not a public key"),
        (b"reader = 1 spots", b"reader = 0 spots", "reader 0 stands there twice"),
        (b"reader = 1 spots", b"reader = 1 badge", "reads no spots"),
        (b"spi1 0", b"spi9 0", "'bus' is one of"),
        (b"spi1 0", b"spi1", "NUMBER ROLE CHIP BUS SELECT"),
        (b"1 ante 0 8", b"11 ante 0 8", "a seat is a number from 0 to 10"),
        (b"1 ante 0 8", b"1 anti 0 8", "'spot' is one of"),
        (b"spot = 1 1 1 play", b"spot = 1 0 1 play", "antenna 0 of reader 1 stands there twice"),
        (b"spot = 1 1 1 play", b"spot = 1 1 1 ante", "seat 1 has two spots 'ante'"),
        (b"play 8 8", b"play 7 8", "pixel 7 belongs to two spots"),
        (b"key = 12 fold", b"key = 0 fold", "key 0 stands there twice"),
        (b"key = 12 fold", b"key = 16 fold", "no key 16"),
        (b"key = 12 fold", b"key = 12 flod", "a key's name or seat"),
        (b"0badcafe", b"0badcaf", "a UID of 4, 7, 8, 10 bytes in hex"),
        (b"0badcafe", b"0badcafe00", "a UID of 4, 7, 8, 10 bytes in hex"),
        (b"0badcafe", b"not hex!", "a UID of 4, 7, 8, 10 bytes in hex"),
        (b"0badcafe", b"04a1b2c3d4e5f6", "this cut_card stands there twice"),
        (b"keypad_rows = 4", b"keypad_rows = 8", "number from 0 to 7"),
        (b"end\n", b"", "stops before its last line"),
        (b"end\n", b"end\nsite = again\n", "something follows 'end'"),
        (b"Table", b"T\xc3\xa9ble", "plain ASCII"),
    ):
        sentence = refusal(replaced(old, new))
        assert part in sentence, (new, sentence)
        assert sentence.endswith(".")
    assert "longer than" in refusal(b"#" * 9000)


def test_a_torn_file_is_always_refused() -> None:
    for size in range(len(GOOD) - 1):
        assert refusal(GOOD[:size]) != "taken" or GOOD[:size].endswith(b"\nend"), size


def test_a_broken_file_gives_a_sentence_and_never_anything_else() -> None:
    random = Seeded(1)
    for _ in range(400):
        broken = bytearray(GOOD)
        for _ in range(1 + random.below(5)):
            broken[random.below(len(broken))] = random.below(128)
        refusal(bytes(broken))
        refusal(random.bytes(random.below(60)))


def test_what_is_written_reads_back_the_same() -> None:
    config = parse_config(GOOD)
    again = parse_config(dump_config(config))
    assert dump_config(again) == dump_config(config)
    for field in FIELDS:
        assert again.text(field[0]) == config.text(field[0])
    assert (again.readers, again.spots, again.keys) == (config.readers, config.spots, config.keys)
    assert again.cut_cards == config.cut_cards


def test_the_bounds_are_those_of_the_drivers() -> None:
    bounds = {field[0]: field[2] for field in FIELDS}
    assert bounds["pixels"] == (0, MAX_PIXELS)
    assert bounds["keypad_rows"] == bounds["keypad_columns"] == (0, LINES)
    assert "a pixel is a number from 0 to " + str(MAX_PIXELS - 1) in refusal(replaced(b"ante 0 8", b"ante 300 8"))
    last = LINES * LINES - 1
    sentence = refusal(replaced(b"key = 12", b"key = " + str(last + 1).encode()))
    assert "position is a number from 0 to " + str(last) in sentence


def test_a_release_key_is_a_point_of_the_curve() -> None:
    text = "".join([f"{byte:02X}" for byte in RELEASE_KEY])
    config = parse_config(replaced(b"pixels = 16", b"pixels = 16\nrelease_key = " + text.encode()))
    assert config.data("release_key") == RELEASE_KEY
    assert parse_config(GOOD).data("release_key") == b""


def test_the_gateway_changes_only_what_it_may_and_only_forwards() -> None:
    config = parse_config(GOOD)
    changed = change_config(config, 3, [("brightness", "200"), ("language", "en")])
    assert changed is not None
    assert (changed.number("brightness"), changed.text("language"), changed.number("revision")) == (200, "en", 3)
    assert config.number("brightness") == 96, "the old one stays as it was"
    assert change_config(changed, 3, [("brightness", "1")]) is None
    assert change_config(changed, 2, [("brightness", "1")]) is None
    for settings in ([("device", "other")], [("brightness", "0")], [("language", "de")], [("nonsense", "1")]):
        assert refused_change(changed, settings).startswith("Setting")


def refused_change(config: Config, settings: "list[tuple[str, str]]") -> str:
    try:
        change_config(config, 99, settings)
    except ConfigError as error:
        return str(error)
    return "taken"


def test_every_default_is_itself_allowed() -> None:
    config = parse_config(GOOD)
    for name, _, _, default, _ in FIELDS:
        if default not in ("required", ""):
            config.put(name, default, "default")


def test_a_broker_is_an_address_or_a_name() -> None:
    for host in (b"10.0.0.2", b"gateway.pit", b"localhost", b"a-1.b2.example", b"10.0.0.2a"):
        assert refusal(replaced(b"10.0.0.2", host)) == "taken", host
    for host in (b"", b"10.0.0", b"10.0.0.256", b"1.2.3.4.5", b"gateway..pit", b".pit", b"a b", b"mqtt://pit", b"::1"):
        assert "broker_host" in refusal(replaced(b"10.0.0.2", host)), host
    assert "broker_host" in refusal(replaced(b"10.0.0.2", b"x" * 64))
