"""Telling by MQTT: QoS 1, not retained, on `sabot/out/v1/<site>/<table>/<subject>`.

Owns the topic. The broker is told the next message only after it has the one before, so the order is the journal's.
"""

import threading
from concurrent.futures import CancelledError
from typing import Final

from sabot_gateway.mqtt.port import Broker
from sabot_gateway.outputs.notice import Notice
from sabot_gateway.outputs.receiver import StoppedError

_LOOK_S: Final = 0.5  # how often a long wait looks whether the gateway stops


class MqttReceiver:
    name = "mqtt"

    def __init__(self, broker: Broker, site: str) -> None:
        self._broker = broker
        self._site = site
        self._stopping = threading.Event()

    def wants(self, notice: Notice) -> bool:
        return bool(notice.body)  # everything: whoever listens at the broker chooses by topic

    def tell(self, notice: Notice) -> None:
        topic = f"sabot/out/v1/{self._site}/{notice.table}/{notice.subject.value}"
        delivery = self._broker.deliver(topic, notice.body)
        while True:
            try:
                return delivery.result(_LOOK_S)
            except TimeoutError:
                if self._stopping.is_set():
                    delivery.cancel()
                    raise StoppedError from None
            except CancelledError:
                raise StoppedError from None

    def stop(self) -> None:
        self._stopping.set()

    def close(self) -> None:
        """The connection is the gateway's, not its own."""
