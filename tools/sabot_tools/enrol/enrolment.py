"""One enrolment from its arguments to the register: which checks, which reader or list, which change.

Owns the order: what can be refused before anybody touches a card is refused first, and the register is read and checked
again at the moment of writing, since reading a deck takes minutes.
"""

import argparse
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from sabot_gateway.errors import GatewayError
from sabot_gateway.link.device import Device
from sabot_gateway.model.person import Role
from sabot_gateway.model.tag import ChipState, Tag
from sabot_gateway.settings.reading import Origin, mapping_from_file
from sabot_gateway.settings.shape import Settings
from sabot_tools.enrol.arrival import Line
from sabot_tools.enrol.badge_holding import BadgeHolding
from sabot_tools.enrol.broker_line import BrokerLine, broker_of
from sabot_tools.enrol.cable_line import CableLine
from sabot_tools.enrol.chip_laying import ChipLaying
from sabot_tools.enrol.deck_passing import DeckPassing
from sabot_tools.enrol.desk import Desk
from sabot_tools.enrol.dialogue import Dialogue
from sabot_tools.enrol.open_seance import open_tables
from sabot_tools.enrol.register_book import MOST_CENTS, Register, RegisterBook, RegisterPaths, change
from sabot_tools.enrol.tag_list import badges_from_list, chips_from_list, deck_from_list, tags_from_list
from sabot_tools.field.house import open_house
from sabot_tools.field.trouble import FieldError, StartError

Edit = Callable[[RegisterBook], None]

_SOURCES: Final = "Say where the tags come from: --device ID, --port DEV or --csv FILE."


class Outcome(NamedTuple):
    """What was done; `tags` is how many tags it concerned."""

    action: str
    name: str
    tags: int
    file: Path
    is_written: bool
    sentence: str


