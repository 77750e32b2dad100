"""The pump between a broker and a journal: the shell that starts it, feeds it and stops it.

Owns the pump's thread and the order of start and stop; decides nothing. A defect in the pump itself ends its thread
with the exception, whichever thread had the turn: whoever runs the gateway must end the process then, for nothing would
be acknowledged any more.
"""

import threading
from concurrent.futures import Future
from typing import Final

from sabot_gateway.journal.port import Journal
from sabot_gateway.mqtt.port import Arrival, Broker
from sabot_gateway.runtime.clock import Clock, SystemClock
from sabot_gateway.runtime.item import Reloaded, Stopped
from sabot_gateway.runtime.live_desk import Figures, LiveDesk
from sabot_gateway.runtime.outlet import Outlet
from sabot_gateway.runtime.plan import Plan
from sabot_gateway.runtime.pump import Pump
from sabot_gateway.runtime.replay import start
from sabot_gateway.runtime.turns import Turns

DRAIN_MS: Final = 10_000  # what is not durable by then was never acknowledged, and comes again


class Service:
    """One running gateway. Folding the journal happens here, before anything is connected."""

    def __init__(
        self,
        plan: Plan,
        journal: Journal,
        broker: Broker,
        clock: Clock | None = None,
        outlets: tuple[Outlet, ...] = (),
        figures: Figures = tuple,
    ) -> None:
        self._clock = clock or SystemClock()
        self._broker = broker
        self._bell = threading.Event()
        self._asleep_until_ms = 0
        self.pump = Pump(start(journal, plan), journal, broker, self._clock, outlets, self._bring)
        self._turns = Turns(self.pump.cycle, self.pump.queue, self._cycled)
        self.desk = LiveDesk(self.pump, lambda: broker.is_connected, figures, self._leave)
        self._is_taking = True
        self._thread = threading.Thread(target=self._run, name="pump", daemon=True)

    def start(self) -> None:
        """Begins to take what the broker has."""
        self._thread.start()
        self._broker.start(self._arrived, self._leave, self._turns.take)

    def reload(self, plan: Plan) -> "Future[None]":
        """Other settings; done when they are on their way to the tables, which take them when their coup is over."""
        future: Future[None] = Future()
        self._leave(Reloaded(plan, future))
        return future

    def stop(self) -> None:
        """Takes nothing more, brings what was taken to its end, keeps snapshots, then says goodbye to the broker."""
        self._is_taking = False
        self._leave(Stopped())
        if self._thread.ident is not None:
            self._thread.join()
        self._broker.stop()

    def _leave(self, item: object) -> None:
        """For the pump's own thread: from callers who have something else to do."""
        self.pump.queue.put(item)
        self._bell.set()

    def _bring(self, item: object) -> None:
        self._turns.bring(item)

    def _arrived(self, arrival: Arrival) -> None:
        # What comes while we stop is not settled, so the broker keeps it for the next start.
        if self._is_taking:
            self.pump.queue.put(arrival)

    def _cycled(self) -> None:
        """Another thread was the pump: something may be left, or be due before the pump's own thread wakes."""
        pump = self.pump
        is_due = pump.next_ms() < self._asleep_until_ms
        if is_due or not pump.queue.empty() or pump.is_stopping or self._turns.is_over:
            self._bell.set()

    def _run(self) -> None:
        pump, clock = self.pump, self._clock
        deadline_ms: int | None = None
        while True:
            self._bell.clear()
            self._turns.take_own()
            if pump.is_stopping:
                deadline_ms = deadline_ms or clock.monotonic_ms() + DRAIN_MS
                if pump.is_drained or clock.monotonic_ms() >= deadline_ms:
                    self._turns.end()
                    return
            if pump.queue.empty():
                self._asleep_until_ms = pump.next_ms()
                self._bell.wait(max(self._asleep_until_ms - clock.monotonic_ms(), 0) / 1000)
