"""A Pico W as `sabot flash` leaves it, run as a process of MicroPython's unix port: boot.py, main.py and all they load.

The board's own files are the real ones; what lies below them (`machine`, `rp2`, `network`) is rig_board/.
"""

import os
import shutil
import subprocess
import threading
from pathlib import Path

from conftest import ROOT, MicroPython
from firmware.image_build import built, code_of, image_file, list_in
from sabot_tools.field.board_type import type_named
from sabot_tools.field.image_release import read_image
from sabot_tools.firmware_build import compiled
from sabot_tools.firmware_source import manifest, sources

FIRMWARE = ROOT / "firmware"
BOARDS = FIRMWARE / "boards"
OWN = (
    *("boot.py", "main.py", "starting.py", "sabot_firmware/core/slot.py", "boards/machine_ports.py"),
    *("boards/usb_port.py", "boards/rp2/pins.py", "boards/rp2/rp2_ports.py", "boards/rpi_pico_w/board.py"),
)
BELOW = ROOT / "tests" / "firmware" / "rig_board"
HEAP = "640k"  # code comes from files here, not from flash
SECRET = bytes(range(16))
RESET = 3  # rig_board/machine.py: the code that a reset ends the process with


class Board:
    """A board with its files; `start()` gives it power, and it starts again by itself when it resets."""

    def __init__(self, micropython: MicroPython, folder: Path, config: str) -> None:
        self.folder = folder
        for name in OWN:
            shutil.copy(FIRMWARE / name, folder)
        for path in BELOW.glob("*.py"):
            shutil.copy(path, folder)
        (folder / "start.py").write_text(f"import os\nos.chdir('{folder}')\nimport boot\nimport main\n")
        self._settle(config)
        self.release = compiled(sources(), "x86")
        head = manifest(self.release, "rpi_pico_w", "0.1.0", 1)
        for name, data in {**self.release, "manifest": head}.items():
            path = folder / "slot0" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        self._begin(micropython, folder / "start.py", f".frozen:{folder}")

    def _begin(self, micropython: MicroPython, start: Path, path: str) -> None:
        self._launcher = micropython.launcher
        self._script, self._path = start, path
        self._output: list[str] = []
        self._changed = threading.Condition()
        self._process: subprocess.Popen[bytes] | None = None
        self._is_stopped = False
        self.resets = 0

    def _settle(self, config: str) -> None:
        own = "" if "board = " in config else "board = rpi_pico_w\n"
        (self.folder / "sabot.conf").write_text(f"site = riviera\ndevice = table-1\n{own}{config}end\n")
        (self.folder / "device.key").write_bytes(SECRET)

    def start(self, stdin: int | None = None) -> None:
        """Power; `stdin` is the near end of a USB cable, which then carries the console too."""
        command = [str(self._launcher), "-X", f"heapsize={HEAP}", str(self._script)]
        environment = {**os.environ, "MICROPYPATH": self._path}
        output = subprocess.PIPE if stdin is None else stdin
        self._process = subprocess.Popen(
            command, env=environment, stdin=stdin or subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT
        )
        threading.Thread(target=self._watch, args=(self._process, stdin), daemon=True).start()

    def kill(self) -> None:
        """Cut the power."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        self._is_stopped = True
        if self._process is not None:
            self.kill()

    def said(self, words: str, seconds: float = 60) -> bool:
        """Wait until the console said this."""
        with self._changed:
            return self._changed.wait_for(lambda: any(words in line for line in self._output), seconds)

    @property
    def last_words(self) -> str:
        return "".join(self._output[-30:])

    def _watch(self, process: subprocess.Popen[bytes], stdin: int | None) -> None:
        if process.stdout is not None:
            with process.stdout:
                for line in process.stdout:
                    with self._changed:
                        self._output.append(line.decode(errors="replace"))
                        self._changed.notify_all()
        if process.wait() == RESET and not self._is_stopped:
            self.resets += 1
            self.start(stdin)


class FrozenBoard(Board):
    """A Pico W whose code lies in its image: apart from the board's files, and behind them on the path.

    `told` is the image that was put on the board, as `sabot flash --image` knows it; `image` is the flash itself.
    """

    def __init__(self, micropython: MicroPython, home: Path, config: str) -> None:
        self.folder = home / "board"
        inside, below = home / "frozen", home / "below"
        for each in (self.folder, inside, below):
            each.mkdir()
        for name, data in compiled(sources(), "x86").items():
            (inside / name).parent.mkdir(parents=True, exist_ok=True)
            (inside / name).write_bytes(data)
        (inside / "image_list.py").write_text(f"LIST = {list_in(built('rpi_pico_w'))!r}\n")
        self.told = read_image(image_file(home, "rpi_pico_w"), type_named("rpi_pico_w"), "0.2.0", 3)
        for name, data in self.told.files.items():
            (self.folder / name).write_bytes(data)
        self.image = self.folder / "image"
        self.image.write_bytes(code_of("rpi_pico_w"))
        for path in BELOW.glob("*.py"):
            shutil.copy(path, below)
        start = below / "start.py"
        start.write_text(
            f"import os, sys, code_flash\nos.chdir('{self.folder}')\nsys.modules['uctypes'] = code_flash\n"
            "import boot\nimport main\n"
        )
        self._settle(config)
        self._begin(micropython, start, f".frozen:{self.folder}:{inside}:{below}")
