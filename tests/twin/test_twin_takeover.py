"""A table that somebody left in the middle of a coup, at any moment of it: the next one ends that coup and goes on."""

import asyncio
from pathlib import Path

import pytest

from sabot_gateway.model.game import Game
from sabot_tools.twin import bank_coup, holdem_coup
from sabot_tools.twin.book import differences
from sabot_tools.twin.catalogue import INCIDENTS
from sabot_tools.twin.hand_rig import HandRig
from sabot_tools.twin.incident import Incident
from sabot_tools.twin.opening import open_table
from sabot_tools.twin.rig import Rig
from sabot_tools.twin.table import Mischief, Stage, Table
from twin.small_floor import seat_table
from twin.stand_in_floor import StandInFloor

SEED = 7
COUPS = 2


class PowerCutError(Exception):
    """The lights go out."""


class Hands:
    """A rig whose user is gone after so many acts of these kinds."""

    def __init__(self, rig: Rig, acts: int, *kinds: str) -> None:
        self.whole = rig
        self._acts = acts
        self._kinds = kinds

    def __getattr__(self, name: str) -> object:
        act = getattr(self.whole, name)
        if name not in self._kinds:
            return act

        async def counted(*words: object) -> None:
            await act(*words)
            self._acts -= 1
            if not self._acts:
                raise PowerCutError

        return counted


async def _leave_and_return(game: Game, folder: Path, cut: Stage | int) -> None:
    play = holdem_coup.play_coup if game is Game.THE else bank_coup.play_coup
    table, floor = seat_table(game, folder, SEED)
    try:
        await open_table(table)
        await play(table)
        if isinstance(cut, int):
            table.rig = Hands(table.rig, cut, "press")  # type: ignore[assignment]  # what it has not is the rig's own
        table.mischief = _power_cut(cut)
        with pytest.raises(PowerCutError):
            await play(table)
    finally:
        await _leave(table)
    await _return(game, folder, floor)


async def _return(game: Game, folder: Path, floor: StandInFloor) -> None:
    """Somebody takes the table over as it was left, and plays on."""
    play = holdem_coup.play_coup if game is Game.THE else bank_coup.play_coup
    table, floor = seat_table(game, folder, SEED, floor=floor)
    try:
        await open_table(table)
        floor.settled.clear()  # the interrupted coup is in neither book
        for _ in range(COUPS):
            await play(table)
        await table.rig.settle()
    finally:
        await _leave(table)
    assert len(floor.settled) == COUPS
    assert differences(table.book, {"t1": floor.settled}) == []


def _power_cut(cut: Stage | int) -> Mischief:
    async def cut_power(_table: Table, stage: Stage, _coup: object) -> None:
        if stage is cut:
            raise PowerCutError

    return cut_power


async def _leave(table: Table) -> None:
    rig = table.rig.whole if isinstance(table.rig, Hands) else table.rig
    assert isinstance(rig, HandRig)
    await rig.controller.leave()


@pytest.mark.slow
@pytest.mark.parametrize(("game", "cut"), [(game, stage) for game in Game for stage in Stage])
def test_a_coup_left_at_any_stage_is_ended_and_the_next_ones_are_in_order(
    game: Game, cut: Stage, tmp_path: Path
) -> None:
    asyncio.run(_leave_and_return(game, tmp_path, cut))


@pytest.mark.slow
@pytest.mark.parametrize("keys", [1, 2, 3, 4])
def test_a_stud_coup_left_while_its_deck_is_made_ready_is_no_pause_between_coups(keys: int, tmp_path: Path) -> None:
    """STU-23: shuffled and cut once the bets are closed; the display says so between coups with the same words."""
    asyncio.run(_leave_and_return(Game.STU, tmp_path, keys))


@pytest.mark.slow
@pytest.mark.parametrize("game", list(Game))
@pytest.mark.parametrize("acts", [1, 2, 3, 4, 5, 6])
def test_a_table_left_while_it_was_opened_is_opened(game: Game, acts: int, tmp_path: Path) -> None:
    async def leave_and_return() -> None:
        table, floor = seat_table(game, tmp_path, SEED)
        table.rig = Hands(table.rig, acts, "press", "hold_badge", "settle")  # type: ignore[assignment]
        try:
            with pytest.raises(PowerCutError):
                await open_table(table)
        finally:
            await _leave(table)
        await _return(game, tmp_path, floor)

    asyncio.run(leave_and_return())


# A séance that was closed in the middle of the night, for the old deck to come back or for stakes to lie there.
CLOSED = [
    pytest.param(INCIDENTS[name], Game(game), acts, id=f"{name}-{game}-{acts}")
    for name, most in (("deck-not-new", 9), ("coup-without-seance", 4))
    for game in INCIDENTS[name].games
    for acts in range(1, most + 1)
]


@pytest.mark.slow
@pytest.mark.parametrize(("incident", "game", "acts"), CLOSED)
def test_a_table_left_while_its_seance_was_closed_is_opened_again(
    incident: Incident, game: Game, acts: int, tmp_path: Path
) -> None:
    async def leave(table: Table, stage: Stage, coup: object) -> None:
        if stage is incident.stage:
            table.rig = Hands(table.rig, acts, "press", "hold_badge", "settle")  # type: ignore[assignment]
            await incident.act(table, coup)

    async def leave_and_return() -> None:
        table, floor = seat_table(game, tmp_path, SEED)
        try:
            await open_table(table)
            table.mischief = leave
            with pytest.raises(PowerCutError):
                await bank_coup.play_coup(table)
        finally:
            await _leave(table)
        await _return(game, tmp_path, floor)

    asyncio.run(leave_and_return())
