"""What the log says of the gateway's health: once when it begins, once when it is over."""

import logging

import pytest

from sabot_gateway.health_log import HealthLog
from sabot_gateway.runtime.desk import Health

FULL = "There is no space left for the journal."


def health(fault: str = "", *tables: str) -> Health:
    reasons = (FULL,) if fault else ()
    return Health(not fault, True, fault, tables, 0, 0, reasons)


def test_a_fault_of_the_journal_is_said_once_and_so_is_its_end(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "sabot")
    log = HealthLog()
    for each in (health(), health("full"), health("full"), health(), health()):
        log.look(each)
    said = [(record.levelname, record.getMessage()) for record in caplog.records]
    assert said == [
        ("ERROR", f"{FULL} Nothing is acknowledged, and every table shows its fault lamps."),
        ("INFO", "The journal is written again."),
    ]


def test_each_table_that_is_not_followed_is_named_once(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "sabot")
    log = HealthLog()
    for each in (health("", "t2"), health("", "t1", "t2"), health("", "t1")):
        log.look(each)
    assert [record.getMessage() for record in caplog.records] == [
        "Table t2 is not followed; its events are still journaled.",
        "Table t1 is not followed; its events are still journaled.",
        "Table t2 is followed again.",
    ]
