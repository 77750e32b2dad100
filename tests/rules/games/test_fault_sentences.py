"""Every fault code that the product can give has a sentence for people, and none is left over."""

import re

from conftest import ROOT
from sabot_gateway.rules.rejection import SENTENCES, Fault, sentence_of

SOURCES = [
    *(ROOT / "gateway" / "sabot_gateway" / "rules").rglob("*.py"),
    *(ROOT / "tools" / "sabot_tools" / "settle").glob("*.py"),
]
CODE = re.compile(r'"([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)"')


def codes_given() -> set[str]:
    return {
        code
        for source in SOURCES
        if source.name != "rejection.py"
        for code in CODE.findall(source.read_text(encoding="utf-8"))
    }


def test_every_code_has_a_sentence() -> None:
    assert sorted(codes_given() - set(SENTENCES)) == []


def test_no_sentence_is_left_without_its_code() -> None:
    assert sorted(set(SENTENCES) - codes_given()) == []


def test_a_sentence_names_seat_and_detail() -> None:
    assert sentence_of(Fault("NO_ANTE", "TCF-23", None, 3)) == "Seat 3: a hand needs an ante."
    assert sentence_of(Fault("DUPLICATE_CARD", "TCF-01", "As")) == "The same card appears twice (As)."
    assert sentence_of(Fault("ODD_THING", "", sentence="As it says.")) == "As it says."
