"""`sabot simulate`: plays scenario scripts against the live table and says where they differ.

A script is a coup written down line by line (docs/rounds.md). The table is the
gateway's own; only its chips, cards, badges and controllers are simulated.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Final

from sabot_tools.rounds.playing import play
from sabot_tools.rounds.reading import script_from_file
from sabot_tools.rounds.script import ScriptError
from sabot_tools.rounds.transcript import summary, transcript, verdict

NAME: Final = "simulate"
SUMMARY: Final = "play scenario scripts (.round) against the live table"

PASSED, FAILED, UNREADABLE = 0, 1, 2


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--script",
        nargs="+",
        required=True,
        metavar="FILE",
        type=Path,
        help="one or more scripts, played in this order",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--brief", action="store_true", help="one line per script instead of its transcript")
    form.add_argument("--json", action="store_true", help="one JSON object per script")
    parser.epilog = (
        "example: sabot simulate --script tests/rounds/tcf-pair-plus-of-a-beaten-hand.round\n"
        "exit code: 0 every script passed, 1 a script failed, 2 a script could not be played"
    )


def run(args: argparse.Namespace) -> int:
    """0 when every script passed, 1 when one failed, 2 when one could not be read or makes no sense."""
    worst = PASSED
    for path in args.script:
        try:
            played = play(script_from_file(path))
        except ScriptError as error:
            print(f"sabot simulate: {error}", file=sys.stderr)
            worst = UNREADABLE
            continue
        if args.json:
            print(json.dumps(summary(played), ensure_ascii=False))
        elif args.brief:
            print(f"{played.script.name}: {verdict(played)}")
        else:
            print("\n".join(transcript(played)))
        if played.failure is not None:
            worst = max(worst, FAILED)
    return worst
