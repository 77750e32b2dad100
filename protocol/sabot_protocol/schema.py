"""What the types of the message table mean: decoded CBOR -> checked values, and values -> CBOR.

Owns the table's types, both ways, ranges included. Knows nothing of bytes' limits, keys or topics.
Values are plain: a message is (name, {field: value}), and so is an event or a command; a record is
{field: value}; a choice is its name. An absent optional field is an absent key.
"""

from sabot_protocol.cbor import ARRAY, MAP, TEXT, Writer
from sabot_protocol.errors import WireError
from sabot_protocol.messages import MESSAGES
from sabot_protocol.utf8 import encode_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    Values = dict[str, Any]
    Message = tuple[str, Values]


def take_message(tree: "Any") -> "Message":
    """Return the message that a decoded map stands for."""
    if type(tree) is not dict:
        raise WireError("wrong_type", "message")
    if 0 not in tree:
        raise WireError("missing_key", "kind")
    _, name, _, fields = _row(MESSAGES, tree[0])
    values: "Values" = {}
    for key, field, kind, required in fields:
        if key in tree:
            values[field] = take_field(kind, tree[key], field)
        elif required:
            raise WireError("missing_key", field)
    if len(values) + 1 != len(tree):
        raise WireError("unknown_key", name)
    return name, values


def put_message(writer: Writer, name: str, values: "Values") -> None:
    """Append a message to a writer's buffer."""
    code, _, _, fields = find_row(MESSAGES, name)
    _require_dict(values, name)
    present = 0
    for _, field, _, required in fields:
        if field in values:
            present += 1
        elif required:
            raise WireError("missing_key", field)
    if present != len(values):
        raise WireError("unknown_key", name)
    writer.put_head(MAP, present + 1)
    writer.put_int(0)
    writer.put_int(code)
    for key, field, kind, _ in fields:
        if field in values:
            writer.put_int(key)
            put_field(writer, kind, values[field], field)


def take_field(kind: "Any", tree: "Any", field: str) -> "Any":
    """Return the value of one decoded field, or refuse it."""
    what = kind[0]
    if what == "int":
        if type(tree) is not int:
            raise WireError("wrong_type", field)
        if not kind[1] <= tree <= kind[2]:
            raise WireError("out_of_range", field)
        return tree
    if what == "sizes":
        if type(tree) is not bytes:
            raise WireError("wrong_type", field)
        if len(tree) not in kind[1]:
            raise WireError("out_of_range", field)
        return tree
    if what == "choice":
        if type(tree) is not int:
            raise WireError("wrong_type", field)
        if not 0 <= tree < len(kind[1]):
            raise WireError("out_of_range", field)
        return kind[1][tree]
    if what == "bool":
        if type(tree) is not bool:
            raise WireError("wrong_type", field)
        return tree
    if what == "text":
        if type(tree) is not str:
            raise WireError("wrong_type", field)
        if not kind[1] <= len(tree.encode()) <= kind[2]:
            raise WireError("out_of_range", field)
        return tree
    if what == "bytes":
        if type(tree) is not bytes:
            raise WireError("wrong_type", field)
        if not kind[1] <= len(tree) <= kind[2]:
            raise WireError("out_of_range", field)
        return tree
    if type(tree) is not list:
        raise WireError("wrong_type", field)
    if what == "list":
        if not kind[2] <= len(tree) <= kind[3]:
            raise WireError("out_of_range", field)
        item = kind[1]
        return [take_field(item, entry, field) for entry in tree]
    if what == "record":
        values: "Values" = {}
        if _take_fields(kind[1], tree, 0, values) != len(tree):
            raise WireError("wrong_arity", field)
        return values
    return _take_variant(kind, tree, field)


