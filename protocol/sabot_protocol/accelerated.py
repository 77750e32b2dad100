"""The same messages, decoded faster on the gateway by cbor2's compiled reader. CPython only.

Accepts a message only if our own reader certainly would. The table's checks pass on cbor2's values
(exact types: no float, tag or null survives); lengths are definite and keys unique (cbor2's options);
keys are the table's, in its order; and the bytes are exactly as many as the shortest encoding takes, so that
every head was shortest and nothing trailed. All else returns None: then our own reader decides and names the error.

The checks are a function for each kind (and number of fields, where some are optional), written and compiled at
import from nothing but the table; `source()` returns them to be read. That of a door:

    def variant_1_door(item, out):
        _, v0, v1, = item
        if not (type(v0) is int and 0 <= v0 <= 281474976710655 and type(v1) is bool):
            raise UnsureError
        out.append(('door', {'device_ms': v0, 'open': v1}))
        return 2 + (1 if 0 <= v0 < 24 else 5 if 65535 < v0 < 4294967296 else int_size(v0)) + 1
"""

import cbor2

from sabot_protocol.limits import MAX_DEPTH, MAX_PAYLOAD
from sabot_protocol.messages import MESSAGES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from sabot_protocol.messages import Fields
    from sabot_protocol.schema import Message


class UnsureError(ValueError):
    """The message is not certainly valid. A ValueError like that of an array with another number of fields."""


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
        if type(tree) is not dict:
            return None
        kind = tree.get(0)
        if type(kind) is not int or not 1 <= kind <= len(MESSAGES):
            return None
        messages: "list[Message]" = []
        size = _TAKE[kind](tree, messages)
    except (cbor2.CBORError, ValueError):
        return None
    return messages[0] if size == len(data) else None


def int_size(value: int) -> int:
    """Bytes of an integer's shortest encoding."""
    argument = value if value >= 0 else -1 - value
    return 1 if argument < 24 else 2 if argument < 256 else 3 if argument < 65536 else 5 if argument >> 32 == 0 else 9


def source() -> str:
    """The text of the functions; `messages` holds those of messages by kind."""
    written = _Written()
    written.kinds("messages", [(code, name, fields) for code, name, _, fields in MESSAGES], ())
    return "\n".join(written.lines)


