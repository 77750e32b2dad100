"""An alert: what went wrong, how grave it is, which rule it breaks, and what makes it go away.

Data only. The catalogue of alerts and the functions that raise them belong to the table.
"""

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    NOTICE = "notice"  # worth recording
    WARNING = "warning"  # somebody should look
    ALARM = "alarm"  # money, cards or people are wrong


class Holds(StrEnum):
    """What an open alert holds up, until it is corrected or the table head overrides it."""

    NOTHING = "nothing"
    CLOSE = "close"  # the closing of the bets
    SETTLE = "settle"  # the settlement
    PAY = "pay"  # the end of the payments


class Clears(StrEnum):
    CORRECTION = "correction"  # by itself, when what caused it is put right
    OVERRIDE = "override"  # by correction, or by the table head's recorded override
    OPERATOR = "operator"  # only by a person with the right to do so
    COUP_END = "coup_end"  # with the coup


Evidence = tuple[tuple[str, int | str], ...]


@dataclass(frozen=True, slots=True)
class Alert:
    """One cause, however often it repeats: `count` and the two times say how often and when."""

    code: str
    severity: Severity
    rule: str
    fr: str
    en: str
    clears: Clears
    holds: Holds = Holds.NOTHING
    seat: int | None = None
    spot: str | None = None
    evidence: Evidence = ()
    coup: int = 0
    count: int = 1
    first_ms: int = 0
    last_ms: int = 0

    @property
    def id(self) -> str:
        """Causes with one id fold into one alert."""
        where = "-".join(str(part) for part in (self.seat, self.spot) if part is not None)
        return f"{self.coup}/{self.code}" + (f"/{where}" if where else "")
