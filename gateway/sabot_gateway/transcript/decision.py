"""The bodies of decisions: what Sabot concluded from one record, effect by effect.

    [VERSION, cause, step, effect's number, effect, step, effect's number, effect, …]

`cause` is the position of the fact in the same stream; `step` says which of the record's steps had the effect. Flat,
because cbor2 is slow with containers: a picture of lamps is [revision, how many lamps, five values of each, …, lines].
Timers are not journaled: the fold arms them again. Canonical: equal effects give equal bytes, so that a replay
compares bytes and looks closer only at a difference. A picture of lamps is by far the commonest effect and is written
by hand, its words as their places in felt.py, which are appended to and never reordered.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final, NamedTuple

import cbor2

from sabot_gateway.model.effect import (
    CancelTimer,
    ClearAlert,
    Effect,
    Lamp,
    Line,
    RaiseAlert,
    RecordDecision,
    RecordSettlement,
    SetLamps,
    StartTimer,
)
from sabot_gateway.model.felt import Colour, FeltSpot, Pattern
from sabot_gateway.table.remembered import Remembered
from sabot_gateway.transcript.error import FactError
from sabot_gateway.transcript.fact import parts_from_body
from sabot_gateway.transcript.plain import Read, Write, reader_of, writer_of

VERSION: Final = 1

Kept = SetLamps | RaiseAlert | ClearAlert | RecordSettlement | RecordDecision


class Decided(NamedTuple):
    """The effects of one step of the cause, by its number among them."""

    at: int
    effects: tuple[Kept, ...]


class Decision(NamedTuple):
    cause: int
    steps: tuple[Decided, ...]


def body_from_decision(cause: int, steps: Sequence[tuple[int, Sequence[Effect]]]) -> bytes:
    """The body of the decision on the record at position `cause`; empty when there is nothing to keep."""
    written: list[bytes] = []
    for at, effects in steps:
        for effect in effects:
            if type(effect) is SetLamps:
                written.append(_lamps_bytes(at, effect))
            elif type(effect) not in _TIMERS:
                code, write = _WRITERS[type(effect)]
                written.append(_items(at, code, write(effect)))
    if not written:
        return b""
    return b"".join((_array(2 + 3 * len(written)), _int(VERSION), _int(cause), *written))


def decision_from_body(body: bytes, *, with_lamps: bool = True, with_notes: bool = True) -> Decision:
    """The decision that was written; FactError when it is none. Who looks at no picture or note need not read them."""
    match parts_from_body(body):
        case [1, int(cause), *written] if written and len(written) % 3 == 0:
            steps: dict[int, list[Kept]] = {}
            for place in range(0, len(written), 3):
                at, code, effect = written[place : place + 3]
                if type(at) is not int or type(code) is not int or code not in _READERS:
                    raise FactError("A decision holds an effect of no known form.")
                if (with_lamps or code != _LAMPS) and (with_notes or code != _NOTE):
                    steps.setdefault(at, []).append(_READERS[code](effect))
            return Decision(cause, tuple(Decided(at, tuple(effects)) for at, effects in steps.items()))
    raise FactError("A decision is of no known form.")


def _lamps_bytes(at: int, effect: SetLamps) -> bytes:
    """The three items of a picture; the bytes of a lamp are remembered, for the next picture has most of them too."""
    picture, display = effect.picture, effect.display
    lines = [_line_bytes(line.fr, line.en) for line in display]
    head = (
        _int(at),
        _int(_LAMPS),
        _array(2 + 5 * len(picture) + 2 * len(display)),
        _int(effect.revision),
        _int(len(picture)),
    )
    return b"".join((*head, *_LIT.all_of(picture), *lines))


def _lamp_bytes(lamp: Lamp) -> bytes:
    return _items(lamp.seat, _SPOT[lamp.spot], _COLOUR[lamp.colour], _PATTERN[lamp.pattern], lamp.amount_cents)


@lru_cache(maxsize=1024)
def _line_bytes(fr: str, en: str) -> bytes:
    return _items(fr, en)


def _items(*values: Any) -> bytes:
    """At most 23 values, one behind the other: an array of them without its head, which is one byte."""
    return cbor2.dumps(values)[1:]


def _int(number: int) -> bytes:
    if 0 <= number < 24:
        return bytes((number,))
    if 0 <= number < 0x10000:
        return bytes((0x18, number)) if number < 0x100 else b"\x19" + number.to_bytes(2, "big")
    return cbor2.dumps(number)


def _array(count: int) -> bytes:
    """The head of an array."""
    if count < 24:
        return bytes((0x80 | count,))
    return bytes((0x98, count)) if count < 256 else bytes((0x99, count >> 8, count & 255))


def _read_lamps(plain: Any) -> SetLamps:
    match plain:
        case [int(revision), int(count), *rest] if len(rest) >= 5 * count and (len(rest) - 5 * count) % 2 == 0:
            lamps = tuple(_lamp(rest[at : at + 5]) for at in range(0, 5 * count, 5))
            lines = tuple(_line(rest[at : at + 2]) for at in range(5 * count, len(rest), 2))
            return SetLamps(revision, lamps, lines)
    raise FactError("A picture of lamps is of no known form.")


def _lamp(data: Any) -> Lamp:
    match data:
        case [int(seat), int(spot), int(colour), int(pattern), int() | None as cents]:
            try:
                return Lamp(seat, _SPOTS[spot], _COLOURS[colour], _PATTERNS[pattern], cents)
            except IndexError as error:
                raise FactError("A lamp has a word that this release does not know.") from error
    raise FactError("A lamp is of no known form.")


def _line(data: Any) -> Line:
    match data:
        case [str(fr), str(en)]:
            return Line(fr, en)
    raise FactError("A line of the display is of no known form.")


_TIMERS: Final = frozenset((StartTimer, CancelTimer))
_SPOTS, _COLOURS, _PATTERNS = tuple(FeltSpot), tuple(Colour), tuple(Pattern)
_SPOT: Final = {word: place for place, word in enumerate(_SPOTS)}
_COLOUR: Final = {word: place for place, word in enumerate(_COLOURS)}
_PATTERN: Final = {word: place for place, word in enumerate(_PATTERNS)}
# Numbers of effects are stored: append, never reuse.
_LAMPS: Final = 0
_NOTE: Final = 4
_CODES: Final[tuple[tuple[int, type], ...]] = (
    (1, RaiseAlert),
    (2, ClearAlert),
    (3, RecordSettlement),
    (_NOTE, RecordDecision),
)
_WRITERS: Final[dict[type, tuple[int, Write]]] = {kind: (code, writer_of(kind)) for code, kind in _CODES}
_WRITERS[RecordDecision] = _NOTE, lambda note: (note.number, note.kind, note.detail)  # plain already, and common
_LIT: Final = Remembered(_lamp_bytes)
_READERS: Final[dict[int, Read]] = {_LAMPS: _read_lamps, **{code: reader_of(kind) for code, kind in _CODES}}
