"""Coups of the five games as their controllers tell them: an opening, then coups that can be played for ever.

Made by the scenario rig from scripts like those in tests/rounds. The last coups form a ring: after the last of them the
table stands as it stood before the first, so a night is as long as a test wants it.
"""

from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any

from runtime.pit import real_tag
from runtime.wire_device import WireEvent, wire_events
from sabot_gateway.model.effect import RecordSettlement
from sabot_gateway.model.event import DeviceEvent, LampsApplied, OperatorEvent
from sabot_gateway.model.game import Game
from sabot_tools.rounds.playing import play
from sabot_tools.rounds.reading import script_from_text
from sabot_tools.rounds.rig import Entry

ROUNDS = Path(__file__).parents[1] / "rounds"

OPENED = dict.fromkeys(Game, "OPEN") | {Game.THE: "OPEN\ncave all 200\nbutton 3"}

# Stakes before the deal, hands, decisions and boards; several seats, won, lost, folded and tied.
COUPS: dict[Game, tuple[str, ...]] = {
    Game.TCF: (
        """bet 3 ante 10 bonus 5
CLOSE
hand 3 7s 7h 7d
hand dealer Kh 9d 2c
deal
bet 3 play 10
reveal""",
        """bet 2 ante 20
bet 5 ante 10 pair_plus 5
CLOSE
hand 2 Ks 7d 3h
hand 5 5s 6c 2d
hand dealer Qh 9c 4d
deal
bet 2 play 20
fold 5
reveal""",
        """bet 1 ante 10
CLOSE
hand 1 2s 4h 9d
hand dealer Kh Kd 2c
deal
bet 1 play 10
reveal""",
    ),
    Game.STU: (
        """bet 2 ante 10
bet 5 ante 20
CLOSE
hand 2 9s 8h 7d 6s 2s
hand 5 Qs Qh 7c 6d 2d
hand dealer Ah Ad 4c 3h 2c
deal
bet 2 raise 20
bet 5 raise 40
reveal""",
        """bet 3 ante 10
CLOSE
hand 3 9s 8h 7d 6s 5s
hand dealer Ah Kd 4c 3h 2c
deal
bet 3 raise 20
reveal""",
    ),
    Game.TCP: (
        """bet 3 ante 10
hand 3 Qs Td 8h
hand dealer Qh Tc 8c
deal
bet 3 play 10
reveal""",
        """bet 1 ante 10
bet 4 ante 20
hand 1 As Ad 8h
hand 4 2s 4d 7h
hand dealer Kh Tc 8c
deal
bet 1 play 10
fold 4
reveal""",
    ),
    Game.UTH: (
        """bet 3 ante 10 blind 10
hand 3 Ah Kh
hand dealer 9s 9d
deal
bet 3 play 40
board Ac 7d 2s
board 5h 3c
reveal""",
        """bet 2 ante 10 blind 10
hand 2 Qh Jh
hand dealer As Ad
deal
bet 2 play 40
board Ac 7d 2s
board 5h 3c
reveal""",
    ),
    Game.THE: tuple(
        f"""stake {small} 5
stake {big} 10
hand {small} As Ah
hand {big} Kd Kc
hand {button} 7h 2c
deal
fold {button}
fold {small}"""
        for button, small, big in ((3, 1, 2), (1, 2, 3), (2, 3, 1))
    ),
}


@dataclass(frozen=True, slots=True)
class Said:
    """One thing that happened: a controller's events of one moment, or a person's declaration."""

    wire: tuple[WireEvent, ...]
    person: OperatorEvent | None = None


@dataclass(frozen=True, slots=True)
class Night:
    """What happens at a table; `ring` follows `opening` as often as one likes, and settles `coups` coups."""

    game: Game
    opening: tuple[Said, ...]
    ring: tuple[Said, ...]
    coups: int
    settlements: tuple[Any, ...]  # of the ring, as the rig's table came to them
    chips: frozenset[str]


@cache
def night_of(game: Game) -> Night:
    """Plays the opening and the coups twice over: the first time warms the table up, the second is the ring."""
    coups = COUPS[game]
    before = "" if game is Game.STU else "SHUFFLE\n"  # STU-23: there the deck is shuffled behind the stakes
    parts = [f"{OPENED[game]}\n{coups[0]}\nEND\n"]
    parts += [f"{before}{coup}\nEND\n" for coup in coups[1:]]
    parts += [f"{before}{coup}\nEND\n" for coup in coups]
    seats = "SEATS 1 2 3\n" if game is Game.THE else ""
    head = f"GAME {game.lower()}\nTITLE Proof\nRULES GEN-01\n{seats}\n"
    lengths = []
    for upto in (len(coups), 2 * len(coups)):
        played = play(script_from_text(head + "".join(parts[:upto]), f"{game}-proof", ROUNDS))
        assert played.failure is None, played.failure
        lengths.append(len(played.entries))
    said = [(entry, _said(entry)) for entry in played.entries if not isinstance(entry.event, LampsApplied)]
    first = sum(not isinstance(entry.event, LampsApplied) for entry in played.entries[: lengths[0]])
    ring = played.entries[lengths[0] :]
    return Night(
        game,
        tuple(each for _, each in said[:first]),
        tuple(each for _, each in said[first:]),
        len(coups),
        tuple(effect.settlement for entry in ring for effect in entry.effects if isinstance(effect, RecordSettlement)),
        frozenset(tag for entry, _ in said for tag in getattr(entry.event, "tags", ())),
    )


def _said(entry: Entry) -> Said:
    event = entry.event
    if isinstance(event, OperatorEvent):
        return Said((), event)
    assert isinstance(event, DeviceEvent), f"a night has no {type(event).__name__}"
    changes: dict[str, Any] = {}
    if hasattr(event, "tag"):
        changes["tag"] = real_tag(event.tag)
    if hasattr(event, "tags"):
        changes["tags"] = tuple(map(real_tag, event.tags))
    return Said(tuple(wire_events(replace(event, **changes))))
