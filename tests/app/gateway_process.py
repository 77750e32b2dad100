"""`sabot gateway` as the process that a house runs: started, asked over HTTP, signalled, and its log read."""

import json
import os
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from conftest import ROOT
from services.process import STARTUP_S

SOURCES = os.pathsep.join(str(ROOT / name) for name in ("protocol", "firmware", "gateway", "tools"))


class GatewayProcess:
    def __init__(self, config: Path, web_port: int, more: Mapping[str, str] = MappingProxyType({})) -> None:
        """`more` is added to its environment."""
        self.log = config.parent / f"gateway-{time.monotonic_ns()}.log"
        self._base = f"http://127.0.0.1:{web_port}"
        with self.log.open("wb") as output:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "sabot_tools.cli", "gateway", "--config", str(config)],
                stdout=output,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": SOURCES, **more},
            )

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_running(self) -> bool:
        return self._process.poll() is None

    def wait_until_ready(self) -> "GatewayProcess":
        self.wait_for(lambda: self.ask("/readyz")[0] == 200, "ready")
        return self

    def wait_for(self, found: Any, what: str) -> None:
        limit = time.monotonic() + STARTUP_S
        while not found():
            assert self._process.poll() is None, f"ended before {what}:\n{self.said()}"
            assert time.monotonic() < limit, f"never {what}: {self.ask('/readyz')}\n{self.said()}"
            time.sleep(0.05)  # a process has no other way to say that it is so far

    def ask(self, path: str) -> tuple[int, str]:
        try:
            with urllib.request.urlopen(self._base + path, timeout=10) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()
        except OSError:
            return 0, ""

    def send(self, number: signal.Signals) -> None:
        os.kill(self._process.pid, number)

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        """Its exit code after the signal."""
        if self._process.poll() is None:
            self.send(number)
        return self._process.wait(STARTUP_S)

    def said(self) -> str:
        return self.log.read_text(encoding="utf-8")

    def sentences(self) -> list[str]:
        return [json.loads(line)["said"] for line in self.said().splitlines() if line.startswith("{")]
