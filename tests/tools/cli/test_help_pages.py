"""The help page of every command and of each of its actions: what it does, what its words mean, how it is called."""

import argparse
import re
import shlex
from collections.abc import Iterator

import pytest

from sabot_tools.cli import COMMANDS, command_module, main

NAMED = re.compile(r"^(?:example:)?[ ]+(sabot [^\\\n]*(?:\\\n[^\\\n]*)*)$", re.MULTILINE)


def _pages() -> Iterator[tuple[str, argparse.ArgumentParser]]:
    for name in COMMANDS:
        parser = argparse.ArgumentParser(prog=f"sabot {name}")
        command_module(name).configure(parser)
        yield name, parser
        for actions in parser._actions:
            if isinstance(actions, argparse._SubParsersAction):
                yield from ((f"{name} {action}", page) for action, page in actions.choices.items())


PAGES = dict(_pages())


@pytest.mark.parametrize("words", PAGES)
def test_it_says_what_it_does_what_each_word_means_and_how_it_is_called(
    words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main([*words.split(), "--help"])
    assert left.value.code == 0
    page = capsys.readouterr().out
    assert re.search(r"^[A-Z].*[.]$", page, re.MULTILINE), "a sentence of what it does"
    assert re.search(rf"^(?:example:)?[ ]+sabot {words}\b", page, re.MULTILINE), "an example"
    silent = [each.dest for each in PAGES[words]._actions if not each.help and not _is_action(each)]
    assert silent == []


@pytest.mark.parametrize("words", PAGES)
def test_its_examples_are_calls_that_it_takes(words: str) -> None:
    epilog = PAGES[words].epilog or ""
    for example in NAMED.findall(epilog):
        for call in example.replace("\\\n", " ").split("&&"):
            name, *arguments = shlex.split(call.split(" > ")[0].split(" < ")[0].split("|")[0].rstrip(" &"))[1:]
            PAGES[name].parse_args(arguments)  # SystemExit on any word that it does not take


def _is_action(argument: argparse.Action) -> bool:
    return isinstance(argument, argparse._SubParsersAction)