def put_field(writer: Writer, kind: "Any", value: "Any", field: str) -> None:
    """Write one field's value, or refuse it."""
    what = kind[0]
    if what == "int":
        if type(value) is not int:
            raise WireError("wrong_type", field)
        if not kind[1] <= value <= kind[2]:
            raise WireError("out_of_range", field)
        writer.put_int(value)
    elif what == "sizes" or what == "bytes":
        if not isinstance(value, (bytes, bytearray, memoryview)):
            raise WireError("wrong_type", field)
        size = len(value)
        if (size not in kind[1]) if what == "sizes" else not kind[1] <= size <= kind[2]:
            raise WireError("out_of_range", field)
        writer.put_bytes(value)
    elif what == "choice":
        if type(value) is not str:
            raise WireError("wrong_type", field)
        if value not in kind[1]:
            raise WireError("out_of_range", field)
        writer.put_int(kind[1].index(value))
    elif what == "bool":
        if type(value) is not bool:
            raise WireError("wrong_type", field)
        writer.put_bool(value)
    elif what == "text":
        if type(value) is not str:
            raise WireError("wrong_type", field)
        text = encode_text(value)
        if not kind[1] <= len(text) <= kind[2]:
            raise WireError("out_of_range", field)
        writer.put_bytes(text, TEXT)
    elif what == "variant":
        _put_variant(writer, kind, value, field)
    elif what == "list":
        if not isinstance(value, (list, tuple)):
            raise WireError("wrong_type", field)
        if not kind[2] <= len(value) <= kind[3]:
            raise WireError("out_of_range", field)
        writer.put_head(ARRAY, len(value))
        for entry in value:
            put_field(writer, kind[1], entry, field)
    else:
        _require_dict(value, field)
        writer.put_head(ARRAY, _present(kind[1], value, field))
        _put_fields(writer, kind[1], value)


def _take_variant(kind: "Any", tree: "list[Any]", field: str) -> "Message":
    _, lead, rows = kind
    if not tree:
        raise WireError("wrong_arity", field)
    _, name, fields = _row(rows, tree[0])
    values: "Values" = {}
    at = _take_fields(lead, tree, 1, values)
    if _take_fields(fields, tree, at, values) != len(tree):
        raise WireError("wrong_arity", name)
    return name, values


def _put_variant(writer: Writer, kind: "Any", value: "Any", field: str) -> None:
    _, lead, rows = kind
    if not isinstance(value, (tuple, list)) or len(value) != 2:
        raise WireError("wrong_type", field)
    name, values = value
    _require_dict(values, field)
    code, _, fields = find_row(rows, name)
    leading = 0
    for entry in lead:
        if entry[1] not in values:
            raise WireError("missing_key", entry[1])
        leading += 1
    count = _present(fields, values, name, leading)
    writer.put_head(ARRAY, 1 + leading + count)
    writer.put_int(code)
    _put_fields(writer, lead, values)
    _put_fields(writer, fields, values)


def _take_fields(fields: "Any", tree: "list[Any]", at: int, values: "Values") -> int:
    size = len(tree)
    for _, field, kind, required in fields:
        if at < size:
            values[field] = take_field(kind, tree[at], field)
            at += 1
        elif required:
            raise WireError("wrong_arity", field)
    return at


def _put_fields(writer: Writer, fields: "Any", values: "Values") -> None:
    for _, field, kind, _ in fields:
        if field in values:
            put_field(writer, kind, values[field], field)


def _present(fields: "Any", values: "Values", where: str, leading: int = 0) -> int:
    # An array has no holes: an optional field may be given only if those before it are.
    count = 0
    ended = False
    for _, field, _, required in fields:
        if field in values:
            if ended:
                raise WireError("missing_key", where)
            count += 1
        elif required:
            raise WireError("missing_key", field)
        else:
            ended = True
    if leading + count != len(values):
        raise WireError("unknown_key", where)
    return count


def _row(rows: "Any", code: "Any") -> "Any":
    if type(code) is not int:
        raise WireError("wrong_type", "kind")
    if not 1 <= code <= len(rows):
        raise WireError("unknown_kind")
    return rows[code - 1]


def find_row(rows: "Any", name: "Any") -> "Any":
    """Return the row of a message, event or command by its name."""
    for row in rows:
        if row[1] == name:
            return row
    raise WireError("unknown_kind")


def _require_dict(values: "Any", where: str) -> None:
    if type(values) is not dict:
        raise WireError("wrong_type", where)
