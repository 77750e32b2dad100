"""Each thing that is not taken is refused for its own reason, kept, and leaves the device's numbers alone."""

from typing import Any

import cbor2
import pytest

from mqtt.controller_model import SITE, Controller, hello_values
from sabot_gateway.journal.record import Kind
from sabot_gateway.link.allowance import MOST_MESSAGES
from sabot_gateway.link.device import Device
from sabot_gateway.link.order import OLD_S
from sabot_gateway.link.sequence import MEMORY, RELAPSE_MS, RELAPSES, Sequence
from sabot_gateway.link.silence import GRACE_MS
from sabot_gateway.model.event import ClockSkewed, LinkLost, LinkRestored
from sabot_gateway.mqtt.ingest import Ingest
from sabot_gateway.mqtt.ingested import Ack, Ingested, TroubleCode
from sabot_gateway.mqtt.port import Arrival
from sabot_gateway.transcript.fact import Batch, Said, Withheld, read_fact
from sabot_protocol.batch import Batch as WireBatch
from sabot_protocol.codec import encode
from sabot_protocol.device_key import DeviceKey
from sabot_protocol.envelope import seal
from sabot_protocol.topics import build_topic
from sabot_protocol.version import schema_hash

DEVICE, OTHER, SECRET = "felt-1", "felt-2", b"0123456789abcdef"
KEY, OLD_KEY = DeviceKey(DEVICE, SECRET), DeviceKey(DEVICE, b"an earlier key!!")
NOW = 1_790_000_000_000
TOPIC = build_topic(SITE, DEVICE, "event")


class TwoDevices:
    def __init__(self) -> None:
        self._devices = {
            DEVICE: Device(DEVICE, "t1", "table", (KEY, OLD_KEY)),
            OTHER: Device(OTHER, "t2", "table", (DeviceKey(OTHER, b"another's secret"),)),
        }

    def find(self, device: str) -> Device | None:
        return self._devices.get(device)

    def devices(self) -> list[Device]:
        return list(self._devices.values())


@pytest.fixture
def ingest() -> Ingest:
    return Ingest(SITE, TwoDevices())


def events(first: int, *names: tuple[Any, ...], boot: int = 1, at_ms: int = 5_000) -> bytes:
    batch = WireBatch()
    for name, *values in names or (("cut_card",),):
        assert batch.add(name, at_ms, *values)
    return bytes(batch.finish(boot, first))


def sent(ingest: Ingest, payload: bytes, now_ms: int = NOW, key: DeviceKey = KEY, topic: str = TOPIC) -> Ingested:
    return ingest.take([Arrival(topic, seal(key, topic, payload), now_ms, False, None)])


def reasons(out: Ingested) -> list[str]:
    return [refusal.reason for refusal in out.refusals]


def is_untouched(out: Ingested) -> bool:
    return not (out.facts or out.acks or out.orders or out.troubles)


def test_what_is_taken_reads_back_from_its_record(ingest: Ingest) -> None:
    (received,) = sent(ingest, events(1, ("cut_card",), ("door", True))).facts
    assert received.table == "t1"
    assert read_fact(received.entry.kind, received.entry.body) == received.fact
    assert isinstance(received.fact, Batch)
    assert (received.entry.kind, received.entry.received_ms, received.entry.device_ms) == (Kind.FACT, NOW, NOW)


