"""Frozen dataclasses as plain lists, and back, by their own type hints. For cbor2; canonical by construction.

A dataclass is the list of its fields in order, led by its name where a union leaves a choice; an enum is its value, a
mapping a sorted list of pairs, a set a sorted list, a fraction a pair. So equal values give equal bytes.
A field may be appended to a dataclass with a default: what was written before reads back with the default. Any other
change of a written dataclass is a new version of the body that holds it, with a reader for the old one.
"""

import types
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cache
from typing import Any, NewType, Union, get_args, get_origin, get_type_hints

from sabot_gateway.model.settlement import Spoken
from sabot_gateway.rules.announcement import Announcement
from sabot_gateway.transcript.error import FactError

Write = Callable[[Any], Any]
Read = Callable[[Any], Any]


@cache
def writer_of(hint: Any) -> Write:
    """A function from a value of this type to plain data."""
    return _codec(hint)[0]


@cache
def reader_of(hint: Any) -> Read:
    """A function from plain data back to a value of this type; FactError when it is none."""
    read = _codec(hint)[1]

    def checked(data: Any) -> Any:
        try:
            return read(data)
        except (TypeError, ValueError, KeyError, IndexError, ZeroDivisionError) as error:
            raise FactError("A record holds a value of another form.") from error

    return checked


@cache
def _codec(hint: Any) -> tuple[Write, Read]:
    hint = _CONCRETE.get(hint, hint)
    if isinstance(hint, NewType):
        return _codec(hint.__supertype__)
    if hint in (int, str, bool):
        return _same, _exactly(hint)
    if isinstance(hint, type) and issubclass(hint, StrEnum):
        return str, hint
    if hint is Fraction:
        return (lambda value: [value.numerator, value.denominator]), (lambda data: Fraction(*data))
    if isinstance(hint, type) and is_dataclass(hint):
        return _record(hint)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, types.UnionType):
        return _choice(arguments)
    if origin is tuple:
        return _row(arguments)
    if origin is frozenset:
        write, read = _codec(arguments[0])
        return (lambda value: sorted(map(write, value))), (lambda data: frozenset(map(read, _list(data))))
    if origin is not None and issubclass(origin, Mapping):
        return _pairs(*arguments)
    raise TypeError(f"{hint} has no plain form")


def _same(value: Any) -> Any:
    return value


def _exactly(kind: type) -> Read:
    def read(data: Any) -> Any:
        if type(data) is not kind:
            raise TypeError(kind.__name__)
        return data

    return read


def _list(data: Any) -> list[Any]:
    if not isinstance(data, list | tuple):
        raise TypeError("list")
    return list(data)


def _record(kind: Any) -> tuple[Write, Read]:
    hints = get_type_hints(kind)
    names = tuple(field.name for field in fields(kind))
    codecs = [_codec(hints[name]) for name in names]

    def write(value: Any) -> Any:
        return [codec[0](getattr(value, name)) for name, codec in zip(names, codecs, strict=True)]

    def read(data: Any) -> Any:
        data = _list(data)
        if len(data) > len(names):
            raise ValueError(kind.__name__)
        return kind(**{name: codec[1](each) for name, codec, each in zip(names, codecs, data, strict=False)})

    return write, read


def _choice(arguments: tuple[Any, ...]) -> tuple[Write, Read]:
    some = [each for each in arguments if each is not types.NoneType]
    if len(some) == 1:
        write, read = _codec(some[0])
        return (
            lambda value: None if value is None else write(value),
            lambda data: None if data is None else read(data),
        )
    if all(each in (int, str) for each in some):
        return _same, _one_of(tuple(some))
    if len(some) < len(arguments) or not all(is_dataclass(each) for each in some):
        raise TypeError("a union of dataclasses, or one type and None")
    codecs = {each.__name__: _codec(each) for each in some}

    def write_named(value: Any) -> Any:
        name = type(value).__name__
        return [name, codecs[name][0](value)]

    def read_named(data: Any) -> Any:
        name, written = data
        return codecs[name][1](written)

    return write_named, read_named


def _one_of(kinds: tuple[type, ...]) -> Read:
    def read(data: Any) -> Any:
        if type(data) not in kinds:
            raise TypeError("text or number")
        return data

    return read


def _row(arguments: tuple[Any, ...]) -> tuple[Write, Read]:
    if len(arguments) == 2 and arguments[1] is Ellipsis:
        write, read = _codec(arguments[0])
        return (lambda value: [write(each) for each in value]), (lambda data: tuple(map(read, _list(data))))
    codecs = [_codec(each) for each in arguments]

    def write_row(value: Any) -> Any:
        return [codec[0](each) for codec, each in zip(codecs, value, strict=True)]

    def read_row(data: Any) -> Any:
        return tuple(codec[1](each) for codec, each in zip(codecs, _list(data), strict=True))

    return write_row, read_row


def _pairs(key: Any, value: Any) -> tuple[Write, Read]:
    write_key, read_key = _codec(key)
    write_value, read_value = _codec(value)
    return (
        lambda mapping: sorted([write_key(one), write_value(other)] for one, other in mapping.items()),
        lambda data: {read_key(one): read_value(other) for one, other in _list(data)},
    )


# A protocol says what is needed of a value; this is what is there.
_CONCRETE: Mapping[Any, Any] = {Spoken: Announcement}
