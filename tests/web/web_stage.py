"""A stage for the pages: a real server over a real journal, views and accounts, and tables played by scripts.

`StageDesk` stands at the port `Desk`, so that a test can put a table into any state a script can reach; the whole
gateway with its own runtime has tests of its own.
"""

import json
import secrets
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC
from functools import partial
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from urllib.parse import urlencode

from sabot_gateway.journal.address import reader_at
from sabot_gateway.journal.port import Append, Journal, Receipt
from sabot_gateway.journal.record import Entry, Kind, Stream
from sabot_gateway.journal.sqlite import open_sqlite_journal
from sabot_gateway.model.event import OperatorEvent, PlayerSeated
from sabot_gateway.model.review import ReviewEvent
from sabot_gateway.projections.store import Views
from sabot_gateway.projections.tail import Tail
from sabot_gateway.runtime.desk import (
    CommandSent,
    DeskError,
    DeskErrorCode,
    DeviceStatus,
    Figure,
    Health,
    Plain,
    TableStatus,
    Watcher,
)
from sabot_gateway.settings.shape import Address, Language
from sabot_gateway.table.state import TableState
from sabot_gateway.table.view import view_of
from sabot_gateway.transcript.decision import body_from_decision
from sabot_gateway.transcript.fact import body_from_event
from sabot_gateway.transcript.fold import Fold, kept_steps, skip_decision, take
from sabot_gateway.transcript.house import Action as HouseAction
from sabot_gateway.transcript.house import body_from_action
from sabot_gateway.web.accounts.door import Door
from sabot_gateway.web.accounts.password import digest_of
from sabot_gateway.web.accounts.role import Role
from sabot_gateway.web.accounts.vault import ACCOUNTS, Vault
from sabot_gateway.web.application import build_application
from sabot_gateway.web.evidence import Evidence
from sabot_gateway.web.gate import cookie_name
from sabot_gateway.web.server import WebServer
from sabot_gateway.web.site import Site
from sabot_tools.rounds.arguments import Arguments
from sabot_tools.rounds.playing import VERBS, play
from sabot_tools.rounds.reading import script_from_file
from sabot_tools.rounds.recording import FENCE, HOUSE, OWNER, Recorder
from sabot_tools.rounds.rig import Rig

PASSWORD = "seven green chips"
ROUNDS = Path(__file__).parents[1] / "rounds"


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def played(script: str, leave_out: int = 0) -> TableState:
    """The table after a script of tests/rounds, without its last `leave_out` steps."""
    read = script_from_file(ROUNDS / f"{script}.round")
    rig = Rig(read)
    for seat in read.players:
        rig.tell(PlayerSeated(seat, f"P{seat}"))
    steps = [step for step in read.steps if not step.is_expectation]
    for step in steps[: len(steps) - leave_out]:
        rig.current = step
        verb = VERBS[step.verb]
        verb.act(rig, Arguments(step.line, step.words, verb.usage))
    return rig.state


