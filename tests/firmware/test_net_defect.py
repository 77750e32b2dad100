"""A bug behind the link's inbox ends the connection and is told to whoever runs the link; it is never swallowed."""

import asyncio

import paho.mqtt.publish
import pytest

from firmware.test_many_controllers import Wire
from sabot_firmware.net.mqtt_link import MqttLink
from sabot_protocol.topics import build_topic
from services.mosquitto import Mosquitto


class Stumbling:
    """An inbox with a bug."""

    def __init__(self) -> None:
        self.statuses: list[str] = []

    def status(self, state: str, connection: int) -> bytes:
        assert connection
        self.statuses.append(state)
        return b"sealed"

    def received(self, channel: str, data: bytes) -> None:
        raise KeyError(channel, data)

    def refused(self, channel: str, code: str) -> None:
        raise AssertionError(channel, code)


@pytest.mark.slow
def test_a_bug_behind_the_inbox_is_told_and_the_link_begins_again(mosquitto: Mosquitto) -> None:
    link = MqttLink("riviera", "table-1", ("127.0.0.1", mosquitto.port), Wire())
    inbox = Stumbling()
    topic = build_topic("riviera", "table-1", "lamps")
    paho.mqtt.publish.single(topic, b"anything", qos=1, retain=True, hostname="127.0.0.1", port=mosquitto.port)

    async def run() -> None:
        for connection in (1, 2):
            with pytest.raises(KeyError):
                await asyncio.wait_for(link.run(inbox), 60)
            assert (link.connection, link.is_up) == (connection, False)

    asyncio.run(run())
    assert inbox.statuses.count("lost") == 2, "a will for each connection"
