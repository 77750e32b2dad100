"""Hypothesis strategies made from the message table: any message that it can say."""

from typing import Any

from hypothesis import strategies as st

from sabot_protocol.messages import MESSAGES


def messages() -> st.SearchStrategy[tuple[str, dict[str, Any]]]:
    """Any (name, values) that the table allows and that fits one payload."""
    return st.one_of([st.tuples(st.just(name), _fields(fields)) for _, name, _, fields in MESSAGES])


def field(kind: Any) -> st.SearchStrategy[Any]:
    """Any value of one type of the table; lists are kept short so that messages fit."""
    match kind[0]:
        case "int":
            return st.integers(kind[1], kind[2])
        case "bool":
            return st.booleans()
        case "sizes":
            return st.sampled_from(kind[1]).flatmap(lambda size: st.binary(min_size=size, max_size=size))
        case "bytes":
            return st.binary(min_size=kind[1], max_size=min(kind[2], 200))
        case "text":
            return st.text(min_size=kind[1], max_size=kind[2]).filter(lambda t: len(t.encode()) <= kind[2])
        case "choice":
            return st.sampled_from(kind[1])
        case "list":
            return st.lists(field(kind[1]), min_size=kind[2], max_size=min(kind[3], 3))
        case "record":
            return _fields(kind[1])
        case _:
            lead, rows = kind[1], kind[2]
            return st.one_of([st.tuples(st.just(name), _fields((*lead, *fields))) for _, name, fields in rows])


def _fields(fields: Any) -> st.SearchStrategy[dict[str, Any]]:
    # An array has no holes: optional fields are present up to some point, then absent.
    required = [f for f in fields if f[3]]
    optional = [f for f in fields if not f[3]]
    shapes = [required + optional[:count] for count in range(len(optional) + 1)]
    return st.one_of([st.fixed_dictionaries({name: field(kind) for _, name, kind, _ in shape}) for shape in shapes])
