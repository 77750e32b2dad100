"""Wrong data is refused with the entry and the reason; a catalogue that would misquote cannot exist."""

from importlib import resources

import pytest

from sabot_gateway.rules.catalogue.entry import Catalogue
from sabot_gateway.rules.catalogue.reading import catalogue_from_text
from sabot_gateway.rules.catalogue.table import CatalogueError

PREAMBLE = (resources.files("sabot_gateway.rules.catalogue") / "preamble.toml").read_text(encoding="utf-8")
TEXTS = {"page": "# Page\n\nLe joueur passe. Il perd sa mise.\n"}
BOOK = """
game = "TCF"
title_en = "game"
title_fr = "jeu"
document_en = "page"
document_fr = "page"
text = "page"

[[section]]
en = "Play"
fr = "Jeu"

[[section.rule]]
id = "TCF-01"
mark = "COMPUTE"
en = "A fold loses."
fr = "Qui passe perd."
check = "lose"
source = [{ line = 3, words = "Il perd" }]
derived = "A-TCF-01"
"""
AMBIGUITIES = """
[[ambiguity]]
id = "A-TCF-01"
class = "CONFIG"
title_en = "Fold"
title_fr = "Renonce"
choices = [{ key = "on_fold", class = "CONFIG", values = ["lose", "keep"], default = "lose" }]
rules = ["TCF-01"]
resolution_en = \"\"\"
Lost,
on one line.
\"\"\"
resolution_fr = "Perdue."
"""


def read(book: str = BOOK, ambiguities: str = AMBIGUITIES, preamble: str = PREAMBLE) -> Catalogue:
    return catalogue_from_text(preamble, [book], ambiguities, TEXTS)


def test_a_sound_catalogue_is_read() -> None:
    catalogue = read()
    (rule,) = catalogue.rules.values()
    assert (rule.id, rule.quotes[0].sentence) == ("TCF-01", "Il perd sa mise.")
    assert catalogue.ambiguities_of(rule.id)[0].resolution.en == "Lost, on one line."


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('words = "Il perd"', 'words = "Il gagne"', "TCF-01: quotes 'Il gagne', which does not stand on line 3"),
        ("line = 3", "line = 0", "does not stand on line 0"),
        ("line = 3", "line = 99", "does not stand on line 99"),
        ("line = 3", "line = true", "line must be a whole number"),
        ('id = "TCF-01"', 'id = "UTH-01"', "UTH-01: does not belong to TCF"),
        ('mark = "COMPUTE"', 'mark = "GUESS"', "mark is 'GUESS', not one of OBSERVE"),
        ('fr = "Qui passe perd."', 'fr = " "', "fr must be a text"),
        ('fr = "Qui passe perd."\n', "", "lacks fr"),
        ('check = "lose"', 'check = "lose"\nmood = "grave"', "keys that nobody knows: mood"),
        ('derived = "A-TCF-01"', 'derived = "A-TCF-09"', "is derived from A-TCF-09, which does not name it"),
        ('text = "page"', 'text = "leaf"', "names the text 'leaf', which is not kept"),
        ('game = "TCF"', 'game = "BRIDGE"', "game is 'BRIDGE', not one of TCF"),
        ("[[section]]", "[[section]", "is not TOML"),
    ],
)
def test_a_wrong_book_is_refused(old: str, new: str, reason: str) -> None:
    assert BOOK.count(old) == 1
    with pytest.raises(CatalogueError) as refused:
        read(book=BOOK.replace(old, new))
    assert reason in str(refused.value)


def test_a_rule_that_rests_on_nothing_is_refused() -> None:
    bare = BOOK.replace('source = [{ line = 3, words = "Il perd" }]\nderived = "A-TCF-01"\n', "")
    with pytest.raises(CatalogueError, match="TCF-01: rests on no words and on no ambiguity"):
        read(book=bare)


def test_an_id_may_stand_only_once() -> None:
    twice = BOOK + BOOK[BOOK.index("[[section.rule]]") :]
    with pytest.raises(CatalogueError, match="TCF-01: stands in the catalogue twice"):
        read(book=twice)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('rules = ["TCF-01"]', 'rules = ["TCF-01", "TCF-02"]', "A-TCF-01: names the rule TCF-02, which does not exist"),
        ('rules = ["TCF-01"]', "rules = []", "TCF-01: is derived from A-TCF-01, which does not name it"),
        ('values = ["lose", "keep"], ', "", "must give on_fold either values or a domain"),
        ('values = ["lose", "keep"]', "values = [1]", "values must be a list of texts"),
        ('class = "CONFIG"\ntitle', 'class = "LOOSE"\ntitle', "class is 'LOOSE', not one of FIXED"),
        ("choices = [{", "choices = [1, {", "choices must be a list of tables"),
    ],
)
def test_a_wrong_ambiguity_is_refused(old: str, new: str, reason: str) -> None:
    assert AMBIGUITIES.count(old) == 1
    with pytest.raises(CatalogueError) as refused:
        read(ambiguities=AMBIGUITIES.replace(old, new))
    assert reason in str(refused.value)


def test_a_preamble_must_explain_every_mark() -> None:
    with pytest.raises(CatalogueError, match="does not explain ASSIST"):
        read(preamble=PREAMBLE.replace('id = "ASSIST"', 'id = "ASSISTANCE"'))
