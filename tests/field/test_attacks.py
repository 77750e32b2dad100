"""Attacks on a whole gateway at a real broker: old traffic, another table's, the other direction, a copied board.

Each is refused and kept in quarantine, or changes nothing; a copy is alerted. The attacker can publish anything: this
broker asks nobody for a certificate, so that the seals alone stand between him and the journal.
"""

import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.enums import CallbackAPIVersion

from app.hand_sender import Sender
from app.test_gateway_whole import WholeHouse
from gateway_proof.proof_audit import house_alarms, raised
from sabot_gateway.journal.address import reader_at
from sabot_gateway.journal.record import Kind, Stream
from sabot_gateway.link.sequence import MEMORY
from sabot_gateway.projections.source import ReaderSource
from services.process import free_port

pytestmark = pytest.mark.slow
DEADLINE_S = 60.0
BRANCH = "sabot/v1/riviera"


class Attacker:
    """Records everything, publishes anything."""

    def __init__(self, port: int) -> None:
        self.recorded: list[tuple[str, bytes]] = []
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id="attacker")
        ready = threading.Event()
        self._client.on_connect = lambda client, *_: client.subscribe(f"{BRANCH}/+/+", 1)
        self._client.on_subscribe = lambda *_: ready.set()
        self._client.on_message = lambda _client, _user, message: self.recorded.append(
            (message.topic, bytes(message.payload))
        )
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()
        assert ready.wait(DEADLINE_S)

    def publish(self, topic: str, data: bytes) -> None:
        self._client.publish(topic, data, qos=1).wait_for_publish(DEADLINE_S)

    def of(self, device: str, channel: str) -> list[bytes]:
        return [data for topic, data in self.recorded if topic == f"{BRANCH}/{device}/{channel}"]

    def stop(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


def facts(journal: Path, table: str) -> int:
    with reader_at(str(journal)) as reader:
        return sum(record.kind is Kind.FACT for record in ReaderSource(reader).read(Stream(table)))


def quarantined(journal: Path) -> Counter[str]:
    with reader_at(str(journal)) as reader:
        return Counter(dict(reader.rows("SELECT reason, COUNT(*) FROM quarantine GROUP BY reason")))


def refusals_told(journal: Path) -> set[str | None]:
    """Name and reason of each alarm about refused messages."""
    return {alert.spot for alert in raised(journal, "house/pit-1") if alert.code == "MESSAGES_REFUSED"}


def until(found: Callable[[], bool], what: str) -> None:
    limit = time.monotonic() + DEADLINE_S
    while not found():
        assert time.monotonic() < limit, what
        time.sleep(0.05)  # another process has no other way to say so


def test_lifted_traffic_changes_nothing_and_a_copied_board_is_alerted(tmp_path: Path) -> None:
    port = free_port()
    more = f'[embedded]\nlisten = "127.0.0.1:{port}"\n\n[[table]]\nname = "t2"\nruleset = "house-tcf"\n'
    house = WholeHouse(tmp_path, more, port)
    other_key = house.add_device("t2-a", "t2")
    journal = tmp_path / "data" / "journal.db"
    with house.running():
        attacker = Attacker(port)
        senders = [Sender("riviera", "t1-a", house.key, port), Sender("riviera", "t2-a", other_key, port)]
        try:
            for sender in senders:
                sender.tell("door", open=False)
                sender.wait_for_ack()
            until(lambda: bool(attacker.of("t1-a", "lamps")), "no lamps were shown")
            before = facts(journal, "t1"), facts(journal, "t2")
            # Traffic of a moment ago, word for word: nothing but a resend, and known by its numbers.
            for data in attacker.of("t1-a", "event"):
                attacker.publish(f"{BRANCH}/t1-a/event", data)
            # Yesterday's: no controller would send it again, so somebody recorded it.
            recorded = attacker.of("t2-a", "event")[0]
            for _ in range(MEMORY):
                senders[1].tell("door", open=False)
            senders[1].wait_for_ack()
            attacker.publish(f"{BRANCH}/t2-a/event", recorded)
            # Another table's: the seal holds the name and the topic.
            attacker.publish(f"{BRANCH}/t2-a/event", attacker.of("t1-a", "event")[0])
            # The other direction, and another channel of the same direction: the topic is sealed in.
            attacker.publish(f"{BRANCH}/t1-a/event", attacker.of("t1-a", "lamps")[0])
            attacker.publish(f"{BRANCH}/t1-a/event", attacker.of("t1-a", "status")[0])
            # Altered in one bit, and from a controller that nobody registered.
            altered = bytearray(attacker.of("t1-a", "event")[0])
            altered[-1] ^= 1
            attacker.publish(f"{BRANCH}/t1-a/event", bytes(altered))
            attacker.publish(f"{BRANCH}/ghost/event", attacker.of("t1-a", "event")[0])
            expected = {"replayed": 1, "wrong_device": 1, "not_authentic": 3, "unknown_device": 1}
            until(lambda: quarantined(journal) == expected, f"quarantine holds {quarantined(journal)}")
            # Each is an alarm of the house, in the name in which it came; who is not registered is a stranger.
            told = {"t2-a.replayed", "t2-a.wrong_device", "t1-a.not_authentic", "stranger.unknown_device"}
            until(lambda: refusals_told(journal) == told, f"alarms: {refusals_told(journal)}")
            for sender in senders:
                sender.tell("door", open=True)
                sender.wait_for_ack()
                assert sender.refused == ""
            assert (facts(journal, "t1"), facts(journal, "t2")) == (before[0] + 1, before[1] + MEMORY + 1)
            # A copied board has the key and another life: what it says contradicts what was taken.
            senders[0].stop()
            copy = Sender("riviera", "t1-a", house.key, port)
            senders.append(copy)
            copy.tell("door", open=False)
            until(lambda: "TWIN_DEVICE" in house_alarms(journal), "the copy was not noticed")
            until(lambda: quarantined(journal)["twin_device"] > 0, "the copy's words were not kept")
            assert facts(journal, "t2") == before[1] + MEMORY + 1
        finally:
            for sender in senders:
                sender.stop()
            attacker.stop()
