"""Each conclusion of play cites its article: of its own game, and the one that speaks of it."""

from collections.abc import Callable

import pytest

from sabot_gateway.journal.stored import StoredJournal
from sabot_gateway.model.effect import RecordDecision
from sabot_gateway.model.game import Game
from sabot_gateway.projections.coups import coup_at
from sabot_gateway.projections.note_rules import RULES, STREETS, rule_of_note
from sabot_gateway.projections.recall import recall
from sabot_gateway.projections.rule_text import rule_text
from sabot_gateway.projections.sentence import UNDEALT
from sabot_gateway.projections.store import Views

Recording = Callable[..., object]
PLAYED = {
    Game.TCF: "tcf-seven-players",
    Game.STU: "stu-wheel",
    Game.TCP: "tcp-six-card-royal",
    Game.UTH: "uth-full-table",
    Game.THE: "the-two-side-pots",
}


@pytest.mark.parametrize("game", Game)
def test_every_rule_is_one_of_the_game(game: Game) -> None:
    cited = {*RULES[game].values(), *(rule for names in STREETS.get(game, {}).values() for rule in names.values())}
    for rule in cited:
        assert rule.startswith(f"{game}-")
        assert rule_text(rule) is not None, rule


@pytest.mark.parametrize("game", Game)
def test_a_coup_cites_a_rule_for_every_decision(
    game: Game, journal: StoredJournal, record: Recording, views: Views
) -> None:
    record(PLAYED[game])
    views.catch_up(journal)
    with views.reading() as db:
        coup = coup_at(db, "T1", 1)
    assert coup is not None
    said = {
        each.sentence.en: [rule.id for rule in each.rules]
        for step in recall(journal, coup).steps
        for each in step.concluded
        if not each.sentence.en.startswith("Lamps")
    }
    of_play = [text for text in said if "Seat" in text or "bets are closed" in text or text in STEPS]
    assert len(of_play) >= 5
    assert [text for text in of_play if not said[text]] == []


STEPS = {"The cards are dealt.", "The players decide.", "The hands are to be shown."}


@pytest.mark.parametrize(
    ("game", "kind", "word", "street", "rule"),
    [
        (Game.UTH, "phase", "dealing", UNDEALT, "UTH-19"),
        (Game.UTH, "phase", "dealing", 0, "UTH-21"),
        (Game.UTH, "phase", "dealing", 3, "UTH-23"),
        (Game.UTH, "phase", "deciding", 5, "UTH-24"),
        (Game.UTH, "decision", "check", 3, "UTH-22"),
        (Game.THE, "phase", "dealing", UNDEALT, "THE-51"),
        (Game.THE, "phase", "dealing", 4, "THE-88"),
        (Game.THE, "action", "check", 0, "THE-68"),
        (Game.THE, "action", "check", 4, "THE-74"),
        (Game.TCF, "decision", "raise", 0, "TCF-42"),
        (Game.TCF, "phase", "idle", 0, ""),
    ],
)
def test_the_street_tells_which_article_it_is(game: Game, kind: str, word: str, street: int, rule: str) -> None:
    name = {"phase": "to", "decision": "decision", "action": "act"}[kind]
    assert rule_of_note(game, RecordDecision(1, kind, ((name, word),)), street) == rule
