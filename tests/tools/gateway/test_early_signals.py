"""A gateway that is told to stop before it stands ends in order all the same."""

import os
import signal
import subprocess
import sys

import pytest

from app.gateway_process import SOURCES

# The signal comes while the settings are read: nothing of the service is built yet.
PROGRAM = """
import os, sys
import sabot_gateway.config

def interrupted(file):
    os.kill(os.getpid(), int(sys.argv[1]))
    print("went on", flush=True)
    raise sabot_gateway.config.SettingsError("no settings")

sabot_gateway.config.load = interrupted
from sabot_tools.cli import main
sys.exit(main(["gateway", *sys.argv[2:], "--config", "sabot.toml"]))
"""


def ended(number: signal.Signals, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", PROGRAM, str(int(number)), *words]
    return subprocess.run(
        command, env={**os.environ, "PYTHONPATH": SOURCES}, capture_output=True, text=True, timeout=60, check=False
    )


def test_sigterm_while_the_settings_are_read_is_an_end_in_order() -> None:
    done = ended(signal.SIGTERM)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_sighup_while_the_settings_are_read_changes_nothing() -> None:
    done = ended(signal.SIGHUP)
    assert done.stdout == "went on\n"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_check_that_is_stopped_does_not_say_that_all_is_well(number: signal.Signals) -> None:
    assert ended(number, "--check").returncode == -number