class Enrolment:
    """One run of the command; `book` is the registers as they stood when it began."""

    def __init__(self, args: argparse.Namespace, settings: Settings, paths: RegisterPaths) -> None:
        self._args = args
        self._settings = settings
        self._paths = paths
        self.book = RegisterBook.read(paths)

    def perform(self) -> Outcome:
        """Read the tags, make the change; FieldError when it is refused, with nothing written."""
        match self._args.action:
            case "deck":
                return self._deck()
            case "chips":
                return self._chips()
            case "badge":
                return self._badge()
            case "retire":
                return self._retire()
            case "take-back":
                return self._take_back()
            case _:
                return self._chip_state()

    def _deck(self) -> Outcome:
        args = self._args
        self.book.check_deck(args.name, args.colour)
        if args.csv is not None:
            deck = deck_from_list(args.csv)
        else:
            passing = DeckPassing(args.name, self._why_not())
            self._converse(passing)
            deck = passing.deck
        sentence = f"Deck {args.name} ({args.colour}) is registered: {len(deck)} cards."
        return self._change(
            Register.DECKS, lambda book: book.add_deck(args.name, args.colour, deck), args.name, len(deck), sentence
        )

    def _chips(self) -> Outcome:
        args = self._args
        cents = cents_from_text(args.value) if args.value is not None else None
        if args.csv is not None:
            chips = chips_from_list(args.csv, cents)
        elif cents is None:
            raise StartError("Say what each chip is worth: --value V.")
        else:
            laying = ChipLaying(f"Chips of {money(cents)}", args.count, self._why_not())
            self._converse(laying)
            chips = {cents: laying.tags}
        count = self._counted(sum(map(len, chips.values())))

        def add(book: RegisterBook) -> None:
            for value, tags in chips.items():
                book.add_chips(value, tags)

        values = ", ".join(f"{len(tags):,} of {money(value)}" for value, tags in sorted(chips.items()))
        return self._change(Register.CHIPS, add, "", count, f"Chips are registered: {values}.")

    def _badge(self) -> Outcome:
        args = self._args
        if args.person is None:
            if args.csv is None or args.role is not None:
                raise StartError("Say whose badge it is: PERSON and --role R, or --csv with a list of tag,person,role.")
            return self._badges(args.csv)
        if args.role is None:
            raise StartError(f"Say what {args.person} is: --role {'|'.join(Role)}.")
        self.book.check_badge(args.person)
        if args.csv is not None:
            tags = tags_from_list(args.csv)
            if len(tags) != 1:
                raise FieldError(f"{args.csv}: has {len(tags)} tags instead of 1.")
            tag = tags[0]
        else:
            holding = BadgeHolding(args.person, self._why_not())
            self._converse(holding)
            assert holding.tag is not None
            tag = holding.tag
        sentence = f"The badge of {args.person} ({args.role.replace('_', ' ')}) is registered."
        role = Role(args.role)
        return self._change(
            Register.BADGES, lambda book: book.add_badge(tag, args.person, role), args.person, 1, sentence
        )

    def _badges(self, file: Path) -> Outcome:
        badges = badges_from_list(file)

        def add(book: RegisterBook) -> None:
            for tag, person, role in badges:
                book.add_badge(tag, person, role)

        return self._change(Register.BADGES, add, "", len(badges), f"{len(badges)} badges are registered.")

    def _retire(self) -> Outcome:
        name = self._args.name
        if name in self.book.decks():
            self._refuse_open([table.name for table in self._settings.tables], "and may be playing with the deck")
        sentence = f"Deck {name} is retired; its tags are free."
        return self._change(Register.DECKS, lambda book: _discard(book.retire_deck(name)), name, 52, sentence)

    def _take_back(self) -> Outcome:
        person = self._args.person
        sentence = f"The badge of {person} opens nothing any more."
        return self._change(Register.BADGES, lambda book: _discard(book.take_back(person)), person, 1, sentence)

    def _chip_state(self) -> Outcome:
        args, state = self._args, ChipState(self._args.state)
        if args.csv is not None:
            tags = tags_from_list(args.csv)
        else:
            laying = ChipLaying(f"Chips to {args.action}", args.count, self._why_not(state))
            self._converse(laying)
            tags = laying.tags
        count = self._counted(len(tags))
        sentence = f"Chips that are {state.replace('_', ' ')} now: {count:,}."
        return self._change(Register.CHIPS, lambda book: book.set_chips(tags, state), "", count, sentence)

    def _change(self, register: Register, edit: Edit, name: str, tags: int, sentence: str) -> Outcome:
        change(self._paths, edit, is_dry=self._args.dry_run)
        file = self._paths.of(register)
        assert file is not None
        return Outcome(self._args.action, name, tags, file, not self._args.dry_run, sentence)

    def _counted(self, count: int) -> int:
        if self._args.count and count != self._args.count:
            raise FieldError(f"There are {count:,} tags instead of {self._args.count:,}; nothing was registered.")
        return count

    def _why_not(self, state: ChipState | None = None) -> Callable[[Tag], str]:
        return lambda tag: self.book.why_not(tag, state)

    def _converse(self, dialogue: Dialogue) -> None:
        line, devices = self._source()
        with Desk(self._settings.site, devices, line) as desk:
            table = desk.find().table
            if self._args.device is None:
                self._refuse_open([table], "so that its tags are play")
            desk.converse(dialogue)

    def _source(self) -> tuple[Line, tuple[Device, ...]]:
        args = self._args
        known = self._settings.devices.registry_at(time.time_ns() // 1_000_000)
        if args.device is None and args.port is None:
            raise StartError(_SOURCES)
        devices = tuple(known.devices())
        if args.device is not None:
            found = known.find(args.device)
            if found is None:
                raise StartError(f"There is no controller {args.device} in the house.")
            devices = (found,)
            self._refuse_open([found.table], "so that its tags are play")
        if not devices:
            raise StartError("The house has no controller yet; provision one first.")
        if args.port is not None:
            return CableLine(args.port, args.baud), devices
        broker = broker_of(self._settings, args.certificate, args.key)
        return BrokerLine(broker, args.device, f"enrol-{os.getpid()}"), devices

    def _refuse_open(self, tables: list[str], why: str) -> None:
        if self._args.anyway:
            return
        if found := open_tables(self._settings.store, tables):
            raise FieldError(f"The séance at {found[0]} is open, {why}; close it first, or say --anyway.")


def enrolment_from(args: argparse.Namespace) -> Enrolment:
    """The enrolment that the arguments ask for; StartError when the house's settings are not right."""
    if getattr(args, "csv", None) is not None and (args.device is not None or args.port is not None):
        raise StartError("The tags come from a list or from a reader, not from both.")
    if (getattr(args, "certificate", None) is None) != (getattr(args, "key", None) is None):
        raise StartError("--certificate and --key go together.")
    if getattr(args, "count", 0) < 0:
        raise StartError("--count must be a number above 0.")
    settings = open_house(args.config).settings
    return Enrolment(args, settings, paths_of(settings))


def paths_of(settings: Settings) -> RegisterPaths:
    """Where the registers of checked settings lie."""
    origin = Origin(settings.file, [])
    try:
        section = mapping_from_file(settings.file).get("registers", {})
    except GatewayError as error:
        raise StartError(str(error)) from error
    written = section if isinstance(section, dict) else {}
    found = {name: origin.path(str(written[name])) if name in written else None for name in Register}
    return RegisterPaths(settings.file, found[Register.CHIPS], found[Register.DECKS], found[Register.BADGES])


def cents_from_text(text: str) -> int:
    """`25`, `0.50` or `0,50` as cents."""
    whole, _, part = text.replace(",", ".").partition(".")
    is_right = (whole + part).isascii() and whole.isdecimal() and (part.isdecimal() or not part) and len(part) in (0, 2)
    cents = int(whole) * 100 + int(part or 0) if is_right else 0
    if not 0 < cents <= MOST_CENTS:
        raise StartError("--value must be an amount above 0, such as 25 or 0.50.")
    return cents


def money(cents: int) -> str:
    return f"{cents // 100:,}.{cents % 100:02d}"


def _discard(_count: int) -> None:
    """A change returns nothing."""
