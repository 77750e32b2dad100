"""What must hold of the table itself, so that everything made from it holds."""

import re
from collections.abc import Iterator
from typing import Any

import cbor2
import pytest

from protocol.vector_files import load
from sabot_protocol import cbor, codec, limits, topics
from sabot_protocol.errors import CODES, SENTENCES, WireError
from sabot_protocol.messages import COMMANDS, ERROR, EVENTS, MESSAGES, REFUSAL
from sabot_protocol.version import ACCEPTED, HISTORY, MAJOR, MINOR, judge_hello, schema_hash
from sabot_tools import vectors, wire_docs


def largest(kind: Any) -> Any:
    """The value of a type whose encoding is longest."""
    match kind[0]:
        case "int":
            return max(kind[1], kind[2], key=lambda n: len(cbor.encode(n)))
        case "bool":
            return True
        case "sizes":
            return bytes(max(kind[1]))
        case "bytes":
            return bytes(kind[2])
        case "text":
            return "x" * kind[2]
        case "choice":
            return kind[1][-1]
        case "list":
            return [largest(kind[1])] * kind[3]
        case _:
            return {name: largest(inner) for _, name, inner, _ in kind[1]}


def largest_messages() -> Iterator[tuple[str, dict[str, Any]]]:
    number = 0xFFFFFFFF
    for _, name, fields in EVENTS:
        values = {field: largest(kind) for _, field, kind, _ in fields}
        event = (name, {"device_ms": 2**48 - 1, **values})
        yield "event", {"boot": number, "first": number, "events": [event]}
    for _, name, fields in COMMANDS:
        yield "command", {"number": number, "body": (name, {f: largest(kind) for _, f, kind, _ in fields})}
    for _, name, _, fields in MESSAGES:
        if name not in ("event", "command"):
            yield name, {field: largest(kind) for _, field, kind, _ in fields}


@pytest.mark.parametrize("message", list(largest_messages()), ids=lambda m: str(m[0]))
def test_even_the_largest_message_fits_one_payload(message: tuple[str, dict[str, Any]]) -> None:
    data = codec.encode(*message)
    assert codec.decode_plainly(data) == message
    assert codec.decode(data) == message


def test_the_valid_message_of_most_items_stays_under_the_item_limit() -> None:
    # Per byte a health event of small numbers holds most items; what room is left holds most as short UIDs.
    names = ("heap_free", "outbox_used", "outbox_free", "reader_errors", "link_drops", "loop_max_ms", "rssi_dbm")
    health = ("health", {"device_ms": 0, "temperature_c": 0, **dict.fromkeys(names, 0)})
    spot = {"device_ms": 0, "seat": 0, "spot": "ante", "part": 1, "of": 1}
    fullest = 0
    for spots in range(1, 6):
        for chips in range(33):
            events = [health] * (32 - spots) + [("chips_read", {**spot, "uids": [bytes(4)] * chips})] * spots
            values = {"boot": 1, "first": 1, "events": events}
            try:
                data = codec.encode("event", values)
            except WireError:
                break  # longer than a payload
            assert codec.decode_plainly(data)[1] == values
            fullest = max(fullest, count_items(cbor2.loads(data)))
    assert 440 < fullest <= 480 < limits.MAX_ITEMS


def count_items(tree: Any) -> int:
    if isinstance(tree, dict):
        return sum(2 + count_items(value) for value in tree.values())
    return sum(1 + count_items(item) for item in tree) if isinstance(tree, list) else 0


def test_kinds_are_numbered_without_a_hole() -> None:
    for rows in (EVENTS, COMMANDS, MESSAGES):
        assert [row[0] for row in rows] == list(range(1, len(rows) + 1))
        assert len({row[1] for row in rows}) == len(rows)


def test_places_and_keys_ascend_from_their_start_and_optional_ones_come_last() -> None:
    shapes = [(2, fields) for _, _, fields in EVENTS] + [(1, fields) for _, _, fields in COMMANDS]
    shapes += [(1, fields) for _, _, _, fields in MESSAGES]
    for start, fields in shapes:
        assert [field[0] for field in fields] == list(range(start, start + len(fields)))
        required = [field[3] for field in fields]
        assert required == sorted(required, reverse=True)


