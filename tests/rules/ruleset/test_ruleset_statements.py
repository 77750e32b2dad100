"""What a ruleset file states about ambiguities agrees with the rule catalogue."""

import pytest

from sabot_gateway.model.game import Game
from sabot_gateway.rules.catalogue import Latitude, packaged
from sabot_gateway.rules.frame import FIXED, FRAMES
from sabot_gateway.rules.key_table import keys_of


@pytest.mark.parametrize("game", Game)
def test_every_ambiguity_of_the_game_is_resolved_by_its_keys_or_fixed(game: Game) -> None:
    stated = FRAMES[game].resolutions
    ambiguities = {str(name): each for name, each in packaged().ambiguities.items() if name[2:5] in (game, "GEN")}
    assert set(stated) == set(ambiguities)
    names = {key.name for key in keys_of(game)}
    for name, resolution in stated.items():
        if resolution == FIXED:
            continue
        assert set(resolution.split(", ")) <= names
        assert ambiguities[name].latitude is not Latitude.FIXED or ambiguities[name].choices


@pytest.mark.parametrize("game", Game)
def test_every_rule_that_a_key_cites_exists(game: Game) -> None:
    catalogue = packaged()
    known = {*catalogue.rules, *catalogue.ambiguities}
    assert {rule for key in keys_of(game) for rule in key.rules} <= known
