"""The payload of a message that arrived: opened by the device's keys, and read as far as every dialect agrees."""

from typing import Final

import cbor2

from sabot_gateway.link.line import Line
from sabot_gateway.mqtt.port import Arrival
from sabot_protocol.envelope import unseal
from sabot_protocol.errors import WireError

_MOST: Final = 256  # events of a message in any dialect


def payload_of(line: Line, arrival: Arrival) -> bytes:
    """The payload, by the first of the device's keys that opens it; the error is that of the present key."""
    keys = line.device.keys
    try:
        return unseal(keys[0], arrival.topic, arrival.payload)
    except WireError as error:
        if error.code == "not_authentic":
            for key in keys[1:]:
                try:
                    return unseal(key, arrival.topic, arrival.payload)
                except WireError:
                    continue
        raise


def peeked(payload: bytes) -> tuple[int, int, list[int], tuple[int, int, bytes] | None] | None:
    """Numbers and hello of an event message in a dialect that we do not speak, as far as all dialects agree."""
    try:
        tree = cbor2.loads(payload)
    except (cbor2.CBORDecodeError, ValueError, TypeError, OverflowError, RecursionError):
        return None
    match tree:
        case {0: 1, 1: int(boot), 2: int(first), 3: list(events)} if (
            boot > 0 and first > 0 and 0 < len(events) <= _MOST
        ):
            pass
        case _:
            return None
    times = []
    hello = None
    for event in events:
        match event:
            case [1, int(ms), int(major), int(minor), bytes(schema), *_]:
                hello = major, minor, schema
            case [int(), int(ms), *_]:
                pass
            case _:
                return None
        times.append(ms)
    return boot, first, times, hello