def test_each_error_code_has_a_vector_and_one_sentence() -> None:
    files = ("cbor", "messages", "envelopes", "frames", "topics")
    assert {v["error"] for name in files for v in load(name) if "error" in v} == set(CODES)
    assert all(sentence.endswith(".") and sentence.count(".") == 1 for _, sentence in SENTENCES)
    assert ERROR[1] == CODES


def test_each_vector_says_where_its_values_come_from() -> None:
    for file in ("cbor", "messages", "aead", "envelopes", "frames", "topics"):
        names = [v["name"] for v in load(file)]
        assert len(set(names)) == len(names)
        assert all(v["source"] for v in load(file))


def test_every_message_event_and_order_has_a_valid_vector() -> None:
    shown = {v["name"] for v in load("messages") if "error" not in v}
    assert {f"event {name}" for _, name, _ in EVENTS} <= shown
    assert {f"command {name}" for _, name, _ in COMMANDS} <= shown


def test_vectors_and_the_documented_table_are_current(capsys: pytest.CaptureFixture[str]) -> None:
    assert vectors.main(["--check"]) == 0, capsys.readouterr().err
    assert wire_docs.main(["--check"]) == 0, capsys.readouterr().err


def test_a_changed_table_needs_a_new_row_of_history() -> None:
    assert HISTORY[-1] == (MAJOR, MINOR, schema_hash().hex())
    assert list(HISTORY) == sorted(HISTORY)


@pytest.mark.parametrize(
    ("major", "minor", "schema", "verdict"),
    [
        (MAJOR, MINOR, schema_hash(), ACCEPTED),
        (MAJOR, MINOR, bytes(32), "schema_unknown"),
        (MAJOR, MINOR + 1, schema_hash(), "version_new"),
        (MAJOR + 1, 0, schema_hash(), "version_new"),
        (MAJOR - 2, 0, schema_hash(), "version_old"),
        (MAJOR - 1, 9, schema_hash(), "version_old"),  # speakable, but no such release is known
    ],
)
def test_hello_is_judged_by_version_and_schema(major: int, minor: int, schema: bytes, verdict: str) -> None:
    assert judge_hello(major, minor, schema) == verdict
    assert verdict == ACCEPTED or verdict in REFUSAL[1]


@pytest.mark.parametrize("vector", load("topics"), ids=lambda v: v["name"] or "empty")
def test_topics_are_strict(vector: dict[str, Any]) -> None:
    if "error" in vector:
        with pytest.raises(WireError, match="bad_topic"):
            topics.parse_topic(vector["name"])
    else:
        assert topics.parse_topic(vector["name"]) == tuple(vector["parts"])
        assert topics.build_topic(*vector["parts"]) == vector["name"]


def test_direction_follows_from_the_channel() -> None:
    assert topics.UP == ("event", "status")
    assert topics.DOWN == ("ack", "lamps", "command")
    assert topics.subscriptions("lyon") == ["sabot/v1/lyon/+/event", "sabot/v1/lyon/+/status"]


def test_readme_example_opens_a_sealed_message() -> None:
    page = (vectors.ROOT / "protocol" / "README.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"```python\n(.*?)```", page, flags=re.DOTALL)
    names: dict[str, Any] = {}
    exec(code, names)
    vector = next(v for v in load("envelopes") if v["name"] == "ack")
    opened = names["open_message"](bytes.fromhex(vector["hex"]), bytes.fromhex(vector["key"]), vector["topic"])
    assert opened == {0: 3, 1: 7, 2: 57}


def test_readme_states_the_limits_in_force() -> None:
    page = (vectors.ROOT / "protocol" / "README.md").read_text(encoding="utf-8")
    for limit in (limits.MAX_MESSAGE, limits.MAX_PAYLOAD, limits.MAX_DEPTH, limits.MAX_ITEMS, limits.MAX_KEYS):
        assert f"| {limit:,}" in page
