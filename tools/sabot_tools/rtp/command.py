"""`sabot rtp`: the exact return of every bet of a bank game, as a table or as JSON.

Importing this file is cheap: the enumerations, and numba with them, are loaded
only for the bets that need them.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Final

from sabot_gateway.model.game import Game
from sabot_gateway.rulebook import ruleset_from_file, shipped_ruleset
from sabot_gateway.rules.ruleset import Ruleset, RulesetError
from sabot_tools.rtp.bet_return import Return
from sabot_tools.rtp.compiled import KernelsMissingError
from sabot_tools.rtp.game_bets import BETS, UnanswerableError, returns_of, strategies_of
from sabot_tools.rtp.report import record_of, table_of

NAME: Final = "rtp"
SUMMARY: Final = "exact return to player of every bet of a bank game, by full enumeration"

_MOST_SAMPLES: Final = 10_000_000


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", type=_game, help=f"one of {', '.join(BETS)}")
    parser.add_argument("--bet", metavar="B", help="only this bet (default: all of the game)")
    parser.add_argument("--ruleset", metavar="FILE", type=Path, help="a house's ruleset (default: the shipped one)")
    parser.add_argument("--strategy", metavar="S", default="optimal", help="how the player decides (default: optimal)")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--exact", action="store_true", help="every possible deal (default)")
    how.add_argument("--sample", metavar="N", type=_samples, help="N random starting points, each solved exactly")
    parser.add_argument("--seed", type=int, default=1, help="of the random starting points (default: 1)")
    parser.add_argument("--json", action="store_true", help="one JSON object per bet")
    parser.epilog = "\n".join(
        [
            "examples: sabot rtp TCP",
            "          sabot rtp STU --bet ante_buy",
            "          sabot rtp STU --bet ante --strategy any-pair --json",
            "",
            *(
                f"{game}: bets {', '.join(bets)}; strategies {', '.join(strategies_of(game))}"
                for game, bets in BETS.items()
            ),
        ]
    )


def run(args: argparse.Namespace) -> int:
    try:
        found = _answer(args)
    except (UnanswerableError, RulesetError, KernelsMissingError) as error:
        print(f"sabot rtp: {error}", file=sys.stderr)
        return 2
    if args.json:
        for bet in found:
            print(json.dumps(record_of(bet)))
    else:
        print(table_of(found))
    return 0


def _answer(args: argparse.Namespace) -> list[Return]:
    if args.game not in BETS:
        raise UnanswerableError("at texas hold'em players play against each other: there is no bank and no return.")
    ruleset: Ruleset = shipped_ruleset(args.game) if args.ruleset is None else ruleset_from_file(args.ruleset)
    if ruleset.game is not args.game:
        raise UnanswerableError(f"{args.ruleset} is a ruleset of {ruleset.game}, not of {args.game}.")
    return list(returns_of(ruleset, args.bet, args.strategy, args.sample, args.seed))


def _game(text: str) -> Game:
    try:
        return Game(text.upper())
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a game: there are {', '.join(BETS)}") from None


def _samples(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 2 <= int(text[:12]) <= _MOST_SAMPLES:
        raise argparse.ArgumentTypeError(f"write a number of samples from 2 to {_MOST_SAMPLES:,}")
    return int(text)
