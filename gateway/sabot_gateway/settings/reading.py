"""Reads one TOML table by its section of the key table: unknown, missing and wrong are one sentence each.

Owns the checks that need nothing but the value and the file system. What two keys mean together is checked where
they are put together. Relative paths are relative to the file they are written in.
"""

import os
import tomllib
from collections.abc import Mapping
from datetime import datetime
from difflib import get_close_matches
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from sabot_gateway.errors import SettingsError
from sabot_gateway.settings.key import NONE, REQUIRED, Key, Kind, Section
from sabot_gateway.settings.shape import Address
from sabot_protocol.topics import is_name

MOST_BYTES: Final = 4_000_000  # a floor of a thousand tables is a few hundred kilobytes
MOST_TEXT: Final = 2_000
_OTHERS: Final = 0o077
NO_ADDRESS: Final = "none"
NO_NAMES: Final[frozenset[str]] = frozenset()
MOST_READER: Final = 31  # as on the wire
MOST_SEAT: Final = 10  # the longest layout has ten seats


class Origin:
    """The file that is being read; remembers what it named, so that changes can be noticed."""

    def __init__(self, file: Path, seen: list[Path]) -> None:
        self.file = file
        self.seen = seen
        seen.append(file)

    def error(self, key: str, reason: str) -> SettingsError:
        return SettingsError(self.file, key, reason)

    def path(self, written: str) -> Path:
        return (self.file.parent / Path(written).expanduser()).absolute()


class Values:
    """The checked values of one table, each with its type."""

    def __init__(self, origin: Origin, where: str, values: Mapping[str, object]) -> None:
        self._origin = origin
        self._where = where
        self._values = values

    def has(self, name: str) -> bool:
        return self._values[name] is not None

    def text(self, name: str) -> str:
        value = self._values[name]
        return value if isinstance(value, str) else ""

    def integer(self, name: str) -> int:
        value = self._values[name]
        assert isinstance(value, int)
        return value

    def flag(self, name: str) -> bool:
        value = self._values[name]
        assert isinstance(value, bool)
        return value

    def path(self, name: str) -> Path | None:
        value = self._values[name]
        assert value is None or isinstance(value, Path)
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        value = self._values[name]
        assert isinstance(value, tuple)
        return value

    def address(self, name: str) -> Address | None:
        value = self._values[name]
        assert value is None or isinstance(value, Address)
        return value

    def zone(self, name: str) -> ZoneInfo:
        value = self._values[name]
        assert isinstance(value, ZoneInfo)
        return value

    def moment_ms(self, name: str) -> int:
        value = self._values[name]
        assert isinstance(value, datetime)
        return int(value.timestamp() * 1000)

    def readers(self, name: str) -> dict[int, int]:
        value = self._values[name]
        return value if isinstance(value, dict) else {}

    def secret(self, name: str, least: int, most: int) -> bytes:
        """What a secret file holds, without the end of line that an editor left; its size is checked."""
        path = self.path(name)
        assert path is not None
        content = _content(self._origin, self.key(name), path, most + 2)
        secret = content if len(content) == least == most else content.rstrip(b"\r\n")
        if not least <= len(secret) <= most:
            wanted = f"{least}" if least == most else f"{least} to {most}"
            raise self.error(name, f"{path} must hold {wanted} bytes")
        return secret

    def key(self, name: str) -> str:
        return f"{self._where}.{name}" if self._where else name

    def error(self, name: str, reason: str) -> SettingsError:
        return self._origin.error(self.key(name), reason)


