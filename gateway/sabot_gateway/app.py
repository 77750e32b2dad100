"""The gateway as a process: builds every adapter from the settings, runs until it is told to stop, and ends in order.

The only place that knows which adapters there are. Owns the order of start and stop, the signals, the reload, and
nothing of what is journaled or decided. The main thread only waits: every part has a thread of its own, and one that
ends by a defect ends the process with exit code 1, so that a supervisor starts it again from what is durable.
"""

import gc
import signal
import sqlite3
import sys
import threading
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import fields, replace
from datetime import datetime
from enum import Enum
from functools import partial
from queue import Empty, SimpleQueue
from types import FrameType
from typing import Final

from sabot_gateway import logs, supervisor
from sabot_gateway.broker.embedded import EmbeddedBroker
from sabot_gateway.config import load
from sabot_gateway.data_folder import DataFolder, make_private
from sabot_gateway.errors import SettingsError, StartError
from sabot_gateway.health_log import HealthLog
from sabot_gateway.journal.address import reader_at
from sabot_gateway.journal.error import JournalError
from sabot_gateway.journal.sqlite import open_sqlite_journal
from sabot_gateway.journal.stored import StoredJournal
from sabot_gateway.link_log import LoggedBroker
from sabot_gateway.mqtt.client import PahoBroker
from sabot_gateway.mqtt.port import Broker, BrokerError, BrokerSettings
from sabot_gateway.one_processor import keep_on_one_processor
from sabot_gateway.outputs.mqtt_receiver import MqttReceiver
from sabot_gateway.outputs.outputs import Outputs
from sabot_gateway.outputs.receiver import Receiver
from sabot_gateway.outputs.webhook import Webhook
from sabot_gateway.projections.bookmarks import Bookmarks
from sabot_gateway.projections.store import Views
from sabot_gateway.projections.tail import Tail
from sabot_gateway.runtime.clock import Clock, SystemClock
from sabot_gateway.runtime.plan import Plan, TablePlan
from sabot_gateway.runtime.service import Service
from sabot_gateway.settings.changes import Changes
from sabot_gateway.settings.shape import Address, Settings, StoreSettings
from sabot_gateway.settings.summary import warnings_of
from sabot_gateway.upkeep import Upkeep
from sabot_gateway.web.account_notes import note_changes
from sabot_gateway.web.accounts.door import Door
from sabot_gateway.web.accounts.vault import ACCOUNTS, Vault, VaultError
from sabot_gateway.web.application import build_application
from sabot_gateway.web.evidence import Evidence
from sabot_gateway.web.server import WebServer
from sabot_gateway.web.site import Site

LOOK_EVERY_S: Final = 2.0  # at the settings' files and the tables' health; a person waits no longer for a command
READING_MS: Final = 10_000  # the settings were read within this time before the gateway is built
IDLE_MS: Final = 30 * 60_000  # a page that nobody used for so long asks for the password again
LONGEST_MS: Final = 12 * 3_600_000  # a long shift
# Read again while it runs; every other setting is built into something and needs a restart.
LIVE: Final = frozenset({"read", "registers", "rulesets", "tables", "devices", "digests", "log", "zone", "file"})
# Objects made and not freed until the youngest are looked through; then how many such looks until the older are.
# States are replaced whole and freed by their counts, and cycles are rare; by Python's own settings the collector would
# walk through rulesets, registers and tables many times a second.
COLLECT_AFTER: Final = (50_000, 20, 50)
# How long a busy thread may keep the interpreter from one that has something to do. By Python's own setting a lamp may
# wait 5 ms while a page is drawn or a backlog read, at each of the few places where a commit lets the interpreter go.
SWITCH_S: Final = 0.0005
_LOG: Final = logs.logger("gateway")


class Order(Enum):
    """What the main thread is woken for."""

    STOP = "stop"
    RELOAD = "reload"
    DIED = "died"


def run_gateway(settings: Settings) -> int:
    """Runs until SIGTERM or SIGINT; 0 ended in order, 1 by a defect. GatewayError if it cannot start."""
    return Gateway(settings, SystemClock()).run()


