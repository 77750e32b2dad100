"""The loops of a controller, each a few lines around a part that does the work.

Owns pace and supervision. Every loop yields after one short step. A loop that raises (a bug, or no memory) is told as
`fault internal` and started again after a moment: the others never stop. The watchdog is fed only while all of them
turn, and while a release on trial has time left to prove itself: so it rolls back what hangs or never gets through.
"""

import asyncio
import gc

from sabot_firmware.core.selfcheck import DAILY_MS
from sabot_firmware.core.slot import NO_TRIAL
from sabot_firmware.core.ticks import ticks_diff
from sabot_firmware.hal.watchdog import Watchdog
from sabot_firmware.net.pause import sleep_ms, ticks_ms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from asyncio import Task
    from collections.abc import Awaitable, Callable

    from sabot_firmware.app import App

# Readers are polled this often; an inventory takes a handful of polls.
POLL_MS = 2

# One tick of the lamps: a picture that came is lit at the next one, before an eye could tell.
FACE_MS = 20

# Nothing waits for company: what was recorded leaves within this.
SEND_MS = 5

KEEP_MS = 50

# After a loop failed: long enough not to fill the outbox with faults, short enough that a dealer hardly notices.
AGAIN_MS = 1000

# Allocated before the next collection: two messages with their seals. A collection takes some milliseconds on a board.
COLLECT_BYTES = 8192

# How long a release on trial has until its modules are whole and the gateway took its hello. DHCP, a handshake and a
# gateway that restarts take a minute together; three trials of this are a quarter of an hour without the old release.
TRIAL_MS = 5 * 60 * 1000

SCAN, FACE, SEND, KEEP = range(4)


class Tasks:
    """Runs one application; a simulation may have its own `poll_ms`: 0 outruns the clock, more than SEND_MS slows all.

    Several applications may share one asyncio loop: nothing here or below keeps state in a module.
    """

    def __init__(self, app: "App", poll_ms: int = POLL_MS) -> None:
        self._app = app
        self._poll_ms = poll_ms
        self._face_ms = max(FACE_MS, poll_ms)
        self._send_ms = max(SEND_MS, poll_ms)
        self._keep_ms = max(KEEP_MS, poll_ms)
        self._watchdog = Watchdog(app.host.timer, 4)
        self.last_error: "Exception | None" = None

    async def run(self) -> None:
        """Check the modules, say hello, then turn until a restart is due; cancelled, it ends every loop."""
        app = self._app
        check = app.new_check()
        while not check.step():
            self._watchdog.force()
            await sleep_ms(0)
        app.say_hello(check)
        self._keep_heap_together()
        tasks = [
            asyncio.create_task(self._supervised(0, self._link)),
            asyncio.create_task(self._supervised(1, self._scan)),
            asyncio.create_task(self._supervised(2, self._show)),
            asyncio.create_task(self._supervised(3, self._send)),
            asyncio.create_task(self._supervised(4, self._keep)),
        ]
        try:
            while not (app.orders.wants_restart or (app.renewal is not None and app.renewal.is_switched)):
                await sleep_ms(KEEP_MS)
            await self._leave()
        finally:
            await _end(tasks)

    def _keep_heap_together(self) -> None:
        # Collected only when full, a heap scatters what lives long, and no message of 1 KiB fits between any more.
        if hasattr(gc, "threshold"):
            gc.collect()
            gc.threshold(COLLECT_BYTES)

    async def _supervised(self, part: int, loop: "Callable[[], Awaitable[None]]") -> None:
        while True:
            try:
                await loop()
            except Exception as error:  # noqa: BLE001 - a bug in one loop must not stop the others: told, and begun again
                self.last_error = error
                self._tell(part, True)
            else:
                return
            await sleep_ms(AGAIN_MS)
            self._tell(part, False)

    def _tell(self, part: int, is_active: bool) -> None:
        try:
            self._app.report("internal", part, is_active)
        except Exception as error:  # noqa: BLE001 - flash or memory is gone: nothing can be told, and the dog will bite
            self.last_error = error

    async def _link(self) -> None:
        await self._app.link.run(self._app)

    async def _scan(self) -> None:
        app = self._app
        last = ticks_ms()
        while True:
            if not app.is_refusing:
                app.table.turn(app.ticks())
            self._watchdog.alive(SCAN)
            await sleep_ms(self._poll_ms)
            now = ticks_ms()
            app.health.note_loop(ticks_diff(now, last))
            last = now

    async def _show(self) -> None:
        app = self._app
        while True:
            revision = app.face.turn(app.ticks())
            if revision:
                app.record("lamps_applied", revision)
            self._watchdog.alive(FACE)
            await sleep_ms(self._face_ms)

    async def _send(self) -> None:
        app = self._app
        while True:
            is_more = app.uplink.turn(ticks_ms(), app.link)
            self._watchdog.alive(SEND)
            await sleep_ms(0 if is_more else self._send_ms)

    async def _keep(self) -> None:
        app = self._app
        outbox = app.uplink.outbox
        checked_ms = app.ticks()
        check = None
        while True:
            now_ms = app.ticks()
            if outbox.needs_tending and app.table.is_quiet(now_ms):
                outbox.tend()
            app.watch_outbox()
            app.mind_silence(ticks_ms())
            app.tell_health(now_ms)
            is_testing = app.selftest is not None and app.selftest.is_running
            if app.selftest is not None and is_testing:
                app.selftest.turn(now_ms)
            is_renewing = app.renewal is not None and app.renewal.is_busy
            if app.renewal is not None and is_renewing:
                app.renewal.turn()
            if check is None and ticks_diff(now_ms, checked_ms) >= DAILY_MS:
                checked_ms = now_ms
                check = app.new_check()
            if check is not None and check.step():
                app.judge_check(check)
                check = None
            if not self._is_overdue():
                self._watchdog.alive(KEEP)
            is_stepping = check is not None or is_testing or is_renewing
            await sleep_ms(self._poll_ms if is_stepping else self._keep_ms)

    def _is_overdue(self) -> bool:
        # A release that turns and yet does not come up healthy: the dog is left to bite, and core/slot.py counts it.
        app = self._app
        return app.slots.slots.trial != NO_TRIAL and app.uptime_ms() >= TRIAL_MS

    async def _leave(self) -> None:
        # What is known leaves first; whatever does not is in flash and leaves after the restart.
        app = self._app
        for _ in range(40):
            if app.uplink.outbox.newest == app.uplink.outbox.floor:
                break
            await sleep_ms(KEEP_MS)
        app.link.send("status", app.status("leaving", app.link.connection))
        await app.link.close()


async def _end(tasks: "list[Task[None]]") -> None:
    for task in tasks:
        task.cancel()
    for task in tasks:
        try:
            await task
        except asyncio.CancelledError:
            continue
