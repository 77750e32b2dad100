"""The whole runtime on its own thread: a real Mosquitto, a real journal, a controller on a plain MQTT client."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.enums import CallbackAPIVersion

from contract.journal.house import House, postgres_house
from runtime.gated_journal import GatedJournal
from runtime.memory_broker import MemoryBroker
from runtime.pit import Pit, Script, settlements
from runtime.test_simulation import numbers_taken
from runtime.wire_device import SITE, WireDevice
from sabot_gateway.journal.port import Journal
from sabot_gateway.journal.record import Stream
from sabot_gateway.journal.sqlite import open_sqlite_journal
from sabot_gateway.model.event import PlayerSeated
from sabot_gateway.mqtt.client import PahoBroker
from sabot_gateway.mqtt.port import BrokerSettings, Version
from sabot_gateway.runtime.desk import TableFault
from sabot_gateway.runtime.plan import Plan
from sabot_gateway.runtime.pump import Pump
from sabot_gateway.runtime.service import Service
from services.mosquitto import Mosquitto
from services.postgres import Postgres

WAIT_S = 60  # generous: a loaded machine is slow, and the wait ends with what is waited for


def wait_until(is_so: Callable[[], bool], what: str) -> None:
    limit = time.monotonic() + WAIT_S
    while not is_so():
        assert time.monotonic() < limit, what
        time.sleep(0.005)  # polling: the other side is another thread and a network


class Controller:
    """A controller on paho: sends what is not acknowledged again and again, as the firmware does."""

    def __init__(self, device: WireDevice, port: int) -> None:
        self.device = device
        self._lock = threading.Lock()
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id=device.name, clean_session=True)
        self._client.on_connect = self._connected
        self._client.on_message = self._heard
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()

    def _connected(self, client: mqtt.Client, *_: object) -> None:
        client.subscribe([(self.device.topic(channel), 1) for channel in ("ack", "lamps", "command")])
        client.publish(self.device.topic("status"), self.device.status(), qos=1, retain=True)

    def _heard(self, _client: mqtt.Client, _user: object, message: mqtt.MQTTMessage) -> None:
        with self._lock:
            self.device.hear(message.topic, bytes(message.payload))

    def send(self, most: int = 8) -> None:
        with self._lock:
            first = self.device.acked + 1
            if first > self.device.newest:
                return
            payload = self.device.batch(first, most)
        self._client.publish(self.device.topic("event"), payload, qos=1)

    def deliver(self) -> None:
        """Until everything is acknowledged."""
        limit = time.monotonic() + WAIT_S
        while self.device.acked < self.device.newest:
            acked = self.device.acked
            self.send()
            resend = time.monotonic() + 1
            while self.device.acked == acked and time.monotonic() < resend:
                time.sleep(0.002)  # waiting for the ack, as the firmware does, before sending again
            assert time.monotonic() < limit, f"{self.device.acked} of {self.device.newest}"

    def stop(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


def service(pit: Pit, journal: Journal, mosquitto: Mosquitto, version: Version = Version.V5) -> Service:
    settings = BrokerSettings(SITE, pit.plan.gateway, mosquitto.host, mosquitto.port, version)
    return Service(pit.plan, journal, PahoBroker(settings))


@pytest.fixture
def pit() -> Pit:
    return Pit({"t1": Script("stu-beaten")})


@pytest.fixture
def controller(pit: Pit, mosquitto: Mosquitto) -> Iterator[Controller]:
    controller = Controller(pit.devices["t1"], mosquitto.port)
    yield controller
    controller.stop()


@pytest.mark.parametrize("version", list(Version))
def test_a_coup_over_a_real_broker_through_a_restart(
    pit: Pit, controller: Controller, mosquitto: Mosquitto, tmp_path: Path, version: Version
) -> None:
    pit.play("t1", 20)
    with open_sqlite_journal(tmp_path / "journal.db") as journal:
        running = service(pit, journal, mosquitto, version)
        running.start()
        controller.deliver()
        receipt = running.desk.submit("t1", PlayerSeated(2, "P2"), by="H1").result(WAIT_S)
        assert receipt.stream == "t1"
        running.stop()
        assert running.pump.is_drained
        snapshot = journal.snapshot(Stream("t1"))
        assert snapshot is not None
        assert snapshot.head.position == journal.heads()[Stream("t1")].position
    for fact in pit.scripts["t1"].seen[20:]:
        pit.devices["t1"].see(fact, fact.at_ms)
    with open_sqlite_journal(tmp_path / "journal.db") as journal:
        running = service(pit, journal, mosquitto, version)
        running.start()
        controller.deliver()
        wait_until(lambda: running.pump.queue.empty() and len(settlements(GatedJournal(journal), "t1")) == 1, "settled")
        last = running.pump.tables["t1"]
        wait_until(lambda: pit.devices["t1"].lamps[-1]["revision"] == last.revision, "the last picture shines")
        running.stop()
        assert numbers_taken(GatedJournal(journal), "t1") == list(range(1, pit.devices["t1"].newest + 1))


def test_a_stop_returns_soon_when_the_journal_is_well(pit: Pit, tmp_path: Path) -> None:
    with open_sqlite_journal(tmp_path / "journal.db") as journal:
        running = Service(pit.plan, journal, MemoryBroker())
        running.start()
        wait_until(lambda: running.pump.tables["t1"].state is not None, "the table is set up")
        running.stop()
        assert running.pump.is_drained


def pump_and_listen(pit: Pit, pump: Pump) -> None:
    pump.cycle()  # the broker is back: the lamps it knew are shown again
    pit.broker.published.clear()
    while not pump.is_drained:
        pump.cycle()


@pytest.fixture
def shared(postgres: Postgres, tmp_path: Path) -> Iterator[House]:
    house = postgres_house(postgres, tmp_path)
    yield house
    house.close()


def test_a_second_gateway_takes_a_table_over_and_the_first_cannot_write(pit: Pit, shared: House) -> None:
    """Two gateways on one PostgreSQL: the table goes on at the second, and the first notices."""
    sleeper_journal, heir_journal = GatedJournal(shared.open()), GatedJournal(shared.open())
    sleeper = pit.gateway(sleeper_journal)
    pit.settle(sleeper)
    pit.play("t1")
    for first in range(1, 20, 8):
        pit.send("t1", first)
    pit.settle(sleeper)
    acked = pit.devices["t1"].acked
    assert acked == 24

    plan = pit.plan
    pit.plan = Plan(plan.site, "g2", plan.tables, plan.devices, plan.registers)
    heir = pit.gateway(heir_journal)
    pit.settle(heir)
    assert heir.fence > sleeper.fence
    state, taken = sleeper.tables["t1"].state, heir.tables["t1"].state
    assert state is not None
    assert taken is not None
    assert taken.coup == state.coup
    pit.send_all("t1")
    pit.settle(heir)
    assert len(settlements(heir_journal, "t1")) == 1

    pit.broker.start(sleeper.queue.put, sleeper.queue.put)
    pit.send("t1", acked + 1)  # it wakes up, and what it slept through is delivered to it
    pump_and_listen(pit, sleeper)
    assert sleeper.tables["t1"].fault is TableFault.FENCED
    assert not pit.broker.published, "who may not write may neither acknowledge nor light a lamp"
    assert {record.owner for record in heir_journal.read(Stream("t1"))} == {"g1", "g2"}
    assert len(settlements(heir_journal, "t1")) == 1
