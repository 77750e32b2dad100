"""The receiving end, as small as it can be: opens, checks the order, keeps each event once, acknowledges cumulatively.

Independent of the firmware: paho-mqtt, sabot_protocol and a list. A batch that leaves a gap is not taken; the ack says
what is safe, and the controller sends again.
"""

import threading
from pathlib import Path
from typing import Any

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.reasoncodes import ReasonCode

from sabot_protocol.codec import decode, encode
from sabot_protocol.device_key import DeviceKey
from sabot_protocol.envelope import seal, unseal
from sabot_protocol.topics import build_topic, parse_topic, subscriptions

Event = tuple[str, dict[str, Any]]


class StandInGateway:
    """One site's gateway for one device; `events[n - 1]` is event number n, `boots[n - 1]` its boot."""

    def __init__(self, site: str, device: str, secret: bytes, port: int, tls: tuple[Path, Path] | None = None) -> None:
        self._site = site
        self._device = device
        self._key = DeviceKey(device, secret)
        self.events: list[Event] = []
        self.boots: list[int] = []
        self.statuses: list[dict[str, Any]] = []
        self.duplicates = 0
        self.gaps = 0
        self.contradictions: list[int] = []
        self.is_acking = True
        self._changed = threading.Condition()
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id="gateway", clean_session=True)
        if tls is not None:
            authority, certificate = tls
            self._client.tls_set(str(authority), str(certificate), str(certificate.with_suffix(".key")))
        self._client.reconnect_delay_set(1, 1)
        self._client.on_connect = self._connected
        self._client.on_message = self._received
        self._client.connect_async("127.0.0.1", port, keepalive=5)
        self._client.loop_start()

    def send(self, channel: str, values: dict[str, Any]) -> None:
        """Seal and publish one message to the device."""
        self.send_raw(channel, seal(self._key, self._topic(channel), encode(channel, values)))

    def send_raw(self, channel: str, data: bytes) -> None:
        """Publish bytes as they are."""
        self._client.publish(self._topic(channel), data, qos=1, retain=channel == "lamps")

    def command(self, number: int, name: str, **fields: Any) -> None:
        self.send("command", {"number": number, "body": (name, fields)})

    def wait_for(self, name: str, seconds: float = 20, **fields: Any) -> dict[str, Any]:
        """The fields of the first event of this name with these fields; an error when none comes."""

        def found() -> dict[str, Any] | None:
            for kind, values in list(self.events):
                if kind == name and all(values.get(field) == value for field, value in fields.items()):
                    return values
            return None

        with self._changed:
            assert self._changed.wait_for(lambda: found() is not None, seconds), f"no {name} {fields}: {self.events}"
        values = found()
        assert values is not None
        return values

    def stop(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def _topic(self, channel: str) -> str:
        return build_topic(self._site, self._device, channel)

    def _connected(self, client: mqtt.Client, _user: object, _flags: object, reason: ReasonCode, _more: object) -> None:
        assert not reason.is_failure, reason
        client.subscribe([(topic, 1) for topic in subscriptions(self._site)])

    def _received(self, _client: mqtt.Client, _user: object, message: mqtt.MQTTMessage) -> None:
        channel = parse_topic(message.topic)[2]
        _, values = decode(unseal(self._key, message.topic, message.payload), channel)
        with self._changed:
            if channel == "status":
                self.statuses.append(values)
            else:
                self._take(values)
            self._changed.notify_all()

    def _take(self, values: dict[str, Any]) -> None:
        boot, first = values["boot"], values["first"]
        if first > len(self.events) + 1:
            self.gaps += 1
        else:
            for at, event in enumerate(values["events"], first):
                if at > len(self.events):
                    self.events.append(event)
                    self.boots.append(boot)
                else:
                    self.duplicates += 1
                    if self.events[at - 1] != event or self.boots[at - 1] != boot:
                        self.contradictions.append(at)
        if self.is_acking and self.boots:
            self.send("ack", {"boot": self.boots[-1], "upto": len(self.events)})
