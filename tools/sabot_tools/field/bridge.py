"""`sabot bridge`: sealed frames between controllers on cables and the broker.

Owns the command line and the broker's side: one connection for all ports. The bridge has no key: what it carries it
can neither read nor alter nor forge. Nothing is dropped for want of room: while the broker is away no port is read, and
what goes down is acknowledged to the broker only when it is on the line.
"""

import argparse
import json
import signal
import sys
import threading
from collections.abc import Sequence
from dataclasses import asdict
from typing import Final

import paho.mqtt.client as mqtt
from paho.mqtt.reasoncodes import ReasonCode

from sabot_protocol.errors import WireError
from sabot_protocol.topics import DOWN, RETAINED, build_topic, is_name, parse_topic
from sabot_tools.field.broker_client import client_from, configure_broker
from sabot_tools.field.carrier import Carrier, Down, PortStatus
from sabot_tools.field.port import BAUD
from sabot_tools.field.trouble import FieldError, StartError

NAME: Final = "bridge"
SUMMARY: Final = "carry sealed frames between controllers on cables (USB, RS-485) and the broker"
_UNDER_WAY: Final = 64  # messages up that the broker has not confirmed; then no port is read until it has
_LOOK_S: Final = 0.25


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", metavar="DEV", nargs="+", required=True, help="serial ports; they may come and go")
    parser.add_argument("--site", required=True, help="the house, as in every topic")
    parser.add_argument("--name", default="bridge-1", help="this bridge at the broker (default: bridge-1)")
    parser.add_argument("--baud", type=int, default=BAUD, help=f"of a UART or RS-485 line (default: {BAUD})")
    configure_broker(parser, required=True)
    parser.add_argument("--json", action="store_true", help="print the status of a port as JSON when it changes")
    parser.epilog = (
        "example: sabot bridge --port /dev/ttyACM0 /dev/ttyUSB0 --site riviera --broker mqtts://broker.pit:8883 \\\n"
        "           --ca ca.pem --certificate bridge-1.pem --key bridge-1.key\n\n"
        "It needs no key of any controller. SIGTERM or Ctrl-C ends it (exit 0)."
    )


def run(args: argparse.Namespace) -> int:
    """0 ended in order, 2 could not start."""
    try:
        if not is_name(args.site) or not is_name(args.name):
            raise StartError("A site and a bridge are named by small letters, digits and inner hyphens.")
        bridge = Bridge(args, is_json=args.json)
    except FieldError as error:
        print(f"sabot bridge: {error}", file=sys.stderr)
        return error.code
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: bridge.end())
    bridge.run()
    return 0


class Bridge:
    """All ports and the one connection; `run` returns after `end`."""

    def __init__(self, args: argparse.Namespace, *, is_json: bool) -> None:
        self._site = args.site
        self._is_json = is_json
        self._ended = threading.Event()
        # Never held while the client is called: it calls back here with locks of its own in hand.
        self._changed = threading.Condition()
        self._following = threading.Lock()
        self._telling = threading.Lock()
        self._under_way = 0
        self._wanted: frozenset[str] = frozenset()
        self._is_up = False
        self._said = ""
        self._client, self._host, self._port = client_from(args, args.name, keeps_session=True)
        self._client.max_inflight_messages_set(_UNDER_WAY)
        self._client.on_connect = self._connected
        self._client.on_connect_fail = self._not_connected
        self._client.on_disconnect = self._disconnected
        self._client.on_message = self._received
        self._client.on_publish = self._published
        self.carriers = [
            Carrier(path, args.baud, self._carry_up, self._follow, self._tell) for path in _once(args.port)
        ]

    def run(self) -> None:
        self._client.connect_async(self._host, self._port, keepalive=15)
        self._client.loop_start()
        for carrier in self.carriers:
            carrier.start()
        self._ended.wait()
        for carrier in self.carriers:
            carrier.stop()
        self._client.disconnect()
        self._client.loop_stop()

    def end(self) -> None:
        self._ended.set()

    def _carry_up(self, device: str, channel: str, message: bytes) -> bool:
        """Waits while the broker is away or behind: the port is not read meanwhile."""
        with self._changed:
            while not self._is_up or self._under_way >= _UNDER_WAY:
                if self._ended.is_set():
                    return False
                self._changed.wait(_LOOK_S)
            self._under_way += 1
        # A connection that is lost just now keeps the message in the client until it is back.
        self._client.publish(build_topic(self._site, device, channel), message, qos=1, retain=channel in RETAINED)
        return True

    def _follow(self) -> None:
        """Hears what goes down to the controllers that are there now; anew for one that came, for what is retained."""
        with self._following:  # ports come and go in threads of their own; the broker is told in one order
            wanted = frozenset(device for carrier in self.carriers for device in carrier.devices)
            with self._changed:
                came, went, self._wanted = wanted - self._wanted, self._wanted - wanted, wanted
                is_up = self._is_up
            if is_up:
                self._subscribe(came)
                for topic in self._topics(went):
                    self._client.unsubscribe(topic)

    def _subscribe(self, devices: frozenset[str]) -> None:
        for topic in self._topics(devices):
            self._client.subscribe(topic, 1)

    def _topics(self, devices: frozenset[str]) -> list[str]:
        return [build_topic(self._site, device, channel) for device in sorted(devices) for channel in DOWN]

    def _received(self, client: mqtt.Client, _user: object, message: mqtt.MQTTMessage) -> None:
        number, qos = message.mid, message.qos
        remaining = 1
        lock = threading.Lock()

        def settle() -> None:
            nonlocal remaining
            with lock:
                remaining -= 1
                is_last = remaining == 0
            if is_last:
                client.ack(number, qos)

        try:
            _, device, channel = parse_topic(message.topic)
        except WireError:
            settle()
            return
        for carrier in self.carriers:
            with lock:
                remaining += 1
            if not carrier.take(Down(device, channel, bytes(message.payload), settle)):
                settle()
        settle()

    def _published(self, _client: object, _user: object, _number: int, _reason: object, _more: object) -> None:
        with self._changed:
            self._under_way -= 1
            self._changed.notify_all()

    def _connected(self, _client: object, _user: object, _flags: object, reason: ReasonCode, _more: object) -> None:
        if reason.is_failure:
            self._say(f"The broker refuses this bridge ({reason}).")
            return
        with self._changed:
            self._is_up = True
            wanted = self._wanted
            self._changed.notify_all()
        self._subscribe(wanted)
        self._say("The broker is there.")

    def _disconnected(self, _client: object, _user: object, _flags: object, reason: object, _more: object) -> None:
        with self._changed:
            self._is_up = False
        if not self._ended.is_set():
            self._say(f"The broker is away ({reason}); ports wait until it is back.")

    def _not_connected(self, _client: object, _user: object) -> None:
        self._say(f"The broker at {self._host}:{self._port} cannot be reached; ports wait until it can.")

    def _say(self, sentence: str) -> None:
        if sentence != self._said:
            self._said = sentence
            print(f"sabot bridge: {sentence}", file=sys.stderr, flush=True)

    def _tell(self, status: PortStatus) -> None:
        if self._is_json:
            line = json.dumps(asdict(status))
        else:
            carried = ", ".join(status.devices) or "no controller heard yet"
            line = (
                f"{status.port} open: {carried}"
                if status.state == "open"
                else f"{status.port} waiting: {status.reason}"
            )
        with self._telling:  # each port has a thread of its own, and a line must be whole
            print(line, flush=True)


def _once(paths: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(paths))
