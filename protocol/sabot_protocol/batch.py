"""An event message built in one preallocated buffer, for controllers.

Owns the controller's hot path: one event costs a few dozen bytes of garbage, not a dict to sort.
The batch's head is written last, right-aligned before the events, because its size depends on them.
Not re-entrant: one batch is built at a time.
"""

from sabot_protocol.cbor import ARRAY, MAP, Writer
from sabot_protocol.errors import WireError
from sabot_protocol.limits import MAX_PAYLOAD
from sabot_protocol.messages import EVENT_LEAD, EVENTS, MESSAGES
from sabot_protocol.schema import find_row, put_field, take_field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

# a4 00 01, key and five-byte number twice, key and two-byte array head.
_HEAD = 3 + 6 + 6 + 3

_FIELDS: "Any" = MESSAGES[0][3]
MAX_EVENTS: int = _FIELDS[2][2][3]
_COUNT = ("int", 1, MAX_EVENTS)


def write_event(writer: Writer, name: str, device_ms: int, *values: "Any") -> None:
    """Append one event, its fields given in table order; optional ones may be left off at the end."""
    code, _, fields = find_row(EVENTS, name)
    count = len(values)
    if count > len(fields) or (count < len(fields) and fields[count][3]):
        raise WireError("wrong_arity", name)
    writer.put_head(ARRAY, 2 + count)
    writer.put_int(code)
    put_field(writer, EVENT_LEAD[0][2], device_ms, "device_ms")
    for at in range(count):
        put_field(writer, fields[at][2], values[at], fields[at][1])


class Batch:
    """Collects events of one boot with consecutive numbers until the message is full."""

    def __init__(self) -> None:
        self._buffer = bytearray(MAX_PAYLOAD)
        self._view = memoryview(self._buffer)
        self._writer = Writer(self._buffer)
        self.count = 0
        self.clear()

    def clear(self) -> None:
        """Forget the events."""
        self._writer.at = _HEAD
        self.count = 0

    def add(self, name: str, device_ms: int, *values: "Any") -> bool:
        """Append an event; False when it no longer fits, and the batch stays as it was."""
        at = self._writer.at
        if self.count >= MAX_EVENTS:
            return False
        try:
            write_event(self._writer, name, device_ms, *values)
        except WireError as error:
            self._writer.at = at
            if error.code == "oversize":
                return False
            raise
        self.count += 1
        return True

    def add_encoded(self, event: "bytes | bytearray | memoryview") -> bool:
        """Append an event as write_event left it in the outbox; False when it no longer fits."""
        if self.count >= MAX_EVENTS or self._writer.at + len(event) > MAX_PAYLOAD:
            return False
        self._writer.put_raw(event, len(event))
        self.count += 1
        return True

    def finish(self, boot: int, first: int) -> memoryview:
        """Write the head and return the message, valid until the next clear()."""
        take_field(_FIELDS[0][2], boot, "boot")
        take_field(_FIELDS[1][2], first, "first")
        take_field(_COUNT, self.count, "events")
        writer = self._writer
        end = writer.at
        start = _HEAD - (6 + _size(boot) + _size(first) + _size(self.count))
        writer.at = start
        writer.put_head(MAP, 4)
        writer.put_int(0)
        writer.put_int(1)
        writer.put_int(1)
        writer.put_int(boot)
        writer.put_int(2)
        writer.put_int(first)
        writer.put_int(3)
        writer.put_head(ARRAY, self.count)
        writer.at = end
        return self._view[start:end]


def _size(number: int) -> int:
    # Bytes of a shortest head with this argument.
    if number < 24:
        return 1
    if number < 1 << 8:
        return 2
    if number < 1 << 16:
        return 3
    return 5
