"""The same messages, decoded faster on the gateway by cbor2's compiled reader. CPython only.

Accepts a message only if our own reader certainly would. The table's checks pass on cbor2's values
(exact types: no float, tag or null survives); lengths are definite and keys unique (cbor2's options);
keys ascend; and the bytes are exactly as many as the shortest encoding takes, so that every head was
shortest and nothing trailed. All else returns None: then our own reader decides and names the error.
"""

import cbor2

from sabot_protocol.errors import WireError
from sabot_protocol.limits import MAX_DEPTH, MAX_PAYLOAD
from sabot_protocol.schema import take_message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from sabot_protocol.schema import Message


def _refuse_tag(_value: object, _immutable: bool) -> object:
    raise ValueError("tags are not part of the wire")


# Every tag that cbor2 interprets; shared and string references (25, 28, 29, 256) would make bytes shorter.
_TAGS = (0, 1, 2, 3, 4, 5, 25, 28, 29, 30, 35, 36, 37, 43, 52, 54, 100, 256, 258, 260, 261, 1004, 43000, 55799)
_NO_TAGS = dict.fromkeys(_TAGS, _refuse_tag)


def decode(data: "bytes | bytearray | memoryview") -> "Message | None":
    """Return (name, values) of a message that is certainly valid, else None."""
    if len(data) > MAX_PAYLOAD:
        return None
    try:
        tree = cbor2.loads(
            data,
            semantic_decoders=_NO_TAGS,
            max_depth=MAX_DEPTH,
            allow_indefinite=False,
            allow_duplicate_keys=False,
        )
        message = take_message(tree)
    except (cbor2.CBORError, WireError):
        return None
    last = -1
    size = 1  # the head of a map of at most 23 keys
    for key, value in tree.items():
        # Python takes true for 1; the wire does not.
        if type(key) is not int or key <= last:
            return None
        last = key
        size += 1 + _size(value)
    return message if size == len(data) else None


def _size(value: "Any") -> int:
    # Bytes of the shortest encoding; the table has passed, so no other type can come.
    kind = type(value)
    if kind is int:
        argument = value if value >= 0 else -1 - value
        return (
            1 if argument < 24 else 2 if argument < 256 else 3 if argument < 65536 else 5 if argument >> 32 == 0 else 9
        )
    if kind is bytes:
        length = len(value)
        return length + (1 if length < 24 else 2 if length < 256 else 3)
    if kind is list:
        length = len(value)
        size = 1 if length < 24 else 2 if length < 256 else 3
        for item in value:
            size += _size(item)
        return size
    if kind is str:
        length = len(value.encode())
        return length + (1 if length < 24 else 2 if length < 256 else 3)
    return 1
