"""A short notation for hold'em tests: `3 raise 3000, 4 fold / 1 check` is two streets of actions.

Streets are parted by `/`, actions by commas, each `seat act [to]`. Settings not
named are those that the example coups assume.
"""

import json
from functools import cache
from pathlib import Path
from typing import Any

from sabot_gateway.model.card import cards_from_text
from sabot_gateway.model.coup import Void
from sabot_gateway.model.holdem import Act, Action, HoldemCoup, HoldemSeat, HoldemSettlement, OptionPost, Street
from sabot_gateway.rules.betting import follow
from sabot_gateway.rules.betting_state import Betting
from sabot_gateway.rules.games.texas_holdem import HoldemConfig, open_betting, settle
from sabot_gateway.rules.rejection import Fault, Refusal

DEEP = 100_000  # a stack that no test runs out of
# One pair each, in falling order, on a board that changes none of them.
PAIRS = ("AsAd", "KsKd", "QsQd", "JsJd", "TsTd", "7s7d", "6s6d", "4s4d", "AhKh", "QhJh")
BOARD = "2c 5h 8s 9d 3h"


@cache
def _defaults() -> dict[str, object]:
    path = Path(__file__).parents[2] / "cases" / "defaults.json"
    values: dict[str, object] = json.loads(path.read_text(encoding="utf-8"))["THE"]
    return values


def config(**settings: Any) -> HoldemConfig:
    """A table of 500/1000 blinds without rake, but for `settings`."""
    return HoldemConfig.from_ruleset({**_defaults(), "rake_bp": 0, **settings})


def actions(script: str) -> tuple[Action, ...]:
    found = []
    for street, line in zip(Street, script.split("/"), strict=False):
        for words in filter(None, (part.split() for part in line.split(","))):
            to = int(words[2]) if len(words) > 2 else None
            found.append(Action(street, int(words[0]), Act(words[1]), to))
    return tuple(found)


def coup(
    script: str | None,
    stacks: dict[int, int],
    *,
    button: int,
    board: str = BOARD,
    hands: dict[int, str] | None = None,
    option: OptionPost | None = None,
    void: Void | None = None,
) -> HoldemCoup:
    """A coup of players with `stacks`; without `hands` the seats hold falling pairs."""
    held = hands or dict(zip(sorted(stacks), PAIRS, strict=False))
    seats = tuple(HoldemSeat(seat, stack, cards_from_text(held[seat])) for seat, stack in stacks.items())
    log = None if script is None else actions(script)
    return HoldemCoup(button, seats, cards_from_text(board), log, option, void)


def staked(
    contributed: dict[int, int],
    *,
    button: int,
    folded: tuple[int, ...] = (),
    board: str = BOARD,
    hands: dict[int, str] | None = None,
) -> HoldemCoup:
    """A coup told by contributions and folds alone."""
    held = hands or dict(zip(sorted(contributed), PAIRS, strict=False))
    seats = tuple(
        HoldemSeat(seat, None, cards_from_text(held[seat]), amount, seat in folded)
        for seat, amount in contributed.items()
    )
    return HoldemCoup(button, seats, cards_from_text(board))


def four(script: str = "", stack: int = DEEP, **settings: Any) -> Betting | Fault:
    """Four players of equal stacks, button on seat 4: blinds on 1 and 2, seat 3 speaks first."""
    return betting(script, dict.fromkeys((1, 2, 3, 4), stack), button=4, **settings)


def betting(
    script: str, stacks: dict[int, int], *, button: int, option: int | None = None, **settings: Any
) -> Betting | Fault:
    """The betting after `script`, or the fault of its last action."""
    post = None if option is None else OptionPost(option)
    opened = open_betting(coup(None, stacks, button=button, option=post), config(**settings))
    assert isinstance(opened, Betting), opened
    return follow(opened, actions(script))


def waiting(state: Betting | Fault) -> int | None:
    """The seat that has to speak."""
    assert isinstance(state, Betting), state
    return None if state.turn is None else state.players[state.turn].seat


def refusal(state: Betting | Fault) -> tuple[str, str, int | str | None, int | None]:
    assert isinstance(state, Fault), state
    return state.code, state.rule, state.detail, state.seat


def settled(played: HoldemCoup, **settings: Any) -> HoldemSettlement:
    decided = settle(played, config(**settings))
    assert isinstance(decided, HoldemSettlement), decided
    return decided


def refused(played: HoldemCoup, **settings: Any) -> list[tuple[str, str, int | str | None, int | None]]:
    decided = settle(played, config(**settings))
    assert isinstance(decided, Refusal), decided
    return [(fault.code, fault.rule, fault.detail, fault.seat) for fault in decided.faults]


def nets(decided: HoldemSettlement) -> dict[int, int]:
    return {seat.seat: seat.net for seat in decided.seats}


def rules_by_seat(decided: HoldemSettlement) -> dict[int, str]:
    return {seat.seat: seat.rule for seat in decided.seats}
