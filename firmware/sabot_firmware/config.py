"""What a controller is told about itself: which table, which wires, which broker. Strict, or it refuses to run.

Owns the file's grammar and every key with its bounds, default and meaning. Opens no file.

    # Table 12, left half
    site = riviera
    device = table-12-a
    reader = 0 shoe pn532 spi0 0
    reader = 1 spots pn5180 spi1 0
    spot = 1 0 1 ante 0 8
    key = 12 fold
    cut_card = 04a1b2c3d4e5f6
    end

One `key = value` per line; a line that begins with # is a comment; `reader`, `spot`, `key` and `cut_card` may come
often, the others once. The spot above: reader 1, antenna 0 is the ante of seat 1, lit by 8 pixels from 0 on.
An unknown key, a key twice, a value out of bounds or a file that stops before `end` (a torn write) is a ConfigError:
one sentence with the line, fit for the display.
Not JSON: MicroPython's reader takes a truncated list and a doubled key for valid.
Secrets are not here: the device's key lies in a file of its own, written by `sabot provision`.
"""

from binascii import hexlify

from sabot_protocol.messages import KEY, SEAT, SPOT, UID
from sabot_protocol.topics import is_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# A full table's file is about 3 KiB; the bound keeps a wrong file from filling the heap.
MAX_SIZE = 8192

_REQUIRED = "required"

# (name, kind, bounds, default, may the gateway change it). Kinds: text (length), int, choice, flag, name, host,
# hex (bytes).
FIELDS: "tuple[tuple[str, str, tuple[int, int] | tuple[str, ...], str, bool], ...]" = (
    ("site", "name", (), _REQUIRED, False),
    ("device", "name", (), _REQUIRED, False),
    ("board", "text", (1, 32), _REQUIRED, False),
    ("revision", "int", (0, 0x3FFFFFFF), "0", False),  # of the settings that the gateway changed
    ("language", "choice", ("fr", "en"), "fr", True),
    ("link", "choice", ("wifi", "ethernet", "serial"), _REQUIRED, False),
    ("serial_port", "choice", ("rs485", "usb"), "rs485", False),
    ("wifi_ssid", "text", (0, 32), "", False),
    ("wifi_password", "text", (0, 63), "", False),  # WPA: at most 63 characters
    ("address", "text", (0, 64), "", False),  # "own mask gateway dns"; empty = DHCP
    ("broker_host", "host", (), "", False),
    ("broker_port", "int", (1, 65535), "8883", False),  # IANA: MQTT over TLS
    ("tls", "flag", (), "yes", False),
    ("server_name", "text", (0, 64), "", False),  # in the broker's certificate; empty = broker_host
    ("ca_file", "text", (0, 48), "ca.der", False),
    ("cert_file", "text", (0, 48), "", False),
    ("cert_key_file", "text", (0, 48), "", False),
    ("device_key_file", "text", (1, 48), "device.key", False),
    ("release_key", "hex", (64, 64), "", False),  # without one no update is taken
    ("outbox_sectors", "int", (3, 1024), "64", False),  # of 4 KiB: 256 KiB hold about 6,000 events
    ("pixels", "int", (0, 300), "0", False),  # hal/lamps.py: 30 µs each with interrupts off
    ("brightness", "int", (1, 255), "96", True),  # 96 of 255 is bright under felt and half the current
    ("display", "choice", ("none", "ssd1306", "sh1106"), "none", False),
    ("keypad_rows", "int", (0, 7), "0", False),  # hal/keypad_mcp23017.py: seven lines each way
    ("keypad_columns", "int", (0, 7), "0", False),
    ("door", "flag", (), "no", False),
    ("scan_ms", "int", (10, 1000), "20", True),  # one turn of the scan loop
)

ROLES = ("shoe", "spots", "discard", "badge", "seat")
CHIPS = ("pn532", "pn5180")
BUSES = ("spi0", "spi1", "uart0", "uart1")


class ConfigError(ValueError):
    """Why this controller refuses to run with this file: one sentence."""


