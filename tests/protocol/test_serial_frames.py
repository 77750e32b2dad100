"""Frames on a noisy line."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from protocol.vector_files import load
from sabot_protocol.errors import WireError
from sabot_protocol.frames import MAX_ENCODED, Deframer, frame, unframe
from sabot_protocol.topics import CHANNELS

pairs = st.tuples(st.sampled_from(CHANNELS), st.binary(max_size=300) | st.integers(250, 1024).map(bytes))
noise = st.binary(max_size=60) | st.integers(1000, 1200).map(lambda size: b"\x07" * size)


@pytest.mark.parametrize("vector", [v for v in load("frames") if "error" not in v], ids=lambda v: v["name"])
def test_frames_are_those_of_the_definition(vector: dict[str, str]) -> None:
    framed = frame(vector["channel"], bytes.fromhex(vector["message"]))
    assert framed == b"\0" + bytes.fromhex(vector["hex"]) + b"\0"
    assert len(framed) <= MAX_ENCODED + 2


@settings(deadline=None, max_examples=200)
@given(st.lists(st.tuples(noise, pairs), max_size=4), noise, st.integers(1, 40))
@example([(b"\x05abc", ("ack", b"\0"))], b"", 1)
def test_every_frame_is_found_after_any_garbage_in_any_pieces(
    stream: list[tuple[bytes, tuple[str, bytes]]], last: bytes, step: int
) -> None:
    line = b"".join(garbage + frame(*pair) for garbage, pair in stream) + last
    deframer = Deframer()
    found = []
    for at in range(0, len(line), step):
        found += deframer.feed(line[at : at + step])
    assert [pair for pair in found if pair in [p for _, p in stream]] == [pair for _, pair in stream]
    assert deframer.frames == len(found)


@settings(deadline=None, max_examples=300)
@given(st.binary(max_size=400))
def test_any_bytes_are_a_frame_or_a_wire_error(data: bytes) -> None:
    try:
        channel, message = unframe(data)
    except WireError as error:
        assert error.code in ("bad_frame", "bad_crc", "oversize")  # noqa: PT017 - either outcome is right
    else:
        assert unframe(frame(channel, message)[1:-1]) == (channel, message)


def test_the_buffer_is_bounded_whatever_the_line_says() -> None:
    deframer = Deframer()
    for _ in range(100):
        assert deframer.feed(b"\x09" * 10_000) == []
    assert len(deframer._buffer) == MAX_ENCODED
    assert deframer.feed(frame("ack", b"here")) == [("ack", b"here")]
    assert (deframer.refused, deframer.last_refusal, deframer.refused_bytes) == (1, "oversize", 1_000_000)


def test_what_was_refused_is_counted() -> None:
    deframer = Deframer()
    damaged = bytearray(frame("event", b"abcdef"))
    damaged[4] ^= 1
    assert deframer.feed(bytes(damaged)) == []
    assert (deframer.refused, deframer.last_refusal) == (1, "bad_crc")
    assert deframer.feed(b"\0\0\0") == []
    assert deframer.refused == 1


def test_frame_refuses_what_no_receiver_takes() -> None:
    with pytest.raises(WireError, match="oversize"):
        frame("event", bytes(1025))
    with pytest.raises(WireError, match="bad_frame"):
        frame("events", b"")
