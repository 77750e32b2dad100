"""One measured figure: what, how much, and beside which peer of the same run."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Row:
    name: str
    value: str
    unit: str
    against: str
    ratio: str