class Config:
    """A file that was found to be sound. `readers`, `spots`, `keys` and `cut_cards` are in the order of the file."""

    def __init__(self) -> None:
        self._values: dict[str, str] = {}
        self.readers: list[tuple[int, str, str, str, int]] = []  # number, role, chip, bus, chip select
        self.spots: list[tuple[int, int, int, str, int, int]] = []  # reader, antenna, seat, spot, first pixel, pixels
        self.keys: list[tuple[int, str]] = []  # key of the matrix, its name or its seat's number
        self.cut_cards: list[bytes] = []  # UIDs of the blank cards that are put into the deck as cut cards

    def text(self, name: str) -> str:
        """The value of a key as text."""
        field = _field(name)
        assert field is not None, "a key of the program's own"
        return self._values.get(name, field[3])

    def number(self, name: str) -> int:
        """The value of a key of kind int."""
        return int(self.text(name))

    def flag(self, name: str) -> bool:
        """The value of a key of kind flag."""
        return self.text(name) == "yes"

    def data(self, name: str) -> bytes:
        """The value of a key of kind hex."""
        return _bytes_from_hex(self.text(name))

    def legend(self) -> "tuple[int | str, ...]":
        """What each key of the matrix means: the name of a key, a seat, or nothing."""
        legend: list[int | str] = [""] * (self.number("keypad_rows") * self.number("keypad_columns"))
        for position, meaning in self.keys:
            legend[position] = meaning if meaning in KEY[1] else int(meaning)
        return tuple(legend)

    def put(self, name: str, value: str, place: str) -> None:
        """Take a key once its value was checked."""
        field = _field(name)
        if field is None:
            raise ConfigError(f"{place}: there is no key '{name}'.")
        _check(field, value, place)
        self._values[name] = value

    def has(self, name: str) -> bool:
        """Say whether the file itself names this key."""
        return name in self._values


def parse_config(data: bytes) -> Config:
    """Read a config file; a ConfigError says in one sentence what is wrong with it."""
    if len(data) > MAX_SIZE:
        raise ConfigError(f"Config: the file is longer than {MAX_SIZE} bytes.")
    for byte in data:
        if byte not in (9, 10) and not 32 <= byte <= 126:
            raise ConfigError("Config: the file holds something other than plain ASCII text.")
    config = Config()
    lines = bytes(data).split(b"\n")
    is_ended = False
    for at in range(len(lines)):
        line = lines[at].strip().decode()
        place = f"Config line {at + 1}"
        if not line or line.startswith("#"):
            continue
        if is_ended:
            raise ConfigError(f"{place}: something follows 'end'.")
        if line == "end":
            is_ended = True
        else:
            _take_line(config, line, place)
    if not is_ended:
        raise ConfigError("Config: the file stops before its last line, 'end'.")
    _check_whole(config)
    return config


def change_config(config: Config, revision: int, settings: "Sequence[tuple[str, str]]") -> "Config | None":
    """A config with the gateway's settings; None for a revision that is not newer. All are taken, or none."""
    if revision <= config.number("revision"):
        return None
    changed = parse_config(dump_config(config))
    for name, value in settings:
        field = _field(name)
        if field is None or not field[4]:
            raise ConfigError(f"Setting: '{name}' cannot be changed by the gateway.")
        changed.put(name, value, "Setting")
    changed.put("revision", str(revision), "Setting")
    _check_whole(changed)
    return changed


def dump_config(config: Config) -> bytes:
    """The file that parse_config() reads back to the same config."""
    lines = [f"{field[0]} = {config.text(field[0])}" for field in FIELDS if config.has(field[0])]
    for reader in config.readers:
        lines.append("reader = " + " ".join([str(word) for word in reader]))
    for spot in config.spots:
        lines.append("spot = " + " ".join([str(word) for word in spot]))
    for key in config.keys:
        lines.append(f"key = {key[0]} {key[1]}")
    for uid in config.cut_cards:
        lines.append("cut_card = " + hexlify(uid).decode())
    return ("\n".join(lines) + "\nend\n").encode()


