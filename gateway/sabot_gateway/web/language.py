"""Which language a page speaks, and how it writes amounts and times. Pure."""

from collections.abc import Sequence
from datetime import UTC, datetime, tzinfo
from typing import Final

from sabot_gateway.model.game import Game
from sabot_gateway.settings.shape import Language

_NARROW: Final = "\u202f"  # the space French puts between thousands
_FIXED: Final = "\u00a0"


def chosen_language(cookie: str, accepted: str, default: Language) -> Language:
    """The person's own choice, else the browser's first that we speak, else the house's."""
    if cookie in set(Language):
        return Language(cookie)
    for tag in _by_preference(accepted):
        short = tag.split("-")[0]
        if short in set(Language):
            return Language(short)
    return default


def _by_preference(accepted: str) -> Sequence[str]:
    """The tags of an Accept-Language header, most wanted first; whatever is malformed counts least."""
    weighed: list[tuple[int, str]] = []
    for part in accepted.lower().split(",")[:20]:
        tag, _, weight = part.strip().partition(";q=")
        digits = weight.replace(".", "").ljust(4, "0")[:4]
        rank = 1000 if not weight else int(digits) if digits.isascii() and digits.isdigit() else -1
        weighed.append((-rank, tag.strip()))
    return [tag for _, tag in sorted(weighed, key=lambda pair: pair[0])]


def money(cents: int, game: str, language: Language) -> str:
    """`1 234,50 €` or `€1,234.50`; whole amounts without cents; the Québec game is played in dollars."""
    sign = "$" if game == Game.TCP else "€"
    whole, rest = divmod(abs(cents), 100)
    minus = "−" if cents < 0 else ""
    if language is Language.FR:
        fraction = f",{rest:02d}" if rest else ""
        return f"{minus}{whole:,}".replace(",", _NARROW) + f"{fraction}{_FIXED}{sign}"
    fraction = f".{rest:02d}" if rest else ""
    return f"{minus}{sign}{whole:,}{fraction}"


def clock_time(ms: int, zone: tzinfo) -> str:
    """`21:04:07.123`, as it stands beside video."""
    at = datetime.fromtimestamp(ms // 1000, zone)
    return f"{at:%H:%M:%S}.{ms % 1000:03d}"


def date_time(ms: int, zone: tzinfo, language: Language) -> str:
    """`18/11/2026 21:04:07` in French, `2026-11-18 21:04:07` in English."""
    at = datetime.fromtimestamp(ms // 1000, zone)
    return f"{at:%d/%m/%Y %H:%M:%S}" if language is Language.FR else f"{at:%Y-%m-%d %H:%M:%S}"


def machine_time(ms: int) -> str:
    """For the `datetime` attribute and for programs."""
    at = datetime.fromtimestamp(ms // 1000, UTC)
    return f"{at:%Y-%m-%dT%H:%M:%S}.{ms % 1000:03d}Z"