@pytest.mark.parametrize(
    ("topic", "payload", "reason"),
    [
        (TOPIC, b"", "truncated"),
        (TOPIC, b"garbage of a stranger", "bad_envelope"),
        (TOPIC, b"\xd0" * 2_000, "oversize"),
        (TOPIC, seal(KEY, TOPIC, events(1))[:-1] + b"\x00", "not_authentic"),
        (TOPIC, seal(DeviceKey(DEVICE, b"some other secret"[:16]), TOPIC, events(1)), "not_authentic"),
        (
            TOPIC,
            seal(DeviceKey(OTHER, b"another's secret"), build_topic(SITE, OTHER, "event"), events(1)),
            "wrong_device",
        ),
        (build_topic(SITE, OTHER, "event"), seal(KEY, TOPIC, events(1)), "wrong_device"),
        (TOPIC, seal(KEY, build_topic(SITE, DEVICE, "status"), events(1)), "not_authentic"),
        (TOPIC, seal(KEY, TOPIC, encode("ack", {"boot": 1, "upto": 1})), "wrong_channel"),
        (TOPIC, seal(KEY, TOPIC, b"\xa1\x00\x01"), "missing_key"),
        (TOPIC, seal(KEY, TOPIC, b"\xff\xff"), "malformed"),
        (build_topic(SITE, DEVICE, "command"), seal(KEY, TOPIC, events(1)), "wrong_direction"),
        (build_topic(SITE, "felt-9", "event"), seal(KEY, TOPIC, events(1)), "unknown_device"),
        (build_topic("elsewhere", DEVICE, "event"), seal(KEY, TOPIC, events(1)), "other_site"),
        ("sabot/v9/riviera/felt-1/event", b"", "bad_topic"),
        ("something/else", b"", "bad_topic"),
    ],
)
def test_each_wrong_message_has_its_own_reason(ingest: Ingest, topic: str, payload: bytes, reason: str) -> None:
    out = ingest.take([Arrival(topic, payload, NOW, False, None)])
    assert reasons(out) == [reason]
    assert (out.refusals[0].raw, out.refusals[0].source) == (payload, topic)
    assert is_untouched(out)
    assert sent(ingest, events(1)).facts, "the device itself goes on"


def test_garbage_among_good_messages_stops_none_of_them(ingest: Ingest) -> None:
    good = [Arrival(TOPIC, seal(KEY, TOPIC, events(number)), NOW, False, None) for number in (1, 2)]
    out = ingest.take([good[0], Arrival(TOPIC, b"?", NOW, False, None), good[1]])
    assert len(out.facts) == 2
    assert out.acks == {DEVICE: Ack(1, 2)}
    assert len(out.refusals) == 1


def test_a_key_that_is_being_replaced_still_opens(ingest: Ingest) -> None:
    assert sent(ingest, events(1), key=OLD_KEY).facts
    assert sent(ingest, events(2)).facts


def test_a_duplicate_is_acknowledged_again_and_not_written(ingest: Ingest) -> None:
    sent(ingest, events(1, ("cut_card",), ("cut_card",)))
    out = sent(ingest, events(1))
    assert (out.facts, out.refusals, out.acks) == ([], [], {DEVICE: Ack(1, 2)})


def test_what_no_controller_would_send_again_is_a_recording(ingest: Ingest) -> None:
    """Near the end a copy is a resend; far behind it nobody resends: it is kept as evidence, and proves no presence."""
    batches = [events(first, at_ms=first) for first in range(1, MEMORY + 3)]
    for batch in batches:
        sent(ingest, batch)
    line = ingest.line(DEVICE)
    assert line is not None
    line.presence = line.presence._replace(is_lost=True)
    assert reasons(sent(ingest, batches[1])) == ["replayed"]
    assert line.presence.is_lost
    again = sent(ingest, batches[1])
    assert (reasons(again), again.facts) == ([], []), "kept once"
    assert again.acks == {DEVICE: Ack(1, MEMORY + 2)}, "and if it was the controller after all, it is told"
    assert reasons(sent(ingest, batches[2])) == []
    assert not line.presence.is_lost


def test_what_the_broker_gives_again_was_played_by_nobody(ingest: Ingest) -> None:
    """A killed gateway may leave a message with the broker that its journal has: it comes once more, much later."""
    batches = [events(first, at_ms=first) for first in range(1, MEMORY + 3)]
    for batch in batches:
        sent(ingest, batch)
    out = ingest.take([Arrival(TOPIC, seal(KEY, TOPIC, batches[1]), NOW, False, None, is_again=True)])
    assert (reasons(out), out.facts, out.acks) == ([], [], {DEVICE: Ack(1, MEMORY + 2)})
    assert reasons(sent(ingest, batches[1])) == ["replayed"], "and from anybody else it is a recording"


