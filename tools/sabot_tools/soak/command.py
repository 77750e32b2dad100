"""`sabot soak`: a long night on all games, with everything breaking that can be broken, and what must hold after it.

Owns the command line and what is printed. The seed comes first, so that a night that failed can be played again.
"""

import argparse
import json
import secrets
import shutil
import signal
import sys
import tempfile
from pathlib import Path
from types import FrameType
from typing import Final

from sabot_gateway.errors import GatewayError, StartError
from sabot_gateway.settings.shape import BrokerProgram
from sabot_tools.demo.gateway_process import GatewayFailedError
from sabot_tools.progress import Progress
from sabot_tools.soak.night import Outcome, Soak, SoakNight
from sabot_tools.soak.premises import SoakPremises
from sabot_tools.twin.house import GAMES

NAME: Final = "soak"
SUMMARY: Final = "play a long night on all games with random faults, and check that nothing was lost or wrong"
HOURS: Final = 8
_SEEDS: Final = 1 << 32


def configure(parser: argparse.ArgumentParser) -> None:
    length = parser.add_mutually_exclusive_group()
    length.add_argument(
        "--hours", metavar="N", type=_positive, default=HOURS, help=f"of each table's own time (default {HOURS})"
    )
    length.add_argument("--coups", metavar="N", type=_positive, default=0, help="at each table, instead of hours")
    parser.add_argument("--seed", metavar="N", type=_number, help="of chance and faults (default: drawn, and printed)")
    parser.add_argument(
        "--tables", metavar="N", type=_positive, default=len(GAMES), help="the games in turn (default: one each)"
    )
    parser.add_argument("--incidents", metavar="N", type=_number, default=150, help="per thousand coups (default 150)")
    parser.add_argument("--faults", metavar="N", type=_number, default=50, help="per thousand coups (default 50)")
    parser.add_argument(
        "--broker", choices=[each.value for each in BrokerProgram], default="auto", help="the program (default auto)"
    )
    parser.add_argument("--folder", metavar="FOLDER", type=Path, help="a new one; default: temporary, kept on findings")
    parser.add_argument("--json", action="store_true", help="print one JSON object for programs")
    parser.epilog = (
        "example: sabot soak --hours 8\nexample: sabot soak --coups 100 --seed 7 --json\n"
        "Ctrl-C ends the night after the coups under way, and checks it; once more, at once.\n"
        "exit code: 0 everything held; 1 something did not; 2 it could not be played"
    )


def run(args: argparse.Namespace) -> int:
    """0 when everything held, 1 when something did not, 2 when it could not be played."""
    seed = secrets.randbelow(_SEEDS) if args.seed is None else args.seed
    print(f"seed {seed}", file=sys.stderr if args.json else sys.stdout, flush=True)
    try:
        folder = _folder(args.folder)
        soak = Soak(seed, args.coups, args.hours, args.incidents, args.faults)
        games = [GAMES[at % len(GAMES)] for at in range(args.tables)]
        outcome = _night(soak, folder, games, BrokerProgram(args.broker))
    except (GatewayError, GatewayFailedError) as error:
        print(f"sabot soak: {error}", file=sys.stderr)
        return 2
    _report(outcome, seed, folder, is_json=args.json)
    if args.folder is None and not outcome.findings:
        shutil.rmtree(folder)
    return 1 if outcome.findings else 0


def _night(soak: Soak, folder: Path, games: list[str], program: BrokerProgram) -> Outcome:
    premises = SoakPremises(folder, games, program)
    try:
        premises.open()
        total = soak.coups * len(games) or None
        with Progress(total, f"seed {soak.seed}, {len(games)} tables, coups ") as progress:
            night = SoakNight(soak, premises, folder, progress.advance)
            _end_on_signal(night)
            return night.play()
    finally:
        premises.close()


def _end_on_signal(night: SoakNight) -> None:
    def last_coups(_number: int, _frame: FrameType | None) -> None:
        night.call_off()
        signal.signal(signal.SIGINT, signal.default_int_handler)

    signal.signal(signal.SIGINT, last_coups)
    signal.signal(signal.SIGTERM, signal.default_int_handler)


def _folder(wanted: Path | None) -> Path:
    if wanted is None:
        return Path(tempfile.mkdtemp(prefix="sabot-soak-"))
    try:
        wanted.mkdir(0o700, parents=True)
    except FileExistsError:
        raise StartError(f"{wanted} is there already and was left as it is.") from None
    except OSError as error:
        raise StartError(f"{wanted} cannot be written ({error.strerror or error}).") from error
    return wanted


def _report(outcome: Outcome, seed: int, folder: Path, *, is_json: bool) -> None:
    figures = {
        "coups": outcome.coups,
        "settlements": outcome.settlements,
        "alerts": outcome.alerts,
        "events": outcome.events,
        "seconds": outcome.seconds,
    }
    if is_json:
        counts = dict(sorted(outcome.happened.items()))
        answer = {"seed": seed, **figures, "happened": counts, "findings": outcome.findings, "folder": str(folder)}
        print(json.dumps(answer))
        return
    print(f"{outcome.coups:,} coups, {outcome.events:,} events, {outcome.alerts:,} alerts in {outcome.seconds} s.")
    happened = [f"{name} {count}" for name, count in sorted(outcome.happened.items())]
    print(f"Happened: {', '.join(happened) or 'nothing'}.")
    for finding in outcome.findings:
        print(f"  {finding}")
    if outcome.findings:
        print(f"NOT HELD with seed {seed}; the house, its journal and its log are in {folder}.")
    else:
        print("HELD: every event once, the books equal to the cent, every alert for its reason and none missing.")
        print("verify and replay agree.")


def _number(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and len(text) < 16):
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number")
    return int(text)


def _positive(text: str) -> int:
    number = _number(text)
    if not number:
        raise argparse.ArgumentTypeError(f"{text!r} is no whole number above 0")
    return number
