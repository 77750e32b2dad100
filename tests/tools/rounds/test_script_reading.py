"""A script that makes no sense is refused with its file, its line and one sentence."""

from pathlib import Path

import pytest

from sabot_gateway.model.game import Game
from sabot_tools.rounds.playing import play
from sabot_tools.rounds.reading import rules_of_script, script_from_file, script_from_text
from sabot_tools.rounds.script import ScriptError

HEAD = "GAME tcf\nTITLE a script\nRULES TCF-01, TCF-02\n"


def test_headers_steps_and_comments_are_read() -> None:
    headers = "SEATS 3 5\nRULESET claim_required = true\nFITTED seats no-rack\n"
    text = HEAD + headers + '\nbet 3 ante 10  # ten\nEXPECT display "a b"\n'
    script = script_from_text(text, "one.round")
    assert script.game is Game.TCF
    assert script.title == "a script"
    assert script.rules == ("TCF-01", "TCF-02")
    assert script.players == (3, 5)
    assert script.ruleset == {"claim_required": True}
    assert script.fitted == ("seats", "no-rack")
    assert [(step.verb, step.words, step.line.number) for step in script.steps] == [
        ("bet", ("3", "ante", "10"), 8),
        ("EXPECT", ("display", "a b"), 9),
    ]


def test_a_fragment_stands_in_for_its_lines_and_keeps_its_name(tmp_path: Path) -> None:
    (tmp_path / "TWO.part").write_text("bet 3 ante 5\nbet 4 ante 5\n")
    (tmp_path / "one.round").write_text(HEAD + "TWO\nbet 5 ante 5\n")
    script = script_from_file(tmp_path / "one.round")
    assert [(step.words[0], str(step.line), step.depth) for step in script.steps] == [
        ("3", "TWO.part:1", 1),
        ("4", "TWO.part:2", 1),
        ("5", "one.round:5", 0),
    ]


def test_a_game_may_have_its_own_version_of_a_fragment(tmp_path: Path) -> None:
    (tmp_path / "ONE.part").write_text("bet 3 ante 5\n")
    (tmp_path / "ONE.tcf.part").write_text("bet 4 ante 5\n")
    (tmp_path / "one.round").write_text(HEAD + "ONE\n")
    assert script_from_file(tmp_path / "one.round").steps[0].words[0] == "4"


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("TITLE a\nRULES TCF-01\n", 1, "GAME is missing"),
        ("GAME tcf\nRULES TCF-01\n", 1, "TITLE is missing"),
        ("GAME tcf\nTITLE a\n", 1, "RULES is missing"),
        ("GAME bridge\nTITLE a\nRULES TCF-01\n", 1, "one of tcf"),
        ("GAME tcf\nGAME stu\nTITLE a\nRULES TCF-01\n", 2, "stands twice"),
        (HEAD + "bet 3 ante 5\nSEATS 3\n", 5, "after the first step"),
        (HEAD + "SEATS eleven\n", 4, "not a seat"),
        (HEAD + "RULESET claim_required\n", 4, "key = value"),
        (HEAD + 'EXPECT display "open\n', 4, "does not close"),
        (HEAD + "NOWHERE\n", 4, "no fragment NOWHERE"),
        (HEAD + "OPEN the table\n", 4, "stands alone"),
    ],
)
def test_an_unreadable_script_is_refused(text: str, line: int, words: str) -> None:
    with pytest.raises(ScriptError, match=words) as refused:
        script_from_text(text, "one.round")
    assert str(refused.value).startswith(f"one.round:{line}: ")


@pytest.mark.parametrize(
    ("steps", "line", "words"),
    [
        ("dance 3\n", 4, "'dance' is not a step"),
        ("bet 3\n", 4, "a spot is missing"),
        ("bet 3 table 5\n", 4, "is not a spot"),
        ("bet 3 ante\n", 4, "an amount is missing"),
        ("bet 3 ante ten\n", 4, "not an amount"),
        ("bet 11 ante 10\n", 4, "not a seat"),
        ("paid 3\n", 4, "one word too many"),
        ("card Xx\n", 4, "is not a card"),
        ("deal\n", 4, "nothing to deal"),
        ("wait long\n", 4, "not a time"),
        ("badge cook\n", 4, "is not a badge"),
        ("key piano\n", 4, "is not a key"),
        ("take 3 ante\n", 4, "nothing lies on ante"),
        ("bet 3 ante 5\ntake 3 ante 10\n", 5, "only 5.00 lies"),
        ("override LATE_BET\n", 4, "no alert LATE_BET is open"),
        ("EXPECT happiness\n", 4, "nothing of this kind"),
        ("EXPECT no phase\n", 4, "nothing of this kind"),
        ("EXPECT phase happy\n", 4, "is not a phase"),
        ("EXPECT phase idle now\n", 4, "one word too many"),
        ("resend 5\n", 4, "not been sent yet"),
        ("shift 3 ante 4 ante\n", 4, "nothing lies on ante"),
    ],
)
def test_a_line_that_makes_no_sense_is_refused(steps: str, line: int, words: str) -> None:
    with pytest.raises(ScriptError, match=words) as refused:
        play(script_from_text(HEAD + steps, "one.round"))
    assert str(refused.value).startswith(f"one.round:{line}: ")


def test_an_impossible_house_is_refused() -> None:
    with pytest.raises(ScriptError, match="RULESET"):
        play(script_from_text(HEAD + "RULESET table_min = -1\nbet 3 ante 5\n", "one.round"))
    with pytest.raises(ScriptError, match="FITTED knows"):
        play(script_from_text(HEAD + "FITTED camera\nbet 3 ante 5\n", "one.round"))


def test_a_fragment_that_names_itself_ends(tmp_path: Path) -> None:
    (tmp_path / "LOOP.part").write_text("LOOP\n")
    (tmp_path / "one.round").write_text(HEAD + "LOOP\n")
    with pytest.raises(ScriptError, match="stands in itself"):
        script_from_file(tmp_path / "one.round")


def test_a_missing_or_strange_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ScriptError, match="cannot be read"):
        script_from_file(tmp_path / "none.round")
    (tmp_path / "binary.round").write_bytes(b"GAME \xff\xfe")
    with pytest.raises(ScriptError, match="not UTF-8"):
        script_from_file(tmp_path / "binary.round")
    (tmp_path / "long.round").write_bytes(b"#" * 200_000)
    with pytest.raises(ScriptError, match="too long"):
        script_from_file(tmp_path / "long.round")


def test_players_of_the_header_sit_from_the_start() -> None:
    assert play(script_from_text(HEAD + "SEATS 3\nEXPECT seat 3 taken\nEXPECT seat 4 empty\n", "one.round")).held == 2


def test_a_script_claims_the_rules_of_its_header() -> None:
    assert rules_of_script(HEAD + "RULES TCF-02 TCF-03\nbet 3 ante 5\n") == ["TCF-01", "TCF-02", "TCF-03"]
