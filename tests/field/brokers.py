"""Real brokers on the files that `sabot broker-config` wrote, and clients with certificates to try them with."""

import os
import shutil
import signal
import ssl
import sys
import threading
from pathlib import Path

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.reasoncodes import ReasonCode

from sabot_tools.field.authority import Issued
from services.process import Service, answers

_SEARCH = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", ""), "/usr/sbin"])
DEADLINE_S = 30.0


class HardenedBroker:
    """Mosquitto or nats-server, as the house would start it."""

    def __init__(self, kind: str, folder: Path, port: int) -> None:
        program = shutil.which({"mosquitto": "mosquitto", "nats": "nats-server"}[kind], path=_SEARCH)
        assert program, f"{kind} is missing: run setup/system.sh."
        self.port = port
        settings = folder / f"{kind}.conf"
        if kind == "mosquitto" and os.geteuid() == 0:
            # Started by root, Mosquitto would become another user, who cannot enter a temporary folder.
            settings = folder / "mosquitto-as-root.conf"
            settings.write_text((folder / "mosquitto.conf").read_text() + "user root\n")
        self.log = folder / f"{kind}.log"
        self._service = Service([program, "-c", str(settings)], self.log)
        self._service.wait_until(lambda: answers(port))

    def reload(self) -> None:
        os.kill(self._service.pid, signal.SIGHUP)

    def stop(self) -> None:
        self._service.stop()


def write_pair(folder: Path, issued: Issued, name: str) -> Path:
    """A certificate and its key as files; the certificate's."""
    file = folder / f"{name}.pem"
    file.write_bytes(issued.pem)
    key = file.with_suffix(".key")
    key.touch(0o600)
    key.write_bytes(issued.key_pem)
    return file


class Client:
    """One connection; `outcome` is "up", or why it never was."""

    def __init__(
        self, port: int, name: str, authority: Path, certificate: Path | None, *, keeps_session: bool = False
    ) -> None:
        self._changed = threading.Condition()
        self.heard: list[tuple[str, bytes]] = []
        self.granted: dict[int, bool] = {}
        self.confirmed: set[int] = set()
        self.outcome = ""
        self.client = client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id=name, clean_session=not keeps_session)
        context = ssl.create_default_context(cafile=str(authority))
        if certificate is not None:
            context.load_cert_chain(str(certificate), str(certificate.with_suffix(".key")))
        client.tls_set_context(context)
        client.on_connect = self._connected
        client.on_message = self._received
        client.on_subscribe = self._subscribed
        client.on_publish = self._published
        client.on_disconnect = self._disconnected
        try:
            client.connect("127.0.0.1", port, keepalive=30)
        except (OSError, ssl.SSLError) as error:
            self.outcome = str(error)
            return
        client.loop_start()
        with self._changed:
            assert self._changed.wait_for(lambda: self.outcome != "", DEADLINE_S), "neither let in nor refused"

    @property
    def is_up(self) -> bool:
        return self.outcome == "up"

    def subscribe(self, topic: str) -> bool:
        """Whether the broker granted it."""
        number = self.client.subscribe(topic, 1)[1]
        if number is None:
            return False  # hung up on already
        with self._changed:
            assert self._changed.wait_for(lambda: number in self.granted or not self.is_up, DEADLINE_S)
            return self.granted.get(number, False)

    def publish(self, topic: str, data: bytes) -> None:
        """Returns when the broker has answered, or hung up on it."""
        number = self.client.publish(topic, data, qos=1).mid
        with self._changed:
            assert self._changed.wait_for(lambda: number in self.confirmed or not self.is_up, DEADLINE_S)

    def wait_for(self, data: bytes) -> bool:
        with self._changed:
            return self._changed.wait_for(lambda: any(heard == data for _, heard in self.heard), DEADLINE_S)

    def wait_briefly(self) -> None:
        """Until something more is heard, or a second has passed."""
        with self._changed:
            self._changed.wait(1.0)

    def stop(self) -> None:
        self.client.disconnect()
        self.client.loop_stop()

    def _connected(self, _client: object, _user: object, _flags: object, reason: object, _more: object) -> None:
        with self._changed:
            self.outcome = "up" if str(reason) == "Success" else str(reason)
            self._changed.notify_all()

    def _disconnected(self, _client: object, _user: object, _flags: object, reason: object, _more: object) -> None:
        with self._changed:
            self.outcome = f"ended: {reason}"
            self._changed.notify_all()

    def _subscribed(
        self, _client: object, _user: object, number: int, reasons: list[ReasonCode], _more: object
    ) -> None:
        with self._changed:
            self.granted[number] = str(reasons[0]).startswith("Granted")
            self._changed.notify_all()

    def _published(self, _client: object, _user: object, number: int, _reason: object, _more: object) -> None:
        with self._changed:
            self.confirmed.add(number)
            self._changed.notify_all()

    def _received(self, _client: object, _user: object, message: mqtt.MQTTMessage) -> None:
        with self._changed:
            self.heard.append((message.topic, bytes(message.payload)))
            self._changed.notify_all()
