"""A broker that lives in the test: the port, without a network. Redelivers what was not settled, as a real one does."""

from collections.abc import Iterable
from concurrent.futures import Future
from typing import NamedTuple

from sabot_gateway.mqtt.port import Arrival, Link, OnArrival, OnLink, OnRead


class Published(NamedTuple):
    topic: str
    payload: bytes
    retain: bool
    qos: int = 0


class MemoryBroker:
    def __init__(self) -> None:
        self.is_connected = False
        self.published: list[Published] = []
        self.retained: dict[str, bytes] = {}
        self.unsettled: dict[int, Arrival] = {}
        self._count = 0
        self._on_arrival: OnArrival | None = None
        self._on_link: OnLink | None = None

    def start(self, on_arrival: OnArrival, on_link: OnLink, on_read: OnRead = lambda: None) -> None:
        self._on_arrival, self._on_link, self._on_read = on_arrival, on_link, on_read
        self.connect()

    def connect(self) -> None:
        """The session comes up; what was not settled comes again."""
        assert self._on_link is not None
        self.is_connected = True
        self._on_link(Link(True, "connected", is_resumed=True))

    def disconnect(self) -> None:
        assert self._on_link is not None
        self.is_connected = False
        self._on_link(Link(False, "connection lost"))

    def redeliver(self) -> None:
        """What a broker does after a reconnect; no time has passed."""
        for arrival in list(self.unsettled.values()):
            self._hand_over(arrival)

    def arrive(self, topic: str, payload: bytes, now_ms: int, *, retained: bool = False) -> None:
        self._count += 1
        arrival = Arrival(topic, payload, now_ms, retained, self._count)
        self.unsettled[self._count] = arrival
        self._hand_over(arrival)

    def _hand_over(self, arrival: Arrival) -> None:
        if self._on_arrival is not None:
            self._on_arrival(arrival)
            self._on_read()

    def publish(self, topic: str, payload: bytes, *, retain: bool = False, qos: int = 0) -> bool:
        if not self.is_connected:
            return False
        self.published.append(Published(topic, payload, retain, qos))
        if retain:
            self.retained[topic] = payload
        return True

    def deliver(self, topic: str, payload: bytes, *, retain: bool = False) -> "Future[None]":
        future: Future[None] = Future()
        self.publish(topic, payload, retain=retain)
        future.set_result(None)
        return future

    def settle(self, tokens: Iterable[object]) -> None:
        for token in tokens:
            assert isinstance(token, int)
            self.unsettled.pop(token, None)

    def hold(self) -> None:
        """There is no network thread to wake."""

    def release(self) -> None:
        """Everything went out at once."""

    def stop(self) -> None:
        self.is_connected = False
        self._on_arrival = self._on_link = None
