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
import threading
from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from io import TextIOWrapper
from types import ModuleType
from typing import Final

from sabot_tools.early_signal import heed_early
from sabot_tools.help_page import HelpPage

# Sub-command -> module. The order is the order of the help page.
COMMANDS: Final = {
    "demo": "sabot_tools.demo.command",
    "examples": "sabot_tools.examples_command",
    "settle": "sabot_tools.settle.command",
    "rules": "sabot_tools.rule_page",
    "rtp": "sabot_tools.rtp.command",
    "simulate": "sabot_tools.simulate",
    "soak": "sabot_tools.soak.command",
    "gateway": "sabot_tools.gateway_command",
    "verify": "sabot_tools.verify",
    "replay": "sabot_tools.replay.command",
    "export": "sabot_tools.export.command",
    "users": "sabot_tools.users_command",
    "enrol": "sabot_tools.enrol.command",
    "provision": "sabot_tools.field.provision",
    "monitor": "sabot_tools.field.monitor",
    "selftest": "sabot_tools.field.selftest",
    "bridge": "sabot_tools.field.bridge",
    "broker-config": "sabot_tools.field.broker_config",
    "flash": "sabot_tools.field.flash",
    "release": "sabot_tools.field.release",
    "update": "sabot_tools.field.update",
    "bench": "sabot_tools.bench.command",
}


def main(arguments: Sequence[str] | None = None) -> int:
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] == ["gateway"] and threading.current_thread() is threading.main_thread():
        heed_early()
    _settle_streams()
    parser = _parser(chosen=words[0] if words else None)
    args = parser.parse_args(words)
    if not hasattr(args, "run"):
        parser.print_help()
        return 2
    try:
        code: int = args.run(args)
        sys.stdout.flush()
    except KeyboardInterrupt:
        print("sabot: stopped.", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader of our output has gone (`sabot settle | head`). Nothing is wrong; leave quietly.
        _silence_stdout()
        return 141
    except OSError as error:
        # Commands answer for what they read; what is left is an output that takes no more, such as a full disk.
        _silence_stdout()
        print(f"sabot: the output cannot be written: {error.strerror or error}.", file=sys.stderr)
        return 2
    return code


def command_module(name: str) -> ModuleType:
    return importlib.import_module(COMMANDS[name])


def _parser(chosen: str | None) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="sabot",
        description="Sabot: a casino poker table that knows its own rules.",
        epilog="example: sabot settle coups.jsonl\n\nEach command has its own --help.",
        formatter_class=HelpPage,
    )
    parser.add_argument("--version", action="version", version=f"sabot {_version()}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND")
    for name in [chosen] if chosen in COMMANDS else COMMANDS:
        module = command_module(name)
        command = commands.add_parser(
            name,
            help=module.SUMMARY,
            description=f"{module.SUMMARY[0].upper()}{module.SUMMARY[1:]}.",
            formatter_class=HelpPage,
        )
        module.configure(command)
        _lay_out(command)
        command.set_defaults(run=module.run)
    return parser


def _lay_out(command: argparse.ArgumentParser) -> None:
    """Gives the pages of a command's actions the look of every other."""
    for actions in command._actions:  # argparse has no public way to list what was added
        if isinstance(actions, argparse._SubParsersAction):
            for told in actions._choices_actions:
                page = actions.choices[told.dest]
                page.formatter_class = HelpPage
                page.description = f"{str(told.help)[0].upper()}{str(told.help)[1:]}."


def _settle_streams() -> None:
    """A stream that was closed for us is nowhere, and a terminal that lacks a letter shows a question mark."""
    if sys.stdout is None:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115  # lives as long as the process
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115  # as above
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")


def _silence_stdout() -> None:
    """What is still buffered has no reader: the interpreter must not trip over it on its way out."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _version() -> str:
    try:
        return version("sabot")
    except PackageNotFoundError:
        return "of this source tree (not installed)"


if __name__ == "__main__":
    sys.exit(main())
