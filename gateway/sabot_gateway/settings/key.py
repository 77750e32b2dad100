"""One row of the table of settings: a key's name, kind, bounds, default and meaning.

Owns the vocabulary that the reader checks by and the settings page is written from; knows no file.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Final


class Kind(StrEnum):
    NAME = "name"  # small letters, digits, inner hyphens: it stands in topics and streams
    TEXT = "text"
    TEXTS = "list of texts"
    INTEGER = "integer"
    BOOLEAN = "yes or no"
    CHOICE = "choice"
    CHOICES = "list of choices"
    FILE = "file"  # must exist
    SECRET = "secret file"  # noqa: S105 - a kind; must exist and be readable by its owner only
    FOLDER = "folder"  # made when it is missing
    MADE = "file, made at first start"
    ADDRESS = "address"  # host:port
    URL = "URL"
    ZONE = "time zone"  # an IANA name that this machine knows
    READERS = "readers"  # a table of reader number = seat
    MOMENT = "moment"  # a TOML date-time with its offset


class Absent(Enum):
    """Why a key has no default value."""

    REQUIRED = "required"
    NONE = "none"  # it may be left out, and nothing stands in its place


REQUIRED: Final = Absent.REQUIRED
NONE: Final = Absent.NONE


@dataclass(frozen=True, slots=True)
class Key:
    """`note` is the default in words where the value alone would not say it."""

    name: str
    kind: Kind
    meaning: str
    default: object = NONE
    least: int = 0
    most: int = 2**31 - 1
    choices: tuple[str, ...] = ()
    schemes: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A TOML table. `is_repeated`: an array of them; `holds`: any name is a key, each of this kind."""

    name: str
    meaning: str
    keys: tuple[Key, ...] = ()
    is_repeated: bool = False
    holds: Kind | None = None

    @property
    def by_name(self) -> Mapping[str, Key]:
        return {key.name: key for key in self.keys}