def test_what_was_played_to_a_controller_is_told(ingest: Ingest) -> None:
    """An old lamp picture, an order of long ago, another key's words; but an order of this minute is one of ours."""

    def told(first: int, *event: Any) -> list[tuple[TroubleCode, str]]:
        return [(each.code, each.reason) for each in sent(ingest, events(first, event)).troubles]

    now_s = NOW // 1000
    assert told(1, "message_refused", "lamps", "out_of_range") == [(TroubleCode.PLAYED_TO, "lamps out_of_range")]
    assert told(2, "command_finished", now_s - OLD_S - 1, "stale") == [(TroubleCode.PLAYED_TO, "command stale")]
    assert told(3, "command_finished", now_s - OLD_S, "stale") == []
    assert told(4, "command_finished", now_s - 500, "done") == []
    assert told(5, "message_refused", "lamps", "not_authentic") == [], "its key is being changed"
    other = build_topic(SITE, OTHER, "event")
    refused = events(1, ("message_refused", "lamps", "not_authentic"))
    out = sent(ingest, refused, key=DeviceKey(OTHER, b"another's secret"), topic=other)
    assert [each.reason for each in out.troubles] == ["lamps not_authentic"]


def test_a_hole_is_asked_for_and_what_lies_behind_is_not_acknowledged(ingest: Ingest) -> None:
    sent(ingest, events(1))
    out = sent(ingest, events(5), NOW + 10)
    (order,) = out.orders
    assert (order.device, order.name, order.values) == (DEVICE, "resend", {"boot": 1, "from": 2, "to": 4})
    assert (out.facts, out.refusals, out.acks) == ([], [], {DEVICE: Ack(1, 1)})


@pytest.mark.parametrize(
    ("hello", "reason"),
    [
        (hello_values(schema=bytes(32)), "schema_unknown"),
        (hello_values(minor=200), "version_new"),
        (hello_values(digest=bytes(32)), "digest_unknown"),
    ],
)
def test_a_refused_boot_is_quarantined_acknowledged_with_the_reason_and_missed(
    hello: tuple[Any, ...], reason: str
) -> None:
    ingest = Ingest(SITE, TwoDevices(), {hello_values()[4]})
    assert sent(ingest, events(1, ("hello", *hello_values()))).acks == {DEVICE: Ack(1, 1)}
    out = sent(ingest, events(2, ("hello", *hello), boot=2))
    assert reasons(out) == [reason]
    assert out.acks == {DEVICE: Ack(2, 2, reason)}
    assert [received.fact for received in out.facts] == [Withheld(DEVICE, 2, 2, 2, 5_000, reason)]
    assert [(trouble.code, trouble.reason) for trouble in out.troubles] == [(TroubleCode.REFUSED, reason)]
    more = sent(ingest, events(3, boot=2))
    assert (reasons(more), more.troubles) == ([reason], [])
    again = sent(ingest, events(4, ("hello", *hello_values()), boot=3))
    assert isinstance(again.facts[0].fact, Batch)
    assert again.acks == {DEVICE: Ack(3, 4)}


def test_a_refused_boot_is_still_refused_after_a_restart(ingest: Ingest) -> None:
    ingest.resume(DEVICE, Sequence(2, 9, 1, 5_000, "schema_unknown"), False, NOW)
    out = sent(ingest, events(10, boot=2))
    assert reasons(out) == ["schema_unknown"]


def test_any_digest_is_accepted_where_the_house_keeps_no_list(ingest: Ingest) -> None:
    assert sent(ingest, events(1, ("hello", *hello_values(digest=bytes(32))))).refusals == []


def test_a_hello_with_kinds_that_we_do_not_know_is_refused_for_its_version(ingest: Ingest) -> None:
    tree = {0: 1, 1: 1, 2: 1, 3: [[1, 5, 1, 9, bytes(32), "2.0", "a field of the future"], [77, 6, "new"]]}
    out = sent(ingest, cbor2.dumps(tree))
    assert reasons(out) == ["version_new"]
    assert out.acks == {DEVICE: Ack(1, 2, "version_new")}
    tree = {0: 1, 1: 1, 2: 3, 3: [[77, 7, "newer"]]}
    assert reasons(sent(ingest, cbor2.dumps(tree))) == ["version_new"]


