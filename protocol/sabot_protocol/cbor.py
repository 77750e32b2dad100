"""The deterministic CBOR subset of the wire (RFC 8949 section 4.2.1), written and read.

Owns bytes <-> plain values: int (64 bits, signed), bytes, str, bool, list, and dict with integer keys.
Knows no message. Everything else of CBOR (floats, null, tags, indefinite lengths) is refused.
Invariants: one value has one encoding; the reader accepts that one only, and checks depth, length
and item count before it allocates. Dicts are unordered on MicroPython: the writer sorts keys.
"""

from sabot_protocol.errors import WireError
from sabot_protocol.limits import MAX_DEPTH, MAX_ITEMS, MAX_KEYS, MAX_MESSAGE, MAX_PAYLOAD
from sabot_protocol.utf8 import decode_text, encode_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

INT_MAX = (1 << 63) - 1

UINT, NEGATIVE, BYTES, TEXT, ARRAY, MAP, TAG, SIMPLE = 0, 1, 2, 3, 4, 5, 6, 7

# The smallest argument that deserves 1, 2, 4 or 8 bytes after the head.
_SMALLEST = (24, 1 << 8, 1 << 16, 1 << 32)


class Writer:
    """Appends values to one preallocated buffer; a full buffer is `oversize`."""

    def __init__(self, buffer: "bytearray | memoryview") -> None:
        self.buffer = buffer
        self.at = 0

    def put_head(self, major: int, argument: int) -> None:
        """Write a type and its argument in the shortest form."""
        buffer = self.buffer
        at = self.at
        if argument < 24:
            if at >= len(buffer):
                raise WireError("oversize")
            buffer[at] = major << 5 | argument
            self.at = at + 1
            return
        if argument < 1 << 8:
            extra, size = 24, 1
        elif argument < 1 << 16:
            extra, size = 25, 2
        elif argument < 1 << 32:
            extra, size = 26, 4
        else:
            extra, size = 27, 8
        stop = at + 1 + size
        if stop > len(buffer):
            raise WireError("oversize")
        buffer[at] = major << 5 | extra
        while stop > at + 1:
            stop -= 1
            buffer[stop] = argument & 255
            argument >>= 8
        self.at = at + 1 + size

    def put_int(self, value: int) -> None:
        """Write an integer of 64 bits with sign."""
        if value >= 0:
            if value > INT_MAX:
                raise WireError("int_overflow")
            self.put_head(UINT, value)
        else:
            if -1 - value > INT_MAX:
                raise WireError("int_overflow")
            self.put_head(NEGATIVE, -1 - value)

    def put_bool(self, value: bool) -> None:
        """Write true or false."""
        self.put_head(SIMPLE, 21 if value else 20)

    def put_bytes(self, value: "bytes | bytearray | memoryview", major: int = BYTES) -> None:
        """Write a byte string."""
        size = len(value)
        self.put_head(major, size)
        self.put_raw(value, size)

    def put_text(self, value: str) -> None:
        """Write a text as strict UTF-8."""
        self.put_bytes(encode_text(value), TEXT)

    def put_raw(self, value: "bytes | bytearray | memoryview", size: int) -> None:
        """Copy bytes that are encoded already."""
        stop = self.at + size
        if stop > len(self.buffer):
            raise WireError("oversize")
        self.buffer[self.at : stop] = value
        self.at = stop

    def put(self, value: "Any") -> None:
        """Write any value of the subset."""
        kind = type(value)
        if kind is int:
            self.put_int(value)
        elif kind is bool:
            self.put_bool(value)
        elif kind is bytes:
            self.put_bytes(value)
        elif kind is str:
            self.put_text(value)
        elif kind is list or kind is tuple:
            self.put_head(ARRAY, len(value))
            for item in value:
                self.put(item)
        elif kind is dict:
            self.put_head(MAP, len(value))
            for key in sorted(value, key=_order):
                self.put_int(key)
                self.put(value[key])
        elif kind is float:
            raise WireError("float")
        else:
            raise WireError("unsupported")


