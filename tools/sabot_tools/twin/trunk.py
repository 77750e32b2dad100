"""One MQTT connection for many simulated controllers: at the byte level a thousand tables need no thousand sockets.

Owns the connection and who is told what comes down it. The packets are the controllers' own (`net/mqtt.py`); only the
client id and the subscriptions are those of a whole house. For a broker that lets one client speak for many.
"""

import asyncio
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Final

from sabot_firmware.net.mqtt import Session
from sabot_firmware.net.mqtt_packet import MqttError
from sabot_firmware.net.pause import ticks_ms
from sabot_protocol.errors import WireError
from sabot_protocol.topics import DOWN, PREFIX, RETAINED, build_topic, parse_topic
from sabot_tools.twin.rig import StuckError

if TYPE_CHECKING:
    from sabot_firmware.net.link import Inbox

READ_SIZE: Final = 1 << 16
TICK_S: Final = 1.0


class Trunk:
    """`branch` gives each controller its link; `open` before, `close` after."""

    def __init__(self, site: str, broker: tuple[str, int], name: str = "twin-trunk") -> None:
        self.site = site
        self._broker = broker
        self._name = name
        self._session = Session()
        self._inboxes: dict[str, Inbox] = {}
        self._early: dict[str, dict[str, bytes]] = {}  # what came before a table was there to hear it
        self._tasks: list[asyncio.Task[None]] = []
        self._wake = asyncio.Event()
        self._ready = asyncio.Event()
        self._lost = asyncio.Event()
        self._why = ""

    def branch(self, device: str) -> "Branch":
        return Branch(self, device)

    def hear(self, device: str, inbox: "Inbox") -> None:
        self._inboxes[device] = inbox
        for channel, payload in self._early.pop(device, {}).items():
            inbox.received(channel, payload)

    async def open(self) -> None:
        try:
            reader, writer = await asyncio.open_connection(*self._broker)
        except OSError as error:
            host, port = self._broker
            raise StuckError(f"no broker answers at {host}:{port} ({error.strerror or error}).") from error
        topics = tuple(f"{PREFIX}/{self.site}/+/{channel}" for channel in DOWN)
        will_topic = f"sabot/twin/{self._name}"
        self._session.open(ticks_ms(), self._name, will_topic, b"gone", topics, ("", ""))
        self._tasks = [
            asyncio.create_task(self._watched(work)) for work in (self._read(reader), self._write(writer), self._live())
        ]
        self._wake.set()
        await self._ready.wait()
        if self._why:
            raise StuckError(self._why)

    async def until_lost(self) -> None:
        """Wait as long as the connection stands; StuckError when it does no longer."""
        await self._lost.wait()
        raise StuckError(self._why)

    def publish(self, device: str, channel: str, data: bytes) -> bool:
        """Queue one sealed message; False when the connection is lost."""
        if self._why:
            return False
        topic = build_topic(self.site, device, channel)
        self._session.publish(ticks_ms(), topic, data, channel in RETAINED)
        self._wake.set()
        return True

    async def close(self) -> None:
        if self._ready.is_set() and not self._why:
            self._session.close(ticks_ms())
            self._wake.set()
            while self._session.out and not self._why:
                await asyncio.sleep(0)
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _read(self, reader: asyncio.StreamReader) -> None:
        while data := await reader.read(READ_SIZE):
            for happening in self._session.receive(ticks_ms(), data):
                if happening[0] == "subscribed":
                    self._ready.set()
                elif happening[0] == "message":
                    topic, payload = happening[1:]
                    assert isinstance(topic, str)
                    assert isinstance(payload, bytes)
                    self._deliver(topic, payload)
            self._wake.set()

    def _deliver(self, topic: str, payload: bytes) -> None:
        _, device, channel = parse_topic(topic)
        inbox = self._inboxes.get(device)
        if inbox is not None:
            inbox.received(channel, payload)
        elif channel in RETAINED:  # the broker hands it out once, before anybody listens
            self._early.setdefault(device, {})[channel] = payload

    async def _write(self, writer: asyncio.StreamWriter) -> None:
        try:
            while True:
                await self._wake.wait()
                self._wake.clear()
                out, self._session.out = self._session.out, []
                writer.write(b"".join(out))
                await writer.drain()
        finally:
            writer.close()

    async def _watched(self, work: Coroutine[None, None, None]) -> None:
        """Whatever ends the connection, those who wait for it are told why."""
        try:
            await work
            self._why = self._why or "the broker has hung up on the connection that speaks for all tables."
        except (OSError, MqttError, WireError) as error:
            self._why = self._why or f"the connection that speaks for all tables broke ({error})."
        finally:
            self._why = self._why or "the connection that speaks for all tables has ended."
            self._lost.set()
            self._ready.set()

    async def _live(self) -> None:
        while True:
            await asyncio.sleep(TICK_S)
            self._session.tick(ticks_ms())
            self._wake.set()


class Branch:
    """One controller's link over the trunk."""

    def __init__(self, trunk: Trunk, device: str) -> None:
        self._trunk = trunk
        self._device = device
        self.is_up = False
        self.connection = 0
        self.drops = 0

    @property
    def is_idle(self) -> bool:
        return True

    async def run(self, inbox: "Inbox") -> None:
        self._trunk.hear(self._device, inbox)
        self.connection += 1
        self.is_up = True
        self.send("status", inbox.status("online", self.connection))
        try:
            await self._trunk.until_lost()
        finally:
            self.is_up = False

    def send(self, channel: str, data: bytes) -> bool:
        return self._trunk.publish(self._device, channel, data)

    def rssi(self) -> int | None:
        return None

    async def close(self) -> None:
        self.is_up = False