def _take_line(config: Config, line: str, place: str) -> None:
    name, equals, value = line.partition("=")
    name, value = name.strip(), value.strip()
    if not equals:
        raise ConfigError(f"{place}: write KEY = VALUE.")
    if name == "reader":
        _take_reader(config, value.split(), place)
    elif name == "spot":
        _take_spot(config, value.split(), place)
    elif name == "key":
        _take_key(config, value.split(), place)
    elif name == "cut_card":
        _take_cut_card(config, value, place)
    elif config.has(name):
        raise ConfigError(f"{place}: '{name}' stands there twice.")
    else:
        config.put(name, value, place)


def _take_reader(config: Config, words: "list[str]", place: str) -> None:
    if len(words) != 5:
        raise ConfigError(f"{place}: a reader needs NUMBER ROLE CHIP BUS SELECT.")
    number = _int(words[0], 0, 31, "a reader's number", place)
    _choose(words[1], ROLES, "role", place)
    _choose(words[2], CHIPS, "chip", place)
    _choose(words[3], BUSES, "bus", place)
    for reader in config.readers:
        if reader[0] == number:
            raise ConfigError(f"{place}: reader {number} stands there twice.")
    select = _int(words[4], 0, 7, "a chip select", place)
    config.readers.append((number, words[1], words[2], words[3], select))


def _take_spot(config: Config, words: "list[str]", place: str) -> None:
    if len(words) != 6:
        raise ConfigError(f"{place}: a spot needs READER ANTENNA SEAT SPOT FIRST_PIXEL PIXELS.")
    reader = _int(words[0], 0, 31, "a reader's number", place)
    antenna = _int(words[1], 0, 63, "an antenna", place)
    seat = _int(words[2], SEAT[1], SEAT[2], "a seat", place)
    _choose(words[3], SPOT[1], "spot", place)
    for spot in config.spots:
        if spot[:2] == (reader, antenna):
            raise ConfigError(f"{place}: antenna {antenna} of reader {reader} stands there twice.")
        if spot[2:4] == (seat, words[3]):
            raise ConfigError(f"{place}: seat {seat} has two spots '{words[3]}'.")
    first = _int(words[4], 0, 299, "a pixel", place)
    count = _int(words[5], 0, 64, "a number of pixels", place)
    config.spots.append((reader, antenna, seat, words[3], first, count))


def _take_key(config: Config, words: "list[str]", place: str) -> None:
    if len(words) != 2:
        raise ConfigError(f"{place}: a key needs POSITION NAME.")
    position = _int(words[0], 0, 48, "a key's position", place)
    for key in config.keys:
        if key[0] == position:
            raise ConfigError(f"{place}: key {position} stands there twice.")
    if words[1] not in KEY[1]:
        _int(words[1], 1, SEAT[2], "a key's name or seat", place)
    config.keys.append((position, words[1]))


def _take_cut_card(config: Config, value: str, place: str) -> None:
    uid = _bytes_from_hex(value)
    if len(uid) not in UID[1] or len(value) != 2 * len(uid):
        raise ConfigError(f"{place}: a cut_card is a UID of {', '.join([str(size) for size in UID[1]])} bytes in hex.")
    if uid in config.cut_cards:
        raise ConfigError(f"{place}: this cut_card stands there twice.")
    config.cut_cards.append(uid)


