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
    parts = [f"## sabot {name}\n\n{module.SUMMARY[0].upper()}{module.SUMMARY[1:]}.", _arguments(parser)]
    for actions in _actions(parser):
        for told in actions._choices_actions:
            parts += [f"### sabot {name} {told.dest}\n\n{_sentence(told.help)}", _arguments(actions.choices[told.dest])]
    return "\n\n".join(parts) + "\n"


def _arguments(parser: argparse.ArgumentParser) -> str:
    """What one command or action takes, and its example."""
    table = "\n".join(["| argument | means |", "| --- | --- |", *_rows(parser)])
    return f"{table}\n\n```text\n{(parser.epilog or '').strip()}\n```"


def _actions(parser: argparse.ArgumentParser) -> Iterator["argparse._SubParsersAction[argparse.ArgumentParser]"]:
    return (each for each in parser._actions if isinstance(each, argparse._SubParsersAction))


def _sentence(text: str | None) -> str:
    assert text, "every action says what it does"
    return f"{text[0].upper()}{text[1:]}."


def _rows(parser: argparse.ArgumentParser) -> Iterator[str]:
    for action in parser._actions:  # argparse has no public way to list what was added
        value = _value(action)
        names = [f"{option} {value}".rstrip() for option in action.option_strings] or [value]
        shown = ", ".join(f"`{name}`" for name in names)
        if isinstance(action, argparse._HelpAction):
            continue
        if isinstance(action, argparse._SubParsersAction):
            yield f"| {shown} | one of those below |"
            continue
        yield f"| {shown} | {(action.help or '').replace('|', chr(92) + '|')} |"


def _value(action: argparse.Action) -> str:
    if action.nargs == 0:
        return ""
    name = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    if name.startswith("{"):  # one of a few names
        return name.strip("{}").replace(",", "\\|")
    return f"{name} …" if action.nargs in ("*", "+") else name
