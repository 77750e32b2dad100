"""The words behind a rule id: the original sentence in French, and ours in French and English."""

from dataclasses import dataclass
from functools import lru_cache

from sabot_gateway.rules.catalogue import AmbiguityId, RuleId, packaged


@dataclass(frozen=True, slots=True)
class RuleText:
    """`original` is empty for a rule that rests on our resolution of an ambiguity alone (`derived` names it)."""

    id: str
    document: str
    original: str
    fr: str
    en: str
    derived: str = ""


@lru_cache(maxsize=1024)
def rule_text(rule_id: str) -> RuleText | None:
    """None for an id that this release's catalogue does not have."""
    catalogue = packaged()
    rule = catalogue.rules.get(RuleId(rule_id))
    if rule is not None:
        original = " […] ".join(dict.fromkeys(quote.sentence for quote in rule.quotes))
        book = catalogue.books[rule.game]
        return RuleText(rule_id, book.document.fr, original, rule.sentence.fr, rule.sentence.en, rule.derived or "")
    ambiguity = catalogue.ambiguities.get(AmbiguityId(rule_id))
    if ambiguity is not None:
        return RuleText(rule_id, "", "", ambiguity.resolution.fr, ambiguity.resolution.en, rule_id)
    return None
