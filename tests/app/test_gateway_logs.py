"""Logs: two forms, and an exception that quotes a message does not bring it into them."""

import io
import json
import logging
import threading
from collections.abc import Iterator

import pytest

from sabot_gateway.errors import StartError
from sabot_gateway.logs import FIELDS, log_thread_deaths, logger, set_up
from sabot_gateway.settings.shape import LogFormat, LogLevel, LogSettings


@pytest.fixture
def own_handlers() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level, hook = list(root.handlers), root.level, threading.excepthook
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    threading.excepthook = hook


pytestmark = pytest.mark.usefixtures("own_handlers")


def _stream(form: LogFormat, level: LogLevel = LogLevel.INFO) -> io.StringIO:
    stream = io.StringIO()
    set_up(LogSettings(form, level), stream)
    return stream


def _fail(error: Exception) -> None:
    raise error


def test_a_line_for_people() -> None:
    stream = _stream(LogFormat.TEXT)
    logger("pump").info("Ready.", extra={FIELDS: {"table": "t1"}})
    moment, rest = stream.getvalue().split(" ", 1)
    assert moment.endswith("Z")
    assert rest == "INFO pump: Ready. table=t1\n"


def test_a_line_for_programs() -> None:
    stream = _stream(LogFormat.JSON)
    logger("pump").warning("Slow: %d ms.", 7, extra={FIELDS: {"table": "t1"}})
    line = json.loads(stream.getvalue())
    assert {name: line[name] for name in ("level", "part", "said", "table")} == {
        "level": "warning",
        "part": "pump",
        "said": "Slow: 7 ms.",
        "table": "t1",
    }


def test_less_than_the_level_is_not_said() -> None:
    stream = _stream(LogFormat.TEXT, LogLevel.WARNING)
    logger("pump").info("Chatter.")
    logging.getLogger("uvicorn.error").info("Chatter.")
    assert stream.getvalue() == ""


@pytest.mark.parametrize("form", LogFormat)
def test_a_foreign_exception_shows_its_type_and_place_only(form: LogFormat) -> None:
    stream = _stream(form)
    try:
        _fail(ValueError("the card is As, its tag e001000000000000"))
    except ValueError:
        logger("pump").exception("A defect.")
    said = stream.getvalue()
    assert "ValueError" in said
    assert "test_gateway_logs.py" in said
    assert "As" not in said
    assert "e001000000000000" not in said
    assert said.count("\n") == 1


def test_our_own_errors_say_their_sentence() -> None:
    stream = _stream(LogFormat.TEXT)
    try:
        _fail(StartError("The pages cannot listen."))
    except StartError:
        logger("app").exception("Not started.")
    assert "StartError: The pages cannot listen." in stream.getvalue()


def test_a_thread_that_dies_is_logged_and_heard_of() -> None:
    stream = _stream(LogFormat.TEXT)
    dead: list[str] = []
    log_thread_deaths(dead.append)
    thread = threading.Thread(target=lambda: [][1], name="pump")
    thread.start()
    thread.join()
    assert dead == ["pump"]
    assert "CRITICAL thread: pump ended by a defect. IndexError" in stream.getvalue()
