"""The shipped catalogue is whole: every rule of the five games, in both languages, resting on something."""

import re
from collections import Counter

import pytest

from sabot_gateway.model.game import Game
from sabot_gateway.rules.catalogue import Latitude, Mark, ambiguities, ambiguity, packaged, rule, rules

# How many rules the five documents give rise to, and how many are ours to compute.
RULES = {Game.TCF: 81, Game.STU: 81, Game.TCP: 57, Game.THE: 128, Game.UTH: 49}
AMBIGUITIES = {"GEN": 2, "TCF": 19, "STU": 10, "TCP": 8, "THE": 19, "UTH": 10}


@pytest.mark.parametrize("game", list(Game))
def test_the_ids_of_a_game_are_contiguous_and_complete(game: Game) -> None:
    wanted = [f"{game}-{number:02}" for number in range(1, RULES[game] + 1)]
    assert [each.id for each in packaged().books[game].rules] == wanted


def test_the_ambiguities_are_contiguous_and_complete() -> None:
    wanted = [f"A-{series}-{n:02}" for series, count in AMBIGUITIES.items() for n in range(1, count + 1)]
    assert [each.id for each in ambiguities()] == wanted


def test_the_marks_are_those_of_the_rule_book() -> None:
    marks = Counter(each.mark for each in rules())
    assert marks == {
        Mark.COMPUTE: 151,
        Mark.ENFORCE: 137,
        Mark.ASSIST: 46,
        Mark.OBSERVE: 42,
        Mark.OUT_OF_SENSOR_SCOPE: 20,
    }


def test_every_sentence_is_written_in_both_languages() -> None:
    said = {each.id: each.sentence for each in rules()} | {each.id: each.resolution for each in ambiguities()}
    assert [name for name, wording in said.items() if wording.en == wording.fr] == []
    unfinished = [name for name, said_in in said.items() for text in (said_in.en, said_in.fr) if text[-1] not in ".)"]
    assert unfinished == []


def test_no_french_sentence_stands_for_two_english_ones_of_a_game() -> None:
    """A sentence pasted under the wrong id would show up as one French text for two different rules."""
    for game in Game:
        french: dict[str, str] = {}
        for each in packaged().books[game].rules:
            first = french.setdefault(each.sentence.fr, each.sentence.en)
            assert first == each.sentence.en, each.id


def test_figures_survive_translation() -> None:
    """An amount, a multiple or a percentage is the same in both languages."""
    said = {each.id: each.sentence for each in rules()} | {each.id: each.resolution for each in ambiguities()}
    lost = {name: _figures(wording.en) - _figures(wording.fr) for name, wording in said.items()}
    assert {name: figures for name, figures in lost.items() if figures} == FIGURES_IN_FRENCH_WORDS
    gained = {name: _figures(wording.fr) - _figures(wording.en) for name, wording in said.items()}
    # The six-card bonus is called Boni 6 cartes.
    assert {name for name, figures in gained.items() if figures - {"6"}} == set()


def test_french_typography_keeps_its_no_break_spaces() -> None:
    """A line must not begin with a colon, nor break inside guillemets."""
    texts = [each.sentence.fr for each in rules()] + [each.resolution.fr for each in ambiguities()]
    assert [text for text in texts if re.search(r" [:;?!%»]|« ", text)] == []


def test_no_rule_is_quoted_word_for_word_as_our_own_sentence() -> None:
    for each in rules():
        for quote in each.quotes:
            assert each.sentence.fr != quote.sentence, each.id


def test_every_rule_rests_on_words_or_on_an_ambiguity() -> None:
    assert [each.id for each in rules() if not each.quotes and each.derived is None] == []


def test_an_ambiguity_left_to_the_house_names_its_keys() -> None:
    nameless = [each.id for each in ambiguities() if each.latitude is not Latitude.FIXED and not each.choices]
    # A misdeal at hold'em is settled by analogy with the sister articles; no key changes it.
    assert nameless == ["A-THE-16"]


def test_a_default_is_one_of_the_allowed_values() -> None:
    for each in ambiguities():
        for choice in each.choices:
            # Two keys default by game ("TCF deal, STU shuffle"): every value they name is allowed.
            named = set(re.findall(r"\w+", choice.default or "")) & set(choice.values)
            assert not choice.values or named, (each.id, choice.key)


def test_the_opposite_bonus_rules_are_told_apart() -> None:
    paid, lost = rule("TCF-69"), rule("STU-69")
    assert (paid.mark, paid.game, lost.game) == (Mark.COMPUTE, Game.TCF, Game.STU)
    assert paid.quotes[0].line == 97
    assert paid.quotes[0].words == "une main inférieure à la banque"
    assert paid.quotes[0].sentence.endswith("perçoit le bonus.")
    assert lost.quotes[0].sentence.endswith("il ne perçoit pas le bonus et perd sa mise.")


def test_a_derived_rule_leads_to_its_ambiguity_and_back() -> None:
    derived = rule("TCF-79")
    assert derived.derived == "A-TCF-05"
    assert derived.quotes == ()
    (behind,) = packaged().ambiguities_of(derived.id)
    assert behind is ambiguity("A-TCF-05")
    assert [(each.key, each.values, each.default) for each in behind.choices] == [
        ("pair_plus_on_fold", ("settle", "forfeit"), "settle")
    ]


# "52 cards" is "cinquante-deux cartes", "1×" is "une fois": figures that the French sentence writes as words.
FIGURES_IN_FRENCH_WORDS = {
    "TCF-01": {"52"},
    "TCF-81": {"1"},
    "STU-01": {"52"},
    "TCP-02": {"1"},
    "TCP-12": {"1"},
    "THE-126": {"2"},
    "UTH-04": {"5", "2"},  # "no 5×/2× figure"
    "UTH-24": {"1"},
}


def _figures(text: str) -> set[str]:
    plain = re.sub(r"\b(?:A-)?(?:GEN|TCF|STU|TCP|THE|UTH)-[\d/]+", "", text.replace("\u00a0", ""))
    plain = re.sub(r"(?<=\d) (?=\d{3}\b)|(?<=\d),(?=\d{3}\b)", "", plain)  # 1 000 and 22,100
    plain = re.sub(r"(?<=\d),(?=\d)", ".", plain)  # 96,63
    return {figure.rstrip(".") for figure in re.findall(r"\d[\d.]*", plain)}