class StageDesk:
    """Tables as a test puts them; what people ask for is kept in `asked`.

    A table that was recorded has a stream of its own: what people declare about it is journaled and folded, as by a
    gateway. About the others nothing is written.
    """

    def __init__(self, journal: Journal) -> None:
        self._lock = threading.Lock()
        self._journal = journal
        self._recorder = Recorder(journal)
        self._folds: dict[str, Fold] = {}
        self.cameras: tuple[str, ...] = ()
        self._states: dict[str, tuple[TableState, int, str]] = {}
        self._watchers: list[Watcher] = []
        self._last_id = 0
        self.asked: list[tuple[str, object, str]] = []
        self.known: list[DeviceStatus] = []

    def record(self, table: str, script: str) -> None:
        """Plays a script of tests/rounds into the journal as this table."""
        done = play(script_from_file(ROUNDS / f"{script}.round"))
        assert done.failure is None, done.failure
        fold = self._folds[table] = self._recorder.record(table, done)
        assert fold.state is not None
        self.put(table, fold.state, last_id=self._written())

    def put(self, table: str, state: TableState, pit: str = "A", last_id: int = 0) -> None:
        with self._lock:
            self._last_id = max(self._last_id + 1, last_id)
            self._states[table] = (state, self._last_id, pit)
            watchers = list(self._watchers)
        for watcher in watchers:
            watcher(frozenset({table}), self._last_id)

    def take_away(self, table: str) -> None:
        with self._lock:
            del self._states[table]

    def ring(self) -> None:
        for watcher in list(self._watchers):
            watcher(frozenset(), self._last_id)

    def tables(self) -> Sequence[TableStatus]:
        with self._lock:
            known = dict(self._states)
        return [replace(_status(name, *entry), cameras=self.cameras) for name, entry in known.items()]

    def view(self, table: str) -> Mapping[str, object]:
        with self._lock:
            if table not in self._states:
                raise DeskError(DeskErrorCode.UNKNOWN_TABLE)
            state, last_id, _ = self._states[table]
        return {**view_of(state), "fault": None, "position": last_id, "id": last_id}

    def devices(self) -> Sequence[DeviceStatus]:
        return self.known

    def submit(self, table: str, event: OperatorEvent | ReviewEvent, by: str) -> Future[Receipt]:
        with self._lock:
            is_known = table in self._states
        if not is_known:
            refused: Future[Receipt] = Future()
            refused.set_exception(DeskError(DeskErrorCode.UNKNOWN_TABLE, table))
            return refused
        if table not in self._folds:
            return self._ask(table, event, by)
        self.asked.append((table, event, by))
        done: Future[Receipt] = Future()
        done.set_result(self._journal_it(table, replace(event, at_ms=now_ms()), by))
        return done

    def _journal_it(self, table: str, event: OperatorEvent | ReviewEvent, by: str) -> Receipt:
        """The fact, then the decision on it; the receipt is the fact's."""
        entry = Entry(Kind.OPERATOR, body_from_event(event, by), event.at_ms)
        receipt = self._append(table, entry)
        taken = take(self._folds[table], entry.kind, entry.body, entry.received_ms)
        fold, last_id = taken.fold, receipt.id
        body = body_from_decision(fold.position, kept_steps(taken))
        if body:
            last_id = self._append(table, Entry(Kind.DECISION, body, event.at_ms)).id
            fold = skip_decision(fold)
        self._folds[table] = fold
        assert fold.state is not None
        self.put(table, fold.state, last_id=last_id)
        return receipt

    def _append(self, table: str, entry: Entry) -> Receipt:
        (receipt,) = self._journal.append(Append(Stream(table), OWNER, FENCE, [entry])).result(60)
        return receipt

    def _written(self) -> int:
        """The last id of the journal."""
        return max((record.id for record in self._journal.tail(None)), default=0)

    def note(self, action: str, detail: Mapping[str, Plain], by: str) -> Future[Receipt]:
        """Into the stream of the house, as a gateway does."""
        self.asked.append((action, dict(detail), by))
        done: Future[Receipt] = Future()
        entry = Entry(Kind.OPERATOR, body_from_action(HouseAction(action, now_ms(), by, detail)), now_ms())
        done.set_result(self._append(HOUSE, entry))
        self.ring()
        return done

    def command(self, device: str, name: str, values: Mapping[str, object], by: str) -> Future[CommandSent]:
        self.asked.append((device, (name, dict(values)), by))
        done: Future[CommandSent] = Future()
        done.set_result(CommandSent(device, len(self.asked)))
        return done

    def release(self, device: str, by: str) -> Future[Receipt]:
        return self._ask(device, "release", by)

    def _ask(self, where: str, what: object, by: str) -> Future[Receipt]:
        self.asked.append((where, what, by))
        done: Future[Receipt] = Future()
        done.set_result(Receipt(Stream(where), len(self.asked), self._last_id, bytes(32)))
        return done

    def watch(self, callback: Watcher) -> Callable[[], None]:
        self._watchers.append(callback)
        return lambda: self._watchers.remove(callback)

    def health(self) -> Health:
        return Health(True, True, "", (), 0, self._last_id)

    def figures(self) -> Sequence[Figure]:
        return [Figure("events_total", 7)]


