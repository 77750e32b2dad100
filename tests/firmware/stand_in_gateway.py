"""The receiving end, as small as it can be: opens, checks the order, keeps each event once, acknowledges cumulatively.

Independent of the firmware: sabot_protocol, a list and a way to the device: paho-mqtt or a serial line. A batch that
leaves a gap is not taken; the ack says what is safe, and the controller sends again.
"""

import contextlib
import os
import random
import threading
import tty
from collections.abc import Callable
from pathlib import Path
from typing import Any

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.reasoncodes import ReasonCode

from sabot_protocol.codec import decode, encode
from sabot_protocol.device_key import DeviceKey
from sabot_protocol.envelope import seal, unseal
from sabot_protocol.frames import Deframer, frame
from sabot_protocol.topics import build_topic, parse_topic, subscriptions

Event = tuple[str, dict[str, Any]]


class Receiver:
    """One site's gateway for one device; `events[n - 1]` is event number n, `boots[n - 1]` its boot."""

    def __init__(self, site: str, device: str, secret: bytes) -> None:
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

    def send(self, channel: str, values: dict[str, Any]) -> None:
        """Seal and publish one message to the device."""
        self.send_raw(channel, seal(self._key, self._topic(channel), encode(channel, values)))

    def send_raw(self, channel: str, data: bytes) -> None:
        """Publish bytes as they are."""
        raise NotImplementedError

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
            assert self._changed.wait_for(lambda: found() is not None, seconds), (
                f"no {name} {fields}: {self.events[-20:]}"
            )
        values = found()
        assert values is not None
        return values

    def until(self, say: Callable[[], None], name: str, *, count: int = 1, **fields: object) -> None:
        """Say something once a second, as a gateway does that hears no answer, until so many such events came."""

        def came() -> bool:
            found = [
                values
                for kind, values in list(self.events)
                if kind == name and all(values.get(field) == value for field, value in fields.items())
            ]
            return len(found) >= count

        for _ in range(120):
            say()
            with self._changed:
                if self._changed.wait_for(came, 1):
                    return
        raise AssertionError(f"no {name} {fields}: {self.events[-20:]}")

    def _topic(self, channel: str) -> str:
        return build_topic(self._site, self._device, channel)

    def _opened(self, channel: str, sealed: bytes) -> None:
        _, values = decode(unseal(self._key, self._topic(channel), sealed), channel)
        with self._changed:
            if channel == "status":
                self.statuses.append(values)
            else:
                self._take(values)
            ack = {"boot": self.boots[-1], "upto": len(self.events)} if self.boots else None
            self._changed.notify_all()
        # With no lock in hand: a broker's client has locks of its own.
        if ack is not None and channel == "event" and self.is_acking:
            self.send("ack", ack)

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


class StandInGateway(Receiver):
    """A gateway at a broker."""

    def __init__(self, site: str, device: str, secret: bytes, port: int, tls: tuple[Path, Path] | None = None) -> None:
        super().__init__(site, device, secret)
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id="gateway-" + site, clean_session=True)
        if tls is not None:
            authority, certificate = tls
            self._client.tls_set(str(authority), str(certificate), str(certificate.with_suffix(".key")))
        self._client.reconnect_delay_set(1, 1)
        self._client.on_connect = self._connected
        self._client.on_message = self._received
        self._client.connect_async("127.0.0.1", port, keepalive=5)
        self._client.loop_start()

    def send_raw(self, channel: str, data: bytes) -> None:
        self._client.publish(self._topic(channel), data, qos=1, retain=channel == "lamps")

    def stop(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def _connected(self, client: mqtt.Client, _user: object, _flags: object, reason: ReasonCode, _more: object) -> None:
        assert not reason.is_failure, reason
        client.subscribe([(topic, 1) for topic in subscriptions(self._site)])

    def _received(self, _client: mqtt.Client, _user: object, message: mqtt.MQTTMessage) -> None:
        self._opened(parse_topic(message.topic)[2], bytes(message.payload))


class LineGateway(Receiver):
    """A gateway at the far end of a pseudo-terminal. `loss` of ten thousand bytes are damaged each way."""

    def __init__(self, site: str, device: str, secret: bytes) -> None:
        super().__init__(site, device, secret)
        self.refused = 0
        self.loss = 0
        self._seeded = random.Random(9)
        self._far = self._near = -1
        self._sending = threading.Lock()

    def plug(self) -> str:
        """Lay a new cable; its near end."""
        self._far, self._near = os.openpty()
        tty.setraw(self._near)
        threading.Thread(target=self._listen, args=(self._far,), daemon=True).start()
        return os.ttyname(self._near)

    @property
    def near(self) -> int:
        """The near end's descriptor."""
        return self._near

    def unplug(self) -> None:
        for end in (self._near, self._far):
            with contextlib.suppress(OSError):
                os.close(end)
        self._far = self._near = -1

    def send_raw(self, channel: str, data: bytes) -> None:
        self.send_bytes(frame(channel, data))

    def send_bytes(self, data: bytes) -> None:
        """Bytes on the line, damaged by chance."""
        damaged = bytes(byte ^ 0x55 if self._seeded.random() * 10_000 < self.loss else byte for byte in data)
        with self._sending, contextlib.suppress(OSError):  # nobody at the far end: lost
            while damaged:
                damaged = damaged[os.write(self._far, damaged) :]

    def _listen(self, far: int) -> None:
        deframer = Deframer()
        with contextlib.suppress(OSError):
            while data := os.read(far, 4096):
                heard = bytes(byte ^ 0x55 if self._seeded.random() * 10_000 < self.loss else byte for byte in data)
                refused = deframer.refused
                for channel, message in deframer.feed(heard):
                    self._opened(channel, message)
                self.refused += deframer.refused - refused