def _check_whole(config: Config) -> None:
    for field in FIELDS:
        if field[3] == _REQUIRED and not config.has(field[0]):
            raise ConfigError(f"Config: the key '{field[0]}' is missing.")
    link = config.text("link")
    if link == "wifi" and not config.text("wifi_ssid"):
        raise ConfigError("Config: link = wifi needs wifi_ssid.")
    if link != "serial" and not config.text("broker_host"):
        raise ConfigError(f"Config: link = {link} needs broker_host.")
    if config.text("release_key"):
        _check_release_key(config.data("release_key"))
    lit: set[int] = set()
    for reader, antenna, _, _, first, count in config.spots:
        if reader not in [each[0] for each in config.readers if each[1] == "spots"]:
            raise ConfigError(f"Config: antenna {antenna} belongs to reader {reader}, which reads no spots.")
        for pixel in range(first, first + count):
            if pixel >= config.number("pixels"):
                raise ConfigError(f"Config: there is no pixel {pixel}; pixels = {config.number('pixels')}.")
            if pixel in lit:
                raise ConfigError(f"Config: pixel {pixel} belongs to two spots.")
            lit.add(pixel)
    for position, _ in config.keys:
        if position >= config.number("keypad_rows") * config.number("keypad_columns"):
            raise ConfigError(f"Config: the keypad has no key {position}.")


def _check_release_key(key: bytes) -> None:
    from sabot_firmware.core.p256 import is_key  # loaded for this one look: 3 KiB of heap that nobody else needs yet

    if not is_key(key):
        raise ConfigError("Config: release_key is not a public key of P-256.")


def _field(name: str) -> "tuple[str, str, tuple[int, int] | tuple[str, ...], str, bool] | None":
    for field in FIELDS:
        if field[0] == name:
            return field
    return None


def _check(field: "tuple[str, str, tuple[int, int] | tuple[str, ...], str, bool]", value: str, place: str) -> None:
    name, kind, bounds, _, _ = field
    if kind == "name" and not is_name(value):
        raise ConfigError(f"{place}: '{name}' takes a-z, 0-9 and inner hyphens, at most 32.")
    if kind == "int":
        _int(value, int(bounds[0]), int(bounds[1]), f"'{name}'", place)
    if kind == "text" and not int(bounds[0]) <= len(value) <= int(bounds[1]):
        raise ConfigError(f"{place}: '{name}' takes {bounds[0]} to {bounds[1]} characters.")
    if kind == "host" and not _is_host(value):
        raise ConfigError(f"{place}: '{name}' is an IPv4 address, or a name of a-z, 0-9, hyphens and dots.")
    if kind == "choice":
        _choose(value, bounds, name, place)
    if kind == "flag":
        _choose(value, ("yes", "no"), name, place)
    if kind == "hex" and (len(value) != 2 * int(bounds[0]) or len(_bytes_from_hex(value)) != int(bounds[0])):
        raise ConfigError(f"{place}: '{name}' takes {bounds[0]} bytes in hexadecimal.")


def _is_host(text: str) -> bool:
    is_numeric = text.replace(".", "").isdigit()
    for byte in text.encode():
        if not (byte in b"-." or 48 <= byte <= 57 or 97 <= byte | 32 <= 122):
            return False
    for label in text.split("."):
        if not 1 <= len(label) <= 63 or (is_numeric and (len(label) > 3 or int(label) > 255)):
            return False
    return len(text) <= 64 and (not is_numeric or text.count(".") == 3)


def _choose(value: str, choices: "Sequence[int | str]", name: str, place: str) -> None:
    if value not in choices:
        raise ConfigError(f"{place}: '{name}' is one of {', '.join([str(each) for each in choices])}.")


def _int(text: str, low: int, high: int, name: str, place: str) -> int:
    digits = text.encode()
    is_plain = 1 <= len(digits) <= 10
    for byte in digits:
        is_plain = is_plain and 48 <= byte <= 57
    if not is_plain or not low <= int(text) <= high:
        raise ConfigError(f"{place}: {name} is a number from {low} to {high}.")
    return int(text)


def _bytes_from_hex(text: str) -> bytes:
    # b"" for anything that is not plain hexadecimal.
    data = bytearray()
    digits = text.lower().encode()
    for at in range(0, len(digits) - 1, 2):
        high, low = b"0123456789abcdef".find(digits[at : at + 1]), b"0123456789abcdef".find(digits[at + 1 : at + 2])
        if high < 0 or low < 0:
            return b""
        data.append(16 * high + low)
    return bytes(data)
