"""What holds for all bytes and all values, not only for the golden ones."""

import random
from typing import Any

import cbor2
from hypothesis import example, given, settings
from hypothesis import strategies as st

from protocol.strategies import messages
from protocol.vector_files import load
from sabot_protocol import accelerated, cbor, codec
from sabot_protocol.errors import CODES, WireError
from sabot_protocol.utf8 import is_utf8

valid = messages()
golden = [bytes.fromhex(v["hex"]) for v in load("messages") + load("cbor")]

subset = st.recursive(
    st.integers(-(2**63), 2**63 - 1) | st.booleans() | st.binary(max_size=40) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.integers(-(2**63), 2**63 - 1), inner, max_size=5),
    max_leaves=12,
)


def outcome(decode: Any, data: bytes) -> Any:
    try:
        return decode(data)
    except WireError as error:
        return CODES[CODES.index(error.code)]  # a code outside the closed set is a bug, and raises


@st.composite
def damaged(draw: st.DrawFn) -> bytes:
    data = bytearray(draw(st.sampled_from(golden)))
    for _ in range(draw(st.integers(0, 4))):
        at = draw(st.integers(0, len(data)))
        data[at : at + draw(st.integers(0, 2))] = draw(st.binary(max_size=3))
    return bytes(data)


@st.composite
def mutated(draw: st.DrawFn) -> bytes:
    """A message of the table with some bytes changed, put in or left out."""
    data = bytearray(codec.encode(*draw(valid)))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(data)))
        data[at : at + draw(st.integers(0, 2))] = draw(st.binary(max_size=3))
    return bytes(data)


# What Python or cbor2 takes for something else: true for 1, a simple value for its number, a float for an integer.
strange = st.sampled_from(
    [True, False, None, 1.0, 3.0, -1, 24, 2**32, 2**63, 2**64, b"", bytes(4), bytes(7), "", "é", [], [3], {}, {1: 1}]
    + [cbor2.CBORSimpleValue(n) for n in (1, 2, 3)]
    + [cbor2.CBORTag(2, b"\x07"), cbor2.CBORTag(28, 7), cbor2.CBORTag(99, 7)]
)
strange_keys = st.sampled_from([True, False, -1, 1.0, 3.0, 24, "", b"", *[cbor2.CBORSimpleValue(n) for n in range(4)]])


@st.composite
def disfigured(draw: st.DrawFn) -> bytes:
    """A message of the table whose tree has something strange in it, too much, too little, or in another order."""
    tree = cbor2.loads(codec.encode(*draw(valid)))
    for _ in range(draw(st.integers(1, 2))):
        node = tree
        while True:
            keys = list(node) if isinstance(node, dict) else list(range(len(node)))
            inner = [key for key in keys if isinstance(node[key], list) and node[key]]
            if not inner or draw(st.booleans()):
                break
            node = node[draw(st.sampled_from(inner))]
        if not keys:
            break
        key = draw(st.sampled_from(keys))
        how = draw(st.sampled_from(["replace", "leave out", "add", "move", "rekey"]))
        if how == "replace":
            node[key] = draw(strange)
        elif how == "leave out":
            del node[key]
        elif isinstance(node, list):
            node.insert(key, node.pop() if how == "move" else draw(strange))
        elif how == "add":
            node[draw(st.integers(-1, 9))] = draw(strange)
        else:
            value = node.pop(key)
            node[key if how == "move" else draw(strange_keys)] = value
    return cbor2.dumps(tree)


@settings(deadline=None, max_examples=400)
@given(messages())
def test_every_message_of_the_table_comes_back_equal(message: tuple[str, dict[str, Any]]) -> None:
    data = codec.encode(*message)
    assert codec.decode(data) == message
    assert codec.decode_plainly(data) == message


@settings(deadline=None, max_examples=400)
@given(subset.filter(lambda value: len(cbor2.dumps(value)) <= 900))
def test_every_value_of_the_subset_is_what_cbor2_says(value: Any) -> None:
    data = cbor.encode(value)
    assert cbor2.loads(data) == value
    assert outcome(cbor.decode, data) in (value, "too_deep")


@settings(deadline=None, max_examples=1500)
@given(st.binary(max_size=60) | damaged())
@example(bytes.fromhex("a4f401f50702182a0381820905"))
@example(bytes.fromhex("a40001010702182a0381820905ff"))
def test_any_bytes_are_refused_with_a_code_or_encode_to_themselves(data: bytes) -> None:
    value = outcome(cbor.decode, data)
    if value not in CODES:
        assert cbor.encode(value) == data
    message = outcome(codec.decode, data)
    if not isinstance(message, str):
        assert codec.encode(*message) == data


@settings(deadline=None, max_examples=1500)
@given(st.binary(max_size=60) | damaged() | mutated() | disfigured())
@example(bytes.fromhex("a40001010702182ae381820905"))  # the simple value 3 for the key 3
@example(bytes.fromhex("a4e001010702182a0381820905"))  # the simple value 0 for the key 0
@example(bytes.fromhex("a40001010702180a0381820905"))  # a small number in a long head
@example(bytes.fromhex("a400e1010702182a0381820905"))  # the simple value 1 for the kind
@example(bytes.fromhex("a40001010702182a0381820918"))  # cut in a head
@example(bytes.fromhex("a40001010702182a038182e905"))  # a simple value for the kind of an event
@example(bytes.fromhex("a4f401f50702182a0381820905"))  # false and true for the keys 0 and 1
@example(bytes.fromhex("a40001010702182a039f820905ff"))  # an array of indefinite length
def test_cbor2_backed_decoder_gives_the_same_values_and_errors(data: bytes) -> None:
    assert outcome(codec.decode, data) == outcome(codec.decode_plainly, data)
    fast = accelerated.decode(data)
    assert fast is None or fast == codec.decode_plainly(data)


def test_cbor2_backed_decoder_agrees_on_every_damaged_vector() -> None:
    for data in golden:
        for at in range(len(data)):
            for byte in {data[at] ^ 1, data[at] ^ 0x20, data[at] ^ 0x80, 0xF5, 0x18, 0x9F, 0xC2, 0xD8}:
                case = data[:at] + bytes([byte]) + data[at + 1 :]
                assert outcome(codec.decode, case) == outcome(codec.decode_plainly, case), case.hex()


def test_cbor2_backed_decoder_is_used_for_every_valid_vector() -> None:
    for vector in load("messages"):
        if "error" not in vector:
            assert accelerated.decode(bytes.fromhex(vector["hex"])) is not None


@settings(deadline=None, max_examples=400)
@given(messages())
def test_cbor2_backed_decoder_is_used_for_every_valid_message(message: tuple[str, dict[str, Any]]) -> None:
    assert accelerated.decode(codec.encode(*message)) == message


@settings(deadline=None, max_examples=500)
@given(st.binary(max_size=12) | st.text(max_size=4).map(str.encode))
@example(b"\xed\x9f\xbf")
@example(b"\xf4\x8f\xbf\xbf")
def test_utf8_is_judged_as_cpython_judges_it(data: bytes) -> None:
    try:
        data.decode("utf-8", "strict")
        valid = True
    except UnicodeDecodeError:
        valid = False
    assert is_utf8(data) == valid


def test_utf8_is_judged_as_cpython_judges_it_near_every_border() -> None:
    chosen = random.Random(8949)
    edges = [0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0xF5]
    for _ in range(20_000):
        data = bytes(chosen.choice(edges) for _ in range(chosen.randint(1, 5)))
        try:
            data.decode()
            valid = True
        except UnicodeDecodeError:
            valid = False
        assert is_utf8(data) == valid, data.hex()
