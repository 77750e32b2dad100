"""Keys that never show themselves, and nonces that never come twice."""

import copy
import dataclasses
import json
import logging
import pickle
import traceback
from typing import Any

import pytest

from sabot_protocol import envelope
from sabot_protocol.device_key import DeviceKey
from sabot_protocol.errors import WireError

SECRET = bytes(range(65, 81))  # ABCDEFGHIJKLMNOP
TOPIC = "sabot/v1/lyon/table-7/event"


@pytest.fixture
def key() -> DeviceKey:
    return DeviceKey("table-7", SECRET)


@dataclasses.dataclass
class Holder:
    key: DeviceKey


def shows_secret(text: str) -> bool:
    return "ABCDEFGH" in text or SECRET.hex()[:12] in text or "65, 66, 67" in text


def test_no_text_of_a_key_shows_the_secret(key: DeviceKey, caplog: pytest.LogCaptureFixture) -> None:
    logging.getLogger("sabot").warning("key %s %r", key, key)
    texts = [repr(key), str(key), f"{key}", f"{key!s:>40}", format(key, ">9"), "%s %r" % (key, key), caplog.text]  # noqa: UP031 - the old way of formatting is under test too
    texts += [repr(Holder(key)), repr([key]), repr({"key": key}), repr(key.aead)]
    assert not any(map(shows_secret, texts))
    assert repr(key) == "DeviceKey('table-7', sealed)"


def test_no_attribute_of_a_key_holds_the_secret(key: DeviceKey) -> None:
    seen: set[int] = set()

    def walk(thing: Any, depth: int) -> None:
        if id(thing) in seen or depth > 4:
            return
        seen.add(id(thing))
        assert thing != SECRET
        for name in dir(thing):
            if not name.startswith("__"):
                walk(getattr(thing, name, None), depth + 1)

    walk(key, 0)


@pytest.mark.parametrize("copying", [pickle.dumps, copy.copy, copy.deepcopy])
def test_a_key_cannot_be_copied_or_pickled(key: DeviceKey, copying: Any) -> None:
    with pytest.raises(TypeError, match="cannot be copied"):
        copying(key)
    with pytest.raises(TypeError):
        dataclasses.asdict(Holder(key))
    with pytest.raises(TypeError):
        json.dumps({"key": key})


@pytest.mark.parametrize("topic", [TOPIC, "sabot/v1/lyon/table-8/event", "nonsense"])
def test_no_traceback_shows_the_secret(key: DeviceKey, topic: str) -> None:
    with pytest.raises(WireError) as refused:
        envelope.unseal(key, topic, bytes(80))
    stack = traceback.TracebackException.from_exception(refused.value, capture_locals=True)
    assert not shows_secret("".join(stack.format()))


def test_a_key_of_the_wrong_size_is_refused_without_showing_it() -> None:
    for secret in (SECRET[:15], SECRET * 2, b""):
        with pytest.raises(ValueError, match="16 bytes") as refused:
            DeviceKey("table-7", secret)
        assert not shows_secret(str(refused.value))
    with pytest.raises(WireError):
        DeviceKey("Table 7", SECRET)


def test_each_seal_takes_a_new_nonce(key: DeviceKey) -> None:
    sealed = {envelope.seal(key, TOPIC, b"\xa0") for _ in range(500)}
    assert len({data[19:32] for data in sealed}) == 500


def test_a_payload_beyond_the_limit_is_not_sealed(key: DeviceKey) -> None:
    assert len(envelope.seal(key, TOPIC, bytes(944))) <= 1024
    with pytest.raises(WireError, match="oversize"):
        envelope.seal(key, TOPIC, bytes(945))


def test_nothing_is_sealed_for_another_devices_topic(key: DeviceKey) -> None:
    with pytest.raises(WireError, match="wrong_device"):
        envelope.seal(key, "sabot/v1/lyon/table-8/event", b"\xa0")


# Either side of each border of the ciphertext's head: a length in the head itself, in one byte, in two.
@pytest.mark.parametrize("size", [0, 7, 8, 26, 239, 240, 944])
def test_short_and_long_envelopes_open_and_every_damage_is_refused(key: DeviceKey, size: int) -> None:
    payload = bytes(n % 251 for n in range(size))
    sealed = envelope.seal(key, TOPIC, payload, bytes(13))
    for kind in (bytes, bytearray, memoryview):
        assert envelope.unseal(key, TOPIC, kind(sealed)) == payload
    for at in range(min(len(sealed), 40)):
        for data in (sealed[:at], sealed[:at] + bytes([sealed[at] ^ 1]) + sealed[at + 1 :], sealed[at + 1 :]):
            with pytest.raises(WireError):
                envelope.unseal(key, TOPIC, data)
    head = 19 + 13  # behind what every envelope of table-7 begins with, and the nonce: the head of the ciphertext
    for data, code in (
        (sealed + b"\0", "trailing"),
        (sealed[:-1], "truncated"),
        (sealed[:-1] + bytes([sealed[-1] ^ 1]), "not_authentic"),
        (sealed[:head] + bytes([sealed[head] | 0x20]) + sealed[head + 1 :], "bad_envelope"),
    ):
        with pytest.raises(WireError, match=code):
            envelope.unseal(key, TOPIC, data)
