"""Every scenario script of this folder, played against the live table: one case per script."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sabot_gateway.model.alert import Alert
from sabot_gateway.model.effect import RaiseAlert
from sabot_gateway.rules.catalogue import packaged
from sabot_gateway.table.alerts import KINDS
from sabot_tools.rounds.playing import Played, play
from sabot_tools.rounds.reading import script_from_file

FOLDER = Path(__file__).parent
SCRIPTS = sorted(FOLDER.glob("*.round"))
WORDS = {kind.code: kind.words for kind in KINDS}
GAMES = {"tcf", "stu", "tcp", "uth", "the"}


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.stem)
def test_script(path: Path) -> None:
    played = play(script_from_file(path))
    assert played.failure is None, str(played.failure)
    assert played.held > 0, "a script that expects nothing shows nothing"
    assert [said for alert in _raised(played) for said in _coded(alert)] == []


def _raised(played: Played) -> list[Alert]:
    told = [entry.effects for entry in played.entries] + [aside.effects for aside in played.asides]
    return [each.alert for effects in told for each in effects if isinstance(each, RaiseAlert)]


def _coded(alert: Alert) -> Iterator[str]:
    """Sentences that say a code where people expect words."""
    for place, sentence in enumerate((alert.fr, alert.en)):
        if "_" in sentence or "{" in sentence or "(s)" in sentence:
            yield sentence
        for name, value in alert.evidence:
            word = WORDS[alert.code].get(name, {}).get(str(value))
            if word is not None and word[place] not in sentence:
                yield sentence


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


@pytest.mark.parametrize("word", ["alert", "cleared"])
def test_every_alert_of_the_table_comes_and_goes_in_a_script(word: str) -> None:
    steps = [step for path in SCRIPTS for step in script_from_file(path).steps]
    expected = {step.words[1] for step in steps if step.is_expectation and step.words[0] == word}
    assert {kind.code for kind in KINDS} == expected


def test_no_title_is_used_twice() -> None:
    titles = [script_from_file(path).title for path in SCRIPTS]
    assert len(set(titles)) == len(titles)
