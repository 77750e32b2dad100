"""An evening at one table over the stand-in floor, and what is wrong with it in the end."""

import asyncio
from dataclasses import dataclass
from pathlib import Path

from sabot_gateway.model.event import Event
from sabot_gateway.model.game import Game
from sabot_tools.twin import bank_coup, holdem_coup
from sabot_tools.twin.book import alert_differences, differences
from sabot_tools.twin.hand_rig import HandRig
from sabot_tools.twin.incident import Agenda, Incident
from sabot_tools.twin.opening import open_table
from sabot_tools.twin.table import Table
from twin.small_floor import seat_table

PATIENCE = 60  # coups in which an incident must find its occasion


@dataclass(frozen=True)
class Evening:
    faults: list[str]
    happened: list[str]
    events: list[Event]
    cents_before: int
    cents_after: int


def spend(game: Game, folder: Path, coups: int, seed: int = 1, incident: Incident | None = None) -> Evening:
    """Play so many coups; with an incident, go on until it has happened and one coup has followed it."""
    return asyncio.run(_spend(game, folder, coups, seed, incident))


async def _play(table: Table, agenda: Agenda, coups: int, patience: int) -> None:
    play = holdem_coup.play_coup if table.game == Game.THE else bank_coup.play_coup
    await open_table(table)
    left = coups
    for _ in range(coups + patience):
        await play(table)
        left -= 1 if not patience or agenda.happened else 0
        if left <= 0:
            break
    await table.rig.settle()


async def _spend(game: Game, folder: Path, coups: int, seed: int, incident: Incident | None) -> Evening:
    table, floor = seat_table(game, folder, seed)
    before = table.bank.cents
    agenda = Agenda([(1, incident)] if incident is not None else [])
    table.mischief = agenda
    try:
        await _play(table, agenda, coups, PATIENCE if incident is not None else 0)
    finally:
        assert isinstance(table.rig, HandRig)
        await table.rig.controller.leave()
    faults = differences(table.book, {"t1": floor.settled}) + alert_differences(table.book, floor.raised)
    on_felt = sum(table.felt.cents(place) for place in table.felt.places)
    after = table.bank.cents + on_felt + sum(player.purse.cents for player in table.players)
    return Evening(faults, agenda.happened, floor.events, before, after)
