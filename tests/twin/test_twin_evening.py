"""Coups of all five games, played by the twin's people through a real controller, come out as its own book says."""

import os
from pathlib import Path

import pytest

from sabot_gateway.model.game import Game
from sabot_tools.twin.catalogue import INCIDENTS
from sabot_tools.twin.incident import Incident
from twin.evening import spend

# What only a gateway behind a broker can see.
BEHIND_A_BROKER = {"controller-lost", "controller-rebooted"}
EVERYWHERE = [
    pytest.param(incident, Game(game), id=f"{incident.name}-{game}")
    for incident in INCIDENTS.values()
    for game in incident.games
    if incident.name not in BEHIND_A_BROKER
]

# At hold'em every stake is pushed from spot to spot, several times in a coup.
COUPS = {Game.THE: 200 if os.environ.get("SABOT_LONG") else 50}


@pytest.mark.slow
@pytest.mark.parametrize("game", list(Game))
def test_books_are_equal_no_alert_is_false_and_no_chip_is_lost(game: Game, tmp_path: Path) -> None:
    evening = spend(game, tmp_path, coups=COUPS.get(game, 25), seed=11)
    assert evening.faults == []
    assert evening.cents_after == evening.cents_before


def test_the_same_seed_plays_the_same_evening(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    first, second = (spend(Game.TCF, tmp_path / name, coups=2, seed=5).events for name in "ab")
    assert [type(event) for event in first] == [type(event) for event in second]
    assert first == second
    assert first != spend(Game.TCF, tmp_path, coups=2, seed=6).events


@pytest.mark.slow
@pytest.mark.parametrize(("incident", "game"), EVERYWHERE)
def test_an_incident_raises_its_alert_once_and_nothing_else(incident: Incident, game: Game, tmp_path: Path) -> None:
    evening = spend(game, tmp_path, coups=2, seed=3, incident=incident)
    assert evening.happened == [incident.name]
    assert evening.faults == []