class _Written:
    """Functions as text: each appends the value of what cbor2 made of an item to `out` and returns the item's size."""

    def __init__(self) -> None:
        self.lines: "list[str]" = []
        self._names: "dict[Any, str]" = {}

    def kinds(self, name: str, rows: "Any", lead: "Fields") -> None:
        """The functions of kinds in a tuple, at the place of each kind's number."""
        for _, label, fields in rows:
            self._shapes(f"{name}_{label}", label, lead + fields, name == "messages")
        self.lines.append(f"{name} = None, {', '.join([f'{name}_{row[1]}' for row in rows])}")

    def _shapes(self, name: str, label: str, fields: "Fields", is_map: bool = False) -> None:
        # Optional fields are the last: each number of fields that can be present is a shape.
        required = len([field for field in fields if field[3]])
        lead = 1 if label else 0
        shapes = []
        for count in range(required, len(fields) + 1):
            shape = name if required == len(fields) else f"{name}_of_{lead + count}"
            self._shape(shape, label, fields[:count], is_map)
            shapes.append(f"{lead + count}: {shape}")
        if len(shapes) > 1:
            take = f"{{{', '.join(shapes)}}}.get(len(item), {shape})(item, out)"
            self.lines += [f"def {name}(item, out):", f"    return {take}"]

    def _shape(self, name: str, label: str, fields: "Fields", is_map: bool) -> None:
        """One function; with a `label` the first item is the kind, which whoever calls has looked at."""
        variables = ["_"] if label else []
        keys, checks, take, sizes, pairs = [], [], [], [], []
        for at, (key, field, what, _) in enumerate(fields):
            check, inside, size, value = self._field(what, f"v{at}")
            keys.append(key)
            variables.append(f"v{at}")
            checks.append(check)
            take += inside
            sizes.append(size)
            pairs.append(f"{field!r}: {value}")
        lines = [f"{', '.join(variables)}, = {'item.values()' if is_map else 'item'}"]
        overhead = 2 if label else 1  # the head of at most 23 items, and the kind
        if is_map:
            keys.insert(0, 0)
            overhead += len(keys)
            lines.append(f"{', '.join([f'k{key}' for key in keys])} = item")
            # Python takes true, and cbor2's simple value 1, for 1; the wire does not.
            checks += [f"type(k{key}) is int and k{key} == {key}" for key in keys]
        if checks:
            lines += [f"if not ({' and '.join(checks)}):", "    raise UnsureError"]
        values = f"{{{', '.join(pairs)}}}"
        lines += [*take, f"out.append({f'({label!r}, {values})' if label else values})"]
        lines.append(f"return {' + '.join([str(overhead), *sizes])}")
        self.lines += [f"def {name}(item, out):", *[f"    {line}" for line in lines]]

    def _field(self, what: "Any", v: str) -> "tuple[str, list[str], str, str]":
        """Of what is in the variable `v`: its check, statements that take what is inside it, its size, its value."""
        kind = what[0]
        if kind == "int":
            return f"type({v}) is int and {what[1]} <= {v} <= {what[2]}", [], _int_size(v, what[1], what[2]), v
        if kind == "choice":
            last = len(what[1]) - 1
            return f"type({v}) is int and 0 <= {v} <= {last}", [], _int_size(v, 0, last), f"{what[1]!r}[{v}]"
        if kind == "bool":
            return f"type({v}) is bool", [], "1", v
        if kind == "sizes":
            check = f"type({v}) is bytes and len({v}) in {set(what[1])}"
            return check, [], f"{_int_size(f'len({v})', 0, max(what[1]))} + len({v})", v
        if kind == "bytes":
            check = f"type({v}) is bytes and {what[1]} <= len({v}) <= {what[2]}"
            return check, [], f"int_size(len({v})) + len({v})", v
        if kind == "text":
            size = f"len({v}.encode())"
            return f"type({v}) is str and {what[1]} <= {size} <= {what[2]}", [], f"int_size({size}) + {size}", v
        check, call = self._inside(what, v)
        value = f"{v}_taken" if kind == "list" else f"{v}_taken[0]"
        return check, [f"{v}_taken = []", f"{v}_size = {call}({v}, {v}_taken)"], f"{v}_size", value

    def _inside(self, what: "Any", v: str) -> "tuple[str, str]":
        """The check of a list, record or variant in `v`, and the function that takes it; written when first asked."""
        kind = what[0]
        name = self._names.get(what)
        if name is None:
            self._names[what] = name = f"{kind}_{len(self._names)}"
            if kind == "list":
                self._list(name, what)
            elif kind == "record":
                self._shapes(name, "", what[1])
            else:
                self.kinds(name, what[2], what[1])
        if kind == "list":
            return f"type({v}) is list and {what[2]} <= len({v}) <= {what[3]}", name
        if kind == "record":
            return f"type({v}) is list", name
        check = f"type({v}) is list and {v} and type({v}[0]) is int and 1 <= {v}[0] <= {len(what[2])}"
        return check, f"{name}[{v}[0]]"

    def _list(self, name: str, what: "Any") -> None:
        _, inner, _, high = what
        if inner[0] in ("record", "variant"):
            check, call = self._inside(inner, "v")
            take = [f"size += {call}(v, out)"]
        else:
            check, _, size, value = self._field(inner, "v")
            take = [f"out.append({value})", f"size += {size}"]
        self.lines += [
            f"def {name}(item, out):",
            f"    size = {_int_size('len(item)', 0, high)}",
            "    for v in item:",
            f"        if not ({check}):",
            "            raise UnsureError",
            *[f"        {line}" for line in take],
            "    return size",
        ]


def _int_size(v: str, low: int, high: int) -> str:
    if low >= 0 and high < 256:
        return "1" if high < 24 else f"(1 if {v} < 24 else 2)"
    # The likely ones in line: small numbers, and times and counters that have run for a while.
    return f"(1 if 0 <= {v} < 24 else 5 if 65535 < {v} < 4294967296 else int_size({v}))"


_scope: "dict[str, Any]" = {"UnsureError": UnsureError, "int_size": int_size}
exec(source(), _scope)  # noqa: S102 - the text was made above, of our own table: no byte from outside is in it
_TAKE = _scope["messages"]
