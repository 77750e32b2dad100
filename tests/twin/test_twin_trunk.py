"""One connection for many tables at the byte level: who comes late is told, and who loses it says so."""

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from sabot_firmware.net import mqtt_packet as packet
from sabot_protocol.codec import encode
from sabot_protocol.device_key import DeviceKey
from sabot_protocol.envelope import seal
from sabot_protocol.topics import build_topic
from sabot_tools.twin.layout import layout_of
from sabot_tools.twin.rig import StuckError, see_says
from sabot_tools.twin.trunk import Trunk
from sabot_tools.twin.wire_rig import WireRig

SITE = "riviera"
KEY = DeviceKey("table-1", bytes(16))
CONNACK, GRANTED = bytes((0x20, 2, 0, 0)), bytes((0x90, 5, 0, 1, 1, 1, 1))
PICTURE = {"revision": 3, "picture": [], "display": [{"fr": "Table fermée", "en": "Table closed"}]}


def test_a_picture_that_came_before_its_table_was_switched_on_is_seen(tmp_path: Path) -> None:
    topic = build_topic(SITE, KEY.device, "lamps")
    kept = bytes(packet.publish(topic, seal(KEY, topic, encode("lamps", PICTURE)), 7, is_retained=True))

    async def play(rig: WireRig) -> None:
        await see_says(rig, "Table closed")

    asyncio.run(_over_broker(tmp_path, kept, play, hangs_up=False))


def test_a_broker_that_hangs_up_is_named(tmp_path: Path) -> None:
    async def play(rig: WireRig) -> None:
        with pytest.raises(StuckError, match="hung up"):
            await rig.ready()

    asyncio.run(_over_broker(tmp_path, b"", play, hangs_up=True))


async def _over_broker(
    folder: Path, first: bytes, play: Callable[[WireRig], Awaitable[None]], *, hangs_up: bool
) -> None:
    """Something that lets a client in, tells it one thing, and stays or goes."""

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(1_000)
        writer.write(CONNACK)
        await reader.read(1_000)
        writer.write(GRANTED + first)
        await writer.drain()
        while not hangs_up and await reader.read(1_000):
            pass
        writer.close()

    async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
        trunk = Trunk(SITE, server.sockets[0].getsockname())
        await trunk.open()
        rig = WireRig(layout_of("TCF", 7), SITE, KEY, trunk.branch(KEY.device), folder)
        try:
            await play(rig)
        finally:
            await trunk.close()
            await rig.close()  # nothing is waited for that can come no more