def known_twin(ingest: Ingest, out: Ingested) -> None:
    assert reasons(out) == ["twin_device"]
    assert [trouble.code for trouble in out.troubles] == [TroubleCode.TWIN_DEVICE]
    assert [received.fact for received in out.facts] == [Said(LinkLost(at_ms=out.troubles[0].at_ms, device=DEVICE))]
    line = ingest.line(DEVICE)
    assert line is not None
    assert line.state == "twin"


def test_one_number_with_two_contents_is_a_twin_and_both_are_quarantined(ingest: Ingest) -> None:
    sent(ingest, events(1, at_ms=5_000))
    out = sent(ingest, events(1, at_ms=6_000))
    known_twin(ingest, out)
    assert out.acks == {DEVICE: Ack(1, 1, "twin_device")}
    genuine = sent(ingest, events(2, at_ms=7_000))
    assert reasons(genuine) == ["twin_device"]
    assert genuine.facts == []
    assert reasons(sent(ingest, events(2, at_ms=7_000))) == [], "the same again is quarantined once"
    ingest.release(DEVICE)
    back = sent(ingest, events(2, at_ms=7_000))
    assert [type(each.fact) for each in back.facts] == [Said, Batch]
    assert isinstance(back.facts[0].fact, Said)
    assert isinstance(back.facts[0].fact.event, LinkRestored)


def test_after_a_restart_a_twin_is_known_by_the_last_event(ingest: Ingest) -> None:
    ingest.resume(DEVICE, Sequence(1, 9, 1, 5_000), False, NOW)
    known_twin(ingest, sent(ingest, events(9, at_ms=4_999)))


@pytest.mark.parametrize(("first", "boot"), [(3, 1), (7, 1), (2, 3)], ids=["older boot", "older, ahead", "old number"])
def test_boots_and_numbers_that_contradict_are_a_twin(ingest: Ingest, first: int, boot: int) -> None:
    ingest.resume(DEVICE, Sequence(2, 2, 1, 5_000), False, NOW)
    out = sent(ingest, events(first, boot=boot))
    known_twin(ingest, out)
    assert out.acks == {}, "an ack of another boot would free what nobody has"


def test_a_controller_with_an_erased_flash_is_found_out_before_anything_of_it_is_lost(ingest: Ingest) -> None:
    ingest.resume(DEVICE, Sequence(7, 500, 1, 5_000), False, NOW)
    erased = Controller(DEVICE, SECRET, now_ms=NOW)
    outs: list[Ingested] = []
    while not any(out.troubles for out in outs):
        erased.now_ms += 100
        assert erased.now_ms < NOW + 20 * RELAPSE_MS, "it was never found out"
        erased.turn()
        for message in erased.sent:
            out = ingest.take([Arrival(TOPIC, message, erased.now_ms, False, None)])
            outs.append(out)
            for ack in out.acks.values():
                erased.uplink.acknowledge(ack.boot, ack.upto)
        erased.sent.clear()
    assert erased.uplink.outbox.acked == 0
    assert len(outs) >= RELAPSES


def test_a_will_and_a_birth_reach_the_table(ingest: Ingest) -> None:
    topic = build_topic(SITE, DEVICE, "status")

    def status(state: str, connection: int, now_ms: int) -> Ingested:
        payload = encode("status", {"state": state, "boot": 1, "connection": connection})
        return ingest.take([Arrival(topic, seal(KEY, topic, payload), now_ms, True, None)])

    assert status("online", 1, NOW).facts == []
    assert status("lost", 1, NOW + 1).facts == []
    (lost,) = ingest.tend(NOW + 1 + GRACE_MS).facts
    assert lost.fact == Said(LinkLost(at_ms=NOW + 1 + GRACE_MS, device=DEVICE))
    (back,) = status("online", 2, NOW + 60_000).facts
    assert back.fact == Said(LinkRestored(at_ms=NOW + 60_000, device=DEVICE))


