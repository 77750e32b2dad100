"""The people whose badges a table reads."""

from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    DEALER = "dealer"  # croupier
    TABLE_HEAD = "table_head"  # chef de table, chef de partie
    TECHNICIAN = "technician"
    SURVEILLANCE = "surveillance"


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody on the staff; `id` is the house's own number, never a name shown to players."""

    id: str
    role: Role
