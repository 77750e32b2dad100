"""The `sabot` command: finds the sub-command and runs it.

Each sub-command is a module with NAME, SUMMARY, `configure(parser)` and
`run(args) -> exit code`. Modules are imported only when asked for, so that
`sabot settle` does not pay for the enumeration engine of `sabot rtp`.
Exit codes: 0 done, 1 something was refused or differs, 2 could not start.
"""

import argparse
import importlib
import os
import sys
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from types import ModuleType
from typing import Final

from sabot_tools.help_page import HelpPage

# Sub-command -> module. The order is the order of the help page.
COMMANDS: Final = {
    "demo": "sabot_tools.demo",
    "settle": "sabot_tools.settle.command",
    "rules": "sabot_tools.rule_page",
    "rtp": "sabot_tools.rtp.command",
    "bench": "sabot_tools.bench.command",
}


def main(arguments: Sequence[str] | None = None) -> int:
    words = list(sys.argv[1:] if arguments is None else arguments)
    parser = _parser(chosen=words[0] if words else None)
    args = parser.parse_args(words)
    if not hasattr(args, "run"):
        parser.print_help()
        return 2
    try:
        code: int = args.run(args)
    except KeyboardInterrupt:
        print("sabot: stopped.", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader of our output has gone (`sabot settle | head`). Nothing is wrong; leave quietly.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    return code


def command_module(name: str) -> ModuleType:
    return importlib.import_module(COMMANDS[name])


def _parser(chosen: str | None) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="sabot",
        description="Sabot: a casino poker table that knows its own rules.",
        epilog="example: sabot settle coups.jsonl   Each command has its own --help.",
    )
    parser.add_argument("--version", action="version", version=f"sabot {_version()}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    for name in [chosen] if chosen in COMMANDS else COMMANDS:
        module = command_module(name)
        command = commands.add_parser(
            name,
            help=module.SUMMARY,
            description=module.SUMMARY,
            formatter_class=HelpPage,
        )
        module.configure(command)
        command.set_defaults(run=module.run)
    return parser


def _version() -> str:
    try:
        return version("sabot")
    except PackageNotFoundError:
        return "of this source tree (not installed)"


if __name__ == "__main__":
    sys.exit(main())