class Gateway:
    def __init__(self, settings: Settings, clock: Clock) -> None:
        self._settings = settings
        self._clock = clock
        # Since before they were read: what changed while the gateway started is found, at worst read once too often.
        self._read_ns = (clock.now_ms() - READING_MS) * 1_000_000
        # A SimpleQueue, because its `put` may be called by a signal handler that interrupted `get`.
        self._orders: SimpleQueue[Order] = SimpleQueue()
        self._is_untold = threading.Event()  # the runtime could not take the settings: it is told again
        self._vault: Vault | None = None  # the accounts of the pages, where there are pages

    def run(self) -> int:
        logs.set_up(self._settings.log)
        logs.log_thread_deaths(lambda _: self._orders.put(Order.DIED))
        gc.set_threshold(*COLLECT_AFTER)
        sys.setswitchinterval(SWITCH_S)
        with ExitStack() as parts:
            self._heed_signals(parts)
            try:
                service = self._start(parts)
            except JournalError as error:
                raise StartError(str(error), may_pass=error.may_pass) from error
            except BrokerError as error:
                raise StartError(str(error)) from error
            keep_on_one_processor()
            keep_from_collector()
            supervisor.say_ready()
            _LOG.info("Ready: %d tables, %d controllers.", len(self._settings.tables), len(self._settings.devices))
            order = self._wait(service)
            supervisor.say_stopping()
            _LOG.info("Stopping.")
        if order is Order.DIED:
            return 1
        _LOG.info("Stopped.")
        return 0

    def _start(self, parts: ExitStack) -> Service:
        """Each part as soon as what it stands on is there; they end in the opposite order."""
        settings = self._settings
        for warning in warnings_of(settings):
            _LOG.warning("%s", warning)
        folder = DataFolder(settings.data)
        parts.callback(folder.release)
        journal = open_journal(settings)
        parts.callback(journal.close)
        broker = LoggedBroker(PahoBroker(self._broker_settings(parts)))
        address = str(settings.store.sqlite or settings.store.postgresql)
        upkeep = Upkeep(journal, address, settings.store, self._clock)
        parts.callback(upkeep.stop)
        outputs = self._outputs(journal, broker)
        parts.callback(outputs.stop)
        outputs.start()
        plan = plan_from_settings(settings, self._clock.now_ms())
        service = Service(plan, journal, broker, self._clock, (outputs,), outputs.desk_figures)
        parts.callback(self._drain, service)
        service.start()
        upkeep.start()
        if settings.web.listen is not None:
            self._serve(parts, service, journal, settings.web.listen)
        return service

    def _broker_settings(self, parts: ExitStack) -> BrokerSettings:
        """The house's broker, or one that is started here."""
        settings = self._settings
        if settings.broker is not None:
            return settings.broker
        embedded = EmbeddedBroker(settings.data, settings.embedded, _warn)
        parts.callback(embedded.stop)
        embedded.start()
        _LOG.info("The embedded broker listens on %s.", settings.embedded.listen)
        return embedded.settings(settings.site, settings.gateway)

    def _outputs(self, journal: StoredJournal, broker: Broker) -> Outputs:
        settings = self._settings
        receivers: list[Receiver] = [Webhook(webhook) for webhook in settings.webhooks]
        if settings.outputs_mqtt:
            receivers.append(MqttReceiver(broker, settings.site))
        return Outputs(journal, receivers, settings.data, settings.site, settings.gateway, _warn)

    def _serve(self, parts: ExitStack, service: Service, journal: StoredJournal, listen: Address) -> None:
        """The pages, with what they read from: the views of the journal, and the accounts."""
        settings = self._settings
        try:
            views = Views(settings.data / "views.db")
            parts.callback(views.close)
            bookmarks = Bookmarks(settings.data / "bookmarks.db")
            parts.callback(bookmarks.close)
            vault = Vault(settings.data / ACCOUNTS)
        except (OSError, sqlite3.Error, VaultError) as error:
            sentence = f"The pages cannot open their files in {settings.data} ({error})."
            raise StartError(sentence, may_pass=True) from error
        parts.callback(vault.close)
        tail = Tail(views, journal, bookmarks=bookmarks)
        parts.callback(tail.stop)
        tail.start()
        self._vault = vault
        site = Site(
            name=settings.site,
            desk=service.desk,
            views=views,
            journal=journal,
            vault=vault,
            door=Door(vault, self._clock.now_ms, idle_ms=IDLE_MS, longest_ms=LONGEST_MS),
            clock_ms=self._clock.now_ms,
            zone=settings.zone,
            language=settings.language,
            is_tls=settings.web.certificate is not None,
            video=settings.web.video,
            metrics=settings.metrics,
            evidence=_evidence(settings.store),
            bookmarks=bookmarks,
        )
        server = WebServer(build_application(site), listen, settings.web.certificate)
        parts.callback(server.stop)
        parts.callback(service.desk.watch(lambda _tables, _id: tail.wake()))
        server.start()
        _LOG.info("The pages are on %s://%s/.", "https" if site.is_tls else "http", server.address)

    def _drain(self, service: Service) -> None:
        service.stop()
        if not service.pump.is_drained:
            _LOG.warning("Not everything that arrived became durable; controllers will send it again.")

    def _heed_signals(self, parts: ExitStack) -> None:
        """SIGTERM and SIGINT end it in order, SIGHUP reads the settings again; the handlers go when it ends."""

        def heed(number: int, frame: FrameType | None) -> None:
            del frame
            self._orders.put(Order.RELOAD if number == signal.SIGHUP else Order.STOP)

        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            parts.callback(signal.signal, number, signal.signal(number, heed))

    def _wait(self, service: Service) -> Order:
        """Returns the order that ends the process; reads the settings again when they changed."""
        changes = Changes(self._settings.read, self._read_ns)
        moment = moment_of(self._settings, self._clock.now_ms())
        health = HealthLog()
        while True:
            try:
                order = self._orders.get(timeout=LOOK_EVERY_S)
            except Empty:
                order = None
            health.look(service.desk.health())
            if order in (Order.STOP, Order.DIED):
                return order
            if self._vault is not None:
                note_changes(self._vault, service.desk)
            if order is Order.RELOAD or changes.found():
                began_ns = self._clock.now_ms() * 1_000_000
                self._reload(service)
                changes = Changes(self._settings.read, began_ns)
            elif self._is_untold.is_set() or moment_of(self._settings, self._clock.now_ms()) != moment:
                # A key reached its end, or the house's clocks changed: the same settings mean something else now.
                self._hand_over(service)
            moment = moment_of(self._settings, self._clock.now_ms())

    def _reload(self, service: Service) -> None:
        """The settings as they are on disk now; where they are wrong, everything stays as it was."""
        supervisor.say_reloading()
        try:
            fresh = load(self._settings.file)
        except SettingsError as error:
            _LOG.error("The settings are wrong, so everything stays as it was: %s", error)
        else:
            for field in fields(Settings):
                if field.name not in LIVE and getattr(fresh, field.name) != getattr(self._settings, field.name):
                    _LOG.warning("%s changed in %s; that needs a restart.", field.name, fresh.file.name)
            kept = {field.name: getattr(self._settings, field.name) for field in fields(Settings)}
            self._settings = replace(fresh, **{name: kept[name] for name in kept if name not in LIVE})
            logs.set_up(self._settings.log)
            self._hand_over(service)
            _LOG.info("The settings were read again; each table takes what is new between two coups.")
        supervisor.say_ready()

    def _hand_over(self, service: Service) -> None:
        """Tells the runtime what the settings mean now; what it cannot take is tried again at the next look."""
        self._is_untold.clear()

        def done(future: Future[None]) -> None:
            error = None if future.cancelled() else future.exception()
            if error is not None:
                _LOG.error("The settings could not be handed to the tables; it is tried again.", exc_info=error)
                self._is_untold.set()

        service.reload(plan_from_settings(self._settings, self._clock.now_ms())).add_done_callback(done)