def mapping_from_file(file: Path) -> Mapping[str, object]:
    """What a TOML file says; SettingsError when it cannot be read."""
    try:
        with file.open("rb") as opened:
            content = opened.read(MOST_BYTES + 1)
    except OSError as error:
        raise SettingsError(file, "", f"cannot be read ({error.strerror or error})") from error
    if len(content) > MOST_BYTES:
        raise SettingsError(file, "", "is too long to be a file of settings")
    try:
        return tomllib.loads(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise SettingsError(file, "", f"is not UTF-8 text (byte {error.start})") from error
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise SettingsError(file, "", f"is not TOML ({error})") from error


def values_of(origin: Origin, section: Section, written: object, where: str, also: frozenset[str] = NO_NAMES) -> Values:
    """The values of one TOML table; `also` names what is read elsewhere (sub-tables)."""
    if not isinstance(written, Mapping):
        raise origin.error(where, "must be a table")
    keys = section.by_name
    for name in written:
        if name not in keys and name not in also:
            raise origin.error(_dotted(where, name), f"is not a setting{_suggestion(name, [*keys, *also])}")
    values: dict[str, object] = {}
    for key in section.keys:
        place = _dotted(where, key.name)
        if key.name in written:
            values[key.name] = _checked(origin, key, place, written[key.name])
        elif key.default is REQUIRED:
            raise origin.error(place, "must be set")
        elif key.default is NONE:
            values[key.name] = None
        else:
            values[key.name] = _default(origin, key, place)
    return Values(origin, where, values)


def is_sha256(text: str) -> bool:
    """Whether this is a SHA-256 digest in hexadecimal."""
    return len(text) == 64 and set(text.lower()) <= set("0123456789abcdef")


def check_file(origin: Origin, place: str, path: Path, *, is_secret: bool = False) -> Path:
    """`path`, which is there and may be read, by its owner only if it is a secret."""
    origin.seen.append(path)
    try:
        mode = path.stat().st_mode
    except OSError as error:
        raise origin.error(place, f"{path} cannot be read ({error.strerror or error})") from error
    if not path.is_file():
        raise origin.error(place, f"{path} is not a file")
    if is_secret and mode & _OTHERS:
        raise origin.error(place, f"others may read {path}; its mode must be 0600")
    if not os.access(path, os.R_OK):
        raise origin.error(place, f"{path} cannot be read (Permission denied)")
    return path


def _default(origin: Origin, key: Key, place: str) -> object:
    if key.kind in (Kind.FOLDER, Kind.ADDRESS, Kind.ZONE):
        return _checked(origin, key, place, key.default)
    return key.default


def _checked(origin: Origin, key: Key, place: str, value: object) -> object:
    match key.kind:
        case Kind.INTEGER:
            if isinstance(value, bool) or not isinstance(value, int):
                raise origin.error(place, "must be a whole number")
            if not key.least <= value <= key.most:
                raise origin.error(place, f"must be {key.least:,} to {key.most:,}")
            return value
        case Kind.BOOLEAN:
            if not isinstance(value, bool):
                raise origin.error(place, "must be true or false")
            return value
        case Kind.TEXTS | Kind.CHOICES:
            return _texts(origin, key, place, value)
        case Kind.READERS:
            return _readers(origin, place, value)
        case Kind.MOMENT:
            if not isinstance(value, datetime) or value.tzinfo is None:
                raise origin.error(place, "must be a date and time with its offset, such as 2027-01-31T06:00:00Z")
            return value
        case _:
            return _from_text(origin, key, place, _text(origin, place, value))


def _from_text(origin: Origin, key: Key, place: str, text: str) -> object:
    match key.kind:
        case Kind.NAME:
            if not is_name(text):
                raise origin.error(place, "must be a name of 1 to 32 small letters, digits and inner hyphens")
        case Kind.CHOICE:
            _choose(origin, key, place, text)
        case Kind.FILE | Kind.SECRET:
            return check_file(origin, place, origin.path(text), is_secret=key.kind is Kind.SECRET)
        case Kind.FOLDER | Kind.MADE:
            return origin.path(text)
        case Kind.ADDRESS:
            return None if text == NO_ADDRESS else _address(origin, place, text)
        case Kind.URL:
            _check_url(origin, key, place, text)
        case Kind.ZONE:
            return _zone(origin, place, text)
        case _:
            pass
    return text


def _text(origin: Origin, place: str, value: object) -> str:
    if not isinstance(value, str):
        raise origin.error(place, "must be text in quotes")
    if not value.strip() or len(value) > MOST_TEXT or not value.isprintable():
        raise origin.error(place, "must be one line of text, and not an empty one")
    return value


def _texts(origin: Origin, key: Key, place: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise origin.error(place, 'must be a list of texts, such as ["a", "b"]')
    texts = tuple(_text(origin, place, each) for each in value)
    if len(set(texts)) != len(texts):
        raise origin.error(place, "names something twice")
    if key.kind is Kind.CHOICES:
        for text in texts:
            _choose(origin, key, place, text)
    return texts


def _choose(origin: Origin, key: Key, place: str, text: str) -> None:
    if text not in key.choices:
        raise origin.error(place, f"must be one of {', '.join(key.choices)}")


def _readers(origin: Origin, place: str, value: object) -> dict[int, int]:
    wrong = origin.error(place, "must be a table of reader number = seat, such as { 2 = 1 }")
    if not isinstance(value, Mapping):
        raise wrong
    readers: dict[int, int] = {}
    for reader, seat in value.items():
        if not (reader.isascii() and reader.isdecimal() and int(reader) <= MOST_READER):
            raise wrong
        if isinstance(seat, bool) or not isinstance(seat, int) or not 0 <= seat <= MOST_SEAT:
            raise wrong
        readers[int(reader)] = seat
    return readers


def _address(origin: Origin, place: str, text: str) -> Address:
    try:
        parts = urlsplit(f"//{text}")
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if host is None or port is None or parts.path or parts.query or parts.fragment or "@" in text:
        raise origin.error(place, "must be host:port, such as 127.0.0.1:8080")
    return Address(host, port)


def _check_url(origin: Origin, key: Key, place: str, text: str) -> None:
    wanted = " or ".join(f"{scheme}://" for scheme in key.schemes)
    try:
        parts = urlsplit(text)
        is_right = parts.scheme in key.schemes and bool(parts.netloc or parts.query) and parts.port != 0
    except ValueError:
        is_right = False
    if not is_right:
        raise origin.error(place, f"must be an address that begins with {wanted}")


def _zone(origin: Origin, place: str, text: str) -> ZoneInfo:
    try:
        return ZoneInfo(text)
    except (ValueError, OSError, ZoneInfoNotFoundError):
        raise origin.error(
            place, f"this machine knows no time zone {text}; write a name such as Europe/Paris"
        ) from None


def _content(origin: Origin, place: str, path: Path, most: int) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(most + 1)
    except OSError as error:
        raise origin.error(place, f"{path} cannot be read ({error.strerror or error})") from error


def _suggestion(name: str, known: list[str]) -> str:
    close = get_close_matches(name, known, 1)
    return f"; did you mean `{close[0]}`" if close else ""


def _dotted(where: str, name: str) -> str:
    return f"{where}.{name}" if where else name
