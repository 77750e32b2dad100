"""The rule catalogue: every rule and every resolved ambiguity of the five games, by the ids that code cites.

    rule("TCF-69").sentence.fr      why a beaten hand still had its bonus paid
    ambiguity("A-TCF-05").choices   the ruleset keys behind a derived rule

The data lies beside this file: one TOML file per game, ambiguities.toml, preamble.toml and, in texts/,
the original documents. An id that does not exist is a KeyError: callers that take ids from people look
into `packaged().rules` first.
"""

from sabot_gateway.rules.catalogue.entry import (
    Ambiguity,
    AmbiguityId,
    Book,
    Catalogue,
    Choice,
    Latitude,
    Mark,
    Quote,
    Rule,
    RuleId,
    Section,
    Wording,
)
from sabot_gateway.rules.catalogue.packaged import packaged

__all__ = [
    "Ambiguity",
    "AmbiguityId",
    "Book",
    "Catalogue",
    "Choice",
    "Latitude",
    "Mark",
    "Quote",
    "Rule",
    "RuleId",
    "Section",
    "Wording",
    "ambiguities",
    "ambiguity",
    "packaged",
    "rule",
    "rules",
]


def rule(rule_id: str) -> Rule:
    return packaged().rules[RuleId(rule_id)]


def rules() -> tuple[Rule, ...]:
    """Every rule, game by game, in the order of the documents."""
    return tuple(packaged().rules.values())


def ambiguity(ambiguity_id: str) -> Ambiguity:
    return packaged().ambiguities[AmbiguityId(ambiguity_id)]


def ambiguities() -> tuple[Ambiguity, ...]:
    return tuple(packaged().ambiguities.values())
