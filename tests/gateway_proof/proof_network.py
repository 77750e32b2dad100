"""A bad network for the proofs: a TCP proxy that cuts, holds and delays, and a relay that loses, doubles and reorders.

Both carry real bytes between real clients and real brokers. The proxy knows nothing of MQTT; the relay knows MQTT and
nothing of what is sealed in its messages.
"""

import heapq
import random
import socket
import struct
import threading
import time
from contextlib import suppress
from typing import Any

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

_CHUNK = 4096
_RESET = struct.pack("ii", 1, 0)  # SO_LINGER with no time: close() sends RST and forgets what was not sent


class Pair:
    """One connection through the proxy."""

    def __init__(self, client: socket.socket, server: socket.socket) -> None:
        self.ends = (client, server)
        self.is_held = threading.Event()  # nothing passes, and nobody is told: a half-open connection
        self.delay_s = 0.0
        self.bytes_left = -1  # passes so many bytes more, then breaks: in the middle of a packet
        self.is_over = False

    def carry(self, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(_CHUNK):
                while self.is_held.is_set() and not self.is_over:
                    time.sleep(0.01)
                if self.delay_s:
                    time.sleep(self.delay_s)
                if self.bytes_left >= 0:
                    data = data[: self.bytes_left]
                    self.bytes_left -= len(data)
                target.sendall(data)
                if self.bytes_left == 0:
                    break
        self.cut()

    def cut(self) -> None:
        self.is_over = True
        for end in self.ends:
            with suppress(OSError):
                end.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET)
                end.shutdown(socket.SHUT_RDWR)
        for end in self.ends:
            end.close()


class Proxy:
    """Listens on a port of its own and carries every connection to `port`."""

    def __init__(self, port: int) -> None:
        self._to = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._pairs: list[Pair] = []
        self._is_stopping = False
        self._threads: list[threading.Thread] = []
        self._begin(self._accept)

    def pairs(self) -> list[Pair]:
        self._pairs = [pair for pair in self._pairs if not pair.is_over]
        return self._pairs

    def stop(self) -> None:
        self._is_stopping = True
        with suppress(OSError):
            socket.create_connection(("127.0.0.1", self.port)).close()  # wakes the listener
        for pair in self.pairs():
            pair.cut()
        for thread in self._threads:
            thread.join()
        self._listener.close()

    def _begin(self, target: Any, *args: object) -> None:
        thread = threading.Thread(target=target, args=args, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        while True:
            client, _ = self._listener.accept()
            if self._is_stopping:
                client.close()
                return
            try:
                server = socket.create_connection(("127.0.0.1", self._to))
            except OSError:
                client.close()
                continue
            pair = Pair(client, server)
            self._pairs.append(pair)
            self._begin(pair.carry, client, server)
            self._begin(pair.carry, server, client)


class Relay:
    """Carries the controllers' messages from one broker to another and back, badly."""

    def __init__(self, lower: int, upper: int, site: str, seed: int) -> None:
        self._dice = random.Random(seed)
        self._late: list[tuple[float, int, mqtt.Client, mqtt.MQTTMessage]] = []
        self._changed = threading.Condition()
        self._is_stopping = False
        self.is_bad = True
        self.lost = self.doubled = self.carried = 0
        self._clients = [mqtt.Client(CallbackAPIVersion.VERSION2, client_id=name) for name in ("lower", "upper")]
        channels = (("event", "status"), ("ack", "lamps", "command"))
        for client, other, heard, port in zip(
            self._clients, reversed(self._clients), channels, (lower, upper), strict=True
        ):
            client.user_data_set((other, [(f"sabot/v1/{site}/+/{name}", 1) for name in heard]))
            client.on_connect = lambda each, data, *_: each.subscribe(data[1])
            client.on_message = self._heard
            client.connect("127.0.0.1", port)
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        for client in self._clients:
            client.loop_start()

    def stop(self) -> None:
        for client in self._clients:
            client.disconnect()
            client.loop_stop()
        with self._changed:
            self._is_stopping = True
            self._changed.notify()
        self._thread.join()

    def _heard(self, _client: mqtt.Client, data: Any, message: mqtt.MQTTMessage) -> None:
        with self._changed:
            copies = 1
            if self.is_bad and not message.topic.endswith("/status"):
                chance = self._dice.random()
                copies = 0 if chance < 0.08 else 2 if chance < 0.2 else 1
            self.lost += copies == 0
            self.doubled += copies == 2
            for _ in range(copies):
                self.carried += 1
                wait_s = self._dice.choice((0, 0, 0, 0.005, 0.05, 0.3)) if self.is_bad else 0
                heapq.heappush(self._late, (time.monotonic() + wait_s, self.carried, data[0], message))
            self._changed.notify()

    def _run(self) -> None:
        with self._changed:
            while not self._is_stopping:
                now = time.monotonic()
                while self._late and self._late[0][0] <= now:
                    _, _, client, message = heapq.heappop(self._late)
                    client.publish(message.topic, message.payload, qos=1, retain=message.retain or _is_level(message))
                self._changed.wait(self._late[0][0] - now if self._late else None)


def _is_level(message: mqtt.MQTTMessage) -> bool:
    """Lamps and presence are kept by a broker; one that relays a live copy does not see the flag."""
    return message.topic.endswith(("/lamps", "/status"))
