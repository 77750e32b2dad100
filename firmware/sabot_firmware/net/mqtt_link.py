"""The asyncio shell around one MQTT session: opens the stream, moves bytes both ways, and starts over when it breaks.

Owns the connection's life. Interface: link.py. Nothing here waits inside a call: send() only queues, one task reads,
one writes, and run() looks at the clock a few times a second. Whatever fails ends the connection, never the loop.
The last will is sealed before each attempt, since the broker speaks it when the controller cannot.
Limits: QUEUE packets wait for a slow socket, then send() says False and the outbox keeps what it has.
"""

import asyncio

from sabot_firmware.net.backoff import Backoff
from sabot_firmware.net.mqtt import Session
from sabot_firmware.net.mqtt_packet import MqttError
from sabot_firmware.net.pause import sleep_ms, ticks_ms
from sabot_firmware.net.stream import open_stream
from sabot_protocol.errors import WireError
from sabot_protocol.topics import DOWN, RETAINED, build_topic, parse_topic

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from typing import Any

    from sabot_firmware.net.link import Bearer, Inbox
    from sabot_firmware.net.stream import Certificates

# Packets that wait for the socket: one that leaves and one behind it. Each is up to 1.1 KiB of heap in one piece.
QUEUE = 2

# How often run() looks after keepalive, the interface and a lost peer.
WATCH_MS = 50

# TCP and TLS and the broker's welcome together; a handshake takes under a second on the slowest board.
OPEN_MS = 10000

# One read takes at most this much: a little more than a message, so that the heap holds no large pieces.
READ_SIZE = 512


