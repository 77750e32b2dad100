"""docs/technician.md says what the tools say: its commands exist, its sentences are theirs, its label is real."""

import argparse
import re
from pathlib import Path

from conftest import ROOT
from sabot_tools.cli import COMMANDS, _parser, command_module
from sabot_tools.field.equipping import Outcome
from sabot_tools.field.provision import label_of

PAGE = (ROOT / "docs" / "technician.md").read_text(encoding="utf-8")
FIELD = ROOT / "tools" / "sabot_tools" / "field"


def test_every_command_on_the_page_exists() -> None:
    named = set(re.findall(r"sabot ([a-z-]+)", PAGE))
    assert named <= set(COMMANDS)
    assert {"provision", "flash", "monitor", "selftest", "bridge", "broker-config"} <= named


def test_every_command_that_is_shown_can_be_given() -> None:
    """Options and values as the page shows them, read by the commands' own parsers."""
    shown = re.findall(r"^ *\$ sabot ((?:.*\\\n)*.*)$", PAGE, re.MULTILINE)
    assert len(shown) >= 10
    for line in shown:
        words = line.replace("\\\n", " ").replace("…", "").split()
        assert _parser(words[0]).parse_args(words).run is command_module(words[0]).run, line


def test_no_command_takes_a_secret_by_its_arguments() -> None:
    """What stands on a command line stands in the shell's history and in the list of processes: a file is named."""
    for name in ("provision", "flash", "monitor", "selftest", "bridge", "broker-config"):
        parser = argparse.ArgumentParser()
        command_module(name).configure(parser)
        parsers = [parser]
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                parsers += action.choices.values()
        for each in parsers:
            secrets = [one for one in each._actions if re.search("key|secret|password|token", one.dest)]
            assert all(one.type is Path for one in secrets), f"{name}: {secrets}"
        assert len(parsers) == (6 if name == "provision" else 1)


def test_every_sentence_of_the_faults_is_one_of_the_tools() -> None:
    source = " ".join(file.read_text(encoding="utf-8") for file in FIELD.glob("*.py"))
    source = re.sub(r"\{[^{}]*\}", "…", re.sub(r'"\s*\n\s*f?"', "", source)).replace("`", "")
    table = PAGE.split("| the command says |")[1].split("###")[0]
    said = [phrase for row in table.splitlines()[2:] if row for phrase in re.findall(r"`([^`]+)`", row.split("|")[1])]
    assert len(said) >= 20
    missing = [
        phrase for phrase in said if not all(part.strip(" .;:") in source for part in phrase.split("…") if part.strip())
    ]
    assert missing == []


def test_the_label_on_the_page_is_the_one_that_is_printed() -> None:
    label = label_of(
        "riviera",
        Outcome(
            "add",
            "table-4-a",
            "table-4",
            "table",
            "rpi_pico_2_w",
            "e66118604b4c5a2b",
            "fdbeb4c12793e7d0" + 48 * "0",
            "2028-11-17",
        ),
    )
    shown = "\n".join(line.strip() for line in PAGE.splitlines())
    assert label in shown
