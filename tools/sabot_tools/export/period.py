"""Dates and times as people write them on a command line, as UTC milliseconds and back."""

from datetime import UTC, datetime, timedelta
from typing import Final

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class PeriodError(ValueError):
    """A date that cannot be used; the text is the sentence for the person at the console."""


def period_from_texts(from_: str | None, to: str | None) -> tuple[int | None, int | None]:
    """The two ends, None where it is open; PeriodError for a date that is none, or an end before the beginning."""
    start = None if from_ is None else ms_from_text(from_, "--from")
    stop = None if to is None else ms_from_text(to, "--to")
    if start is not None and stop is not None and start >= stop:
        raise PeriodError("--from must lie before --to.")
    return start, stop


def ms_from_text(text: str, option: str) -> int:
    """`2026-11-18`, `2026-11-18T20:00` or with an offset; a time without one is UTC."""
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise PeriodError(
            f"{option} {text!r} is no date; write 2026-11-18 or 2026-11-18T20:00+01:00 (UTC without an offset)."
        ) from None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    try:
        return (moment - _EPOCH) // timedelta(milliseconds=1)
    except OverflowError:
        raise PeriodError(f"{option} {text!r} is too far away.") from None


def text_from_ms(ms: int | None) -> str:
    """`2026-11-18T20:00:00.000Z`; nothing where there is no time."""
    if ms is None:
        return ""
    try:
        moment = _EPOCH + timedelta(milliseconds=ms)
    except OverflowError:
        return str(ms)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
