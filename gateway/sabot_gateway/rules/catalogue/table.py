"""One table of a data file, read strictly: every key has a type, and a key that nobody read is refused.

Knows TOML values, not rules. Folded texts (several lines in the file) come out as one line.
"""

import re
from collections.abc import Mapping
from enum import StrEnum
from typing import TypeVar

from sabot_gateway.rules.catalogue.entry import Wording

E = TypeVar("E", bound=StrEnum)


class CatalogueError(ValueError):
    """The catalogue's data is wrong; `where` names the entry."""

    def __init__(self, where: str, problem: str) -> None:
        super().__init__(f"{where}: {problem}.")
        self.where = where


class Table:
    """Typed access to one TOML table; `finish` refuses what was left over."""

    def __init__(self, where: str, values: Mapping[str, object]) -> None:
        self.where = where
        self._values = values
        self._read: set[str] = set()

    def text_or_none(self, key: str) -> str | None:
        return self.text(key) if key in self._values else None

    def text(self, key: str) -> str:
        value = self._take(key)
        if not isinstance(value, str) or not value.strip():
            raise CatalogueError(self.where, f"{key} must be a text")
        # Only plain spaces and line ends fold: the no-break spaces of French typography stay.
        return re.sub(r"[ \n]+", " ", value).strip(" ")

    def number(self, key: str) -> int:
        value = self._take(key)
        if isinstance(value, bool) or not isinstance(value, int):
            raise CatalogueError(self.where, f"{key} must be a whole number")
        return value

    def texts(self, key: str) -> tuple[str, ...]:
        """The texts under `key`; none when it is absent."""
        value = self._take(key, absent=[])
        if not isinstance(value, list) or not all(isinstance(item, str) and item for item in value):
            raise CatalogueError(self.where, f"{key} must be a list of texts")
        return tuple(value)

    def one_of(self, key: str, kind: type[E]) -> E:
        value = self.text(key)
        try:
            return kind(value)
        except ValueError:
            allowed = ", ".join(kind)
            raise CatalogueError(self.where, f"{key} is {value!r}, not one of {allowed}") from None

    def wording(self, prefix: str = "") -> Wording:
        return Wording(en=self.text(f"{prefix}en"), fr=self.text(f"{prefix}fr"))

    def tables(self, key: str) -> tuple["Table", ...]:
        """The tables under `key`; none when it is absent."""
        value = self._take(key, absent=[])
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            raise CatalogueError(self.where, f"{key} must be a list of tables")
        return tuple(Table(self.where, item) for item in value)

    def finish(self) -> None:
        left = sorted(self._values.keys() - self._read)
        if left:
            raise CatalogueError(self.where, f"has keys that nobody knows: {', '.join(left)}")

    def _take(self, key: str, absent: object = None) -> object:
        self._read.add(key)
        value = self._values.get(key, absent)
        if value is None:
            raise CatalogueError(self.where, f"lacks {key}")
        return value