class MqttLink:
    """A controller's way to the gateway through an MQTT broker."""

    def __init__(
        self,
        site: str,
        device: str,
        broker: "tuple[str, int]",
        bearer: "Bearer",
        certificates: "Certificates | None" = None,
        login: "tuple[str, str]" = ("", ""),
        may_pause: "Callable[[], bool] | None" = None,
        name_server: "Callable[[], str] | None" = None,
    ) -> None:
        """`name_server` is given when the broker is a name: it says where to ask for its address (name.py)."""
        self.is_up = False
        self.connection = 0
        self.drops = 0
        self.last_error = ""
        self._site = site
        self._device = device
        self._broker = broker
        self._bearer = bearer
        self._certificates = certificates
        self._login = login
        self._may_pause = may_pause
        self._name_server = name_server
        self._session = Session()
        self._backoff = Backoff()
        self._topics = tuple([build_topic(site, device, channel) for channel in DOWN])
        self._wake = asyncio.Event()
        self._is_lost = False
        self._defect: "Exception | None" = None
        self._is_closing = False

    @property
    def is_idle(self) -> bool:
        """Say whether everything taken has left."""
        return not self._session.out

    def rssi(self) -> "int | None":
        """Strength of the radio signal, if there is a radio."""
        return self._bearer.rssi()

    def send(self, channel: str, data: bytes) -> bool:
        """Queue one sealed message; False when the link is down or the socket is behind."""
        if not self.is_up or len(self._session.out) >= QUEUE:
            return False
        self._publish(channel, data)
        return True

    async def run(self, inbox: "Inbox") -> None:
        """Connect and serve, again and again."""
        while not self._is_closing:
            if self._bearer.poll(ticks_ms()) and (self._may_pause is None or self._may_pause()):
                await self._live(inbox)
                await sleep_ms(self._backoff.next_ms())
            else:
                await sleep_ms(WATCH_MS)

    async def close(self) -> None:
        """Say goodbye in order, so that the broker keeps the will to itself."""
        self._is_closing = True
        if self.is_up:
            self._session.close(ticks_ms())
            self._wake.set()
        for _ in range(20):
            if self.is_idle:
                break
            await sleep_ms(WATCH_MS)

    async def _live(self, inbox: "Inbox") -> None:
        # One connection from its first byte to its last.
        opened: "list[Any]" = []
        tasks = [asyncio.create_task(self._watched(self._open(opened)))]
        self._is_lost = False
        try:
            if await self._is_open(opened):
                reader, writer = opened
                self.connection += 1
                topic = build_topic(self._site, self._device, "status")
                will = inbox.status("lost", self.connection)
                self._session.open(ticks_ms(), self._device, topic, will, self._topics, self._login)
                self._wake.set()
                tasks.append(asyncio.create_task(self._watched(self._read(reader, inbox))))
                tasks.append(asyncio.create_task(self._watched(self._write(writer))))
                while not self._is_lost and self._bearer.poll(ticks_ms()):
                    await sleep_ms(WATCH_MS)
                    self._session.tick(ticks_ms())
                    if self._session.out:
                        self._wake.set()
        except (MqttError, MemoryError) as error:
            self.last_error = str(error)
        finally:
            self.drops += 1 if self.is_up else 0
            self.is_up = False
            for task in tasks:
                task.cancel()
            await sleep_ms(0)
            self._session.out.clear()
            if opened:
                await _close(opened[1])
        if self._defect is not None:
            defect, self._defect = self._defect, None
            raise defect

    async def _watched(self, work: "Awaitable[None]") -> None:
        try:
            await work
        except Exception as error:  # noqa: BLE001 - a bug, here or behind the inbox: run() raises it, and is begun again
            self._defect = error
            self._lose(error)

    async def _open(self, opened: "list[Any]") -> None:
        try:
            reader, writer = await open_stream(await self._address(), self._broker[1], self._certificates)
            opened.append(reader)
            opened.append(writer)
        except (OSError, ValueError, MemoryError) as error:  # ValueError: certificates that mbedTLS cannot read
            self._lose(error)

    async def _address(self) -> str:
        if self._name_server is None:
            return self._broker[0]
        from sabot_firmware.net.name import resolve

        return await resolve(self._broker[0], self._name_server())

    async def _is_open(self, opened: "list[Any]") -> bool:
        for _ in range(OPEN_MS // WATCH_MS):
            if opened:
                return True
            if self._is_lost:
                return False
            await sleep_ms(WATCH_MS)
        return False

    async def _read(self, reader: "Any", inbox: "Inbox") -> None:
        try:
            while True:
                data = await reader.read(READ_SIZE)
                if not data:
                    self._lose(MqttError("closed"))
                    return
                for happening in self._session.receive(ticks_ms(), data):
                    self._happened(happening, inbox)
                if self._session.out:
                    self._wake.set()
        except (OSError, MqttError, MemoryError) as error:
            self._lose(error)

    async def _write(self, writer: "Any") -> None:
        try:
            while True:
                await self._wake.wait()
                self._wake.clear()
                out = self._session.out
                while out:
                    # One packet, one write: see stream.py on Nagle.
                    writer.write(out[0])
                    await writer.drain()
                    if out:
                        del out[0]
        except (
            OSError,
            MemoryError,
        ) as error:  # the first write of a TLS stream is its handshake, with 20 KiB of buffers
            self._lose(error)

    def _happened(self, happening: "tuple[Any, ...]", inbox: "Inbox") -> None:
        if happening[0] == "message":
            inbox.received(_channel(happening[1]), happening[2])
        elif happening[0] == "too_long":
            inbox.refused(_channel(happening[1]), "oversize")
        elif happening[0] == "subscribed":
            # Only now: an answer to the first message must find us listening.
            self._publish("status", inbox.status("online", self.connection))
            self._backoff.succeeded()
            self.is_up = True

    def _publish(self, channel: str, data: bytes) -> None:
        topic = build_topic(self._site, self._device, channel)
        self._session.publish(ticks_ms(), topic, data, channel in RETAINED)
        self._wake.set()

    def _lose(self, error: Exception) -> None:
        self.last_error = str(error)
        self._is_lost = True


def _channel(topic: str) -> str:
    try:
        return parse_topic(topic)[2]
    except WireError:
        return ""


async def _close(writer: "Any") -> None:
    try:
        writer.close()
        await writer.wait_closed()
    except OSError:
        return  # it was broken already
