"""Runs golden vectors whole and damaged; prints one line per case. Both Pythons run this very file.

Usage: vector_cases.py FILE, each line of FILE being: room TAB name TAB arguments... TAB hex.
A case is the bytes whole, cut before every byte, with every byte flipped (by 01 and by ff), or with a byte added.
The outcome is an error code, or `ok` with a digest of the values and of the bytes they encode to again.
"""

import binascii
import hashlib
import sys

from sabot_protocol import cbor, codec, envelope, frames
from sabot_protocol.device_key import DeviceKey
from sabot_protocol.errors import WireError


def show(value: object) -> str:
    """Text of a value, equal on both Pythons: dicts are unordered on one of them."""
    if isinstance(value, dict):
        return "{" + ",".join([show(k) + ":" + show(value[k]) for k in sorted(value)]) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ",".join([show(item) for item in value]) + "]"
    if isinstance(value, bytes):
        return "h" + binascii.hexlify(value).decode()
    if isinstance(value, str):
        return "t" + binascii.hexlify(value.encode()).decode()
    return repr(value)


def digest(text: str) -> str:
    return binascii.hexlify(hashlib.sha256(text.encode()).digest()[:6]).decode()


def run_cbor(data: bytes) -> str:
    value = cbor.decode(data)
    assert cbor.encode(value) == data
    return show(value)


def run_message(data: bytes, channel: str) -> str:
    name, values = codec.decode(data, channel)
    assert codec.encode(name, values) == data
    return show([name, values])


def run_envelope(data: bytes, device: str, key: str, topic: str) -> str:
    return show(envelope.unseal(DeviceKey(device, binascii.unhexlify(key)), topic, data))


def run_frame(data: bytes) -> str:
    return show(frames.unframe(data))


TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

ROOMS: "dict[str, Callable[..., str]]" = {
    "cbor": run_cbor,
    "message": run_message,
    "envelope": run_envelope,
    "frame": run_frame,
}


def report(room: str, name: str, case: str, data: bytes, arguments: list[str]) -> None:
    try:
        outcome = "ok " + digest(ROOMS[room](data, *arguments))
    except WireError as error:
        outcome = error.code
    print(room, name, case, outcome, sep="\t")  # noqa: T201 - the output is what the test compares


def main(path: str) -> None:
    with open(path) as lines:  # noqa: PTH123 - MicroPython has no pathlib
        for line in lines:
            room, name, *arguments = line.rstrip("\n").split("\t")
            data = binascii.unhexlify(arguments.pop())
            report(room, name, "whole", data, arguments)
            report(room, name, "trailing 00", data + b"\0", arguments)
            report(room, name, "trailing ff", data + b"\xff", arguments)
            for at in range(len(data)):
                report(room, name, f"cut {at}", data[:at], arguments)
                for bits in (1, 255):
                    damaged = bytearray(data)
                    damaged[at] ^= bits
                    report(room, name, f"flip {at} by {bits:02x}", bytes(damaged), arguments)


main(sys.argv[1])
