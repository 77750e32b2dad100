"""The gateway of the demonstration: the real command as a child process that does not outlive us.

Owns the process and its log. A start that fails is told with the gateway's own sentence.
"""

import os
import signal
import subprocess
import sys
import time
from http.client import HTTPConnection
from pathlib import Path
from typing import Final

from sabot_gateway.broker import leash
from sabot_gateway.settings.shape import Address

READY_S: Final = 60  # a start that replays a long night; a machine that has much else to do
DRAIN_S: Final = 30
_POLL_S: Final = 0.1


class GatewayFailedError(Exception):
    """The gateway did not start, or ended by itself: one sentence."""


class GatewayProcess:
    def __init__(self, settings: Path, log: Path) -> None:
        command = [sys.executable, "-m", "sabot_tools.cli", "gateway", "--config", str(settings)]
        leashed = [sys.executable, leash.__file__, str(os.getpid()), *command]
        self._log = log
        with log.open("ab") as file:
            self._from = file.tell()
            # A session of its own: Ctrl-C is for us, and we end the tables before we end the gateway.
            self._process = subprocess.Popen(  # noqa: S603  # our own command, and no shell
                leashed, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT, start_new_session=True
            )

    @property
    def pid(self) -> int:
        return self._process.pid

    def wait_until_ready(self, web: Address) -> None:
        ends = time.monotonic() + READY_S
        while time.monotonic() < ends:
            if self._process.poll() is not None:
                raise GatewayFailedError(self._last_words())
            if _is_ready(web):
                return
            time.sleep(_POLL_S)
        raise GatewayFailedError(f"The gateway was not ready after {READY_S} s; its log is {self._log}.")

    def check(self) -> None:
        """GatewayFailedError if it has ended."""
        if self._process.poll() is not None:
            raise GatewayFailedError(self._last_words())

    def stop(self) -> int:
        """Asks it to drain and end; its exit code."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(DRAIN_S)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        return self._process.returncode

    def _last_words(self) -> str:
        with self._log.open("rb") as file:
            file.seek(self._from)
            lines = file.read().decode(errors="replace").strip().splitlines()
        if not lines:
            return "The gateway ended without a word."
        last, own = lines[-1], "sabot gateway: "
        return last.removeprefix(own) if last.startswith(own) else f"The gateway ended: {last}"


def _is_ready(web: Address) -> bool:
    line = HTTPConnection(web.host, web.port, timeout=2)
    try:
        line.request("GET", "/readyz")
        return line.getresponse().status == 200
    except OSError:
        return False
    finally:
        line.close()
