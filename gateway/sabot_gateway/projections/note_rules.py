"""The article behind each conclusion that moves no money: a phase, a decision, the closing of the bets, the button.

Alerts, settlements and spots carry their rule themselves; a `RecordDecision` names none: the recall looks it up here.
Pure tables by game; `street` tells which deal or round of decisions it is. Empty where no article speaks of it.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from sabot_gateway.model.effect import RecordDecision
from sabot_gateway.model.game import Game
from sabot_gateway.projections.sentence import UNDEALT


def rule_of_note(game: Game | None, note: RecordDecision, street: int) -> str:
    """`street` is how many cards lie on the board; UNDEALT before the players have their hands."""
    if game is None:
        return ""
    detail = dict(note.detail)
    what = str(detail.get(_WORDS.get(note.kind, ""), ""))
    name = f"{note.kind} {what}" if what else note.kind
    by_street = STREETS.get(game, {}).get(name)
    if by_street is not None:
        return by_street[max(at for at in by_street if at <= max(street, min(by_street)))]
    return RULES[game].get(name, "")


_WORDS: Final = MappingProxyType({"phase": "to", "decision": "decision", "action": "act"})

RULES: Final[Mapping[Game, Mapping[str, str]]] = MappingProxyType(
    {
        Game.TCF: {
            "deck_counted": "TCF-06",
            "shuffled": "TCF-07",
            "phase betting": "TCF-14",
            "bets_closed": "TCF-25",
            "phase dealing": "TCF-29",
            "phase deciding": "TCF-39",
            "decision fold": "TCF-40",
            "decision raise": "TCF-42",
            "phase revealing": "TCF-44",
            "phase paying": "TCF-52",
            "phase clearing": "TCF-64",
            "coup_finished": "TCF-65",
        },
        Game.STU: {
            "deck_counted": "STU-06",
            "shuffled": "STU-07",
            "phase betting": "STU-13",
            "bets_closed": "STU-25",
            "phase dealing": "STU-27",
            "phase deciding": "STU-38",
            "decision fold": "STU-40",
            "decision raise": "STU-42",
            "phase revealing": "STU-44",
            "phase paying": "STU-52",
            "phase clearing": "STU-56",
            "coup_finished": "STU-57",
        },
        Game.TCP: {
            "shuffled": "TCP-07",
            "bets_closed": "TCP-08",
            "phase dealing": "TCP-09",
            "phase deciding": "TCP-02",
            "decision fold": "TCP-11",
            "decision raise": "TCP-12",
            "phase revealing": "TCP-12",
            "coup_finished": "TCP-07",
        },
        Game.UTH: {
            "deck_counted": "UTH-04",
            "shuffled": "UTH-04",
            "phase betting": "UTH-07",
            "bets_closed": "UTH-18",
            "decision fold": "UTH-25",
            "decision play_preflop": "UTH-20",
            "decision play_flop": "UTH-22",
            "decision play_river": "UTH-24",
            "phase revealing": "UTH-27",
        },
        Game.THE: {
            "deck_counted": "THE-04",
            "shuffled": "THE-04",
            "button_drawn": "THE-43",
            "button_placed": "THE-41",
            "cave": "THE-34",
            "recave_wanted": "THE-38",
            "stake_consigned": "THE-29",
            "stake_orphaned": "THE-30",
            "phase betting": "THE-45",
            "bets_closed": "THE-50",
            "action fold": "THE-58",
            "action call": "THE-59",
            "action bet": "THE-75",
            "action raise": "THE-60",
            "action allin": "THE-92",
            "phase revealing": "THE-101",
            "shown": "THE-101",
            "rake": "THE-109",
            "phase paying": "THE-111",
            "coup_finished": "THE-117",
            "last_hands": "THE-112",
        },
    }
)

# From so many cards on the board onward.
STREETS: Final[Mapping[Game, Mapping[str, Mapping[int, str]]]] = MappingProxyType(
    {
        Game.UTH: {
            "phase dealing": {UNDEALT: "UTH-19", 0: "UTH-21", 3: "UTH-23"},
            "phase deciding": {0: "UTH-20", 3: "UTH-22", 5: "UTH-24"},
            "decision check": {0: "UTH-20", 3: "UTH-22"},
        },
        Game.THE: {
            "phase dealing": {UNDEALT: "THE-51", 0: "THE-71", 3: "THE-85", 4: "THE-88"},
            "phase deciding": {0: "THE-56", 3: "THE-73", 4: "THE-86", 5: "THE-90"},
            "action check": {0: "THE-68", 3: "THE-74"},
        },
    }
)
