"""The port `Desk`: what pages, consoles and metrics may see of a running gateway, and what they may ask of it.

Owns the contract and its plain value types; knows no thread, broker, journal adapter or page. Everything a person
does goes through `submit`, `note`, `command` or `release`, and is journaled under the person's name before anything
comes of it.
Law 7 holds here: nothing that leaves this port shows a card that the table has not shown.

Every method may be called from any thread and returns at once; what takes time is a Future. Readings are
of whole frozen states: a page never sees half a step.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple, Protocol

from sabot_gateway.journal.port import Receipt
from sabot_gateway.model.event import OperatorEvent
from sabot_gateway.model.review import ReviewEvent

Plain = int | str | bool | None  # what a detail, a health value or a command's field may be
Watcher = Callable[[frozenset[str], int], None]  # the tables that changed, and the last journal id behind the change


class DeskErrorCode(StrEnum):
    UNKNOWN_TABLE = "unknown_table"
    UNKNOWN_DEVICE = "unknown_device"
    NOT_OWNED = "not_owned"
    INVALID = "invalid"
    NOT_WRITTEN = "not_written"
    STOPPING = "stopping"


SENTENCES: Mapping[DeskErrorCode, str] = {
    DeskErrorCode.UNKNOWN_TABLE: "There is no such table.",
    DeskErrorCode.UNKNOWN_DEVICE: "There is no such controller.",
    DeskErrorCode.NOT_OWNED: "Another gateway looks after this table.",
    DeskErrorCode.INVALID: "This cannot be done as it was asked.",
    DeskErrorCode.NOT_WRITTEN: "The journal could not take it; nothing was done.",
    DeskErrorCode.STOPPING: "The gateway is stopping.",
}


class DeskError(Exception):
    """Why something asked at the desk was not done: a closed code, its sentence and a detail."""

    def __init__(self, code: DeskErrorCode, detail: str = "") -> None:
        super().__init__(f"{SENTENCES[code]} {detail}".rstrip())
        self.code = code
        self.detail = detail


class TableFault(StrEnum):
    """Why a table is not being followed; its facts are journaled all the same."""

    STEP = "step"  # a defect in Sabot: the fold of this table failed
    JOURNAL = "journal"  # the journal takes nothing: what arrives is kept, not acknowledged
    FENCED = "fenced"  # another gateway has taken the table over
    UNREADABLE = "unreadable"  # its stream could not be folded at the start


@dataclass(frozen=True, slots=True)
class TableStatus:
    """One line of the floor page."""

    name: str
    pit: str
    game: str
    ruleset: str
    seance: str
    coup: int
    phase: str
    phase_ms: int
    in_review: bool
    alerts: int
    worst: str  # the gravest severity that is open, empty for none
    lamps_revision: int
    lamps_applied: int
    position: int
    id: int
    changed_ms: int
    fault: TableFault | None = None
    fault_detail: str = ""  # for the technician; never a card
    cameras: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DeviceStatus:
    """One controller as the gateway knows it; `state` is online, lost, leaving, unheard, refused or twin."""

    id: str
    table: str
    role: str
    state: str
    refusal: str = ""
    boot: int = 0
    upto: int = 0  # the last event acknowledged
    heard_ms: int = 0
    firmware: str = ""
    board: str = ""
    digest: str = ""
    capabilities: tuple[str, ...] = ()
    clock_off_ms: int | None = None  # what was added to its clock, None while it is unknown
    clock_spread_ms: int | None = None
    health: Mapping[str, int] = field(default_factory=dict)
    reports: tuple[str, ...] = ()  # the last self-tests, updates and commands, newest last


@dataclass(frozen=True, slots=True)
class Health:
    """`is_ready`: events are being taken and tables followed. `reasons` are one sentence each when it is not."""

    is_ready: bool
    is_connected: bool
    journal_fault: str
    tables_faulted: tuple[str, ...]
    waiting: int  # messages received and not yet durable
    last_id: int
    reasons: tuple[str, ...] = ()


class Figure(NamedTuple):
    """One number for /metrics; counters end in `_total`, and labels never hold a card or a person."""

    name: str
    value: int | float
    labels: tuple[tuple[str, str], ...] = ()


class CommandSent(NamedTuple):
    """A command is journaled and on its way; its end comes back as a report of the device."""

    device: str
    number: int


class Desk(Protocol):
    def tables(self) -> Sequence[TableStatus]:
        """Every table of this gateway, in the order of its settings."""

    def view(self, table: str) -> Mapping[str, object]:
        """A table as `table.view` shows it, with `fault`, `position`, `id`; DeskError for an unknown one."""

    def devices(self) -> Sequence[DeviceStatus]:
        """Every controller of the registry."""

    def submit(self, table: str, event: OperatorEvent | ReviewEvent, by: str) -> Future[Receipt]:
        """Journals what a person declared, then lets the table take it; `at_ms` is set here.

        The receipt comes when the fact is durable and its decision, if any, is too; `position` and `id` are those of
        the fact's own record, `hash` is that of the last record committed with it.
        """

    def note(self, action: str, detail: Mapping[str, Plain], by: str) -> Future[Receipt]:
        """Journals something a person did that concerns no table (a card opened, a setting, an export)."""

    def command(self, device: str, name: str, values: Mapping[str, object], by: str) -> Future[CommandSent]:
        """Sends a controller a command of the wire (`time`, `config`, `selftest`, `identify`, `restart`, …)."""

    def release(self, device: str, by: str) -> Future[Receipt]:
        """Journals that a person has removed a controller's twin, then takes what comes under its name again."""

    def watch(self, callback: Watcher) -> Callable[[], None]:
        """Calls `callback` after changes, several in one call, never blocking; returns what ends it."""

    def health(self) -> Health:
        """For /healthz and /readyz."""

    def figures(self) -> Sequence[Figure]:
        """For /metrics."""
