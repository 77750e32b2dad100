"""Lines of a file as JSON objects, one at a time: bounded, strict, and never stopped by a bad line.

Stricter than JSON readers usually are: a key written twice, NaN and Infinity are
refused, because whoever reads such a line can be told two stories by it.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO, Final, NoReturn

from sabot_gateway.rules.rejection import Fault

MOST_BYTES: Final = 1 << 18  # a full coup with deal and chip log takes some 10 KiB; this bounds memory per line
_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"


@dataclass(frozen=True, slots=True)
class Line:
    """One line that is not blank: its number, its size in bytes, and its object or what is wrong with it."""

    number: int
    size: int
    content: dict[str, object] | Fault


class InputError(Exception):
    """The input broke off; the text says why. Never raised for what an output refuses."""


class _RefusedError(ValueError):
    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail


def lines_of(file: BinaryIO) -> Iterator[Line]:
    """Every line in order, in constant memory; blank lines are passed over."""
    number = 0
    while chunk := _read(file, MOST_BYTES + 1):
        number += 1
        size = len(chunk)
        if size > MOST_BYTES and not chunk.endswith(b"\n"):
            size += _skip_rest(file)
            yield Line(number, size, Fault("LINE_TOO_LONG", "", f"line {number}"))
            continue
        if number == 1:
            chunk = chunk.removeprefix(_BYTE_ORDER_MARK)
        if chunk.strip():
            yield Line(number, size, _object(chunk, number))


def _read(file: BinaryIO, most: int) -> bytes:
    try:
        return file.readline(most)
    except OSError as error:
        raise InputError(error.strerror or str(error)) from error


def _skip_rest(file: BinaryIO) -> int:
    size = 0
    while chunk := _read(file, MOST_BYTES):
        size += len(chunk)
        if chunk.endswith(b"\n"):
            break
    return size


def _object(chunk: bytes, number: int) -> dict[str, object] | Fault:
    where = f"line {number}"
    try:
        content = _DECODER.decode(chunk.decode("utf-8"))
    except UnicodeDecodeError as error:
        return _fault("NOT_TEXT", where, f"it is not UTF-8 text (byte {error.start + 1})")
    except _RefusedError as refused:
        return _fault(refused.code, where, refused.detail)
    except json.JSONDecodeError as error:
        return _fault("BAD_JSON", where, f"{error.msg.lower()} at column {error.colno}")
    except ValueError:
        # The reader's own limit on the digits of a number.
        return _fault("BAD_JSON", where, "a number has more digits than any amount")
    except RecursionError:
        return _fault("BAD_JSON", where, "it is nested too deeply")
    if not isinstance(content, dict):
        return _fault("BAD_JSON", where, "it is not an object")
    return content


def _fault(code: str, where: str, reason: str) -> Fault:
    return Fault(code, "", where, sentence=f"{where.capitalize()} cannot be read: {reason}.")


def _without_twins(pairs: list[tuple[str, object]]) -> dict[str, object]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _RefusedError("DUPLICATE_KEY", f"the key {key[:40]!r} is written twice in one object")
            seen.add(key)
    return found


def _refuse_constant(name: str) -> NoReturn:
    raise _RefusedError("BAD_JSON", f"{name} is no number")


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_without_twins, parse_constant=_refuse_constant)
