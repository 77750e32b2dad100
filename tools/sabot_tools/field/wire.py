"""One controller's messages, wherever a technician can listen: at the broker, or at its own cable.

Owns the two ways and the keys that open what comes. Keys come from the gateway's registry and stay in here: what leaves
is a decoded message, or the reason why it could not be opened.
"""

import argparse
import queue
import time
from collections.abc import Iterator
from typing import Any, Final, NamedTuple, Protocol

import paho.mqtt.client as mqtt

from sabot_gateway.link.device import Device
from sabot_protocol.codec import decode, encode
from sabot_protocol.envelope import seal, unseal
from sabot_protocol.errors import WireError
from sabot_protocol.frames import Deframer, frame
from sabot_protocol.topics import build_topic, parse_topic
from sabot_tools.field.broker_client import client_from, configure_broker
from sabot_tools.field.broker_files import TECHNICIAN
from sabot_tools.field.house import House, configure_house
from sabot_tools.field.port import BAUD, Port
from sabot_tools.field.sealed import holder_of
from sabot_tools.field.trouble import FieldError, StartError

CONNECT_S: Final = 15.0
_TURN_S: Final = 0.25


class Message(NamedTuple):
    """One decoded message; `code` is set, and `values` empty, where it could not be opened."""

    channel: str
    values: dict[str, Any]
    code: str = ""


class Way(Protocol):
    def receive(self, wait_s: float) -> tuple[str, bytes] | None: ...
    def send(self, channel: str, data: bytes) -> None: ...
    def close(self) -> None: ...


class Wire:
    """A controller, heard and spoken to with its own key."""

    def __init__(self, site: str, device: Device, way: Way) -> None:
        self._site = site
        self._device = device
        self._way = way

    def messages(self, limit: float) -> Iterator[Message | None]:
        """What comes until the limit (monotonic seconds); None now and then while nothing does."""
        while (left := limit - time.monotonic()) > 0:
            came = self._way.receive(min(left, _TURN_S))
            yield self._opened(*came) if came else None

    def send(self, channel: str, values: dict[str, Any]) -> None:
        topic = build_topic(self._site, self._device.id, channel)
        self._way.send(channel, seal(self._device.keys[0], topic, encode(channel, values)))

    def close(self) -> None:
        self._way.close()

    def _opened(self, channel: str, data: bytes) -> Message:
        topic = build_topic(self._site, self._device.id, channel)
        trouble = ""
        for key in self._device.keys:
            try:
                return Message(channel, decode(unseal(key, topic, data), channel)[1])
            except WireError as error:
                trouble = trouble or error.code
        return Message(channel, {}, trouble)


def configure_wire(parser: argparse.ArgumentParser) -> None:
    """The options that say where to listen."""
    configure_house(parser)
    parser.add_argument("--port", metavar="DEV", help="listen at the controller's own cable instead of the broker")
    parser.add_argument("--baud", type=int, default=BAUD, help=f"of a UART or RS-485 line (default: {BAUD})")
    configure_broker(parser, required=False)


def open_wire(house: House, args: argparse.Namespace) -> Wire:
    """StartError for an unknown controller, a port that cannot be opened, a broker that does not let us in."""
    registry = house.settings.devices.registry_at(time.time_ns() // 1_000_000)
    device = registry.find(args.device)
    if device is None:
        raise StartError(f"There is no controller {args.device} in {house.devices}.")
    if args.port:
        return Wire(house.settings.site, device, _CableWay(args.port, args.baud, device.id))
    if not args.broker:
        args.broker = f"mqtt://{house.settings.embedded.listen}" if house.settings.broker is None else None
    if not args.broker:
        raise StartError("Say where to listen: --broker URL with the technician's certificate, or --port DEV.")
    return Wire(house.settings.site, device, _BrokerWay(house.settings.site, device.id, args))


class _CableWay:
    def __init__(self, path: str, baud: int, device: str) -> None:
        self._port = Port(path, baud)
        self._device = device
        self._deframer = Deframer()
        self._waiting: list[tuple[str, bytes]] = []

    def receive(self, wait_s: float) -> tuple[str, bytes] | None:
        if not self._waiting:
            data = self._port.read(4096, time.monotonic() + wait_s)
            self._waiting = [pair for pair in self._deframer.feed(data) if holder_of(pair[1]) == self._device]
        return self._waiting.pop(0) if self._waiting else None

    def send(self, channel: str, data: bytes) -> None:
        self._port.write(frame(channel, data))

    def close(self) -> None:
        self._port.close()


class _BrokerWay:
    def __init__(self, site: str, device: str, args: argparse.Namespace) -> None:
        self._site, self._device = site, device
        self._came: queue.Queue[tuple[str, bytes]] = queue.Queue(10_000)
        self._ready: queue.Queue[str] = queue.Queue()
        self._client, host, port = client_from(args, TECHNICIAN)
        self._client.on_connect = self._connected
        self._client.on_subscribe = lambda *_: self._ready.put("")
        self._client.on_disconnect = lambda *_: self._ready.put("the broker hung up")
        self._client.on_message = self._received
        try:
            self._client.connect(host, port)
        except (OSError, ValueError) as error:
            raise StartError(f"The broker at {host}:{port} cannot be reached ({error}).") from error
        self._client.loop_start()
        try:
            trouble = self._ready.get(timeout=CONNECT_S)
        except queue.Empty:
            trouble = "it does not answer"
        if trouble:
            self.close()
            raise StartError(f"The broker at {host}:{port} does not let the technician in ({trouble}).")

    def receive(self, wait_s: float) -> tuple[str, bytes] | None:
        try:
            return self._came.get(timeout=wait_s)
        except queue.Empty:
            return None

    def send(self, channel: str, data: bytes) -> None:
        sent = self._client.publish(build_topic(self._site, self._device, channel), data, qos=1)
        try:
            sent.wait_for_publish(CONNECT_S)
        except (RuntimeError, ValueError) as error:
            raise FieldError("The broker did not take the command.") from error

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def _connected(self, client: mqtt.Client, _user: object, _flags: object, reason: object, _more: object) -> None:
        if getattr(reason, "is_failure", True):
            self._ready.put(str(reason))
            return
        client.subscribe(build_topic(self._site, self._device, "event").rpartition("/")[0] + "/+", 1)

    def _received(self, _client: mqtt.Client, _user: object, message: mqtt.MQTTMessage) -> None:
        try:
            channel = parse_topic(message.topic)[2]
            self._came.put_nowait((channel, bytes(message.payload)))
        except (WireError, queue.Full):
            return  # not a channel of ours; or a screen that nobody reads, which must not hold up the broker
