"""What the views remember of a table from one record to the next: its game, staff, séance, and the coup under way.

Kept as one row per table, so that a fold that stops anywhere goes on there. Mutable, and owned by the one projector.
"""

import json
from dataclasses import dataclass, field, fields
from typing import Final, NamedTuple

from sabot_gateway.model.card import Card
from sabot_gateway.model.game import Game

MOST_FACTS: Final = (
    512  # a decision follows its fact within a few records; this only stops a table that is not followed
)


class Waiting(NamedTuple):
    """A configuration that is in force when the coup is over."""

    game: str
    ruleset: str
    ruleset_sha256: str
    seats: int
    registers: str


@dataclass(slots=True)
class Sheet:
    """`coup` is the row of the coup under way, 0 between coups; `outcome` is the last finished one."""

    game: str = ""
    ruleset: str = ""
    ruleset_sha256: str = ""
    seats: int = 0
    registers: str = ""  # digest of the house's registers
    badges: dict[str, tuple[str, str]] = field(default_factory=dict)  # changed at the table since: person and role
    waiting: Waiting | None = None
    seance: int = 0
    is_open: bool = False
    phase: str = "idle"
    phase_ms: int = 0
    coup: int = 0
    number: int = 0
    players: list[int] = field(default_factory=list)
    dealer: str = ""
    head: str = ""
    settled_ms: int = 0
    paid_ms: int = 0
    start_ms: int = 0
    end_ms: int = 0
    errors: int = 0
    caught_cents: int = 0
    cost_cents: int = 0
    payments: dict[str, str] = field(default_factory=dict)  # spots that were paid wrongly, and how that ended
    cards: list[Card] = field(default_factory=list)  # of the settlement that stands, until they are counted
    category: str = ""
    outcome: dict[str, int | str | None] = field(default_factory=dict)
    last_id: int = 0
    changed_ms: int = 0
    facts: list[tuple[int, int]] = field(default_factory=list)  # position and time of facts without a decision yet

    def remember(self, position: int, at_ms: int) -> None:
        """A fact came; a decision on it may follow."""
        self.facts.append((position, at_ms))
        if len(self.facts) > MOST_FACTS:
            del self.facts[: -MOST_FACTS // 2]

    def recall(self, position: int, otherwise_ms: int) -> int:
        """When the fact at this position happened; decisions come in the order of their facts."""
        older = 0
        while older < len(self.facts) and self.facts[older][0] < position:
            older += 1
        del self.facts[:older]
        return self.facts[0][1] if self.facts and self.facts[0][0] == position else otherwise_ms

    @property
    def game_or_none(self) -> Game | None:
        return Game(self.game) if self.game else None


_NAMES: Final = tuple(each.name for each in fields(Sheet))


def text_from_sheet(sheet: Sheet) -> str:
    # Not asdict(): it copies every fact and card, for each record of a busy floor.
    return json.dumps({name: getattr(sheet, name) for name in _NAMES}, separators=(",", ":"))


def sheet_from_text(text: str) -> Sheet:
    sheet = Sheet(**json.loads(text))
    if sheet.waiting is not None:
        sheet.waiting = Waiting(*sheet.waiting)
    return sheet
