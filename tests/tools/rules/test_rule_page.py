"""`sabot rules`: one rule, a list, the counts, and a helpful refusal."""

import argparse
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sabot_gateway.rules.catalogue import packaged, rules
from sabot_tools import rule_page
from sabot_tools.rule_text import LABEL_WIDTH

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs the command with these words: exit code, what it printed, what it complained."""
    monkeypatch.setenv("COLUMNS", "80")

    def call(*words: str) -> tuple[int, str, str]:
        code = rule_page.run(parse(*words))
        out, err = capsys.readouterr()
        return code, out, err

    return call


def parse(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="sabot rules")
    rule_page.configure(parser)
    return parser.parse_args(words)


def unwrapped(text: str) -> str:
    return " ".join(text.replace("\u00a0", " ").split())


def test_a_rule_shows_both_sentences_its_article_and_the_original_words(run: Run) -> None:
    code, out, err = run("TCF-69")
    page = unwrapped(out)
    assert (code, err) == (0, "")
    assert out.startswith("TCF-69 · poker trois cartes · COMPUTE\n")
    assert "but at least a straight: the bonus is still paid." in page
    assert "le bonus est payé quand même." in page
    assert "arrêté du 14 mai 2007, article 55-21" in page
    assert "line 97 · « Si le croupier est qualifié, le joueur qui a une main inférieure à la banque" in page
    assert "A-TCF-06 · FIXED" in page
    assert "derived" not in page


def test_a_derived_rule_says_so_and_shows_the_key_behind_it(run: Run) -> None:
    _, out, _ = run("TCF-79")
    page = unwrapped(out)
    assert "(derived, not the letter of the regulation · A-TCF-05)" in page
    assert "pair_plus_on_fold (CONFIG) = settle | forfeit; default settle" in page
    assert "Default settle: line 107" in page


def test_every_derived_rule_says_so_in_either_language(run: Run) -> None:
    derived = [rule.id for rule in rules() if rule.derived]
    for language, words in (("en", "not the letter of the regulation"), ("fr", "et non la lettre du règlement")):
        _, out, _ = run(*derived, "--language", language)
        assert unwrapped(out).count(words) == len(derived)


@pytest.mark.parametrize("written", ["tcf69", "TCF-069", "tcf_69", " Tcf 69 "])
def test_an_id_may_be_written_carelessly(run: Run, written: str) -> None:
    assert run(written) == run("TCF-69")


def test_an_ambiguity_may_be_asked_for_by_its_id(run: Run) -> None:
    code, out, _ = run("a-the-15")
    page = unwrapped(out)
    assert code == 0
    assert "rake_basis (REQUIRED) = each_pot | total; recommended each_pot" in page
    assert "Rules THE-109, THE-110, THE-124" in page


def test_an_unknown_id_gets_one_sentence_with_the_nearest(run: Run) -> None:
    assert run("TCF-82") == (
        1,
        "",
        "sabot rules: there is no TCF-82 in the catalogue; the nearest ids are TCF-79, TCF-80, TCF-81.\n",
    )
    code, out, err = run("TCF-69", "TFC-69")
    assert (code, out) == (1, run("TCF-69")[1])
    assert "there is no TFC-69" in err
    assert "TCF-69" in err.split("nearest")[1]
    assert run("")[2] == "sabot rules: there is no '' in the catalogue; ids look like TCF-69 or A-TCF-05.\n"


def test_what_was_typed_cannot_write_on_the_terminal(run: Run) -> None:
    code, _, err = run("\x1b[2J" + "x" * 500)
    assert code == 1
    assert "\x1b" not in err
    assert len(err) < 200


def test_filters_list_one_entry_each(run: Run) -> None:
    code, out, _ = run("--game", "uth", "--mark", "assist")
    assert code == 0
    assert [line.split()[0] for line in out.splitlines() if not line.startswith(" ")] == [
        "UTH-02",
        "UTH-07",
        "UTH-08",
        "UTH-25",
        "UTH-27",
    ]


def test_search_finds_all_words_in_either_language_without_accents(run: Run) -> None:
    _, out, _ = run("--search", "MELANGEUR", "colours", "--game", "THE")
    assert [line.split()[0] for line in out.splitlines() if not line.startswith(" ")] == ["THE-06"]
    assert "A-THE-14" in run("--search", "odd_chip")[1]


def test_a_search_that_finds_nothing_says_so(run: Run) -> None:
    assert run("--search", "roulette") == (1, "", "sabot rules: no rule fits.\n")


def test_ids_and_filters_together_are_refused(run: Run) -> None:
    code, out, err = run("TCF-69", "--game", "TCF")
    assert (code, out) == (2, "")
    assert err.startswith("sabot rules: give ids or filters")


def test_without_arguments_the_rules_are_counted(run: Run) -> None:
    code, out, _ = run()
    rows = {row.split()[0]: row.split()[1:7] for row in out.splitlines() if row.strip()}
    assert code == 0
    assert rows["THE"] == ["16", "58", "34", "14", "6", "128"]
    assert rows["total"] == ["42", "137", "151", "46", "20", "396"]
    assert "68 ambiguities resolved" in out
    assert json.loads(run("--json")[1])["rules"]["TCP"]["COMPUTE"] == 45


def test_json_carries_the_same_things_for_programs(run: Run) -> None:
    (record,) = json.loads(run("STU-65", "--json")[1])
    assert (record["game"], record["mark"], record["derived"]) == ("STU", "COMPUTE", "A-STU-01")
    assert record["sentence"].keys() == {"en", "fr"}
    assert record["source"][0]["line"] == 99
    assert record["source"][0]["words"] == "Le barème de paiement des combinaisons gagnantes"
    behind = {each["id"]: each for each in record["ambiguities"]}
    assert behind["A-STU-01"]["choices"][0]["key"] == "raise_table"
    (french,) = json.loads(run("STU-65", "--json", "--language", "fr")[1])
    assert french["sentence"].keys() == {"fr"}
    assert json.loads(run("TCF-99", "--json")[1]) == []


def test_one_language_shows_that_language_alone(run: Run) -> None:
    _, french, _ = run("TCF-69", "--language", "fr")
    assert "English" not in french
    assert "Contrôle" in french
    assert "Français" not in run("TCF-69", "--language", "en")[1]


@pytest.mark.parametrize("columns", [40, 72, 100])
def test_no_line_is_wider_than_the_terminal(run: Run, monkeypatch: pytest.MonkeyPatch, columns: int) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    _, out, _ = run(*(rule.id for rule in rules()))
    # A formula is one word and stays whole beside its label; prose is broken.
    wide = [line for line in out.splitlines() if len(line) > columns and " " in line[LABEL_WIDTH:].strip()]
    assert wide == []


def test_bold_is_for_terminals_only(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    def shown(stream: io.StringIO) -> str:
        monkeypatch.setattr(sys, "stdout", stream)
        rule_page.run(parse("TCF-69"))
        return stream.getvalue()

    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b" not in shown(io.StringIO())
    assert shown(Terminal()).startswith("\x1b[1mTCF-69")
    monkeypatch.setenv("NO_COLOR", "1")
    assert "\x1b" not in shown(Terminal())


@settings(deadline=None)
@given(st.text(max_size=40))
def test_any_text_is_an_id_or_has_an_answer(written: str) -> None:
    wanted = rule_page.canonical(written)
    known = packaged().rules.keys() | packaged().ambiguities.keys()
    assert wanted in known or set(rule_page.nearest(wanted)) <= known


def test_the_catalogue_does_not_depend_on_where_the_command_runs(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    packaged.cache_clear()
    assert run("UTH-44")[0] == 0
