"""Every scenario script of this folder, played against the live table: one case per script."""

from pathlib import Path

import pytest

from sabot_gateway.rules.catalogue import packaged
from sabot_gateway.table.alerts import KINDS
from sabot_tools.rounds.playing import play
from sabot_tools.rounds.reading import script_from_file

FOLDER = Path(__file__).parent
SCRIPTS = sorted(FOLDER.glob("*.round"))
GAMES = {"tcf", "stu", "tcp", "uth", "the"}
FLOOR_WIDE = {"HEAD_TOO_MANY_TABLES"}  # seen across tables: no script of one table can show it


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_script(path: Path) -> None:
    played = play(script_from_file(path))
    assert played.failure is None, str(played.failure)
    assert played.held > 0, "a script that expects nothing shows nothing"


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_a_script_is_named_for_its_game_and_cites_rules_of_it(path: Path) -> None:
    script = script_from_file(path)
    game, _, rest = path.stem.partition("-")
    assert game == script.game.lower()
    assert rest
    assert script.rules
    assert {rule.split("-")[0].lower() for rule in script.rules} == {game}
    assert set(script.rules) <= packaged().rules.keys()


def test_every_game_has_scripts() -> None:
    assert {path.stem.split("-")[0] for path in SCRIPTS} == GAMES


def test_every_alert_of_the_table_is_expected_in_a_script() -> None:
    steps = [step for path in SCRIPTS for step in script_from_file(path).steps]
    expected = {step.words[1] for step in steps if step.is_expectation and step.words[0] == "alert"}
    assert {kind.code for kind in KINDS} - FLOOR_WIDE == expected


def test_no_title_is_used_twice() -> None:
    titles = [script_from_file(path).title for path in SCRIPTS]
    assert len(set(titles)) == len(titles)
