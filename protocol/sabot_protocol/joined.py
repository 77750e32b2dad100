"""Messages put together from list items whose bytes are known. Gateway only: lamp pictures repeat most of their lamps.

Owns `item_bytes` and `encode_joined`, which obey the table of messages like `codec.encode` does: the same bytes for
the same values, the same refusals. What an item may be is checked when its bytes are made, and never again.
"""

from sabot_protocol.cbor import ARRAY, MAP, Writer
from sabot_protocol.errors import WireError
from sabot_protocol.limits import MAX_PAYLOAD
from sabot_protocol.messages import MESSAGES
from sabot_protocol.schema import find_row, put_field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from sabot_protocol.schema import Values


def item_bytes(name: str, field: str, value: "Any") -> bytes:
    """Return the bytes of one item of a message's list."""
    for _, label, kind, _ in find_row(MESSAGES, name)[3]:
        if label == field:
            assert kind[0] == "list"
            writer = Writer(bytearray(MAX_PAYLOAD))
            put_field(writer, kind[1], value, field)
            return bytes(writer.buffer[: writer.at])
    raise WireError("unknown_key", name)


def encode_joined(name: str, values: "Values", lists: "dict[str, list[bytes]]") -> bytes:
    """Return the bytes of a message with these fields, and these lists of items made by `item_bytes`."""
    code, _, _, fields = find_row(MESSAGES, name)
    assert len(values) + len(lists) == len(fields)
    writer = Writer(bytearray(MAX_PAYLOAD))
    writer.put_head(MAP, 1 + len(fields))
    writer.put_int(0)
    writer.put_int(code)
    for key, field, kind, _ in fields:
        writer.put_int(key)
        items = lists.get(field)
        if items is None:
            put_field(writer, kind, values[field], field)
            continue
        if not kind[2] <= len(items) <= kind[3]:
            raise WireError("out_of_range", field)
        writer.put_head(ARRAY, len(items))
        joined = b"".join(items)
        writer.put_raw(joined, len(joined))
    return bytes(writer.buffer[: writer.at])
