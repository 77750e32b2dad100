"""The evening of the gateway's bench is one that a gateway takes to its end; a restart is measured on whole nights."""

from pathlib import Path

import pytest

from sabot_gateway.journal.record import Kind
from sabot_gateway.model.effect import RaiseAlert, RecordSettlement
from sabot_gateway.model.registers import Registers
from sabot_gateway.table.setup import Timing
from sabot_gateway.transcript.fact import SetupRecord, body_from_batch, body_from_setup
from sabot_gateway.transcript.fold import Fold, take
from sabot_protocol.codec import decode
from sabot_protocol.device_key import DeviceKey
from sabot_protocol.envelope import unseal
from sabot_tools.bench.evening import FIRST_MS, GAMES, Teller, badges_of, device_name, story
from sabot_tools.bench.load import packet_of
from sabot_tools.bench.night import opened
from sabot_tools.bench.restart import restarts

NOW = 1_700_000_000_000


@pytest.mark.parametrize("most", [1, 8])
@pytest.mark.parametrize("number", range(len(GAMES)))
def test_every_message_of_the_evening_leaves_the_records_it_says(number: int, most: int) -> None:
    night = opened(GAMES[number]).setup
    people = dict(zip([tag.hex() for tag in badges_of(number)], night.badges.values(), strict=True))
    registers = Registers(night.chips, night.cards, night.decks, people)  # type: ignore[arg-type]  # tags are text
    setup = SetupRecord(device_name(number), night.ruleset, "house", Timing(fastest_ms=0))
    fold = take(Fold(lambda _: registers), Kind.FACT, body_from_setup(setup), NOW).fold
    key = DeviceKey(device_name(number), bytes(16))
    teller = Teller("bench", number, key)
    effects = []
    for part in range(3):
        for message in teller.tell(story(GAMES[number]).part(part), most, FIRST_MS):
            payload = unseal(key, message.topic, message.payload)
            assert len(decode(payload, "event")[1]["events"]) == message.events
            taken = take(fold, Kind.FACT, body_from_batch(key.device, 0, NOW, 50, payload), NOW)
            fold = taken.fold
            assert fold.state is not None
            assert not message.revision or fold.state.lamps.revision == message.revision
            kept = [effect for step in taken.steps for effect in step.effects if "Timer" not in type(effect).__name__]
            assert message.records == 1 + bool(kept)
            effects += kept
    assert sum(isinstance(effect, RecordSettlement) for effect in effects) == 2
    assert not [effect.alert.code for effect in effects if isinstance(effect, RaiseAlert)]


def test_a_packet_of_the_load_is_one_that_mqtt_knows() -> None:
    """MQTT 3.1.1, 3.3: PUBLISH with QoS 1, the remaining length in seven bits a byte, topic, packet id, payload."""
    teller = Teller("bench", 1, DeviceKey(device_name(1), bytes(16)))
    message = teller.tell(story(GAMES[1]).part(0), 1, FIRST_MS)[0]
    packet = packet_of(message, 4)
    body = packet[3:]
    assert packet[0] == 0x32
    assert (packet[1] & 0x7F) + (packet[2] << 7) == len(body)
    assert body == len(message.topic).to_bytes(2, "big") + message.topic.encode() + b"\x00\x05" + message.payload


def test_a_restart_is_measured_on_nights_that_fold_to_their_decisions(tmp_path: Path) -> None:
    row, killed = restarts(tmp_path, tables=2, records=300, rounds=1)
    assert "2 tables, 6" in row.name
    assert float(row.ratio) > 0
    assert float(killed.value) > 0