def _status(name: str, state: TableState, last_id: int, pit: str) -> TableStatus:
    severities = [str(alert.severity) for alert in state.alerts.values()]
    worst = next((each for each in ("alarm", "warning", "notice") if each in severities), "")
    return TableStatus(
        name, pit, str(state.setup.game), state.setup.ruleset.id, str(state.seance.phase), state.coup.number,
        str(state.coup.phase), state.coup.phase_ms, state.review is not None, len(severities), worst,
        state.lamps.revision, state.lamps.applied, last_id, last_id, state.coup.phase_ms,
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: Mapping[str, str]
    body: str

    def json(self) -> object:
        return json.loads(self.body)


class Browser:
    """The least of a browser: cookies, forms, no redirects of its own. Chromium has tests of its own."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self.cookies: dict[str, str] = {}

    def get(self, path: str, **headers: str) -> Answer:
        return self._ask("GET", path, None, headers)

    def post(self, path: str, form: Mapping[str, str], **headers: str) -> Answer:
        return self._ask(
            "POST", path, urlencode(form), {"content-type": "application/x-www-form-urlencoded", **headers}
        )

    def log_in(self, name: str, password: str = PASSWORD, **more: str) -> Answer:
        return self.post("/login", {"name": name, "password": password, **more})

    def csrf(self) -> str:
        page = self.get("/account").body
        return page.partition('name="csrf" value="')[2].partition('"')[0]

    @contextmanager
    def stream(self, path: str, **headers: str) -> Iterator[HTTPResponse]:
        """An answer that does not end by itself."""
        line = HTTPConnection(self._address.host, self._address.port, timeout=60)
        try:
            line.request("GET", path, headers=self._headers(headers))
            answer = line.getresponse()
            yield answer
            answer.close()
        finally:
            line.close()

    def _ask(self, method: str, path: str, body: str | None, headers: Mapping[str, str]) -> Answer:
        line = HTTPConnection(self._address.host, self._address.port, timeout=60)
        try:
            line.request(method, path, body, self._headers(headers))
            answer = line.getresponse()
            for name, value in answer.getheaders():
                if name.lower() == "set-cookie":
                    key, _, rest = value.partition("=")
                    self.cookies[key] = rest.partition(";")[0].strip('"')
            return Answer(answer.status, {k.lower(): v for k, v in answer.getheaders()}, answer.read().decode())
        finally:
            line.close()

    def _headers(self, headers: Mapping[str, str]) -> dict[str, str]:
        cookies = "; ".join(f"{key}={value}" for key, value in self.cookies.items())
        return {key.replace("_", "-"): value for key, value in headers.items()} | (
            {"cookie": cookies} if cookies else {}
        )


@dataclass(frozen=True, slots=True)
class Stage:
    site: Site
    desk: StageDesk
    address: Address

    def record(self, **scripts: str) -> None:
        """Tables by name, each a script of tests/rounds, in the journal and in the views."""
        for table, script in scripts.items():
            self.desk.record(table, script)
        self.site.views.catch_up(self.site.journal)

    def browser(self, role: Role | None = None) -> Browser:
        """A visitor; with a role, somebody who came in a moment ago (the account has the role's name)."""
        browser = Browser(self.address)
        if role is not None:
            # Straight into the vault: a login costs a tenth of a second on purpose, and has tests of its own.
            token = secrets.token_urlsafe(32)
            csrf = secrets.token_urlsafe(32)
            self.site.vault.begin_session(token, role.value.replace("_", "-"), csrf, now_ms())
            browser.cookies[cookie_name(self.site)] = token
        return browser

    @property
    def url(self) -> str:
        return f"http://{self.address}"


@contextmanager
def stage(folder: Path, *, is_tls: bool = False, video: str = "") -> Iterator[Stage]:
    """A running server; one account per role, all with the same password."""
    vault = Vault(folder / ACCOUNTS)
    digest = digest_of(PASSWORD, "nobody")
    for role in Role:
        vault.add(role.value.replace("_", "-"), role, digest, "test", now_ms())
    with open_sqlite_journal(folder / "journal.db") as journal:
        desk = StageDesk(journal)
        views = Views(folder / "views.db")
        tail = Tail(views, journal)
        desk.watch(lambda _tables, _id: tail.wake())
        tail.start()
        door = Door(vault, now_ms, idle_ms=1_800_000, longest_ms=43_200_000)
        evidence = Evidence(partial(reader_at, str(folder / "journal.db")), checkpoint_minutes=10)
        site = Site(
            "cannes", desk, views, journal, vault, door, now_ms, UTC, Language.EN, is_tls, video, evidence=evidence
        )
        server = WebServer(build_application(site), Address("127.0.0.1", 0))
        server.start()
        try:
            yield Stage(site, desk, server.address)
        finally:
            server.stop()
            tail.stop()
            views.close()
            vault.close()
