"""The registers of a house as a book in which tags are entered and struck out, each change checked before it is made.

Owns what may be entered: a tag means one thing only, a deck has 52 different cards, a person has one badge. The files
hold what the gateway reads (`sabot_gateway.registers`), and every new file is read by the gateway's own reader before
it takes the old one's place. Sentences name a line, never a tag or a card of it (law 7).
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple, Self

from sabot_gateway.errors import SettingsError
from sabot_gateway.model.card import DECK, Card, text_from_card
from sabot_gateway.model.person import Role
from sabot_gateway.model.tag import ChipState, Tag
from sabot_gateway.registers import BADGES, CHIPS, DECKS, registers_from_files
from sabot_tools.enrol.register_file import Row, alone, replace_all, rows_of
from sabot_tools.field.trouble import FieldError, StartError

MOST_CENTS: Final = 10**12  # as the gateway's reader allows
_MOST_NAME: Final = 64


class Register(StrEnum):
    CHIPS = "chips"
    DECKS = "decks"
    BADGES = "badges"


_HEADINGS: Final = {Register.CHIPS: CHIPS, Register.DECKS: DECKS, Register.BADGES: BADGES}
_TAG: Final = {register: heading.index("tag") for register, heading in _HEADINGS.items()}


@dataclass(frozen=True, slots=True)
class RegisterPaths:
    """Where the registers are; None for one that the settings do not name. `settings` is what writers agree on."""

    settings: Path
    chips: Path | None
    decks: Path | None
    badges: Path | None

    def of(self, register: Register) -> Path | None:
        return {Register.CHIPS: self.chips, Register.DECKS: self.decks, Register.BADGES: self.badges}[register]


class Place(NamedTuple):
    """Where a tag stands: which register, and which of its rows."""

    register: Register
    at: int


class RegisterBook:
    """All three registers; changes are in memory until `save`."""

    def __init__(self, paths: RegisterPaths, rows: Mapping[Register, Sequence[Row]]) -> None:
        self.paths = paths
        self._rows = {register: list(rows[register]) for register in Register}
        self._changed: set[Register] = set()
        self._places: dict[Tag, Place] = {}
        self._decks: dict[str, str] = {}  # colour by name
        self._people: dict[str, str] = {}  # role by person
        for register in Register:
            self._index(register)

    @classmethod
    def read(cls, paths: RegisterPaths) -> Self:
        """The book as it stands on disk; StartError with the gateway's sentence when a register is wrong."""
        try:
            registers_from_files(paths.chips, paths.decks, paths.badges)
        except SettingsError as error:
            raise StartError(str(error)) from error
        found = {register: paths.of(register) for register in Register}
        return cls(paths, {register: rows_of(file) if file else [] for register, file in found.items()})

    @classmethod
    def new(cls, paths: RegisterPaths) -> Self:
        """An empty book, whose first `save` writes all three files."""
        book = cls(paths, {register: [] for register in Register})
        book._changed.update(Register)
        return book

    # Looking.

    def place_of(self, tag: Tag) -> str:
        """Where a tag is registered (`chips.csv, line 12`); empty when it is not."""
        place = self._places.get(tag)
        return self._sentence(place) if place else ""

    def chip_state(self, tag: Tag) -> str:
        """The state of a registered chip; empty for any other tag."""
        place = self._places.get(tag)
        return self._rows[Register.CHIPS][place.at].cells[2] if place and place.register is Register.CHIPS else ""

    def decks(self) -> dict[str, str]:
        """The colour of each deck."""
        return dict(self._decks)

    def chips(self) -> dict[tuple[int, str], int]:
        """How many chips there are of each value and state."""
        return dict(Counter((int(row.cells[1]), row.cells[2]) for row in self._rows[Register.CHIPS]))

    def people(self) -> dict[str, str]:
        """The role of each person with a badge."""
        return dict(self._people)

    # Entering.

    def check_deck(self, name: str, colour: str) -> None:
        """FieldError when no deck can be entered under this name."""
        self._check_file(Register.DECKS)
        _check_name("deck's name", name)
        _check_name("deck's colour", colour)
        if name in self._decks:
            raise FieldError(f"Deck {name} is registered already; retire it first, or give this one another name.")

    def add_deck(self, name: str, colour: str, tags: Mapping[Card, Tag]) -> None:
        """A whole deck: a tag of its own for each of the 52 cards."""
        self.check_deck(name, colour)
        if len(tags) != len(DECK):
            raise FieldError(f"Deck {name} has {len(tags)} different cards instead of {len(DECK)}.")
        self._enter(Register.DECKS, [(name, colour, text_from_card(card), tag) for card, tag in tags.items()])
        self._decks[name] = colour

    def add_chips(self, value_cents: int, tags: Sequence[Tag]) -> None:
        """Chips or plaques of one value, in play."""
        self._check_file(Register.CHIPS)
        if not 0 < value_cents <= MOST_CENTS:
            raise FieldError("A chip's value must be a whole number of cents above 0.")
        self._enter(Register.CHIPS, [(tag, str(value_cents), ChipState.IN_PLAY) for tag in tags])

    def check_badge(self, person: str) -> None:
        """FieldError when this person cannot get a badge."""
        self._check_file(Register.BADGES)
        _check_name("person", person)
        if person in self._people:
            raise FieldError(f"{person} has a badge already; take it back first (`sabot enrol take-back {person}`).")

    def add_badge(self, tag: Tag, person: str, role: Role) -> None:
        """One person's one badge."""
        self.check_badge(person)
        self._enter(Register.BADGES, [(tag, person, role)])
        self._people[person] = role

    # Striking out.

    def retire_deck(self, name: str) -> int:
        """Forget a deck; how many cards that were."""
        return self._strike(Register.DECKS, 0, name, f"There is no deck {name} in the register.")

    def take_back(self, person: str) -> int:
        """Forget a person's badge."""
        return self._strike(Register.BADGES, 1, person, f"There is no badge of {person} in the register.")

    def set_chips(self, tags: Sequence[Tag], state: ChipState) -> None:
        """Withdraw chips, or put them back into play: they stay known, so that one that turns up is recognised."""
        self._check_file(Register.CHIPS)
        _check_once(tags)
        rows = self._rows[Register.CHIPS]
        for number, tag in enumerate(tags, 1):
            if why := self.why_not(tag, state):
                raise FieldError(f"Tag {number} of {len(tags)} {why}.")
            place = self._places[tag]
            line, (text, cents, _) = rows[place.at]
            rows[place.at] = Row(line, (text, cents, state))
        self._changed.add(Register.CHIPS)

    def why_not(self, tag: Tag, state: ChipState | None) -> str:
        """Why a tag cannot be entered (None), or a chip not be brought into `state`; empty when it can."""
        where = self.place_of(tag)
        if state is None:
            return f"is registered already ({where})" if where else ""
        found = self.chip_state(tag)
        if not found:
            return f"is no chip ({where})" if where else "is not registered"
        return f"is {state.replace('_', ' ')} already ({where})" if found == state else ""

    # Writing.

    def save(self) -> None:
        """Write the registers that changed, each whole or not at all, after the gateway's own reader took them."""
        changed = {
            file: (_HEADINGS[register], [row.cells for row in self._rows[register]])
            for register in Register
            if register in self._changed and (file := self.paths.of(register)) is not None
        }

        def check(parts: Mapping[Path, Path]) -> None:
            files = [self._on_disk(register) for register in Register]
            try:
                registers_from_files(*(parts.get(file, file) if file else None for file in files))
            except SettingsError as error:
                raise FieldError(f"The registers would not be right: {error}") from error

        replace_all(changed, check)
        self._changed.clear()

    def _on_disk(self, register: Register) -> Path | None:
        file = self.paths.of(register)
        return file if file is not None and (file.exists() or register in self._changed) else None

    def _enter(self, register: Register, rows: Sequence[tuple[str, ...]]) -> None:
        tags = [Tag(row[_TAG[register]]) for row in rows]
        _check_once(tags)
        for number, tag in enumerate(tags, 1):
            if where := self.place_of(tag):
                which = f"Tag {number} of {len(tags)}" if len(tags) > 1 else "This tag"
                raise FieldError(f"{which} is registered already ({where}).")
        known = self._rows[register]
        for tag, row in zip(tags, rows, strict=True):
            self._places[tag] = Place(register, len(known))
            known.append(Row(0, row))
        self._changed.add(register)

    def _strike(self, register: Register, column: int, value: str, missing: str) -> int:
        self._check_file(register)
        kept = [row for row in self._rows[register] if row.cells[column] != value]
        count = len(self._rows[register]) - len(kept)
        if not count:
            raise FieldError(missing)
        self._places = {tag: place for tag, place in self._places.items() if place.register is not register}
        self._rows[register] = kept
        self._index(register)
        self._changed.add(register)
        return count

    def _index(self, register: Register) -> None:
        rows = self._rows[register]
        for at, row in enumerate(rows):
            self._places[Tag(row.cells[_TAG[register]].lower())] = Place(register, at)
        if register is Register.DECKS:
            self._decks = {row.cells[0]: row.cells[1] for row in rows}
        elif register is Register.BADGES:
            self._people = {row.cells[1]: row.cells[2] for row in rows}

    def _check_file(self, register: Register) -> None:
        if self.paths.of(register) is None:
            raise StartError(
                f'{self.paths.settings}: registers.{register}: names no file; write {register} = "{register}.csv".'
            )

    def _sentence(self, place: Place) -> str:
        file = self.paths.of(place.register)
        assert file is not None
        line = self._rows[place.register][place.at].line
        return f"{file.name}, line {line}" if line else f"{file.name}, entered just now"


def change(paths: RegisterPaths, edit: Callable[[RegisterBook], None], *, is_dry: bool = False) -> None:
    """Make one change to the registers as they stand now, alone; with `is_dry` everything but the writing."""
    with alone(paths.settings):
        book = RegisterBook.read(paths)
        edit(book)
        if not is_dry:
            book.save()


def _check_once(tags: Iterable[Tag]) -> None:
    seen: dict[Tag, int] = {}
    for number, tag in enumerate(tags, 1):
        if tag in seen:
            raise FieldError(f"Tag {number} is the same as tag {seen[tag]}: each may come once.")
        seen[tag] = number


def _check_name(what: str, text: str) -> None:
    if not text or len(text) > _MOST_NAME or not text.isprintable() or text != text.strip():
        raise FieldError(f"A {what} must be 1 to {_MOST_NAME} letters, without spaces around it.")
