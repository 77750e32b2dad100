"""The command settles every example coup, in both languages, and each line cites a rule of the catalogue."""

import re

import pytest

from sabot_gateway.model.game import Game
from sabot_gateway.rulebook import shipped_rulesets
from sabot_gateway.rules.catalogue import packaged
from sabot_gateway.rules.vocabulary import Language
from sabot_tools.cli import main
from sabot_tools.examples_command import example_coups
from sabot_tools.settle.line import settle_line


def test_there_is_an_example_of_every_game() -> None:
    assert {coup["game"] for coup in example_coups()} == set(Game)


@pytest.mark.parametrize("coup", example_coups(), ids=lambda coup: coup["id"])
def test_the_money_of_an_example_is_conserved(coup: dict[str, object]) -> None:
    decision = settle_line(coup, shipped_rulesets())
    seats = decision["seats"]
    assert isinstance(seats, list)
    players = sum(seat["total"]["net"] for seat in seats)
    house = decision["rake_total"] if coup["game"] == "THE" else decision["bank_net"]
    assert isinstance(house, int)
    assert players + house == 0


@pytest.mark.parametrize("language", list(Language))
def test_every_decision_is_shown_with_its_rule(language: Language, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["examples", "--language", language]) == 0
    shown = capsys.readouterr().out
    cited = set(re.findall(r"\b(?:TCF|STU|TCP|THE|UTH)-\d+", shown))
    assert len(cited) > 20
    assert cited <= set(packaged().rules)


def test_one_game_alone_can_be_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["examples", "--game", "uth"]) == 0
    shown = capsys.readouterr().out
    assert "UTH-34" in shown
    assert "TCF-" not in shown
