"""Starting and stopping real servers for tests: loopback only, free ports, temporary folders, stopped by pid."""

import os
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path

STARTUP_S = 60  # generous: a loaded machine is slow, and the wait ends as soon as the server answers


class ServiceError(AssertionError):
    """A server that the tests need did not come up; the message carries its own last words."""


def free_port() -> int:
    """A loopback port that nobody listens on right now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Service:
    """One child process with its log in a file; `stop` ends exactly that process."""

    def __init__(self, command: Sequence[str], log: Path, *, user: str | None = None) -> None:
        self._log = log
        with log.open("wb") as output:
            self._process = subprocess.Popen(
                command, stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, user=user
            )

    @property
    def pid(self) -> int:
        return self._process.pid

    def wait_until(self, ready: Callable[[], bool]) -> None:
        """Returns as soon as the server is ready; a dead or silent one is an error with its log."""
        limit = time.monotonic() + STARTUP_S
        while not ready():
            if self._process.poll() is not None or time.monotonic() > limit:
                self.stop()
                raise ServiceError(f"{self._process.args!r} did not start:\n{self._log.read_text()[-2000:]}")
            time.sleep(0.02)  # polling a server that has no other way to say it is ready

    def stop(self, signal_number: signal.Signals = signal.SIGTERM) -> None:
        if self._process.poll() is None:
            os.kill(self._process.pid, signal_number)
        self._process.wait(timeout=STARTUP_S)
