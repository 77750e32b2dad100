"""Hours of the house's clock, two times in one text: `20:00-04:00` (THE-12). They may pass midnight."""

import re
from typing import Final

_HOURS: Final = re.compile(r"([01]\d|2[0-3]):([0-5]\d)\s*-\s*([01]\d|2[0-3]):([0-5]\d)", re.ASCII)
_DAY_MIN: Final = 24 * 60


def are_hours(text: str) -> bool:
    return _HOURS.fullmatch(text.strip()) is not None


def is_within(hours: str, at_ms: int, ahead_min: int = 0) -> bool:
    """Whether a moment lies in the hours, the first minute included and the last one not."""
    found = _HOURS.fullmatch(hours.strip())
    if found is None:
        return False
    first, last = int(found[1]) * 60 + int(found[2]), int(found[3]) * 60 + int(found[4])
    minute = (at_ms // 60_000 + ahead_min) % _DAY_MIN
    if first < last:
        return first <= minute < last
    return minute >= first or minute < last
