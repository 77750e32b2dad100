"""What an address asks for beside its path: texts, numbers and moments, each bounded; nonsense is the asker's error.

Moments are written as the house's clocks show them (`2026-11-18T21:04`), as a browser's own field gives them.
"""

from datetime import datetime, tzinfo
from typing import Final

from starlette.requests import Request

from sabot_gateway.web.page import NOT_FOUND, WRONG, PageError

MOST_TEXT: Final = 128
_MOST_DIGITS: Final = 18  # a number of SQLite's has 63 bits
_EARLIEST_YEAR: Final = 1990
_LATEST_YEAR: Final = 9000


def text_asked(request: Request, name: str) -> str:
    """Empty where nothing was asked."""
    text = request.query_params.get(name, "").strip()
    if len(text) > MOST_TEXT:
        raise PageError(WRONG, "error.value", name=name)
    return text


def number_asked(request: Request, name: str) -> int | None:
    text = text_asked(request, name)
    if not text:
        return None
    number = number_from_text(text)
    if number is None:
        raise PageError(WRONG, "error.value", name=name)
    return number


def moment_asked(request: Request, name: str, zone: tzinfo) -> int | None:
    """UTC milliseconds; a moment without an offset is one of the house's clocks."""
    text = text_asked(request, name)
    if not text:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise PageError(WRONG, "error.value", name=name) from error
    if not _EARLIEST_YEAR <= moment.year <= _LATEST_YEAR:
        raise PageError(WRONG, "error.value", name=name)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=zone)
    return int(moment.timestamp()) * 1000 + moment.microsecond // 1000


def path_number(request: Request, name: str) -> int:
    """A number in the path; anything else names nothing."""
    number = number_from_text(str(request.path_params[name]))
    if number is None:
        raise PageError(NOT_FOUND, "error.http_404")
    return number


def number_from_text(text: str) -> int | None:
    is_number = text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS
    return int(text) if is_number else None
