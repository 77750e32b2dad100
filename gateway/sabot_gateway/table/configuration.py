"""A live table under a new configuration: ruleset, registers, timing or fitted sensors.

Only between coups: the coup is idle, or was opened and no stake lies on the felt.
Every coup ends in an idle state, so a caller who waits and asks again after each
step is served at the latest when the coup is over. Everything that outlasts a coup
stays: séance, seats, staff, links, open alerts, the hold'em party, the deck in use
with the séances it has served, and the revisions of the lamps.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from sabot_gateway.model.event import Fact
from sabot_gateway.model.felt import FeltSpot
from sabot_gateway.table.alerts import chips
from sabot_gateway.table.change import replace
from sabot_gateway.table.closing import recheck_stakes
from sabot_gateway.table.courses import course_of
from sabot_gateway.table.felt import recount
from sabot_gateway.table.holdem_state import Party
from sabot_gateway.table.machine import Step, finished
from sabot_gateway.table.seance import judge_float
from sabot_gateway.table.setup import Fitted, TableSetup
from sabot_gateway.table.state import CoupPhase, SeancePhase, ShoePhase, Staff, TableState
from sabot_gateway.table.turn import Turn


class Why(StrEnum):
    COUP_UNDER_WAY = "coup_under_way"
    OTHER_GAME = "other_game"  # a table changes its game with the séance closed
    CAVE_FIXED = "cave_fixed"  # THE-35: the minimum cave stands until the next séance
    OTHER_TABLE = "other_table"


@dataclass(frozen=True, slots=True)
class NotNow:
    """A configuration that was not taken, the table unchanged; `may_wait`: asked again later, it can be."""

    why: Why
    sentence: str

    @property
    def may_wait(self) -> bool:
        return self.why is not Why.OTHER_TABLE


def reconfigure(state: TableState, setup: TableSetup, at_ms: int = 0) -> Step | NotNow:
    """The table under `setup`; the same configuration again changes nothing."""
    refused = _refused(state, setup)
    if refused is not None:
        return refused
    setup = _reconciled(state.setup, setup)
    changed = _changes(state.setup, setup)
    if not changed:
        return Step(state, ())
    turn = Turn(state, Fact(at_ms=at_ms))
    turn.setup = setup
    turn.note("configured", changed=",".join(changed), ruleset=setup.ruleset.id, sha256=setup.ruleset.sha256)
    if setup.game is not state.setup.game:
        turn.party, turn.button = Party(), 0
    _bring_in_line(turn)
    return finished(turn)


def is_between_coups(state: TableState) -> bool:
    """No coup, or one that was opened and has no stake: nobody plays by the old rules."""
    if state.coup.phase is CoupPhase.IDLE:
        return True
    course = course_of(state)
    return state.coup.phase is CoupPhase.BETTING and not any(
        pile.tags and course.is_opening_place(state, place) for place, pile in state.felt.items()
    )


def _refused(state: TableState, setup: TableSetup) -> NotNow | None:
    if setup.table != state.setup.table:
        return NotNow(Why.OTHER_TABLE, f"The configuration is for table {setup.table}, this is {state.setup.table}.")
    if not is_between_coups(state):
        return NotNow(Why.COUP_UNDER_WAY, f"Table {setup.table}: a coup is under way ({state.coup.phase}).")
    if setup.game is not state.setup.game and state.seance.phase is not SeancePhase.CLOSED:
        return NotNow(Why.OTHER_GAME, f"Table {setup.table}: the game changes only while the séance is closed.")
    if _cave(setup) != _cave(state.setup) and state.seance.phase is not SeancePhase.CLOSED:
        return NotNow(Why.CAVE_FIXED, f"Table {setup.table}: the minimum cave stands until the séance is closed.")
    return None


def _cave(setup: TableSetup) -> object:
    return setup.ruleset.values.get("cave_min")


def _reconciled(old: TableSetup, new: TableSetup) -> TableSetup:
    """The ruleset object that is in use where the rules are the same, and the séances that a deck has served here."""
    if (new.ruleset.id, new.ruleset.sha256) == (old.ruleset.id, old.ruleset.sha256):
        new = replace(new, ruleset=old.ruleset)
    decks = dict(new.decks)
    for name, deck in new.decks.items():
        known = old.decks.get(name)
        if known is not None and known.uses > deck.uses and _tags(old, name) == _tags(new, name):
            decks[name] = replace(deck, uses=known.uses)
    return replace(new, decks=decks)


def _changes(old: TableSetup, new: TableSetup) -> tuple[str, ...]:
    return tuple(name for name in _PARTS if getattr(old, name) != getattr(new, name))


def _bring_in_line(turn: Turn) -> None:
    """What the table took for granted under the old configuration and cannot under the new one."""
    setup, before = turn.setup, turn.before.setup
    _forget_sensors(turn, before.fitted, setup.fitted)
    turn.seats = {seat: known for seat, known in turn.seats.items() if seat <= setup.seats_total}
    people = {person.id for person in setup.badges.values()}
    if turn.staff.dealer not in people:
        turn.staff = replace(turn.staff, dealer="")
    if turn.staff.head not in people:
        turn.staff = Staff(dealer=turn.staff.dealer)
    deck = turn.shoe.deck
    if deck and (deck not in setup.decks or _tags(before, deck) != _tags(setup, deck)):
        # Its cards are not what the count found: it is counted again before it is dealt from.
        turn.shoe = replace(turn.shoe, phase=ShoePhase.EMPTY, deck="", cutter=0, cut_card=False, refused=frozenset())
    recount(turn)
    recheck_stakes(turn)
    judge_float(turn)


def _forget_sensors(turn: Turn, old: Fitted, new: Fitted) -> None:
    """A sensor that is gone says nothing any more; its last word is no level."""
    gone = {spot for spot, name in _SENSED.items() if getattr(old, name) and not getattr(new, name)}
    if gone:
        for alert in turn.alerts.values():
            if alert.spot in gone and alert.code in chips.CODES:
                turn.clear(alert.id)
        turn.felt = {place: pile for place, pile in turn.felt.items() if place[1] not in gone}
    if old.rack and not new.rack:
        turn.shoe = replace(turn.shoe, rack=frozenset())


def _tags(setup: TableSetup, deck: str) -> set[tuple[str, int]]:
    return {(tag, known.card) for tag, known in setup.cards.items() if known.deck == deck}


_PARTS: Final = ("ruleset", "chips", "cards", "decks", "badges", "timing", "fitted")
_SENSED: Final = {
    FeltSpot.FLOAT: "tray",
    FeltSpot.STACK: "stacks",
    FeltSpot.POT: "pot",
    FeltSpot.RAKE: "slot",
}
