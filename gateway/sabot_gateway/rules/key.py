"""What a ruleset key is: its type, its allowed values, who may set it, and the rules behind it.

Each game lists its keys as `KEYS`; the validator, the documentation and the
check of a coup's overrides all walk that one list. This file judges one value
at a time; relations between keys belong to `ruleset`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum, StrEnum
from typing import Final

from sabot_gateway.rules.hours import are_hours
from sabot_gateway.rules.paytable import table_problem


class Kind(StrEnum):
    INTEGER = "integer"
    FLAG = "true or false"
    CHOICE = "one of"
    TEXT = "text"
    HOURS = "hours such as 20:00-04:00"
    TEXTS = "list of texts"
    PAY_TABLE = "pay table"
    PAY_TABLES = "named pay tables"
    MAPPING = "names to texts"


class Absent(Enum):
    """The default of a key that has none: the file must set it."""

    REQUIRED = "REQUIRED"


REQUIRED: Final = Absent.REQUIRED


@dataclass(frozen=True, slots=True)
class Key:
    """One ruleset key. `house` says whether the law leaves it open; `code` is the fault of a coup that breaks it."""

    name: str
    kind: Kind
    meaning: str
    rules: tuple[str, ...] = ()
    default: object = REQUIRED
    house: bool = True
    choices: tuple[str, ...] = ()  # allowed texts; of pay tables: the names they can be chosen by
    least: int | None = None
    most: int | None = None
    nullable: bool = False
    hands: tuple[str, ...] = ()  # pay tables: every hand that may be paid, weakest first
    needs: tuple[str, ...] = ()  # pay tables: the hands that must be paid
    only: object = None  # the one value that the law knows, where the file merely states it
    code: str = "BAD_VALUE"

    @property
    def is_required(self) -> bool:
        return self.default is REQUIRED

    def problem(self, value: object) -> str | None:
        """Why `value` cannot stand under this key, or None when it can."""
        if value is None:
            return None if self.nullable else "must not be empty"
        if self.only is not None and value != self.only:
            return f"is fixed by the rules to {self.only!r}"
        match self.kind:
            case Kind.INTEGER:
                return self._integer_problem(value)
            case Kind.FLAG:
                return None if isinstance(value, bool) else "must be true or false"
            case Kind.CHOICE:
                if isinstance(value, str) and value in self.choices:
                    return None
                return f"must be one of {', '.join(self.choices)}"
            case Kind.TEXT:
                return None if isinstance(value, str) and value.strip() else "must be a text"
            case Kind.HOURS:
                is_right = isinstance(value, str) and are_hours(value)
                return None if is_right else "must be two times of the clock, such as 20:00-04:00"
            case Kind.TEXTS:
                return None if _is_texts(value) else "must be a list of texts"
            case Kind.PAY_TABLE:
                if isinstance(value, str) and self.choices:
                    return None if value in self.choices else f"must be a table, or one of {', '.join(self.choices)}"
                return table_problem(value, self.hands, self.needs)
            case Kind.PAY_TABLES:
                return self._tables_problem(value)
            case Kind.MAPPING:
                is_mapping = isinstance(value, Mapping) and _is_texts([*value.keys(), *value.values()])
                return None if is_mapping else "must give a text to each name"

    def _integer_problem(self, value: object) -> str | None:
        if isinstance(value, bool) or not isinstance(value, int):
            return "must be a whole number"
        if self.least is not None and value < self.least:
            return f"must be at least {self.least}"
        if self.most is not None and value > self.most:
            return f"must be at most {self.most}"
        return None

    def _tables_problem(self, value: object) -> str | None:
        if not isinstance(value, Mapping) or set(value) != set(self.choices):
            return f"must hold the tables {', '.join(self.choices)}"
        for name, table in value.items():
            problem = table_problem(table, self.hands, self.needs)
            if problem:
                return f"table {name!r} {problem}"
        return None


def _is_texts(value: object) -> bool:
    return isinstance(value, list | tuple) and all(isinstance(item, str) and item for item in value)
