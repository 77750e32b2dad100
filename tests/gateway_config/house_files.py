"""A small house on disk for the tests: settings, registers, rules, controllers; each part can be spoilt."""

import os
from collections.abc import Mapping
from pathlib import Path

RANKS = "23456789TJQKA"
SUITS = "cdhs"
FACES = [rank + suit for rank in RANKS for suit in SUITS]


class House:
    """A folder with a whole, right configuration of two tables."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "sabot.toml"
        (folder / "devices").mkdir()
        self.write("sabot.toml", SABOT)
        self.write("chips.csv", CHIPS)
        self.write("decks.csv", decks())
        self.write("badges.csv", BADGES)
        self.write("house-tcf.toml", HOUSE_TCF)
        self.add_device("t1-a", "t1")
        self.add_device("t2-a", "t2")

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def replace(self, name: str, old: str, new: str) -> None:
        text = (self.folder / name).read_text(encoding="utf-8")
        assert old in text, f"{name} has no {old!r}"
        self.write(name, text.replace(old, new, 1))

    def append(self, text: str, name: str = "sabot.toml") -> None:
        path = self.folder / name
        self.write(name, path.read_text(encoding="utf-8") + text)

    def add_device(self, device: str, table: str, more: str = "") -> bytes:
        secret = self.secret(f"devices/{device}.key", os.urandom(16))
        self.write(f"devices/{device}.toml", f'id = "{device}"\ntable = "{table}"\nkey = "{device}.key"\n{more}')
        return secret

    def secret(self, name: str, content: bytes) -> bytes:
        path = self.folder / name
        path.touch(0o600)
        path.write_bytes(content)
        return content


def decks(names: Mapping[str, str] | None = None) -> str:
    """A register of whole decks, each with its colour and tags of its own."""
    lines = ["deck,colour,card,tag"]
    for number, (name, colour) in enumerate((names or {"d1": "red", "d2": "blue"}).items(), start=1):
        lines += [f"{name},{colour},{face},e0{number:02x}{place:012x}" for place, face in enumerate(FACES)]
    return "\n".join(lines) + "\n"


def tag_of(face: str, deck: int = 1) -> str:
    return f"e0{deck:02x}{FACES.index(face):012x}"


SABOT = """\
site = "riviera"
gateway = "pit-1"

[registers]
chips = "chips.csv"
decks = "decks.csv"
badges = "badges.csv"

[rulesets]
house-tcf = "house-tcf.toml"

[[table]]
name = "t1"
pit = "salle 1"
ruleset = "house-tcf"
cameras = ["cam-11", "cam-12"]

[table.timing]
lamps_ms = 3000

[table.fitted]
rack = false
seat_readers = { 2 = 1, 3 = 0 }

[[table]]
name = "t2"
game = "UTH"
ruleset = "shipped"

[web]
listen = "none"
"""

CHIPS = """\
tag,value_cents,state
04a1000000000a,500,in_play
04A1000000000B,1000,withdrawn
"""

BADGES = """\
tag,person,role
0badbad1,p-17,dealer
0badbad2,p-3,table_head
"""

HOUSE_TCF = """\
id = "house-tcf"
extends = "tcf"
source_version = "text of 1 January 2026, confirmed"
table_min = 500
table_max = 50000
chip_unit = 500
bonus_mode = "separate_stake"
"""
