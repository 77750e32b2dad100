"""A whole house for the tests: the real gateway with its broker as a process, and five tables that play all the time.

Owns the folder, the processes and the thread of the tables. Incidents happen when a test asks for one.
"""

import asyncio
import gc
import os
import signal
import socket
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from house_browser.open_cards import OpenCards, WitnessRig
from sabot_gateway.config import load
from sabot_gateway.journal.browsing import tail
from sabot_gateway.journal.record import Record
from sabot_gateway.journal.sqlite import open_sqlite_reader
from sabot_gateway.journal.sqlite_reader import SqliteReader
from sabot_gateway.settings.shape import Address, TableSettings
from sabot_gateway.web.accounts.password import digest_of
from sabot_gateway.web.accounts.role import Role
from sabot_gateway.web.accounts.vault import ACCOUNTS, Vault
from sabot_tools.demo.gateway_process import GatewayFailedError, GatewayProcess
from sabot_tools.demo.premises import prepare
from sabot_tools.twin import bank_coup, holdem_coup
from sabot_tools.twin.book import Book
from sabot_tools.twin.catalogue import INCIDENTS
from sabot_tools.twin.floor import STATE, Night, Stock, make_table, stocks_of
from sabot_tools.twin.hand_rig import HandRig
from sabot_tools.twin.ledger import Ledger
from sabot_tools.twin.opening import open_table
from sabot_tools.twin.rig import StuckError
from sabot_tools.twin.table import Stage, Table
from web.web_stage import Browser

PATIENCE_S = 180  # of a crowded machine; nothing is measured with it
SPEED = 6
PLAYERS = 3


def until(is_so: Callable[[], object], what: str) -> None:
    ends = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < ends, f"waited in vain for {what}"
        time.sleep(0.05)


