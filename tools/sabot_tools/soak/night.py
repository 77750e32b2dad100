"""The night itself: tables are played side by side while things break, and in the end everything is held to account.

Owns the run and the verdict. The gateway's decisions are read while the tables still stand there, and the tables leave
only when the gateway has ended: a controller that goes is an alert.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

from sabot_gateway.config import load
from sabot_gateway.settings.shape import Settings
from sabot_tools.soak.audit import complaints, events_out_of_place
from sabot_tools.soak.fault import faults_of
from sabot_tools.soak.misfortune import Misfortune
from sabot_tools.soak.premises import SoakPremises
from sabot_tools.twin import bank_coup, holdem_coup
from sabot_tools.twin.book import Book, alert_differences, differences
from sabot_tools.twin.chip import TrayEmptyError
from sabot_tools.twin.floor import STATE, Night, make_table, stocks_of
from sabot_tools.twin.hand_rig import HandRig
from sabot_tools.twin.ledger import Ledger
from sabot_tools.twin.local_controller import LocalController
from sabot_tools.twin.opening import open_table
from sabot_tools.twin.rig import StuckError
from sabot_tools.twin.table import Table

SETTLED_S: Final = 60  # how long the gateway may take to write down what it was told last
_STAND_BY_S: Final = 0.1
_HOUR_MS: Final = 3_600_000


@dataclass(frozen=True, slots=True)
class Soak:
    """How long and how rough: so many coups at each table, or hours of its own time; rates per thousand coups."""

    seed: int
    coups: int
    hours: int
    incidents_permille: int
    faults_permille: int
    players: int = 3


@dataclass(slots=True)
class Outcome:
    """What was played; `findings` empty: everything held."""

    coups: int = 0
    settlements: int = 0
    alerts: int = 0
    events: int = 0
    seconds: int = 0
    happened: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)


class SoakNight:
    def __init__(self, soak: Soak, premises: SoakPremises, folder: Path, done: Callable[[], None]) -> None:
        self._soak = soak
        self._premises = premises
        self._state = folder / STATE
        self._done = done
        self._settings: Settings = load(premises.file)
        assert self._settings.store.sqlite is not None
        self.journal: Path = self._settings.store.sqlite
        self._ledger = Ledger(self.journal)
        self._book = Book()
        self._tables: list[Table] = []
        self._left = 0  # tables that still play
        self._is_called_off = False
        self._is_over = False
        self.outcome = Outcome()

    def call_off(self) -> None:
        """The coups under way are the last."""
        self._is_called_off = True

    def play(self) -> Outcome:
        """To the end of the night, and its checks."""
        began = time.monotonic()
        try:
            asyncio.run(self._play())
        except* (StuckError, TrayEmptyError) as stuck:
            self.outcome.findings += [f"A table got stuck: {error}" for error in stuck.exceptions]
        self._hold_to_account()
        self.outcome.seconds = int(time.monotonic() - began)
        return self.outcome

    async def _play(self) -> None:
        stocks = stocks_of(self._settings)
        night = Night(coups=0, players=self._soak.players, seed=self._soak.seed)
        broker = (self._premises.broker.host, self._premises.broker.port)
        try:
            for each in self._settings.tables:
                stock = stocks[each.name]
                self._tables.append(
                    await make_table(self._settings, each, stock, broker, night, self._book, self._state)
                )
            self._left = len(self._tables)
            calm = asyncio.Lock()
            faults = faults_of(self._premises.kill_gateway, self._premises.kill_broker, self._tables)
            async with asyncio.TaskGroup() as group:
                for table in self._tables:
                    table.mischief = Misfortune(
                        Random(f"{self._soak.seed}/{table.name}/soak"),  # noqa: S311  # repeatable, not secret
                        faults,
                        calm,
                        self.outcome.happened,
                        self._soak.incidents_permille,
                        self._soak.faults_permille,
                    )
                    group.create_task(self._evening(table))
                group.create_task(self._watch())
        finally:
            self._premises.stop_gateway()
            await asyncio.gather(*(table.rig.close() for table in self._tables))

    async def _evening(self, table: Table) -> None:
        play = holdem_coup.play_coup if table.game == "THE" else bank_coup.play_coup
        with table.named():
            await open_table(table)
            while not self._has_played(table):
                await play(table)
                self._done()
        self._left -= 1
        while not self._is_over:
            await table.rig.look()
            await asyncio.sleep(_STAND_BY_S)

    def _has_played(self, table: Table) -> bool:
        if self._is_called_off:
            return True
        soak = self._soak
        return table.coups >= soak.coups if soak.coups else table.rig.now_ms() >= soak.hours * _HOUR_MS

    async def _watch(self) -> None:
        """Wait for the last coup, and then for the gateway to have written all of it."""
        while self._left:
            await asyncio.sleep(_STAND_BY_S)
        ends = time.monotonic() + SETTLED_S
        while time.monotonic() < ends:
            self._ledger.read()
            if self._ledger.count >= len(self._book.lines) and not any(map(_waiting, self._tables)):
                break
            await asyncio.sleep(_STAND_BY_S)
        self._ledger.read()
        self._is_over = True

    def _hold_to_account(self) -> None:
        outcome, told = self.outcome, {table.name: _told(table) for table in self._tables}
        self._ledger.read()
        outcome.coups, outcome.settlements = len(self._book.lines), self._ledger.count
        outcome.alerts = len(self._ledger.raised)
        outcome.findings += differences(self._book, self._ledger.settled)
        outcome.findings += alert_differences(self._book, self._ledger.raised)
        outcome.events, lost = events_out_of_place(self.journal, told)
        outcome.findings += [*lost, *complaints(self.journal)]


def _controller(table: Table) -> LocalController:
    assert isinstance(table.rig, HandRig)
    assert isinstance(table.rig.controller, LocalController)
    return table.rig.controller


def _waiting(table: Table) -> int:
    return _controller(table).waiting


def _told(table: Table) -> tuple[int, int]:
    outbox = _controller(table).bench.app.uplink.outbox
    return outbox.floor, outbox.newest
