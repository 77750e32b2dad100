"""Strict readers for the values of one JSON record.

Everything that a record can get wrong in shape (a missing or unknown key, text
where a number belongs, a float, true as a number) becomes a `ShapeError` with
a closed code, so that the rules behind it only ever see well-typed data. What
is well-typed but against the rules is not judged here.
"""

from collections.abc import Collection, Mapping
from typing import Final

from sabot_gateway.model.card import Card, card_from_text
from sabot_gateway.model.coup import Void
from sabot_gateway.rules.rejection import Fault

Record = Mapping[str, object]

# Every record may carry these: its frame, and the notes of a book of cases, which nothing reads.
FRAME_KEYS: Final = frozenset({"id", "game", "op", "config"})
NOTE_KEYS: Final = frozenset({"title", "rules", "expect"})

MOST_CARDS: Final = 120  # two decks and change: more cards in one list are not a coup
MOST_ITEMS: Final = 1_000  # longest list of actions, chip movements or events of one coup
MOST_NUMBER: Final = 10**18  # no seat, count or stack comes near; keeps what is echoed short
MOST_TEXT: Final = 200  # characters of a name


class ShapeError(ValueError):
    """A value that cannot be read. `rule` is filled in by the game where it is left empty."""

    def __init__(self, code: str, rule: str = "", detail: int | str | None = None, seat: int | None = None) -> None:
        super().__init__(code, rule, detail, seat)
        self.fault = Fault(code, rule, detail, seat)


def refuse_unknown(record: Record, known: Collection[str], path: str = "", seat: int | None = None) -> None:
    """Every key of `record` must be in `known`; at the top (empty path) the frame's own keys are known too."""
    for key in record:
        if key in known or (not path and (key in FRAME_KEYS or key in NOTE_KEYS)):
            continue
        raise ShapeError("UNKNOWN_KEY", detail=_join(path, _short(key)), seat=seat)


def read_record(record: Record, key: str, path: str = "", seat: int | None = None) -> Record:
    """A required object."""
    return as_record(_required(record, key, path, seat), _join(path, key), seat)


def read_optional_record(record: Record, key: str, path: str = "", seat: int | None = None) -> Record | None:
    value = record.get(key)
    return None if value is None else as_record(value, _join(path, key), seat)


def read_records(record: Record, key: str, path: str = "", required: bool = False) -> tuple[Record, ...]:
    """A list of objects; absent means empty unless required."""
    items = read_items(record, key, path, required)
    return tuple(as_record(item, f"{_join(path, key)}[{index}]") for index, item in enumerate(items))


def read_items(record: Record, key: str, path: str = "", required: bool = False) -> tuple[object, ...]:
    """A list of anything; absent means empty unless required."""
    value = record.get(key)
    if value is None:
        if required:
            raise ShapeError("MISSING_KEY", detail=_join(path, key))
        return ()
    return _as_list(value, _join(path, key))


def read_int(record: Record, key: str, path: str = "", seat: int | None = None) -> int:
    return as_int(_required(record, key, path, seat), _join(path, key), seat)


def read_optional_int(record: Record, key: str, path: str = "", seat: int | None = None) -> int | None:
    value = record.get(key)
    return None if value is None else as_int(value, _join(path, key), seat)


def read_ints(record: Record, key: str, path: str = "", required: bool = False) -> tuple[int, ...]:
    items = read_items(record, key, path, required)
    return tuple(as_int(item, f"{_join(path, key)}[{index}]") for index, item in enumerate(items))


def read_flag(record: Record, key: str, path: str = "", default: bool = False, seat: int | None = None) -> bool:
    value = record.get(key, default)
    if value is None:
        return default
    if not isinstance(value, bool):
        raise ShapeError("BAD_TYPE", detail=_join(path, key), seat=seat)
    return value


def read_text(record: Record, key: str, path: str = "", seat: int | None = None) -> str:
    return as_text(_required(record, key, path, seat), _join(path, key), seat)


def read_optional_text(record: Record, key: str, path: str = "", seat: int | None = None) -> str | None:
    value = record.get(key)
    return None if value is None else as_text(value, _join(path, key), seat)


def read_texts(record: Record, key: str, path: str = "", seat: int | None = None) -> tuple[str, ...]:
    items = read_items(record, key, path)
    return tuple(as_text(item, f"{_join(path, key)}[{index}]", seat) for index, item in enumerate(items))


def read_choice(
    record: Record, key: str, choices: Collection[str], path: str = "", default: str | None = None
) -> str | None:
    """One of the texts in `choices`; absent or null gives the default."""
    value = record.get(key)
    if value is None:
        return default
    if not isinstance(value, str) or value not in choices:
        raise ShapeError("BAD_VALUE", detail=_join(path, key))
    return value


def read_cards(record: Record, key: str, path: str = "", seat: int | None = None) -> tuple[Card, ...]:
    """A list of cards such as `["As", "Td"]`; absent means none."""
    value = record.get(key)
    if value is None:
        return ()
    items = _as_list(value, _join(path, key))
    if len(items) > MOST_CARDS:
        raise ShapeError("BAD_VALUE", detail=_join(path, key), seat=seat)
    return tuple(as_card(item, seat) for item in items)


def read_void(record: Record) -> Void | None:
    """Why the coup was declared null (`"coup": {"void": …}`), or None."""
    coup = read_optional_record(record, "coup")
    if coup is None:
        return None
    refuse_unknown(coup, ("void",), "coup")
    cause = read_choice(coup, "void", tuple(Void), "coup")
    return None if cause is None else Void(cause)


def as_card(value: object, seat: int | None = None) -> Card:
    if not isinstance(value, str):
        raise ShapeError("BAD_CARD", detail=_short(value), seat=seat)
    try:
        return card_from_text(value)
    except ValueError:
        raise ShapeError("BAD_CARD", detail=_short(value), seat=seat) from None


def as_record(value: object, path: str, seat: int | None = None) -> Record:
    if not isinstance(value, dict):
        raise ShapeError("BAD_TYPE", detail=path, seat=seat)
    return value


def as_int(value: object, path: str, seat: int | None = None) -> int:
    """A whole number; true, 1.0 and "1" are not."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise ShapeError("BAD_TYPE", detail=path, seat=seat)
    if abs(value) >= MOST_NUMBER:
        raise ShapeError("BAD_VALUE", detail=path, seat=seat)
    return value


def as_text(value: object, path: str, seat: int | None = None) -> str:
    if not isinstance(value, str):
        raise ShapeError("BAD_TYPE", detail=path, seat=seat)
    if len(value) > MOST_TEXT:
        raise ShapeError("BAD_VALUE", detail=path, seat=seat)
    return value


def _required(record: Record, key: str, path: str, seat: int | None) -> object:
    value = record.get(key)
    if value is None:
        raise ShapeError("MISSING_KEY", detail=_join(path, key), seat=seat)
    return value


def _as_list(value: object, path: str) -> tuple[object, ...]:
    if not isinstance(value, list):
        raise ShapeError("BAD_TYPE", detail=path)
    if len(value) > MOST_ITEMS:
        raise ShapeError("BAD_VALUE", detail=path)
    return tuple(value)


def _join(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def _short(value: object) -> str:
    """Enough of a foreign value to find it, never all of it."""
    text = value if isinstance(value, str) else type(value).__name__
    return text[:40]
