"""The worst that 1,024 bytes can ask of a decoder, in a heap of 64 KiB; MicroPython runs this file.

Prints one line per case: its name and the error code. A MemoryError or a RuntimeError (recursion) ends the script, and
so fails the test.
"""

import gc

from sabot_protocol import codec, envelope
from sabot_protocol.device_key import DeviceKey
from sabot_protocol.errors import WireError

KEY = DeviceKey("table-7", bytes(16))
TOPIC = "sabot/v1/lyon/table-7/event"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator


def cases() -> "Iterator[tuple[str, bytes]]":
    # One at a time: the code itself, compiled on the spot, leaves little of such a heap.
    yield "empty arrays", b"\x99\x02\x00" + b"\x80" * 512
    yield "empty maps", b"\x99\x02\x00" + b"\xa0" * 512
    yield "arrays in arrays", b"\x98\xff" + b"\x81\x80" * 255
    yield "nested arrays", b"\x81" * 944
    yield "nested maps", b"\xa1\x00" * 472
    yield "maps in an array", b"\x98\x1c" + (b"\xb0" + bytes([n // 2 if n % 2 == 0 else 0 for n in range(32)])) * 28
    yield "great integers", b"\x98\x68" + b"\x1b\x7f\xff\xff\xff\xff\xff\xff\xff" * 104
    yield "longest bytes", b"\x59\x03\xad" + bytes(941)
    yield "longest text", b"\x79\x03\xad" + b"x" * 941
    yield "array of 2^32 items", b"\x9a\xff\xff\xff\xff"
    yield "array of 2^64 items", b"\x9b\xff\xff\xff\xff\xff\xff\xff\xff"
    yield "map of 2^64 pairs", b"\xbb\xff\xff\xff\xff\xff\xff\xff\xff"
    yield "bytes of 2^32", b"\x5a\xff\xff\xff\xff"
    yield "text of 2^64", b"\x7b\xff\xff\xff\xff\xff\xff\xff\xff"


def main() -> None:
    for name, data in cases():
        gc.collect()
        try:
            codec.decode(data)
        except WireError as error:
            print(name, error.code, sep="\t")  # noqa: T201 - the output is what the test reads
        try:
            envelope.unseal(KEY, TOPIC, data)
        except WireError:
            continue
        raise AssertionError(name)


main()