def test_a_gateway_without_its_broker_loses_no_controller(ingest: Ingest) -> None:
    """The will was the last thing heard; the birth after it waits at the broker."""
    topic = build_topic(SITE, DEVICE, "status")

    def status(state: str, connection: int, now_ms: int) -> Ingested:
        payload = encode("status", {"state": state, "boot": 1, "connection": connection})
        return ingest.take([Arrival(topic, seal(KEY, topic, payload), now_ms, True, None)])

    status("online", 1, NOW)
    status("lost", 1, NOW + 1)
    ingest.hears(False, NOW + 2)
    assert ingest.tend(NOW + 2 + 3 * GRACE_MS).facts == []
    back = NOW + 2 + 4 * GRACE_MS
    ingest.hears(True, back)
    assert ingest.tend(back + GRACE_MS - 1).facts == []
    assert status("online", 2, back + GRACE_MS - 1).facts == []
    assert ingest.tend(back + 3 * GRACE_MS).facts == []
    status("lost", 2, back + 4 * GRACE_MS)
    assert len(ingest.tend(back + 5 * GRACE_MS).facts) == 1, "with its broker there it notices as before"


def test_a_controller_is_sent_the_time_once_it_was_heard(ingest: Ingest) -> None:
    sent(ingest, events(1))
    (order,) = ingest.tend(NOW + 1_000).orders
    assert (order.device, order.name, order.values) == (DEVICE, "time", {"utc_ms": NOW + 1_000})
    assert ingest.tend(NOW + 3_000).orders == []


def test_another_registry_takes_a_device_away_and_leaves_the_others(ingest: Ingest) -> None:
    class OnlyOther(TwoDevices):
        def find(self, device: str) -> Device | None:
            return super().find(device) if device == OTHER else None

    sent(ingest, events(1))
    ingest.register(OnlyOther())
    assert reasons(sent(ingest, events(2))) == ["unknown_device"]
    ingest.register(TwoDevices())
    assert sent(ingest, events(1)).facts, "nothing is known of it any more"


def test_a_flood_in_any_name_is_kept_to_a_bound_and_counted_beyond_it(ingest: Ingest) -> None:
    names = [build_topic(SITE, f"nobody-{number}", "event") for number in range(MOST_MESSAGES + 5)]
    out = ingest.take([Arrival(topic, b"noise", NOW, False, None) for topic in names])
    assert len(out.refusals) == MOST_MESSAGES, "a stranger chooses his names, and all of them share one allowance"
    counts = ingest.counts
    assert (counts["refused"], counts["refused_bytes"], counts["refused_unkept"]) == (
        MOST_MESSAGES + 5,
        5 * (MOST_MESSAGES + 5),
        5,
    )
    (told,) = ingest.tend(NOW).unkept
    assert (told.sender, told.messages) == ("stranger", 5)
    assert told.size == 5 * 5
    assert reasons(sent(ingest, b"\xff\xff")) == ["malformed"], "what comes in a controller's name has room of its own"
    assert sent(ingest, events(1)).facts


def test_what_a_refused_controller_sealed_is_always_kept(ingest: Ingest) -> None:
    """Its events are acknowledged, so the quarantine is the only place where they are."""
    sent(ingest, events(1, ("hello", *hello_values(schema=bytes(len(schema_hash()))))))
    for number in range(2, MOST_MESSAGES + 10):
        assert len(sent(ingest, events(number)).refusals) == 1


def test_a_clock_that_leaps_ahead_is_told_to_the_table(ingest: Ingest) -> None:
    for number in range(1, 9):
        sent(ingest, events(number, at_ms=10_000 * number), NOW + 10_000 * number)
    hour_ms = 3_600_000
    out = sent(ingest, events(9, at_ms=90_000 + hour_ms), NOW + 90_000)
    said = [received.fact.event for received in out.facts if isinstance(received.fact, Said)]
    assert said == [ClockSkewed(-hour_ms, at_ms=NOW + 90_000, device=DEVICE)]
