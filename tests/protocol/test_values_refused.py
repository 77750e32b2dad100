"""Values that the encoder refuses: ranges hold on the way out as on the way in."""

from typing import Any

import pytest

from sabot_protocol import cbor, codec
from sabot_protocol.batch import Batch, write_event
from sabot_protocol.cbor import Writer
from sabot_protocol.errors import WireError

ACK: dict[str, Any] = {"boot": 7, "upto": 57}
HEALTH = {"device_ms": 0, "heap_free": 0, "outbox_used": 0, "outbox_free": 0, "reader_errors": 0, "link_drops": 0}


def event(name: str, **fields: Any) -> dict[str, Any]:
    return {"boot": 7, "first": 1, "events": [(name, {"device_ms": 5, **fields})]}


def lamps(**lamp: Any) -> dict[str, Any]:
    base = {"seat": 1, "spot": "ante", "colour": "blue", "pattern": "blink"}
    return {"revision": 1, "picture": [{**base, **lamp}], "display": []}


@pytest.mark.parametrize(
    ("name", "values", "code"),
    [
        ("acks", ACK, "unknown_kind"),
        ("ack", [7, 57], "wrong_type"),
        ("ack", {"boot": 7}, "missing_key"),
        ("ack", {**ACK, "note": 1}, "unknown_key"),
        ("ack", {**ACK, "boot": 0}, "out_of_range"),
        ("ack", {**ACK, "boot": True}, "wrong_type"),
        ("ack", {**ACK, "boot": 7.0}, "wrong_type"),
        ("ack", {**ACK, "refused": "because"}, "out_of_range"),
        ("ack", {**ACK, "refused": 2}, "wrong_type"),
        ("event", {"boot": 7, "first": 1, "events": []}, "out_of_range"),
        ("event", {"boot": 7, "first": 1, "events": {}}, "wrong_type"),
        ("event", {"boot": 7, "first": 1, "events": ["cut_card"]}, "wrong_type"),
        ("event", {"boot": 7, "first": 1, "events": [("cut_card", {})]}, "missing_key"),
        ("event", {"boot": 7, "first": 1, "events": [("cut_card", 5)]}, "wrong_type"),
        ("event", event("cut_cards"), "unknown_kind"),
        ("event", event("cut_card", reader=0), "unknown_key"),
        ("event", event("door", open=1), "wrong_type"),
        ("event", event("badge_read", uid=bytes(6)), "out_of_range"),
        ("event", event("badge_read", uid="04a1b2c3"), "wrong_type"),
        ("event", event("key_pressed", key="fold"), "missing_key"),
        ("event", event("health", **HEALTH, loop_max_ms=0, temperature_c=20), "missing_key"),  # a hole
        ("event", event("discard_read", part=1, of=1, uids=[bytes(4)] * 33), "out_of_range"),
        ("lamps", lamps(amount_cents=-1), "out_of_range"),
        ("lamps", lamps(glow=1), "unknown_key"),
        ("lamps", {"revision": 1, "picture": [[1, 0, 0, 0]], "display": []}, "wrong_type"),
        ("lamps", {"revision": 1, "picture": [], "display": [{"fr": "é" * 21, "en": ""}]}, "out_of_range"),
        ("lamps", {"revision": 1, "picture": [], "display": [{"fr": b"", "en": ""}]}, "wrong_type"),
        ("lamps", {"revision": 1, "picture": [], "display": [{"fr": "\ud800", "en": ""}]}, "bad_text"),
        ("command", {"number": 1, "body": ("update_block", {"update": 1})}, "missing_key"),
        ("event", {"boot": 1, "first": 1, "events": [("discard_read", {"device_ms": 0, "part": 1, "of": 1,
                   "uids": [bytes(10)] * 32})] * 3}, "oversize"),
    ],
)  # fmt: skip
def test_encoder_refuses(name: str, values: Any, code: str) -> None:
    with pytest.raises(WireError) as refused:
        codec.encode(name, values)
    assert refused.value.code == code


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (2**63, "int_overflow"),
        (-(2**63) - 1, "int_overflow"),
        (1.5, "float"),
        (float("nan"), "float"),
        (None, "unsupported"),
        ({"a": 1}, "unsupported"),
        ({True: 1}, "unsupported"),
        (bytes(942), "oversize"),
    ],
)
def test_cbor_writer_refuses(value: Any, code: str) -> None:
    with pytest.raises(WireError) as refused:
        cbor.encode(value)
    assert refused.value.code == code


def test_an_error_names_the_field_and_never_its_value() -> None:
    secret = bytes.fromhex("04a1b2c3d4")
    with pytest.raises(WireError) as refused:
        codec.encode("event", event("card_scanned", reader=0, uid=secret))
    assert refused.value.where == "uid"
    assert secret.hex() not in str(refused.value)
    assert str(secret) not in str(refused.value)


def test_batch_writes_what_encode_writes() -> None:
    batch = Batch()
    uid = bytes.fromhex("04a1b2c3d4e580")
    for boot, first, count in ((1, 1, 1), (24, 256, 23), (0xFFFFFFFF, 65536, 24), (65535, 0xFFFFFFFF, 32)):
        batch.clear()
        events = [("card_scanned", {"device_ms": n, "reader": 0, "uid": uid}) for n in range(count)]
        assert all(batch.add("card_scanned", n, 0, uid) for n in range(count))
        wanted = codec.encode("event", {"boot": boot, "first": first, "events": events})
        assert bytes(batch.finish(boot, first)) == wanted


def test_batch_takes_events_as_the_outbox_kept_them() -> None:
    writer = Writer(bytearray(64))
    write_event(writer, "door", 9, True)
    stored = bytes(writer.buffer[: writer.at])
    batch = Batch()
    assert batch.add_encoded(stored)
    assert codec.decode(batch.finish(7, 3)) == ("event", {"boot": 7, "first": 3, "events": [
        ("door", {"device_ms": 9, "open": True})]})  # fmt: skip


def test_a_full_batch_says_so_and_stays_valid() -> None:
    batch = Batch()
    count = 0
    while batch.add("badge_read", 2**48 - 1, bytes(10)):
        count += 1
    assert batch.count == count
    assert not batch.add_encoded(bytes(40))
    assert len(codec.decode(batch.finish(1, 1))[1]["events"]) == count
    batch.clear()
    while batch.add("cut_card", 0):
        pass
    assert batch.count == 32
    assert not batch.add_encoded(b"\x82\x09\x00")


def test_a_refused_event_leaves_the_batch_as_it_was() -> None:
    batch = Batch()
    batch.add("cut_card", 1)
    bad: Any
    for bad in (("cut_card", 1, 2), ("door", 1), ("badge_read", 1, bytes(5)), ("nothing", 1), ("cut_card", -1)):
        with pytest.raises(WireError):
            batch.add(*bad)
    for boot, first in ((0, 1), (1, 0), (2**32, 1)):
        with pytest.raises(WireError):
            batch.finish(boot, first)
    assert codec.decode(batch.finish(1, 1))[1]["events"] == [("cut_card", {"device_ms": 1})]
    with pytest.raises(WireError):
        Batch().finish(1, 1)
