"""A controller as small as it can be: paho-mqtt, sabot_protocol and a list of events.

Independent of the firmware and of the gateway. It numbers its events, keeps them until they are acknowledged, sends
again what was not, answers resends, and confirms each lamp picture.
"""

import threading
import time
from typing import Any

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.reasoncodes import ReasonCode

from sabot_protocol.codec import decode, encode
from sabot_protocol.device_key import DeviceKey
from sabot_protocol.envelope import seal, unseal
from sabot_protocol.topics import build_topic, parse_topic
from sabot_protocol.version import MAJOR, MINOR, schema_hash

DEADLINE_S = 60.0
AT_ONCE = 2  # events in one message: two halves of a deck are all that fits


class Sender:
    """One device of one table; `wait` methods fail loudly after a generous deadline."""

    def __init__(self, site: str, device: str, secret: bytes, port: int) -> None:
        self._site = site
        self._device = device
        self._key = DeviceKey(device, secret)
        self._began = time.monotonic()
        self._changed = threading.Condition(threading.RLock())
        self.events: list[tuple[str, dict[str, Any]]] = []
        self.upto = 0
        self.refused = ""
        self.lamps: dict[str, Any] = {"revision": 0, "picture": [], "display": []}
        self.commands: list[str] = []
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id=device, clean_session=True)
        self._client.on_connect = self._connected
        self._client.on_message = self._received
        self._client.reconnect_delay_set(1, 1)
        self._client.connect_async("127.0.0.1", port, keepalive=5)
        self.tell(
            "hello",
            major=MAJOR,
            minor=MINOR,
            schema=schema_hash(),
            firmware="by-hand",
            digest=bytes(32),
            modules=1,
            board="bench",
            capabilities=[],
            reset_cause="power_on",
        )
        self._client.loop_start()

    def tell(self, name: str, **values: Any) -> None:
        """Numbers an event and sends it."""
        self.tell_parts(name, values)

    def tell_parts(self, name: str, *parts: dict[str, Any]) -> None:
        """A list in parts: numbers that follow each other, and one device time (protocol/README.md)."""
        with self._changed:
            device_ms = int((time.monotonic() - self._began) * 1000)
            first = len(self.events) + 1
            self.events += [(name, {"device_ms": device_ms, **values}) for values in parts]
            self._send(first, len(self.events))

    def wait_for_ack(self, number: int | None = None) -> None:
        """Returns when everything up to `number` (all) is acknowledged; sends it again now and then until it is."""
        wanted = len(self.events) if number is None else number
        limit = time.monotonic() + DEADLINE_S
        with self._changed:
            while self.upto < wanted:
                assert time.monotonic() < limit, (
                    f"acknowledged up to {self.upto} of {wanted}, refused: {self.refused!r}"
                )
                if not self._changed.wait(2.0):
                    self._send(self.upto + 1, wanted)

    def wait_for_lamps(self, found: "Any", what: str) -> dict[str, Any]:
        """The first lamp picture that `found` accepts."""
        with self._changed:
            assert self._changed.wait_for(lambda: found(self.lamps), DEADLINE_S), f"{what}: {self.lamps}"
            return self.lamps

    def stop(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def _send(self, first: int, last: int) -> None:
        for at in range(first, last + 1, AT_ONCE):
            events = self.events[at - 1 : min(at - 1 + AT_ONCE, last)]
            self._publish("event", {"boot": 1, "first": at, "events": events})

    def _publish(self, channel: str, values: dict[str, Any]) -> None:
        topic = build_topic(self._site, self._device, channel)
        data = seal(self._key, topic, encode(channel, values))
        self._client.publish(topic, data, qos=1, retain=channel == "status")

    def _connected(self, client: mqtt.Client, _user: object, _flags: object, reason: ReasonCode, _more: object) -> None:
        assert not reason.is_failure, reason
        client.subscribe([(build_topic(self._site, self._device, name), 1) for name in ("ack", "lamps", "command")])
        with self._changed:
            self._publish("status", {"state": "online", "boot": 1, "connection": 1})
            self._send(self.upto + 1, len(self.events))

    def _received(self, _client: mqtt.Client, _user: object, message: mqtt.MQTTMessage) -> None:
        channel = parse_topic(message.topic)[2]
        _, values = decode(unseal(self._key, message.topic, message.payload), channel)
        with self._changed:
            if channel == "ack":
                self.upto = max(self.upto, values["upto"])
                self.refused = values.get("refused", "")
            elif channel == "lamps" and values["revision"] > self.lamps["revision"]:
                self.lamps = values
                self.tell("lamps_applied", revision=values["revision"])
            elif channel == "command":
                name, fields = values["body"]
                self.commands.append(name)
                if name == "resend":
                    self._send(fields["from"], min(fields["to"], len(self.events)))
            self._changed.notify_all()
