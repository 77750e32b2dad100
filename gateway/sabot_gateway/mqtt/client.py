"""`PahoBroker`: the port `Broker` over paho-mqtt, with a network thread of its own.

Owns the connection: TLS, session, subscriptions, birth and will, back-off, and the hand-over between threads. Only the
network thread touches paho; every other thread leaves orders in queues and wakes it, once for any number of orders, or
sends what needs no paho itself where the connection allows it (`release`).

A message that a broker sends again over the same connection while the first copy is under way is not handed over
twice. Where a broker ignores what the client can take, the socket is not read until enough was settled.
"""

import socket
import threading
import time
from collections import deque
from collections.abc import Iterable
from concurrent.futures import Future
from typing import Final, NamedTuple

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode

from sabot_gateway.mqtt import trouble
from sabot_gateway.mqtt.batched_paho import BatchedPaho, publish_packet
from sabot_gateway.mqtt.port import Arrival, BrokerSettings, Link, OnArrival, OnLink, OnRead, Version
from sabot_gateway.mqtt.retry import Retry
from sabot_gateway.mqtt.socket_wait import SocketWait
from sabot_gateway.mqtt.status import State, status_message
from sabot_gateway.mqtt.tls import tls_context

_MAX_BACKLOG: Final = 4 << 20  # bytes not taken by the network, above which nothing more is published
_FAREWELL_S: Final = 2.0  # for a broker that does not read any more
_PACKET_ID: Final = 0xFFFF  # the bits of a token that hold the packet id; those above count connections


class _Delivery(NamedTuple):
    """A message with QoS 1 on its way; `done` is None where nobody waits for it."""

    topic: str
    payload: bytes
    retain: bool
    done: Future[None] | None


