"""Messages <-> bytes by the one table: encode(name, values) and decode(bytes).

Owns the two functions that everybody calls. Knows nothing of keys or transport.
Invariant: what decode returns, encode turns into the same bytes; what it refuses is a WireError.
"""

import sys

from sabot_protocol import cbor
from sabot_protocol.cbor import Writer
from sabot_protocol.errors import WireError
from sabot_protocol.limits import MAX_PAYLOAD
from sabot_protocol.schema import put_message, take_message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from sabot_protocol.schema import Message, Values


def encode(name: str, values: "Values") -> bytes:
    """Return the bytes of a message."""
    writer = Writer(bytearray(MAX_PAYLOAD))
    put_message(writer, name, values)
    return bytes(writer.buffer[: writer.at])


def decode(data: "bytes | bytearray | memoryview", channel: str = "") -> "Message":
    """Return (name, values) of a message; with `channel`, refuse one that belongs on another topic."""
    message = _accelerated(data) if _accelerated is not None else None
    if message is None:
        message = decode_plainly(data)
    if channel and message[0] != channel:
        raise WireError("wrong_channel")
    return message


def decode_plainly(data: "bytes | bytearray | memoryview") -> "Message":
    """Decode with our own reader: the definition of what is accepted, and of every error."""
    return take_message(cbor.decode(data, MAX_PAYLOAD))


def _accelerator() -> "Any":
    # On the gateway a compiled reader takes what is valid; every refusal is still our own reader's.
    if sys.implementation.name == "micropython":
        return None
    from sabot_protocol import accelerated

    return accelerated.decode


_accelerated = _accelerator()
