"""`sabot demo` as its users have it: started, looked at, stopped, killed, started again, and refused."""

import json
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from sabot_gateway.config import load
from sabot_tools.cli import main
from sabot_tools.demo.premises import MARK, PremisesError, prepare
from sabot_tools.twin import software
from sabot_tools.twin.ledger import Ledger
from services.descent import descendants, is_alive

GAMES = {"TCF", "STU", "TCP", "UTH", "THE"}
PATIENCE_S = 240  # of a crowded machine; nothing here is measured in seconds


class Demo:
    """A demonstration on ports of its own."""

    def __init__(self, folder: Path, *words: str) -> None:
        self.folder = folder
        self.port, broker = _free_port(), _free_port()
        command = [sys.executable, "-m", "sabot_tools.cli", "demo", "--folder", str(folder), "--port", str(self.port)]
        self.process = subprocess.Popen(
            [*command, "--broker-port", str(broker), "--speed", "8", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def wait_for_page(self) -> str:
        """The password, once the greeting says that everything runs."""
        assert self.process.stdout is not None
        said = ""
        for line in self.process.stdout:
            said += line
            found = re.search(r"password (\S+)", line)
            if found:
                return found[1]
        raise AssertionError(f"The demo did not come up:\n{said}")

    def settled(self) -> dict[str, int]:
        """Coups settled so far, by table, as the journal has them."""
        ledger = Ledger(self.folder / "data" / "journal.db")
        ledger.read()
        return {table: len(lines) for table, lines in ledger.settled.items()}

    def software(self, password: str) -> object:
        """What runs on how many controllers, as the page shows it."""
        return _page(self.port, password, "/devices.json")["software"]

    def children(self) -> set[int]:
        """Every process below the demo, while it runs."""
        return descendants(self.process.pid)

    def end(self, number: int) -> tuple[int, str]:
        self.process.send_signal(number)
        said = self.process.communicate(timeout=PATIENCE_S)[0]
        return self.process.returncode, said


@contextmanager
def demo(folder: Path, *words: str) -> Iterator[Demo]:
    running = Demo(folder, *words)
    try:
        yield running
    finally:
        if running.process.poll() is None:
            running.process.kill()
            running.process.communicate()


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


def _until(is_so: Callable[[], bool], what: str) -> None:
    ends = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < ends, f"waited in vain for {what}"
        time.sleep(0.2)


@pytest.mark.slow
def test_five_tables_play_stop_without_a_trace_and_go_on_even_after_a_kill(tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    with demo(folder, "--trouble", "5", "--micropython", "none") as first:
        password = first.wait_for_page()
        _until(lambda: len(first.settled()) == len(GAMES), "a settled coup at every table")
        floor = _page(first.port, password, "/floor.json")["tiles"]
        assert {tile["game"] for tile in floor} == GAMES
        assert first.software(password) == [_whole(controllers=5)]
        below = first.children()
        assert len(below) >= 2, "a gateway and its broker"
        code, said = first.end(signal.SIGINT)
        assert code == 0, said
        assert "equal the tables' own book" in said, said
        _until(lambda: not any(map(is_alive, below)), "the end of every process")
    before = first.settled()
    with demo(folder, "--micropython", "none") as second:
        assert second.wait_for_page() == password, "the login stays the same"
        _until(lambda: all(count > before[table] for table, count in second.settled().items()), "more coups")
        below = second.children()
        second.process.kill()
        second.process.communicate()
        _until(lambda: not any(map(is_alive, below)), "the end of every process after a kill")
    before = second.settled()
    with demo(folder, "--micropython", "none") as third:
        third.wait_for_page()
        _until(lambda: all(count > before[table] + 1 for table, count in third.settled().items()), "coups after a kill")
        code, said = third.end(signal.SIGTERM)
        assert code == 0, said
        assert "equal the tables' own book" in said, said


@pytest.mark.slow
def test_the_controllers_run_on_micropython(tmp_path: Path, micropython: object) -> None:
    del micropython  # it must be there
    launcher = Path(__file__).parents[3] / ".tools" / "micropython" / "run"
    with demo(tmp_path / "demo", "--micropython", str(launcher)) as running:
        password = running.wait_for_page()
        _until(lambda: len(running.settled()) == len(GAMES), "a settled coup at every table")
        assert running.software(password) == [_whole(controllers=5)]
        code, said = running.end(signal.SIGTERM)
        assert code == 0, said


def test_a_taken_port_is_one_sentence(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        command = [sys.executable, "-m", "sabot_tools.cli", "demo", "--folder", str(tmp_path / "demo")]
        done = subprocess.run(
            [*command, "--port", str(port), "--broker-port", str(_free_port())],
            capture_output=True,
            text=True,
            check=False,
            timeout=PATIENCE_S,
        )
    assert done.returncode == 2
    assert f"127.0.0.1:{port}" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_folder_that_cannot_be_written_is_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--folder", "/proc/demo"]) == 2
    assert "/proc/demo cannot be written" in capsys.readouterr().err


def test_a_folder_with_something_else_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("ten years of work")
    with pytest.raises(PremisesError, match="something else"):
        prepare(tmp_path, "127.0.0.1:1", "127.0.0.1:2", fresh=True)
    assert (tmp_path / "thesis.txt").exists()


def test_fresh_forgets_what_was_played_and_the_login_with_it(tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    first = prepare(folder, "127.0.0.1:1", "127.0.0.1:2", fresh=False)
    (folder / "data" / "journal.db").write_text("an old night")
    again = prepare(folder, "127.0.0.1:3", "127.0.0.1:4", fresh=False)
    assert (again.password, again.is_new) == (first.password, False)
    assert '"127.0.0.1:3"' in again.settings.read_text()
    anew = prepare(folder, "127.0.0.1:1", "127.0.0.1:2", fresh=True)
    assert anew.is_new
    assert anew.password != first.password
    assert not (folder / "data" / "journal.db").exists()
    assert (folder / MARK).exists()
    assert (folder / "login.txt").stat().st_mode & 0o077 == 0


def test_a_folder_that_is_older_than_the_controllers_code_knows_the_new_one(tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    settings = prepare(folder, "127.0.0.1:1", "127.0.0.1:2", fresh=False).settings
    first = settings.read_text()
    assert load(settings).digests == frozenset({software.digest()})
    for older in (
        first.replace(software.digest().hex(), 64 * "0"),
        re.sub(r"\[firmware\]\n.*\n", "", first),  # from before there was one
    ):
        settings.write_text(older)
        assert load(settings).digests != frozenset({software.digest()})
        prepare(folder, "127.0.0.1:1", "127.0.0.1:2", fresh=False)
        assert load(settings).digests == frozenset({software.digest()})


def _whole(controllers: int) -> dict[str, object]:
    """The whole release on so many controllers."""
    return {"firmware": software.release(), "digest": software.digest().hex(), "controllers": controllers}


def _page(port: int, password: str, path: str) -> dict[str, Any]:
    """A page as somebody sees it who logs in with what was printed."""
    line = HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
    try:
        form = urlencode({"name": "demo", "password": password})
        line.request("POST", "/login", form, {"content-type": "application/x-www-form-urlencoded"})
        answer = line.getresponse()
        answer.read()
        assert answer.status == 303, answer.status
        cookie = str(answer.getheader("set-cookie")).partition(";")[0]
        line.request("GET", path, headers={"cookie": cookie})
        found: dict[str, Any] = json.loads(line.getresponse().read())
        return found
    finally:
        line.close()
