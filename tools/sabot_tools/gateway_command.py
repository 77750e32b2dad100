"""`sabot gateway`: the service that follows the tables of a house.

Owns the command line; what runs is `sabot_gateway.app`. Nothing is started before the whole configuration is right.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Final

from sabot_gateway.config import FILE, load
from sabot_gateway.errors import GatewayError, StartError
from sabot_gateway.rehearsal import rehearse
from sabot_gateway.settings.starter import write_starter
from sabot_gateway.settings.summary import summary_of, text_from_summary
from sabot_tools.early_signal import heed_no_more

NAME: Final = "gateway"
SUMMARY: Final = "run the service that follows the tables: broker in, journal, rules, lamps out"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--config", metavar="FILE", type=Path, help=f"the settings; {FILE} in this folder if it is not given"
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--check", action="store_true", help="start nothing; say what the settings add up to, or what is wrong"
    )
    what.add_argument("--init", metavar="FOLDER", type=Path, help="write a small commented configuration into FOLDER")
    parser.add_argument("--json", action="store_true", help="with --check: print one JSON object for programs")
    parser.epilog = (
        "example: sabot gateway --init casino && sabot gateway --config casino/sabot.toml\n\n"
        "SIGTERM or Ctrl-C ends it in order (exit 0); SIGHUP reads tables, controllers, registers and rules again."
    )


def run(args: argparse.Namespace) -> int:
    """0 ended in order or nothing wrong, 1 ended by a defect or to be started again, 2 could not start."""
    try:
        if args.init is not None or args.check:
            heed_no_more()
        if args.init is not None:
            return _init(args.init)
        settings = load(_file(args.config))
        if args.check:
            rehearse(settings)
            summary = summary_of(settings)
            print(json.dumps(summary) if args.json else text_from_summary(summary))
            return 0
        from sabot_gateway.app import run_gateway  # brings broker, database and web server: only when it runs

        return run_gateway(settings)
    except GatewayError as error:
        print(f"sabot gateway: {error}", file=sys.stderr)
        return 1 if isinstance(error, StartError) and error.may_pass else 2


def _file(named: Path | None) -> Path:
    if named is not None:
        return named
    if not Path(FILE).exists():
        raise GatewayError(f"There is no {FILE} in this folder; give --config FILE, or begin with --init FOLDER.")
    return Path(FILE)


def _init(folder: Path) -> int:
    file = write_starter(folder)
    print(f"{file} is written, with empty registers beside it.")
    print(f"Next: sabot gateway --check --config {file}")
    return 0
