"""`sabot enrol` as the process that a person sits at: its words are read as they come, and answered."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

from app.gateway_process import SOURCES

DEADLINE_S = 60.0


class EnrolProcess:
    def __init__(self, config: Path, *words: str, prepare: Callable[[], None] | None = None) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "sabot_tools.cli", "enrol", *words, "--config", str(config)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": SOURCES},
            preexec_fn=prepare,
        )
        self._changed = threading.Condition()
        self._is_over = False
        self.said = ""
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def wait_for(self, words: str, times: int = 1) -> None:
        with self._changed:
            found = self._changed.wait_for(lambda: self.said.count(words) >= times or self._is_over, DEADLINE_S)
            assert found, f"{words!r} was not said in time:\n{self.said}"
            assert self.said.count(words) >= times, f"{words!r} was never said:\n{self.said}"

    def type(self, line: str = "") -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()

    def signal(self, number: signal.Signals) -> None:
        self._process.send_signal(number)

    def finish(self) -> tuple[int, str]:
        """The exit code and standard output; the keyboard stays open, so that nothing ends for want of it."""
        assert self._process.stdout is not None
        output = self._process.stdout.read()
        code = self._process.wait(DEADLINE_S)
        self._thread.join(DEADLINE_S)
        self._close()
        return code, output

    def stop(self) -> None:
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait(DEADLINE_S)
        self._thread.join(DEADLINE_S)
        self._close()

    def _read(self) -> None:
        assert self._process.stderr is not None
        for line in self._process.stderr:
            with self._changed:
                self.said += line
                self._changed.notify_all()
        with self._changed:
            self._is_over = True
            self._changed.notify_all()

    def _close(self) -> None:
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                stream.close()
