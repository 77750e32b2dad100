"""What the catalogue says a house may choose is what a ruleset lets it choose: key, class, values, default."""

from collections.abc import Iterator

import pytest

from sabot_gateway.model.game import Game
from sabot_gateway.rules.catalogue import Ambiguity, Choice, Latitude, ambiguities
from sabot_gateway.rules.key import Key, Kind
from sabot_gateway.rules.key_table import keys_of


def choices() -> Iterator[tuple[Ambiguity, Choice, Game]]:
    """Every choice with the games in whose ruleset it stands: a general one in all of them."""
    for ambiguity in ambiguities():
        series = ambiguity.id.split("-")[1]
        for choice in ambiguity.choices:
            for game in Game if series == "GEN" else (Game(series),):
                yield ambiguity, choice, game


def key_of(choice: Choice, game: Game) -> Key | None:
    return next((key for key in keys_of(game) if key.name == choice.key), None)


CHOICES = [pytest.param(choice, game, id=f"{each.id}-{choice.key}-{game}") for each, choice, game in choices()]


@pytest.mark.parametrize(("choice", "game"), CHOICES)
def test_a_choice_is_a_key_of_the_same_class_and_values(choice: Choice, game: Game) -> None:
    key = key_of(choice, game)
    assert key is not None
    assert key.is_required == (choice.latitude is Latitude.REQUIRED)
    if key.kind is Kind.CHOICE:
        assert set(key.choices) == set(choice.values)
    if key.kind is Kind.FLAG:
        assert choice.values == ("true", "false")
    if key.kind in (Kind.CHOICE, Kind.FLAG) and not key.is_required:
        # A default that differs by game is written "TCF deal, STU shuffle".
        by_game = dict(part.split(" ") for part in (choice.default or "").split(", ") if " " in part)
        assert str(key.default).lower() == by_game.get(game, choice.default)
