"""docs/commands.md: the help page of every command, exactly as the command prints it."""

import argparse
from collections.abc import Mapping

from sabot_tools.cli import COMMANDS, command_module
from sabot_tools.help_page import HelpPage

_HEAD = """# The commands

What `sabot COMMAND --help` prints, for every command there is. This page is
generated (`make docs`); a test fails when it is not current.

Exit codes everywhere: 0 done, 1 something was refused or differs, 2 could not start.
"""


def pages() -> Mapping[str, str]:
    sections = [_HEAD]
    for name in COMMANDS:
        module = command_module(name)
        parser = argparse.ArgumentParser(prog=f"sabot {name}", description=module.SUMMARY, formatter_class=HelpPage)
        module.configure(parser)
        sections.append(f"## sabot {name}\n\n```text\n{parser.format_help().strip()}\n```\n")
    return {"docs/commands.md": "\n".join(sections)}
