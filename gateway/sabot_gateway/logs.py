"""What the gateway says to those who run it: one line per matter on standard error, for people or for programs.

Owns the two forms. Law 7 and every secret hold here by construction: an unforeseen exception is logged by its type and
place, never by its text, which could quote a message; only Sabot's own errors, whose sentences hold no card, no tag and
no key, are quoted. What is evidence is in the journal; losing a log loses nothing.
"""

import json
import logging
import sys
import threading
import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from types import TracebackType
from typing import Final, TextIO

from sabot_gateway.errors import GatewayError
from sabot_gateway.journal.error import JournalError
from sabot_gateway.mqtt.port import BrokerError
from sabot_gateway.settings.shape import LogFormat, LogSettings

ROOT: Final = "sabot"
FIELDS: Final = "fields"  # logger.info("…", extra={FIELDS: {"table": name}})
_OWN: Final = (GatewayError, JournalError, BrokerError)
_QUIET: Final = ("uvicorn", "asyncio")  # libraries that log: their warnings are worth hearing, their chatter is not

ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


class TextLine(logging.Formatter):
    """`2026-11-18T11:17:00.123Z INFO gateway: Ready. table=t1`"""

    def format(self, record: logging.LogRecord) -> str:
        fields = "".join(f" {name}={value}" for name, value in fields_of(record).items())
        failure = f" {failure_of(record)}" if record.exc_info else ""
        said = record.getMessage().replace("\n", " ")
        return f"{moment_of(record)} {record.levelname} {part_of(record)}: {said}{fields}{failure}"


class JsonLine(logging.Formatter):
    """`{"at": …, "level": "info", "part": "gateway", "said": "Ready.", "table": "t1"}`"""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "at": moment_of(record),
            "level": record.levelname.lower(),
            "part": part_of(record),
            "said": record.getMessage(),
            **fields_of(record),
        }
        if record.exc_info:
            line["failure"] = failure_of(record)
        return json.dumps(line, ensure_ascii=False, default=str)


def set_up(settings: LogSettings, stream: TextIO | None = None) -> None:
    """Sends everything that is logged in this process to `stream` (standard error), in the chosen form."""
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JsonLine() if settings.format is LogFormat.JSON else TextLine())
    root = logging.getLogger()
    for earlier in list(root.handlers):
        root.removeHandler(earlier)
    root.addHandler(handler)
    root.setLevel(logging.WARNING)
    logging.getLogger(ROOT).setLevel(settings.level.upper())
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)


def logger(part: str) -> logging.Logger:
    return logging.getLogger(f"{ROOT}.{part}")


def log_thread_deaths(on_death: Callable[[str], None]) -> None:
    """A thread that ends by an exception is a defect: it is logged, and `on_death` hears the thread's name."""

    def died(args: threading.ExceptHookArgs) -> None:
        name = args.thread.name if args.thread is not None else "a thread"
        value = args.exc_value or args.exc_type()
        logger("thread").critical("%s ended by a defect.", name, exc_info=(args.exc_type, value, args.exc_traceback))
        on_death(name)

    threading.excepthook = died


def moment_of(record: logging.LogRecord) -> str:
    moment = datetime.fromtimestamp(record.created, UTC)
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"


def part_of(record: logging.LogRecord) -> str:
    return record.name.removeprefix(f"{ROOT}.")


def fields_of(record: logging.LogRecord) -> dict[str, object]:
    fields = getattr(record, FIELDS, None)
    return dict(fields) if isinstance(fields, dict) else {}


def failure_of(record: logging.LogRecord) -> str:
    """The exception's type and where it came from; its text only if it is one of ours."""
    assert record.exc_info
    kind, value, trace = record.exc_info
    if kind is None:
        return ""
    said = f": {value}" if isinstance(value, _OWN) else ""
    places = [f"{frame.name} ({frame.filename}:{frame.lineno})" for frame in traceback.extract_tb(trace)]
    return f"{kind.__name__}{said} at {' > '.join(places) or 'nowhere'}"
