"""What can stand in the pump's queue beside what arrived from the broker and what the journal answered."""

from collections.abc import Mapping
from concurrent.futures import Future
from typing import Any, NamedTuple

from sabot_gateway.journal.port import Receipt
from sabot_gateway.journal.quarantine import Refusal
from sabot_gateway.model.event import OperatorEvent
from sabot_gateway.model.review import ReviewEvent
from sabot_gateway.runtime.consignment import Consignment
from sabot_gateway.runtime.desk import DeskError, DeskErrorCode, Plain
from sabot_gateway.runtime.plan import Plan


class Declared(NamedTuple):
    """A person declared something about a table."""

    table: str
    event: OperatorEvent | ReviewEvent
    by: str
    future: "Future[Any]"


class Noted(NamedTuple):
    """A person did something that concerns no table."""

    action: str
    detail: Mapping[str, Plain]
    by: str
    future: "Future[Any]"


class Ordered(NamedTuple):
    """A person wants a controller to do something."""

    device: str
    name: str
    values: Mapping[str, object]
    by: str
    future: "Future[Any]"


class Released(NamedTuple):
    """A person has removed a controller's twin."""

    device: str
    by: str
    future: "Future[Any]"


class Reloaded(NamedTuple):
    """The settings were read again."""

    plan: Plan
    future: "Future[Any]"


class Quarantined(NamedTuple):
    """The journal has answered about refused bytes."""

    refusals: list[Refusal]
    consignment: Consignment
    future: "Future[Receipt]"


class Saved(NamedTuple):
    """The journal has answered about the snapshots of these tables."""

    tables: tuple[str, ...]
    future: "Future[None]"


class Stopped(NamedTuple):
    """No more arrivals: bring what is under way to its end."""


def answer(future: "Future[Any] | None", result: object) -> None:
    """Whoever waited may have given up meanwhile."""
    if future is not None and future.set_running_or_notify_cancel():
        future.set_result(result)


def refuse(future: "Future[Any] | None", code: DeskErrorCode, detail: str = "") -> None:
    fail(future, DeskError(code, detail))


def fail(future: "Future[Any] | None", error: Exception) -> None:
    if future is not None and future.set_running_or_notify_cancel():
        future.set_exception(error)