def keep_from_collector() -> None:
    """What was built to stay is not looked through again: each look would hold up every lamp."""
    gc.collect()
    gc.freeze()


def _warn(sentence: str) -> None:
    _LOG.warning("%s", sentence)


def open_journal(settings: Settings) -> StoredJournal:
    """The journal in its file or in PostgreSQL, whose signing key lies in the data folder."""
    store = settings.store
    if store.sqlite is not None:
        make_private(store.sqlite.parent)
        return open_sqlite_journal(store.sqlite)
    try:
        from sabot_gateway.journal.postgres import open_postgres_journal
    except ModuleNotFoundError as error:
        raise StartError(f"{error.name} is not installed; the extra `sabot[postgres]` has it.") from error
    return open_postgres_journal(store.postgresql, settings.data)


def _evidence(store: StoreSettings) -> Evidence:
    """What the audit page reads from, and the upkeep that it tells of."""
    address = str(store.sqlite or store.postgresql)
    hours = 0 if store.backup is None else store.backup_hours
    return Evidence(
        partial(reader_at, address), store.retention_days, store.checkpoint_minutes, hours, store.backups_kept
    )


def plan_from_settings(settings: Settings, now_ms: int) -> Plan:
    """What the runtime is told: tables with their setups, and controllers with the keys that are good now."""
    ahead_min = ahead_of_utc(settings, now_ms)
    tables = {
        table.name: TablePlan(table.setup(settings.registers, ahead_min), table.pit, table.cameras)
        for table in settings.tables
    }
    registry = settings.devices.registry_at(now_ms)
    return Plan(settings.site, settings.gateway, tables, registry, settings.registers, settings.digests)


def ahead_of_utc(settings: Settings, now_ms: int) -> int:
    """Minutes that the house's clocks are ahead of UTC."""
    offset = datetime.fromtimestamp(now_ms // 1000, settings.zone).utcoffset()
    assert offset is not None
    return int(offset.total_seconds()) // 60


def moment_of(settings: Settings, now_ms: int) -> tuple[int, int | None]:
    """What the passing of time changes in a plan: the house's clocks, and which keys are good."""
    return ahead_of_utc(settings, now_ms), settings.devices.next_end_ms(now_ms)
