"""The registers of the house as files: comma-separated values in, the model's `Registers` out.

Owns the three forms and their checks; knows no table. A line that is wrong is named with its number. A tag is a UID in
hexadecimal, in small letters from here on, and means one thing only: no tag stands in two lines, whatever the file.
Sentences never repeat a tag or a card (law 7): the line's number finds it.
"""

import csv
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

from sabot_gateway.errors import SettingsError
from sabot_gateway.model.card import DECK, Card, card_from_text
from sabot_gateway.model.person import Person, Role
from sabot_gateway.model.registers import Registers
from sabot_gateway.model.tag import CardTag, Chip, ChipState, Deck, Tag

CHIPS: Final = ("tag", "value_cents", "state")
DECKS: Final = ("deck", "colour", "card", "tag")
BADGES: Final = ("tag", "person", "role")

_UID_DIGITS: Final = (8, 14, 16, 20)  # ISO 14443-3 single, double, triple size; ISO 15693 has eight bytes
_MOST_CENTS: Final = 10**12
_MOST_NAME: Final = 64
_HEX: Final = frozenset("0123456789abcdef")


class _Sheet:
    """One file line by line, with the tags of all files so far."""

    def __init__(self, file: Path, columns: tuple[str, ...], known: dict[Tag, str]) -> None:
        self.file = file
        self._columns = columns
        self._known = known
        self._line = 1

    def lines(self) -> Iterator[list[str]]:
        try:
            with self.file.open(encoding="utf-8-sig", newline="") as opened:
                reader = csv.reader(opened, strict=True)
                head = next(reader, [])
                if tuple(head) != self._columns:
                    raise self.error(f"must be the heading {','.join(self._columns)}")
                for cells in reader:
                    self._line = reader.line_num
                    if not cells:
                        continue
                    if len(cells) != len(self._columns):
                        raise self.error(f"has {len(cells)} fields instead of {len(self._columns)}")
                    yield [cell.strip() for cell in cells]
        except csv.Error as error:
            self._line = reader.line_num
            raise self.error(f"is no line of comma-separated values ({error})") from error
        except UnicodeDecodeError as error:
            raise SettingsError(self.file, "", "is not UTF-8 text") from error
        except OSError as error:
            raise SettingsError(self.file, "", f"cannot be read ({error.strerror or error})") from error

    def tag(self, text: str) -> Tag:
        digits = text.lower()
        if len(digits) not in _UID_DIGITS or not _HEX.issuperset(digits):
            raise self.error("its tag is no UID of 4, 7, 8 or 10 bytes in hexadecimal")
        tag = Tag(digits)
        if tag in self._known:
            raise self.error(f"its tag stands in {self._known[tag]} already")
        self._known[tag] = f"{self.file.name}, line {self._line},"
        return tag

    def name(self, column: str, text: str) -> str:
        if not text or len(text) > _MOST_NAME or not text.isprintable():
            raise self.error(f"its {column} must be a short name")
        return text

    def error(self, reason: str) -> SettingsError:
        return SettingsError(self.file, f"line {self._line}", reason)


def registers_from_files(chips: Path | None, decks: Path | None, badges: Path | None) -> Registers:
    """The registers in these files; a file that is not given knows nothing. SettingsError names file and line."""
    known: dict[Tag, str] = {}
    known_chips = _chips(_Sheet(chips, CHIPS, known)) if chips else {}
    cards, known_decks = _decks(_Sheet(decks, DECKS, known)) if decks else ({}, {})
    known_badges = _badges(_Sheet(badges, BADGES, known)) if badges else {}
    return Registers(known_chips, cards, known_decks, known_badges)


def _chips(sheet: _Sheet) -> Mapping[Tag, Chip]:
    chips: dict[Tag, Chip] = {}
    shared: dict[tuple[str, str], Chip] = {}  # a house has a million chips, but few kinds of them
    for tag, cents, state in sheet.lines():
        if (cents, state) not in shared:
            shared[cents, state] = _chip(sheet, cents, state)
        chips[sheet.tag(tag)] = shared[cents, state]
    return chips


def _chip(sheet: _Sheet, cents: str, state: str) -> Chip:
    if not (cents.isascii() and cents.isdecimal() and 0 < int(cents) <= _MOST_CENTS):
        raise sheet.error("its value_cents must be a whole number of cents above 0")
    if state not in tuple(ChipState):
        raise sheet.error(f"its state must be one of {', '.join(ChipState)}")
    return Chip(int(cents), ChipState(state))


def _decks(sheet: _Sheet) -> tuple[Mapping[Tag, CardTag], Mapping[str, Deck]]:
    cards: dict[Tag, CardTag] = {}
    decks: dict[str, Deck] = {}
    faces: dict[str, set[Card]] = {}
    for name, colour, face, tag in sheet.lines():
        deck = decks.setdefault(sheet.name("deck", name), Deck(name, colour))
        if deck.colour != colour:
            raise sheet.error(f"deck {name} has another colour in an earlier line")
        try:
            card = card_from_text(face)
        except ValueError:
            raise sheet.error("its card must be a rank of 23456789TJQKA and a suit of cdhs, such as As") from None
        if card in faces.setdefault(name, set()):
            raise sheet.error(f"deck {name} has this card in an earlier line")
        faces[name].add(card)
        cards[sheet.tag(tag)] = CardTag(card, name)
    for name, found in faces.items():
        if len(found) != len(DECK):
            raise SettingsError(sheet.file, f"deck {name}", f"has {len(found)} different cards instead of 52")
    return cards, decks


def _badges(sheet: _Sheet) -> Mapping[Tag, Person]:
    badges: dict[Tag, Person] = {}
    for tag, person, role in sheet.lines():
        if role not in tuple(Role):
            raise sheet.error(f"its role must be one of {', '.join(Role)}")
        badges[sheet.tag(tag)] = Person(sheet.name("person", person), Role(role))
    return badges
