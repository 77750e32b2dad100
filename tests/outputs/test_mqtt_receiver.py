"""Alerts and settlements at a real broker: in order, on their topics, over an outage."""

import json
import threading
from pathlib import Path

import paho.mqtt.client as paho
import pytest
from paho.mqtt.enums import CallbackAPIVersion

from mqtt.broker_process import MosquittoProcess
from mqtt.ears import PATIENCE_S, listening
from outputs.decided import alert, decide, open_journal
from sabot_gateway.outputs.mqtt_receiver import MqttReceiver
from sabot_gateway.outputs.outputs import Outputs


@pytest.fixture
def house_folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


def test_messages_arrive_in_the_journals_order_and_wait_for_a_broker_that_is_away(
    tmp_path: Path, house_folder: Path
) -> None:
    process = MosquittoProcess(tmp_path, "autosave_interval 1\nautosave_on_changes true")
    journal = open_journal(house_folder)
    heard = _Listener(process)
    try:
        with listening(process.settings()) as (broker, ears):
            outputs = Outputs(journal, [MqttReceiver(broker, "site")], house_folder, "site", "pit-1", lambda _: None)
            outputs.start()
            outputs.said(decide(journal, "table-1", alert(coup=1)))
            heard.wait(1)
            process.stop()
            ears.wait_down()
            outputs.said(decide(journal, "table-2", alert(coup=2)))
            outputs.said(decide(journal, "table-1", alert(coup=3)))
            process.start()
            heard.wait_for("table-1/4/1")
            outputs.stop()
            assert [(figure.receiver, figure.told, figure.failures) for figure in outputs.figures] == [("mqtt", 3, 0)]
    finally:
        heard.stop()
        journal.close()
        process.stop()
    told = {json.loads(body)["id"]: (topic, json.loads(body)["coup"]) for topic, body in heard.messages}
    assert list(told.values()) == [  # by id: QoS 1 may repeat one over a broken connection
        ("sabot/out/v1/site/table-1/alert", 1),
        ("sabot/out/v1/site/table-2/alert", 2),
        ("sabot/out/v1/site/table-1/alert", 3),
    ]


def test_stop_does_not_wait_for_a_broker_that_is_away_and_the_next_start_tells(
    tmp_path: Path, house_folder: Path
) -> None:
    process = MosquittoProcess(tmp_path)
    journal = open_journal(house_folder)
    try:
        with listening(process.settings()) as (broker, ears):
            process.stop()
            ears.wait_down()
            outputs = Outputs(journal, [MqttReceiver(broker, "site")], house_folder, "site", "pit-1", lambda _: None)
            outputs.start()
            outputs.said(decide(journal, "table-1", alert()))
            outputs.stop()
        process.start()
        heard = _Listener(process)
        with listening(process.settings()) as (broker, _):
            outputs = Outputs(journal, [MqttReceiver(broker, "site")], house_folder, "site", "pit-1", lambda _: None)
            outputs.start()
            heard.wait(1)
            outputs.stop()
        heard.stop()
    finally:
        journal.close()
        process.stop()
    assert {json.loads(body)["id"] for _, body in heard.messages} == {"table-1/2/1"}


class _Listener:
    """Another system of the house, with a session of its own."""

    def __init__(self, process: MosquittoProcess) -> None:
        self._process = process
        self._changed = threading.Condition()
        self.messages: list[tuple[str, bytes]] = []
        self._client = paho.Client(CallbackAPIVersion.VERSION2, client_id="erp", clean_session=False)
        self._client.reconnect_delay_set(1, 1)
        self._client.on_message = self._hear
        self._start()

    def wait(self, count: int) -> None:
        with self._changed:
            assert self._changed.wait_for(lambda: len(self.messages) >= count, PATIENCE_S)

    def wait_for(self, identity: str) -> None:
        wanted = f'"id":"{identity}"'.encode()
        with self._changed:
            assert self._changed.wait_for(lambda: any(wanted in body for _, body in self.messages), PATIENCE_S)

    def stop(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def _start(self) -> None:
        subscribed = threading.Event()
        self._client.on_subscribe = lambda *_: subscribed.set()
        self._client.connect(self._process.host, self._process.port)
        self._client.loop_start()
        self._client.subscribe("sabot/out/v1/#", 1)
        assert subscribed.wait(PATIENCE_S)

    def _hear(self, _client: paho.Client, _data: object, message: paho.MQTTMessage) -> None:
        with self._changed:
            self.messages.append((message.topic, bytes(message.payload)))
            self._changed.notify_all()
