"""docs/commands.md: every command with its arguments and its example.

Written from the parsers themselves, but not by argparse's own formatter, whose
layout changes from one Python to the next.
"""

import argparse
from collections.abc import Iterator, Mapping

from sabot_tools.cli import COMMANDS, command_module

_HEAD = """# The commands

Every command there is, with its arguments; `sabot COMMAND --help` says the same. This page
is generated (`make docs`); a test fails when it is not current.

Exit codes everywhere: 0 done, 1 something was refused or differs, 2 could not start.
"""


def pages() -> Mapping[str, str]:
    return {"docs/commands.md": "\n".join([_HEAD, *map(_section, COMMANDS)])}


def _section(name: str) -> str:
    module = command_module(name)
    parser = argparse.ArgumentParser(prog=f"sabot {name}", add_help=False)
    module.configure(parser)
    rows = "\n".join(_rows(parser))
    return (
        f"## sabot {name}\n\n{module.SUMMARY[0].upper()}{module.SUMMARY[1:]}.\n\n"
        f"| argument | means |\n| --- | --- |\n{rows}\n\n```text\n{(parser.epilog or '').strip()}\n```\n"
    )


def _rows(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:  # argparse has no public way to list what was added
        value = _value(action)
        names = [f"{option} {value}".rstrip() for option in action.option_strings] or [value]
        shown = ", ".join(f"`{name}`" for name in names)
        yield f"| {shown} | {(action.help or '').replace('|', chr(92) + '|')} |"


def _value(action: argparse.Action) -> str:
    if action.nargs == 0:
        return ""
    name = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    if name.startswith("{"):  # one of a few names
        return name.strip("{}").replace(",", "\\|")
    return f"{name} …" if action.nargs in ("*", "+") else name