class Reader:
    """Reads values from bytes that a stranger may have made."""

    def __init__(self, data: "bytes | bytearray | memoryview", limit: int = MAX_MESSAGE) -> None:
        if len(data) > limit:
            raise WireError("oversize")
        self.data = data
        self.at = 0
        self.end = len(data)
        self.major = 0
        self.left = MAX_ITEMS

    def head(self) -> int:
        """Read a type into `major` and return its argument; refuse what is not the shortest form."""
        at = self.at
        if at >= self.end:
            raise WireError("truncated")
        first = self.data[at]
        self.major = major = first >> 5
        extra = first & 31
        if extra < 24:
            self.at = at + 1
            return extra
        if extra > 27:
            # 28 to 30 are reserved; 31 opens an indefinite length, or is a break with nothing to end.
            raise WireError("not_canonical" if extra == 31 and BYTES <= major <= MAP else "malformed")
        stop = at + 1 + (1 << (extra - 24))
        if stop > self.end:
            raise WireError("truncated")
        if major == SIMPLE:
            # Half, single and double floats, NaN among them; extra 24 is an unassigned simple value.
            raise WireError("unsupported" if extra == 24 else "float")
        argument = int.from_bytes(self.data[at + 1 : stop], "big")
        if argument < _SMALLEST[extra - 24]:
            raise WireError("not_canonical")
        self.at = stop
        return argument

    def array(self) -> int:
        """Read the head of an array and return its length, not yet bounded."""
        length = self.head()
        if self.major != ARRAY:
            raise WireError("wrong_type")
        return length

    def string(self, size: int) -> bytes:
        """Take the bytes of a string whose head said `size`."""
        stop = self.at + size
        if stop > self.end:
            raise WireError("truncated")
        value = bytes(self.data[self.at : stop])
        self.at = stop
        return value

    def value(self, depth: int = MAX_DEPTH) -> "Any":
        """Read one value with at most `depth` nested containers."""
        argument = self.head()
        major = self.major
        if major == UINT:
            if argument > INT_MAX:
                raise WireError("int_overflow")
            return argument
        if major == BYTES:
            return self.string(argument)
        if major == ARRAY:
            self._count(argument, depth)
            # Taken at its full size at once: a list that grows would need its old and new room together.
            items: "list[Any]" = [None] * argument
            for at in range(argument):
                items[at] = self.value(depth - 1)
            return items
        if major == MAP:
            if argument > MAX_KEYS:
                raise WireError("too_many")
            self._count(argument * 2, depth)
            return self._map(argument, depth - 1)
        if major == TEXT:
            return decode_text(self.string(argument))
        if major == NEGATIVE:
            if argument > INT_MAX:
                raise WireError("int_overflow")
            return -1 - argument
        if major == SIMPLE and argument in (20, 21):
            return argument == 21
        raise WireError("unsupported")

    def finish(self) -> None:
        """Refuse bytes after the value."""
        if self.at != self.end:
            raise WireError("trailing")

    def _map(self, length: int, depth: int) -> "dict[int, Any]":
        result: "dict[int, Any]" = {}
        last = -1
        for _ in range(length):
            key = self.head()
            if self.major > NEGATIVE:
                raise WireError("unsupported")
            if key > INT_MAX:
                raise WireError("int_overflow")
            # Bytewise order of shortest heads is the order of (major, argument).
            rank = self.major << 64 | key
            if self.major:
                key = -1 - key
            if key in result:
                raise WireError("duplicate_key")
            if rank < last:
                raise WireError("not_canonical")
            last = rank
            result[key] = self.value(depth)
        return result

    def _count(self, items: int, depth: int) -> None:
        if depth <= 0:
            raise WireError("too_deep")
        if items > self.left:
            raise WireError("too_many")
        # Each item takes a byte at least: a length that the rest cannot hold allocates nothing.
        if items > self.end - self.at:
            raise WireError("truncated")
        self.left -= items


def encode(value: "Any") -> bytes:
    """Return the one encoding of a value of the subset."""
    writer = Writer(bytearray(MAX_PAYLOAD))
    writer.put(value)
    return bytes(writer.buffer[: writer.at])


def decode(data: "bytes | bytearray | memoryview", limit: int = MAX_PAYLOAD) -> "Any":
    """Return the value of exactly these bytes."""
    reader = Reader(data, limit)
    value = reader.value()
    reader.finish()
    return value


def _order(key: int) -> int:
    # RFC 8949 section 4.2.1 sorts keys by their encoding: unsigned before negative, each by size.
    if type(key) is not int:
        raise WireError("unsupported")
    return key if key >= 0 else INT_MAX - key
