"""What a test hears of a broker: arrivals and changes of the link, gathered across threads."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sabot_gateway.mqtt.client import PahoBroker
from sabot_gateway.mqtt.port import Arrival, BrokerSettings, Link

PATIENCE_S = 60  # ends as soon as what is awaited happens


class Ears:
    def __init__(self, *, settles: bool = True) -> None:
        self.arrivals: list[Arrival] = []
        self.links: list[Link] = []
        self._changed = threading.Condition()
        self._settles = settles
        self.broker: PahoBroker | None = None

    def on_arrival(self, arrival: Arrival) -> None:
        with self._changed:
            self.arrivals.append(arrival)
            self._changed.notify_all()
        if self._settles and self.broker:
            self.broker.settle([arrival.token])

    def on_link(self, link: Link) -> None:
        with self._changed:
            self.links.append(link)
            self._changed.notify_all()

    def wait(self, condition: Callable[["Ears"], bool]) -> None:
        with self._changed:
            is_met = self._changed.wait_for(lambda: condition(self), PATIENCE_S)
        assert is_met, f"{len(self.arrivals)} arrivals, last {self.arrivals[-3:]}, links {self.links[-5:]}"

    def wait_up(self, times: int = 1) -> None:
        self.wait(lambda ears: sum(link.is_up for link in ears.links) >= times)

    def wait_down(self) -> str:
        """The sentence of the latest loss."""
        self.wait(lambda ears: any(not link.is_up for link in ears.links))
        return next(link.sentence for link in reversed(self.links) if not link.is_up)

    @property
    def payloads(self) -> list[bytes]:
        return [arrival.payload for arrival in self.arrivals]


@contextmanager
def listening(
    settings: BrokerSettings, *, settles: bool = True, wait_up: bool = True
) -> Iterator[tuple[PahoBroker, Ears]]:
    broker, ears = PahoBroker(settings), Ears(settles=settles)
    ears.broker = broker
    broker.start(ears.on_arrival, ears.on_link)
    try:
        if wait_up:
            ears.wait_up()
        yield broker, ears
    finally:
        broker.stop()
