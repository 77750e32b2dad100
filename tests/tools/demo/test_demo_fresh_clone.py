"""`make demo` as a newcomer has it: cloned, started by one command, looked at in a browser, stopped with Ctrl-C.

What is not committed yet goes into the clone too: the tree under test is the one that stands here.
"""

import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from conftest import ROOT
from services.descent import descendants, is_alive
from services.driven_chromium import DrivenChromium
from services.process import free_port

GAMES = {"TCF", "STU", "TCP", "UTH", "THE"}
PATIENCE_S = 240  # of a crowded machine; setting up takes about a minute
FIRST_COUP_S = 20  # from the open page to the first settled coup, on a machine with nothing else to do


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    folder = tmp_path / "sabot"
    _git("clone", "--quiet", "--no-hardlinks", str(ROOT), str(folder))
    changed = _git("-C", str(ROOT), "diff", "--binary", "HEAD")
    if changed:
        subprocess.run(["git", "-C", str(folder), "apply"], input=changed, check=True)
    return folder


@pytest.fixture
def demo(clone: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """`make demo` in a terminal of its own, and the port of its page."""
    web = free_port()
    words = f"DEMO=--port {web} --broker-port {free_port()}"
    # Nothing of the environment that this run was set up in: a newcomer has none.
    environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", "VIRTUAL_ENV")}
    process = subprocess.Popen(
        ["make", "demo", words],
        cwd=clone,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    yield process, web
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


@pytest.mark.slow
def test_a_fresh_clone_plays_before_a_browser_and_leaves_nothing_running(
    demo: tuple[subprocess.Popen[str], int], driven_chromium: DrivenChromium
) -> None:
    process, web = demo
    greeting = _greeting(process)
    login = re.search(r"login +(\w+) or \w+, password (\S+)", greeting)
    assert login, greeting
    assert f"http://127.0.0.1:{web}/" in greeting

    page = driven_chromium
    page.visit(f"http://127.0.0.1:{web}", {}, "/login")
    page.one("input[name=name]").send_keys(login[1])
    page.one("input[name=password]").send_keys(login[2])
    opened = time.monotonic()
    page.one("main form button").click()
    page.until(lambda: len(page.all("a.tile")) == len(GAMES))
    assert {tile.get_attribute("data-game") for tile in page.all("a.tile")} == GAMES
    page.until(lambda: _settled(page))
    waited = time.monotonic() - opened
    assert waited < FIRST_COUP_S * _crowd(), f"the first coup was settled after {waited:.0f} s"
    page.one("a.tile").click()
    page.until(lambda: "/tables/" in page.driver.current_url and page.all("main h1"))
    assert page.complaints() == []

    below = descendants(process.pid)
    assert len(below) >= 3, "the command, its gateway and its broker"
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all of them at once
    said = process.communicate(timeout=PATIENCE_S)[0]
    assert "equal the tables' own book" in said, said
    assert "Stopped." in said, said
    assert "Traceback" not in said, said
    _until(lambda: not any(map(is_alive, below)), "the end of every process")


def _greeting(process: subprocess.Popen[str]) -> str:
    """What is printed until everything runs."""
    assert process.stdout is not None
    said = ""
    for line in process.stdout:
        said += line
        if line.lstrip().startswith("folder"):
            return said
    raise AssertionError(f"The demo did not come up:\n{said}")


def _settled(page: DrivenChromium) -> bool:
    return any(each.text.strip() for each in page.all('a.tile [data-field="outcome"]'))


def _crowd() -> float:
    """How many want each core now; at least one."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def _until(is_so: Callable[[], bool], what: str) -> None:
    ends = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < ends, f"waited in vain for {what}"
        time.sleep(0.2)


def _git(*words: str) -> bytes:
    return subprocess.run(["git", *words], check=True, capture_output=True).stdout
