"""The floors of the gateway's bench, each a process of its own: what paho and cbor2 cost without Sabot.

    python -m sabot_tools.bench.bare consume PORT FILTER         takes messages, decodes them, forgets them
    python -m sabot_tools.bench.bare echo PORT FILTER DATABASE   the same, and commits each before it answers

A consumer says on its output how many messages came, and when the last, whenever none comes for a moment. An echo
answers each message on its topic's sibling `lamps`; what waits for the disk commits together, in a thread of its own.
"""

import queue
import socket
import sqlite3
import sys
import threading
import time
from typing import Any, Final

import cbor2
import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion

QUIET_S: Final = 0.3


def main(words: list[str]) -> None:
    what, port, topics = words[0], int(words[1]), words[2]
    client = paho.Client(CallbackAPIVersion.VERSION2, client_id=f"bare-{what}", clean_session=False)
    client.max_inflight_messages_set(65_535)

    def opened(_client: Any, _data: Any, sock: Any) -> None:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def connected(*_: Any) -> None:
        client.subscribe(topics, qos=1)

    def subscribed(*_: Any) -> None:
        print("ready", flush=True)

    client.on_socket_open, client.on_connect, client.on_subscribe = opened, connected, subscribed
    if what == "consume":
        _consume(client, port)
    else:
        _echo(client, port, words[3])


def _consume(client: paho.Client, port: int) -> None:
    seen = [0, 0.0]

    def arrived(_client: Any, _data: Any, message: paho.MQTTMessage) -> None:
        cbor2.loads(message.payload)
        seen[0] += 1
        seen[1] = time.monotonic()

    client.on_message = arrived
    client.connect("127.0.0.1", port)
    client.loop_start()
    told = 0
    while True:
        time.sleep(QUIET_S / 3)
        if seen[0] != told and time.monotonic() - seen[1] > QUIET_S:
            now, last = seen  # once: the other thread goes on counting
            print(f"{int(now) - told} {last}", flush=True)
            told = int(now)


def _echo(client: paho.Client, port: int, database: str) -> None:
    waiting: queue.SimpleQueue[tuple[str, bytes]] = queue.SimpleQueue()

    def arrived(_client: Any, _data: Any, message: paho.MQTTMessage) -> None:
        cbor2.loads(message.payload)
        waiting.put((message.topic, bytes(message.payload)))

    def write() -> None:
        connection = sqlite3.connect(database, isolation_level=None)
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("CREATE TABLE event (id INTEGER PRIMARY KEY, topic TEXT, payload BLOB)")
        while True:
            group = [waiting.get()]
            while not waiting.empty():
                group.append(waiting.get())
            connection.execute("BEGIN IMMEDIATE")
            connection.executemany("INSERT INTO event (topic, payload) VALUES (?, ?)", group)
            connection.execute("COMMIT")
            for topic, payload in group:
                client.publish(topic.rsplit("/", 1)[0] + "/lamps", payload[-16:])

    threading.Thread(target=write, daemon=True).start()
    client.on_message = arrived
    client.connect("127.0.0.1", port)
    client.loop_forever()


if __name__ == "__main__":
    main(sys.argv[1:])