class PahoBroker:
    """One per gateway. `start` and `stop` are called once each."""

    def __init__(self, settings: BrokerSettings) -> None:
        self._settings = settings
        self._is_v5 = settings.version is Version.V5
        self._retry = Retry(settings.first_retry_ms, settings.longest_retry_ms)
        self._wait = SocketWait()
        self._thread: threading.Thread | None = None
        self._is_stopping = False
        self._is_connected = False
        self._is_held = False
        # Orders for the network thread.
        self._settled: deque[list[object]] = deque()
        self._packets: deque[bytes] = deque()
        self._deliveries: deque[_Delivery] = deque()
        # The network thread's own.
        self._connection = 0
        self._undelivered: dict[int, Future[None]] = {}  # by packet id of our own messages
        self._is_resumed = False
        self._sentence = ""

    @property
    def is_connected(self) -> bool:
        return self._is_connected

    def start(self, on_arrival: OnArrival, on_link: OnLink, on_read: OnRead = lambda: None) -> None:
        assert self._thread is None, "a broker is started once"
        self._on_arrival = on_arrival
        self._on_link = on_link
        self._on_read = on_read
        self._client = self._paho_client()
        self._thread = threading.Thread(target=self._run, name="mqtt", daemon=True)
        self._thread.start()

    def publish(self, topic: str, payload: bytes, *, retain: bool = False, qos: int = 0) -> bool:
        if not self._is_connected or self._client.backlog > _MAX_BACKLOG:
            return False
        if qos == 0:
            self._packets.append(publish_packet(topic, payload, retain=retain, is_v5=self._is_v5))
        else:
            self._deliveries.append(_Delivery(topic, payload, retain, None))
        self._ring()
        return True

    def deliver(self, topic: str, payload: bytes, *, retain: bool = False) -> Future[None]:
        done: Future[None] = Future()
        if self._is_stopping:
            done.cancel()
            return done
        self._deliveries.append(_Delivery(topic, payload, retain, done))
        self._ring()
        return done

    def settle(self, tokens: Iterable[object]) -> None:
        self._settled.append(list(tokens))
        self._ring()

    def hold(self) -> None:
        self._is_held = True

    def release(self) -> None:
        self._is_held = False
        # Also what another thread left meanwhile.
        if self._deliveries or ((self._settled or self._packets) and not self._send_at_once()):
            self._wait.wake()

    def stop(self) -> None:
        self._is_stopping = True
        self._wait.wake()
        if self._thread:
            self._thread.join(self._settings.connect_timeout_s + 2 * _FAREWELL_S)
            self._thread = None
        for delivery in self._deliveries:
            if delivery.done:
                delivery.done.cancel()

    def _send_at_once(self) -> bool:
        """What can go out from this very thread goes, so that lamps wait for no other; False if something is left."""
        if not self._is_connected:
            return False
        client = self._client
        if not client.is_plain or not client.sending.acquire(blocking=False):
            return False
        try:
            was_paused = client.is_paused
            self._queue_orders()
            return client.send_now() and not was_paused
        finally:
            client.sending.release()

    def _ring(self) -> None:
        if not self._is_held:
            self._wait.wake()

    # The network thread.

    def _run(self) -> None:
        while not self._is_stopping:
            began = time.monotonic()
            self._connect_once()
            if self._is_stopping:
                break
            if (time.monotonic() - began) * 1000 > self._settings.longest_retry_ms:
                self._retry.succeeded()  # only a connection that held: two gateways of one name must not hammer
            self._on_link(Link(is_up=False, sentence=self._sentence))
            self._pause(self._retry.failed())
        for done in self._undelivered.values():
            done.cancel()

    def _connect_once(self) -> None:
        """From the attempt to connect to the end of the connection; leaves in `_sentence` why it ended."""
        client = self._client
        self._sentence = ""
        with client.sending:  # orders of another thread are for the old connection or for the new one
            self._connection += 1
            client.under_way.clear()
        lost = status_message(self._settings, State.LOST, _now_ms())
        client.will_set(self._settings.status_topic, lost, qos=1, retain=True)
        error: OSError | ValueError | None = None
        try:
            client.reconnect()
            self._serve()
        except (OSError, ValueError) as raised:
            error = raised
        if not self._sentence and not self._is_connected:
            # `trouble`: TLS 1.3 refuses a certificate only behind the handshake, when the first bytes are read.
            self._sentence = trouble.connect_sentence(self._settings, error or client.trouble)
        self._sentence = self._sentence or trouble.loss_sentence(self._settings)
        self._is_connected = False
        self._packets.clear()

    def _serve(self) -> None:
        client = self._client
        while (sock := client.socket()) is not None:
            if self._is_stopping:
                self._say_goodbye()
                return
            may_read = client.has_input and not client.is_paused
            if not may_read:
                may_read = self._wait.until_ready(sock, reads=not client.is_paused, writes=client.has_output)
            if may_read and (client.is_paused or client.read()):
                return  # paused and yet ready: the socket failed
            if may_read:
                self._on_read()
            self._follow_orders()
            if client.has_output:
                client.write()
            client.loop_misc()

    def _follow_orders(self) -> None:
        client = self._client
        if self._settled or self._packets:
            with client.sending:
                self._queue_orders()
        if not self._is_connected:
            return
        while self._deliveries:
            delivery = self._deliveries.popleft()
            if delivery.done and not delivery.done.set_running_or_notify_cancel():
                continue
            info = client.publish(delivery.topic, delivery.payload, qos=1, retain=delivery.retain)
            if delivery.done:
                self._undelivered[info.mid] = delivery.done

    def _queue_orders(self) -> None:
        """With `sending` held: acknowledgements and packets keep their order, whichever thread sends them."""
        client = self._client
        while self._settled:
            tokens = self._settled.popleft()
            current = self._connection << 16
            packet_ids = [token & _PACKET_ID for token in tokens if isinstance(token, int) and token > current]
            client.under_way.difference_update(packet_ids)
            client.acknowledge(packet_ids)
        if self._is_connected and self._packets:
            client.send_packets([self._packets.popleft() for _ in range(len(self._packets))])

    def _say_goodbye(self) -> None:
        client = self._client
        self._follow_orders()
        if self._is_connected:
            farewell = status_message(self._settings, State.STOPPED, _now_ms())
            topic = self._settings.status_topic
            client.send_packets([publish_packet(topic, farewell, retain=True, is_v5=self._is_v5)])
        client.disconnect()
        limit = time.monotonic() + _FAREWELL_S
        while (sock := client.socket()) is not None and time.monotonic() < limit:
            client.write()
            if client.has_output:
                self._wait.until_ready(sock, reads=False, writes=True)
        self._is_connected = False

    def _pause(self, wait_ms: int) -> None:
        limit = time.monotonic() + wait_ms / 1000
        while not self._is_stopping and (left := limit - time.monotonic()) > 0:
            self._wait.until_woken(left)

    # What paho calls, on the network thread.

    def _opened(self, _client: paho.Client, _data: object, sock: object) -> None:
        assert isinstance(sock, socket.socket)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # paho leaves Nagle's delay on: 10 ms for nothing
        self._client.begin_connection()

    def _connected(
        self, client: paho.Client, _data: object, flags: paho.ConnectFlags, reason: ReasonCode, _: Properties | None
    ) -> None:
        if reason.is_failure:
            self._sentence = trouble.refusal_sentence(self._settings, reason.value, str(reason))
            return
        self._is_resumed = flags.session_present
        self._is_connected = True
        client.subscribe([(topic_filter, 1) for topic_filter in self._settings.filters])

    def _subscribed(
        self, client: paho.Client, _data: object, _mid: int, reasons: list[ReasonCode], _: Properties | None
    ) -> None:
        for topic_filter, reason in zip(self._settings.filters, reasons, strict=True):
            if reason.is_failure:
                self._sentence = trouble.subscription_sentence(self._settings, topic_filter)
                client.disconnect()
                return
        birth = status_message(self._settings, State.ONLINE, _now_ms())
        client.publish(self._settings.status_topic, birth, qos=1, retain=True)
        where = trouble.address(self._settings)
        self._on_link(Link(is_up=True, sentence=f"Connected to the broker at {where}.", is_resumed=self._is_resumed))

    def _disconnected(
        self, _client: paho.Client, _data: object, flags: paho.DisconnectFlags, reason: ReasonCode, _: Properties | None
    ) -> None:
        if flags.is_disconnect_packet_from_server and not self._sentence:
            self._sentence = trouble.loss_sentence(self._settings, reason.value, str(reason))

    def _arrived(self, topic: str, payload: bytes, packet_id: int, retained: bool, is_again: bool) -> None:
        if packet_id:
            under_way = self._client.under_way
            if packet_id in under_way:
                return
            under_way.add(packet_id)
        token = self._connection << 16 | packet_id
        self._on_arrival(Arrival(topic, payload, _now_ms(), retained, token, is_again))

    def _delivered(
        self, _client: paho.Client, _data: object, mid: int, _reason: ReasonCode, _: Properties | None
    ) -> None:
        if done := self._undelivered.pop(mid, None):
            done.set_result(None)

    def _paho_client(self) -> BatchedPaho:
        settings = self._settings
        client = BatchedPaho(
            CallbackAPIVersion.VERSION2,
            client_id=settings.client_id,
            clean_session=None if self._is_v5 else False,
            protocol=paho.MQTTv5 if self._is_v5 else paho.MQTTv311,
            manual_ack=True,
            reconnect_on_failure=False,  # the network thread reconnects, with jitter
        )
        client.connect_timeout = settings.connect_timeout_s
        client.most_under_way = settings.receive_maximum
        client.on_socket_open = self._opened
        client.on_socket_register_write = _leave_writing
        client.on_connect = self._connected
        client.on_subscribe = self._subscribed
        client.on_disconnect = self._disconnected
        client.on_publish = self._delivered
        client.on_arrival = self._arrived
        if settings.username:
            client.username_pw_set(settings.username, settings.password)
        if settings.tls:
            client.tls_set_context(tls_context(settings.tls))
        if self._is_v5:
            properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]  # paho left it untyped
            properties.SessionExpiryInterval = settings.session_expiry_s
            properties.ReceiveMaximum = settings.receive_maximum
            client.connect_async(
                settings.host, settings.port, settings.keepalive_s, clean_start=False, properties=properties
            )
        else:
            client.connect_async(settings.host, settings.port, settings.keepalive_s)
        return client


def _leave_writing(_client: paho.Client, _data: object, _sock: object) -> None:
    """Its presence tells paho that somebody else writes: the network thread, after it followed its orders."""


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
