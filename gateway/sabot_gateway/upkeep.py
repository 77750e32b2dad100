"""The journal's upkeep while the gateway runs: signed checkpoints, copies, and the removal of what is too old.

Owns when. One thread, one job at a time, none of them in the way of play: a job that fails is logged and tried again
when it is next due. A copy carries its moment in its name, so that a restart knows when the last was made.
"""

import threading
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from sabot_gateway.errors import GatewayError
from sabot_gateway.journal.backup import back_up
from sabot_gateway.journal.error import JournalError
from sabot_gateway.journal.port import Journal
from sabot_gateway.journal.record import Head, Stream
from sabot_gateway.logs import logger
from sabot_gateway.runtime.clock import Clock
from sabot_gateway.settings.shape import StoreSettings

_MINUTE_MS: Final = 60_000
_HOUR_MS: Final = 60 * _MINUTE_MS
_DAY_MS: Final = 24 * _HOUR_MS
_RETAIN_EVERY_MS: Final = 6 * _HOUR_MS
_NAME: Final = "journal-%Y%m%dT%H%M%SZ.db"
_PATTERN: Final = "journal-*Z.db"
_LOG: Final = logger("upkeep")


class Upkeep:
    """`address` is where the journal is, for the copies; `start` and `stop` are called once each."""

    def __init__(self, journal: Journal, address: str, settings: StoreSettings, clock: Clock) -> None:
        self._journal = journal
        self._address = address
        self._settings = settings
        self._clock = clock
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="upkeep", daemon=True)
        self._signed: Mapping[Stream, Head] = {}

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Ends the thread after the job under way, then signs what was written last."""
        self._stopping.set()
        if self._thread.ident is not None:
            self._thread.join()
        self._do("checkpoint", self.sign)

    def sign(self) -> None:
        """Signs a checkpoint if anything was written since the last."""
        heads = self._journal.heads()
        if heads != self._signed:
            self._journal.sign_checkpoint(self._clock.now_ms()).result()
            self._signed = heads

    def copy(self) -> None:
        """Makes a copy of the journal if one is due, then removes the copies beyond those to be kept."""
        folder = self._settings.backup
        if folder is None:
            return
        folder.mkdir(0o700, parents=True, exist_ok=True)
        now_ms = self._clock.now_ms()
        copies = sorted(folder.glob(_PATTERN))
        if copies and now_ms - _moment_ms(copies[-1]) < self._settings.backup_hours * _HOUR_MS:
            return
        target = folder / datetime.fromtimestamp(now_ms // 1000, UTC).strftime(_NAME)
        back_up(self._address, target)
        _LOG.info("The journal was copied to %s.", target)
        for old in sorted(folder.glob(_PATTERN))[: -self._settings.backups_kept]:
            old.unlink()

    def retain(self) -> None:
        """Removes the records that are past their time."""
        days = self._settings.retention_days
        if days == 0:
            return
        now_ms = self._clock.now_ms()
        removal = self._journal.retain(now_ms - days * _DAY_MS, now_ms)
        if removal.removed:
            _LOG.info("%d records older than %d days were removed.", removal.removed, days)

    def _run(self) -> None:
        # How often each job is looked at; `copy` asks the folder whether it is really due.
        jobs = {
            "checkpoint": (self.sign, self._settings.checkpoint_minutes * _MINUTE_MS),
            "copy": (self.copy, 10 * _MINUTE_MS),
            "retention": (self.retain, _RETAIN_EVERY_MS),
        }
        due = dict.fromkeys(jobs, self._clock.monotonic_ms() + _MINUTE_MS)
        while True:
            now = self._clock.monotonic_ms()
            for name, (job, every_ms) in jobs.items():
                if due[name] <= now and not self._stopping.is_set():
                    self._do(name, job)
                    due[name] = self._clock.monotonic_ms() + every_ms
            wait_ms = max(0, min(due.values()) - self._clock.monotonic_ms())
            if self._stopping.wait(wait_ms / 1000):
                return

    def _do(self, name: str, job: Callable[[], None]) -> None:
        try:
            job()
        except (JournalError, GatewayError, OSError) as error:
            _LOG.warning("The journal's %s failed; it will be tried again: %s", name, error)


def _moment_ms(copy: Path) -> int:
    try:
        return int(datetime.strptime(copy.name, _NAME).replace(tzinfo=UTC).timestamp()) * 1000
    except ValueError:
        return 0  # somebody else's file
