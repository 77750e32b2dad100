"""The wire as other people's libraries see it: cbor2, pycddl, pycose."""

import re
from typing import Any

import cbor2
import pycddl  # type: ignore[import-untyped]  # the package carries no types
import pytest
from hypothesis import given, settings
from pycose.headers import IV, KID, Algorithm
from pycose.keys.symmetric import SymmetricKey
from pycose.messages.enc0message import Enc0Message

from protocol.strategies import messages
from protocol.vector_files import PROTOCOL, load, value_from_json
from sabot_protocol import cbor, codec, envelope
from sabot_protocol import messages as table
from sabot_protocol.device_key import DeviceKey

CDDL = (PROTOCOL / "sabot.cddl").read_text(encoding="utf-8")
MESSAGE = pycddl.Schema(CDDL)
ENVELOPE = pycddl.Schema("start = envelope\n" + CDDL)

valid_messages = [v for v in load("messages") if "error" not in v]
valid_envelopes = [v for v in load("envelopes") if "error" not in v]


def named(vector: dict[str, Any]) -> str:
    return str(vector["name"])


@pytest.mark.parametrize("vector", valid_messages, ids=named)
def test_grammar_accepts_every_valid_message(vector: dict[str, Any]) -> None:
    MESSAGE.validate_cbor(bytes.fromhex(vector["hex"]))


@pytest.mark.parametrize("vector", valid_envelopes, ids=named)
def test_grammar_accepts_every_valid_envelope(vector: dict[str, Any]) -> None:
    ENVELOPE.validate_cbor(bytes.fromhex(vector["hex"]))


@pytest.mark.parametrize(
    "name",
    [
        *("kind 6", "unknown key", "no boot", "boot 0", "boot 2^32", "event of kind 21", "event with a field too few"),
        *("event with a field too many", "status of state 3", "ack upto -1", "lamp of colour 6", "command number 0"),
        *("seat 11", "uid of 5 bytes"),
    ],
)
def test_grammar_refuses_what_the_table_refuses(name: str) -> None:
    (vector,) = [v for v in load("messages") if v["name"] == name]
    with pytest.raises(pycddl.ValidationError):
        MESSAGE.validate_cbor(bytes.fromhex(vector["hex"]))


@settings(deadline=None, max_examples=150)
@given(messages())
def test_grammar_accepts_whatever_the_table_can_say(message: tuple[str, dict[str, Any]]) -> None:
    MESSAGE.validate_cbor(codec.encode(*message))


def test_grammar_names_every_choice_in_the_tables_order() -> None:
    rules = re.findall(r"^([\w-]+) = 0\.\.(\d+)\n((?:;   .*\n)+)", CDDL, flags=re.MULTILINE)
    grammar = {rule: re.findall(r"\d+ (\w+)", names.replace("\n;", " ")) for rule, _, names in rules}
    assert all(len(grammar[rule]) == int(last) + 1 for rule, last, _ in rules)
    in_table = {"spot": table.SPOT, "key": table.KEY, "colour": table.COLOUR, "pattern": table.PATTERN}
    in_table |= {"channel": table.CHANNEL, "test": table.TEST, "doubt": table.DOUBT, "refusal": table.REFUSAL}
    in_table |= {"capability": table.CAPABILITY, "reset-cause": table.RESET, "fault-code": table.FAULT}
    in_table |= {"outcome": table.OUTCOME, "update-state": table.UPDATE, "error-code": table.ERROR}
    in_table |= {"state": ("choice", ("online", "lost", "leaving"))}
    assert grammar == {rule: list(kind[1]) for rule, kind in in_table.items()}


@pytest.mark.parametrize("vector", [v for v in load("cbor") if "error" not in v], ids=named)
def test_cbor2_decodes_every_valid_value_to_the_same(vector: dict[str, Any]) -> None:
    data = bytes.fromhex(vector["hex"])
    assert cbor.decode(data) == cbor2.loads(data)


@pytest.mark.parametrize("vector", valid_messages, ids=named)
def test_cbor2_decodes_every_valid_message_to_the_same(vector: dict[str, Any]) -> None:
    data = bytes.fromhex(vector["hex"])
    assert cbor.decode(data) == cbor2.loads(data)
    name, values = codec.decode(data)
    assert [name, as_lists(values)] == [vector["message"], value_from_json(vector["values"])]
    assert codec.encode(name, values) == data


@pytest.mark.parametrize("vector", valid_envelopes, ids=named)
def test_pycose_opens_every_valid_envelope(vector: dict[str, Any]) -> None:
    key = bytes.fromhex(vector["key"])
    assert opened_by_pycose(bytes.fromhex(vector["hex"]), key, vector["topic"]).hex() == vector["payload"]


@settings(deadline=None, max_examples=50)
@given(messages())
def test_pycose_and_sabot_open_each_others_envelopes(message: tuple[str, dict[str, Any]]) -> None:
    topic = f"sabot/v1/lyon/table-7/{message[0]}"
    secret = bytes(range(16))
    key = DeviceKey("table-7", secret)
    payload = codec.encode(*message)

    theirs: Any = Enc0Message(
        phdr={Algorithm: "AES_CCM_16_128_128"}, uhdr={KID: b"table-7", IV: bytes(13)}, payload=payload
    )
    theirs.key = SymmetricKey(secret)
    theirs.external_aad = topic.encode()
    assert envelope.unseal(key, topic, theirs.encode()) == payload

    assert opened_by_pycose(envelope.seal(key, topic, payload), secret, topic) == payload


def opened_by_pycose(sealed: bytes, secret: bytes, topic: str) -> bytes:
    # pycose's own decode() expects a list inside the tag; cbor2 6 gives it a tuple.
    tagged = cbor2.loads(sealed)
    assert tagged.tag == Enc0Message.cbor_tag
    protected, unprotected, ciphertext = tagged.value
    message: Any = Enc0Message.from_cose_obj([protected, dict(unprotected), ciphertext], False)
    message.key = SymmetricKey(secret)
    message.external_aad = topic.encode()
    plain: bytes = message.decrypt()
    return plain


def as_lists(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: as_lists(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [as_lists(item) for item in value]
    return value
