"""`sabot examples`: one coup at each of the five games, decided and explained.

The coups are packaged examples; the decisions are made on the spot by the
shipped rulesets, exactly as `sabot settle` makes them, and every line names the
rule that made it, with its sentence from the catalogue.
"""

import argparse
import json
import shutil
import sys
import textwrap
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any, Final

from sabot_gateway.model.game import Game
from sabot_gateway.rulebook import shipped_rulesets
from sabot_gateway.rules.catalogue import packaged, rule
from sabot_gateway.rules.vocabulary import Language, category_name
from sabot_tools.choice import listed, one_of
from sabot_tools.settle.line import settle_line

NAME: Final = "examples"
SUMMARY: Final = "play one coup at each of the five games and explain every decision by its rule"
WIDEST: Final = 120  # columns; longer lines are hard to read on any screen

# What happened to a stake, as a dealer would say it.
_OUTCOME: Final = {
    Language.EN: {"win": "wins", "lose": "loses", "push": "is returned", "void": "is void", "forfeit": "is forfeited"},
    Language.FR: {"win": "gagne", "lose": "perd", "push": "est rendue", "void": "est nulle", "forfeit": "est perdue"},
}
_WORDS: Final = {
    Language.EN: {"seat": "seat", "dealer": "dealer", "board": "board", "bank": "The bank", "pot": "pot",
                  "rake": "rake", "to": "to seat", "qualified": "qualified", "not": "not qualified"},
    Language.FR: {"seat": "siège", "dealer": "croupier", "board": "board", "bank": "La banque", "pot": "pot",
                  "rake": "prélèvement", "to": "au siège", "qualified": "qualifié", "not": "non qualifié"},
}  # fmt: skip


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--language",
        type=one_of(Language),
        metavar=listed(Language),
        default=Language.EN,
        help="en (default) or fr",
    )
    parser.add_argument("--game", type=one_of(Game), metavar=listed(Game), help="one game only")
    parser.epilog = "example: sabot examples --game TCF --language fr"


def run(args: argparse.Namespace) -> int:
    rulesets = shipped_rulesets()
    for coup in example_coups():
        if args.game and coup["game"] != args.game:
            continue
        decision = settle_line(coup, rulesets)
        if decision["status"] != "settled":
            print(f"sabot examples: the example {coup['id']} was not settled: {decision['errors']}", file=sys.stderr)
            return 1
        print("\n".join(explanation(coup, decision, args.language)), end="\n\n")
    return 0


def example_coups() -> list[dict[str, Any]]:
    text = files("sabot_tools").joinpath("examples", "coups.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def explanation(coup: Mapping[str, Any], decision: Mapping[str, Any], language: Language) -> Iterator[str]:
    """The coup as it lay on the felt, then each decision with the sentence of its rule."""
    game, words = Game(coup["game"]), _WORDS[language]
    book = packaged().books[game]
    title = f"{getattr(book.title, language)} — {getattr(book.document, language)}"
    yield title
    yield "─" * len(title)
    for seat in coup["seats"]:
        stakes = ", ".join(f"{spot} {_euros(stake)}" for spot, stake in seat.get("bets", {}).items())
        yield f"  {words['seat']} {seat['seat']:<3} {' '.join(seat['cards']):<16} {stakes}"
    if "dealer" in coup:
        hand = decision["dealer"]
        state = words["qualified" if hand["qualified"] else "not"]
        name = category_name(game, hand["category"], language)
        yield f"  {words['dealer']:<8} {' '.join(coup['dealer']['cards']):<16} {name}, {state} ({hand['rule']})"
    if "board" in coup:
        yield f"  {words['board']:<8} {' '.join(coup['board'])}"
    for announced in decision["announcements"]:
        yield f"  « {announced['say']} » ({announced['rule']})"
    yield from _pots(decision, words)
    for seat in decision["seats"]:
        for spot, bet in seat["bets"].items():
            yield _bet(seat["seat"], spot, bet, words["seat"], language)
    if game is not Game.THE:
        yield f"  {words['bank']}: {_euros(decision['bank_net'], sign=True)}"


def _pots(decision: Mapping[str, Any], words: Mapping[str, str]) -> Iterator[str]:
    for pot in decision.get("pots", ()):
        winners = ", ".join(map(str, pot["winners"]))
        rake = f"{words['rake']} {_euros(pot['rake'])}"
        yield f"  {words['pot']} {pot['pot']}: {_euros(pot['amount'])}, {rake}, {words['to']} {winners}"


def _bet(seat: int, spot: str, bet: Mapping[str, Any], word: str, language: Language) -> str:
    outcome = _OUTCOME[language][bet["outcome"]]
    amount = _euros(bet["net"], sign=True) if bet["net"] else ""
    sentence = getattr(rule(bet["rule"]).sentence, language)
    decided = f"  {word} {seat:<3} {spot:<10} {outcome:<13} {amount:>11}  {bet['rule']:<8}"
    width = min(shutil.get_terminal_size().columns, WIDEST)
    return textwrap.fill(decided + sentence, max(width, len(decided) + 30), subsequent_indent=" " * len(decided))


def _euros(cents: int, *, sign: bool = False) -> str:
    mark = "-" if cents < 0 else "+" if sign else ""
    return f"{mark}{abs(cents) // 100}.{abs(cents) % 100:02} €"
