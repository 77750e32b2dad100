"""Lists of tags as suppliers send them: comma-separated values in, tags out; a wrong line is named with its number.

Owns the forms of `--csv`. The heading says what a line holds. Knows no register.
"""

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from sabot_gateway.model.card import DECK, Card, card_from_text
from sabot_gateway.model.person import Role
from sabot_gateway.model.tag import Tag
from sabot_protocol.messages import UID
from sabot_tools.enrol.register_book import MOST_CENTS
from sabot_tools.field.trouble import FieldError, StartError

_DIGITS: Final = tuple(2 * size for size in UID[1])
_HEX: Final = frozenset("0123456789abcdef")


class _Line(NamedTuple):
    number: int
    cells: dict[str, str]


def deck_from_list(file: Path) -> dict[Card, Tag]:
    """52 lines `card,tag`, each card once."""
    deck: dict[Card, Tag] = {}
    tags: dict[Tag, int] = {}
    for line in _lines(file, ("card,tag",)):
        try:
            card = card_from_text(line.cells["card"])
        except ValueError:
            raise _wrong(
                file, line, "its card must be a rank of 23456789TJQKA and a suit of cdhs, such as As"
            ) from None
        if card in deck:
            raise _wrong(file, line, "its card stands in an earlier line")
        deck[card] = _tag(file, line, tags)
    if len(deck) != len(DECK):
        raise FieldError(f"{file}: has {len(deck)} cards instead of {len(DECK)}.")
    return deck


def tags_from_list(file: Path) -> list[Tag]:
    """Lines `tag`, each tag once."""
    tags: dict[Tag, int] = {}
    return _some(file, [_tag(file, line, tags) for line in _lines(file, ("tag",))])


def chips_from_list(file: Path, value_cents: int | None) -> dict[int, list[Tag]]:
    """Chips by value: lines `tag`, all of the value given, or lines `tag,value_cents` when none is given."""
    if value_cents is not None:
        return {value_cents: tags_from_list(file)}
    tags: dict[Tag, int] = {}
    chips: dict[int, list[Tag]] = {}
    for line in _lines(file, ("tag,value_cents",)):
        cents = line.cells["value_cents"]
        if not (cents.isascii() and cents.isdecimal() and 0 < int(cents) <= MOST_CENTS):
            raise _wrong(file, line, "its value_cents must be a whole number of cents above 0")
        chips.setdefault(int(cents), []).append(_tag(file, line, tags))
    _some(file, list(tags))
    return chips


def badges_from_list(file: Path) -> list[tuple[Tag, str, Role]]:
    """Lines `tag,person,role`."""
    tags: dict[Tag, int] = {}
    badges = []
    for line in _lines(file, ("tag,person,role",)):
        if line.cells["role"] not in tuple(Role):
            raise _wrong(file, line, f"its role must be one of {', '.join(Role)}")
        badges.append((_tag(file, line, tags), line.cells["person"], Role(line.cells["role"])))
    _some(file, list(tags))
    return badges


def _lines(file: Path, headings: tuple[str, ...]) -> Iterator[_Line]:
    try:
        with file.open(encoding="utf-8-sig", newline="") as opened:
            reader = csv.reader(opened, strict=True)
            heading = [cell.strip() for cell in next(reader, [])]
            if ",".join(heading) not in headings:
                raise FieldError(f"{file}: line 1: must be the heading {' or '.join(headings)}.")
            for cells in reader:
                if not cells:
                    continue
                if len(cells) != len(heading):
                    reason = f"has {len(cells)} fields instead of {len(heading)}"
                    raise FieldError(f"{file}: line {reader.line_num}: {reason}.")
                yield _Line(reader.line_num, dict(zip(heading, (cell.strip() for cell in cells), strict=True)))
    except csv.Error as error:
        raise FieldError(f"{file}: line {reader.line_num}: is no line of comma-separated values.") from error
    except UnicodeDecodeError as error:
        raise StartError(f"{file}: is not UTF-8 text.") from error
    except OSError as error:
        raise StartError(f"{file}: cannot be read ({error.strerror or error}).") from error


def _tag(file: Path, line: _Line, tags: dict[Tag, int]) -> Tag:
    digits = line.cells["tag"].lower()
    if len(digits) not in _DIGITS or not _HEX.issuperset(digits):
        raise _wrong(file, line, "its tag is no UID of 4, 7, 8 or 10 bytes in hexadecimal")
    tag = Tag(digits)
    if tag in tags:
        raise _wrong(file, line, f"its tag stands in line {tags[tag]} already")
    tags[tag] = line.number
    return tag


def _some(file: Path, tags: list[Tag]) -> list[Tag]:
    if not tags:
        raise FieldError(f"{file}: holds no tag.")
    return tags


def _wrong(file: Path, line: _Line, reason: str) -> FieldError:
    return FieldError(f"{file}: line {line.number}: {reason}.")
