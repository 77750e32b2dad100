"""A whole simulated house on disk: settings, registers, controllers with their keys; all that a gateway needs to start.

Owns which tags such a house has; they are entered as any house enters its own (`enrol`). It is written once and read by
both sides as any house is: the gateway through its settings file, the twin through the same registers (`floor`).
Keys are drawn anew for each house.
"""

import json
import secrets
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Final

from sabot_gateway.model.card import card_from_text
from sabot_gateway.model.person import Role
from sabot_gateway.model.tag import ChipState, Tag
from sabot_tools.enrol.register_book import RegisterBook, RegisterPaths
from sabot_tools.twin.chip import chips_of_table
from sabot_tools.twin.deck import Deck

GAMES: Final = ("TCF", "STU", "TCP", "UTH", "THE")
COLOURS: Final = ("blue", "red")
_BADGE = 0xBD
# Who deals and heads a table, and who relieves them.
POSTS: Final = ((1, "dealer"), (2, "table_head"), (3, "dealer"), (4, "table_head"))

LARGE: Final = 100  # tables
UNHURRIED_LAMPS_MS: Final = 60_000

# A chip that is out of service: each house has some, and somebody may bring one.
WITHDRAWN: Final = (Tag("e004ff00000000aa"), 1000)

# Coups may take no time at all, and the time at such a table is its own: it is not held to the clock on the wall.
_HURRIED: Final = "clock_ms = 600000\nfastest_ms = 0"

# At a hold'em table stacks and pot are read: nothing has to be declared at a console.
_FITTED: Final = {"THE": "stacks = true\npot = true\n"}


class HouseError(Exception):
    """This house cannot be played: one sentence."""


def write_house(
    folder: Path,
    games: Sequence[str],
    site: str,
    listen: str,
    web: str = "none",
    is_hurried: bool = True,
    digests: Sequence[bytes] = (),
) -> Path:
    """Write a house with one table per game named; its settings file.

    `is_hurried`: coups may take no time at all, and where more than LARGE of them are in a hurry on one machine, lamps
    that are late are no evidence of broken lamps. `digests`: the controllers' software that it accepts; none: any.
    """
    timing = f"[table.timing]\n{_HURRIED}\n" if is_hurried else ""
    if timing and len(games) > LARGE:
        timing += f"lamps_ms = {UNHURRIED_LAMPS_MS}\n"
    for name, mode in (("devices", 0o700), ("registers", 0o755), ("data", 0o700)):
        (folder / name).mkdir(mode, parents=True, exist_ok=True)
    files = {name: folder / "registers" / f"{name}.csv" for name in ("chips", "decks", "badges")}
    file = folder / "sabot.toml"
    book = RegisterBook.new(RegisterPaths(file, **files))
    tables = []
    for number, game in enumerate(games, 1):
        name = table_name(number)
        for cents, chips in groupby(chips_of_table(number), key=lambda chip: chip.cents):
            book.add_chips(cents, [Tag(chip.uid.hex()) for chip in chips])
        deck = Deck(f"deck-{number}", number, COLOURS[number % 2])
        book.add_deck(deck.name, deck.colour, {card_from_text(card.face): Tag(card.uid.hex()) for card in deck.cards})
        tables.append(_table(name, game, timing))
        _write_device(folder / "devices", name)
    for posts in (POSTS[:2], POSTS[2:]):  # whoever relieves comes behind all who begin
        for number in range(1, len(games) + 1):
            for role, post in posts:
                book.add_badge(Tag(badge(number, role)), f"{post[0].upper()}{number}-{role}", Role(post))
    book.add_chips(WITHDRAWN[1], [WITHDRAWN[0]])
    book.set_chips([WITHDRAWN[0]], ChipState.WITHDRAWN)
    book.save()
    head = [
        f'site = "{site}"',
        'language = "en"',
        "[embedded]",
        f'listen = "{listen}"',
        "[registers]",
        *(f'{name} = "registers/{name}.csv"' for name in ("chips", "decks", "badges")),
        "[web]",
        f'listen = "{web}"',
        *(["[firmware]", digests_line(digests)] if digests else []),
        "",
    ]
    file.write_text("\n".join(head) + "\n" + "\n".join(tables), encoding="utf-8")
    return file


def digests_line(digests: Sequence[bytes]) -> str:
    """The setting of [firmware] that names what controllers may run."""
    return f"digests = {json.dumps([digest.hex() for digest in digests])}"


def table_name(number: int) -> str:
    return f"table-{number}"


def badge(table: int, role: int) -> str:
    """The tag of a person's badge."""
    return (bytes((0x04, _BADGE)) + table.to_bytes(3, "big") + bytes((role, 0x51))).hex()


def _table(name: str, game: str, timing: str) -> str:
    fitted = f"[table.fitted]\n{_FITTED[game]}" if game in _FITTED else ""
    return f'[[table]]\nname = "{name}"\npit = "twin"\ngame = "{game}"\nruleset = "shipped"\n{timing}{fitted}'


def _write_device(folder: Path, name: str) -> None:
    key = folder / f"{name}.key"
    key.touch(0o600)
    key.write_bytes(secrets.token_bytes(16))
    (folder / f"{name}.toml").write_text(f'id = "{name}"\ntable = "{name}"\nkey = "{name}.key"\n', encoding="utf-8")
