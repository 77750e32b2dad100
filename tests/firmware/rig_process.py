"""A controller of the rig as a process: started, killed at any moment, started again; its output holds figures."""

import os
import re
import shutil
import subprocess
import threading
from pathlib import Path

from conftest import MicroPython
from firmware.rig_image import RIG, START

FIGURE = re.compile(r"([a-z_]+) (-?\d+)")


class Controller:
    """One controller with its folder of files; `figures` are the worst or latest that any of its lives printed."""

    def __init__(
        self, micropython: MicroPython, image: Path, folder: Path, table: str, heap: str, arguments: list[int]
    ) -> None:
        shutil.copy(RIG / f"{table}.conf", folder / "sabot.conf")
        words = ["whole_app", table, str(folder), *map(str, arguments)]
        self._command = [str(micropython.launcher), "-X", f"heapsize={heap}", str(START), str(image), *words]
        self._process: subprocess.Popen[str] | None = None
        self._output: list[str] = []
        self.figures: dict[str, int] = {}
        self.kills = 0
        self.finished = threading.Event()
        self._told = threading.Condition()
        self._reports = 0

    def start(self) -> None:
        environment = {**os.environ, "MICROPYPATH": ".frozen"}
        self._process = subprocess.Popen(
            self._command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        threading.Thread(target=self._listen, args=(self._process,), daemon=True).start()

    def kill(self) -> None:
        """Pull the plug and put it back."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        self.kills += 1
        self.start()

    def stop(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def reported(self, times: int, seconds: float) -> bool:
        """Wait until it has told its figures so often; False when it does not."""
        with self._told:
            return self._told.wait_for(lambda: self._reports >= times, seconds)

    @property
    def has_failed(self) -> bool:
        return self._process is not None and self._process.poll() not in (None, 0, -9)

    @property
    def last_words(self) -> str:
        return "".join(self._output[-40:])

    def _listen(self, process: subprocess.Popen[str]) -> None:
        assert process.stdout is not None
        with process.stdout:
            for line in process.stdout:
                self._output.append(line)
                for name, value in FIGURE.findall(line):
                    self._note(name, int(value))
                if line.startswith("worst_pause_us"):
                    with self._told:
                        self._reports += 1
                        self._told.notify_all()
                if line == "finished\n":
                    self.finished.set()

    def _note(self, name: str, value: int) -> None:
        if name.startswith(("worst", "most")):
            value = max(value, self.figures.get(name, 0))
        elif name == "heap_free" or name.startswith("quietest"):
            value = min(value, self.figures.get(name, value))
        self.figures[name] = value