class LiveHouse:
    def __init__(self, folder: Path) -> None:
        self.web, self.broker = _free_address(), _free_address()
        premises = prepare(folder / "house", str(self.web), str(self.broker), fresh=False)
        self.folder, self._settings_file, self.password = premises.folder, premises.settings, premises.password
        self.people = {role: f"{role}-one".replace("_", "-") for role in Role}
        self._appoint()
        self.log = self.folder / "gateway.log"
        self.cards = OpenCards()
        self.settings = load(self._settings_file)
        self.tables = {str(each.game): each.name for each in self.settings.tables}
        self._browsers: dict[Role, Browser] = {}
        self.start_gateway()
        self._floor = PlayedFloor(self, self.cards)

    @property
    def url(self) -> str:
        return f"http://{self.web}"

    @property
    def journal(self) -> Path:
        return self.folder / "data" / "journal.db"

    def start_gateway(self) -> None:
        """A broker that was told to end with its gateway may need a moment to leave its port: then once more."""
        ends = time.monotonic() + PATIENCE_S
        while True:
            self._gateway = GatewayProcess(self._settings_file, self.log)
            try:
                self._gateway.wait_until_ready(self.web)
            except GatewayFailedError:
                self._gateway.stop()
                assert time.monotonic() < ends, "the gateway does not start again"
            else:
                return

    def kill_gateway(self) -> None:
        """As a power cut does."""
        os.kill(self._gateway.pid, signal.SIGKILL)
        self._gateway.stop()

    def stop(self) -> None:
        self._floor.stop()
        self._gateway.stop()

    def browser(self, role: Role) -> Browser:
        """Somebody of this role, logged in once."""
        if role not in self._browsers:
            browser = self._browsers[role] = Browser(self.web)
            assert browser.log_in(self.people[role], self.password).status == 303
        return self._browsers[role]

    def alerts(self, query: str = "") -> list[dict[str, Any]]:
        """The open ones of the queue, as its twin has them."""
        page: Any = self.browser(Role.SURVEILLANCE).get(f"/alerts.json?fold=no&{query}").json()
        return list(page["alerts"])

    def records(self, after: int | None = None) -> Iterator[Record]:
        """The journal as it is on disk, beside the running gateway."""
        reader = open_sqlite_reader(self.journal)

        @contextmanager
        def lend() -> Iterator[SqliteReader]:
            yield reader

        try:
            yield from tail(lend, after)
        finally:
            reader.close()

    def settled(self) -> dict[str, list[int]]:
        """Coups settled so far by table, as the journal numbers them."""
        ledger = Ledger(self.journal)
        ledger.read()
        return {table: [line.number for line in lines] for table, lines in ledger.settled.items()}

    def wait_for_coups(self, count: int) -> None:
        """So many more at every table."""
        before = self.settled()

        def are_played() -> bool:
            self._floor.check()
            now = self.settled()
            return all(len(now.get(name, [])) >= len(before.get(name, [])) + count for name in self.tables.values())

        until(are_played, f"{count} coups at every table")

    def cause(self, incident: str, table: str) -> None:
        """Let this happen at a table, and wait until it has."""
        done = self._floor.ask(table, incident)

        def has_happened() -> bool:
            self._floor.check()
            return done.is_set()

        until(has_happened, f"{incident} at {table}")

    def _appoint(self) -> None:
        vault = Vault(self.folder / "data" / ACCOUNTS)
        try:
            for role, name in self.people.items():
                vault.add(name, role, digest_of(self.password, name), "test", time.time_ns() // 1_000_000)
        finally:
            vault.close()


class PlayedFloor:
    """Five tables on a loop in a thread of their own."""

    def __init__(self, house: LiveHouse, cards: OpenCards) -> None:
        self._settings = house.settings
        self._broker = (house.broker.host, house.broker.port)
        self._folder = house.folder / STATE
        self._cards = cards
        self._wanted: dict[str, list[tuple[str, threading.Event]]] = {}
        self._is_over = False
        self._defects: list[BaseException] = []
        self._thread = threading.Thread(target=self._run, name="tables", daemon=True)
        self._thread.start()

    def ask(self, table: str, incident: str) -> threading.Event:
        done = threading.Event()
        self._wanted.setdefault(table, []).append((incident, done))
        return done

    def check(self) -> None:
        assert not self._defects, f"a table stopped: {self._defects[0]!r}"

    def stop(self) -> None:
        self._is_over = True
        self._thread.join(PATIENCE_S)
        # A controller that was just connecting leaves its socket to the collector: here, not in the next test.
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)
            gc.collect()

    def _run(self) -> None:
        try:
            asyncio.run(self._evening())
        except (StuckError, ExceptionGroup) as error:
            self._defects.append(error)

    async def _evening(self) -> None:
        stocks = stocks_of(self._settings)
        async with asyncio.TaskGroup() as group:
            tables = [group.create_task(self._table(each, stocks[each.name])) for each in self._settings.tables]
            while not self._is_over and not any(task.done() for task in tables):
                await asyncio.sleep(0.1)
            for task in tables:
                task.cancel()

    async def _table(self, settings: TableSettings, stock: Stock) -> None:
        play = holdem_coup.play_coup if str(settings.game) == "THE" else bank_coup.play_coup
        night = Night(coups=0, players=PLAYERS, seed=3, speed=SPEED)
        table = await make_table(self._settings, settings, stock, self._broker, night, Book(), self._folder)
        assert isinstance(table.rig, HandRig)
        rig = table.rig = WitnessRig(table, table.rig, self._cards)

        async def happen(at: Table, stage: Stage, coup: object) -> None:
            rig.coup = coup
            await self._happen(at, stage, coup)

        table.mischief = happen
        try:
            await open_table(table)
            while True:
                await play(table)
        finally:
            await rig.controller.leave()

    async def _happen(self, table: Table, stage: Stage, coup: object) -> None:
        wanted: Sequence[tuple[str, threading.Event]] = self._wanted.get(table.name, ())
        for incident, done in wanted[:1]:
            asked = INCIDENTS[incident]
            if asked.stage is stage and await asked.act(table, coup):
                self._wanted[table.name].pop(0)
                done.set()


def _free_address() -> Address:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return Address("127.0.0.1", server.getsockname()[1])
