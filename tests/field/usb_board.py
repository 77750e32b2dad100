"""A board at the far end of a USB cable: a pseudo-terminal, a real MicroPython behind it, and hands that pull the plug.

The technician's tools open `port`, a link that is laid anew each time the cable is plugged in. Between the two, bytes
can be lost or altered, and the cable can be pulled after so many. A reset ends the process; power starts it again.
"""

import contextlib
import os
import random
import select
import subprocess
import threading
import tty
from pathlib import Path

from conftest import ROOT, MicroPython

REPL = ROOT / "tests" / "field" / "raw_repl.py"
BELOW = ROOT / "tests" / "firmware" / "rig_board"
PICO_W = ("rp2", "Raspberry Pi Pico W with RP2040")
PICO_2_W = ("rp2", "Raspberry Pi Pico 2 W with RP2350")
RESET = 3  # rig_board/machine.py
BLOCK, BLOCKS, FILE_BLOCKS = 4096, 768, 512  # raw_repl.py: the storage, and the files' part of it


class UsbBoard:
    def __init__(self, micropython: MicroPython, folder: Path, kind: tuple[str, str] = PICO_2_W, *more: str) -> None:
        self.flash = folder / "flash"
        self.flash.mkdir()
        below = folder / "below"
        below.mkdir()
        (below / "machine.py").write_bytes((BELOW / "machine.py").read_bytes())
        # The whole storage, of which the outbox has the end: a file that is not among the board's own.
        self.storage = folder / "storage"
        storage = (BELOW / "rp2.py").read_text().replace("BLOCKS = 128", f"BLOCKS = {BLOCKS}")
        (below / "rp2.py").write_text(storage.replace('"flash"', repr(str(self.storage))))
        # What its code runs from: a file too, empty until somebody puts an image on the board.
        self.image = folder / "image"
        code_flash = (BELOW / "code_flash.py").read_text()
        (below / "code_flash.py").write_text(code_flash.replace('"image"', repr(str(self.image))))
        self.port = str(folder / "ttyBoard")
        self._search = f".frozen:{below}"
        self._command = [str(micropython.launcher), "-X", "heapsize=512k", str(REPL), str(self.flash), *kind, *more]
        self._master = -1
        self._cable: threading.Thread | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._chance = random.Random(11)
        self._lock = threading.Lock()
        self.loss = 0  # bytes of ten thousand that are altered or lost, each way
        self.pull_after = -1  # bytes to the board until somebody pulls the cable
        self.resets = 0
        self.is_deaf = False  # a program runs that takes no interrupt
        self._is_stopped = False
        self._power()
        self.plug()

    def plug(self) -> None:
        master, near = os.openpty()
        tty.setraw(near)
        Path(self.port).unlink(missing_ok=True)
        Path(self.port).symlink_to(os.ttyname(near))
        with self._lock:
            self._master = master
        self._cable = threading.Thread(target=self._carry_in, args=(master, near), daemon=True)
        self._cable.start()

    def unplug(self) -> None:
        """The port is gone when this returns."""
        with self._lock:
            self._master = -1
        if self._cable is not None:
            self._cable.join()

    def stop(self) -> None:
        self._is_stopped = True
        self.unplug()
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    def _power(self) -> None:
        self._process = subprocess.Popen(
            self._command,
            env={**os.environ, "MICROPYPATH": self._search},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            bufsize=0,
        )
        threading.Thread(target=self._carry_out, args=(self._process,), daemon=True).start()

    def _carry_in(self, master: int, near: int) -> None:
        # This thread alone closes the cable's ends: a number that is closed elsewhere may be another file's already.
        while self._master == master:
            if not select.select([master], [], [], 0.02)[0]:
                continue
            data = os.read(master, 512)
            if 0 <= self.pull_after <= len(data):
                self._to_board(data[: self.pull_after])
                self.pull_after = -1
                break
            if self.pull_after >= 0:
                self.pull_after -= len(data)
            self._to_board(self._disturbed(data))
        with self._lock:
            self._master = -1
            Path(self.port).unlink(missing_ok=True)
            os.close(master)
            os.close(near)

    def _to_board(self, data: bytes) -> None:
        process = self._process
        if self.is_deaf or process is None or process.stdin is None:
            return
        with contextlib.suppress(OSError, ValueError):  # between a reset and power nobody listens
            process.stdin.write(data)

    def _carry_out(self, process: subprocess.Popen[bytes]) -> None:
        assert process.stdout is not None
        assert process.stdin is not None
        with process.stdout, process.stdin:
            while data := process.stdout.read(512):
                with self._lock, contextlib.suppress(OSError):
                    if self._master >= 0:
                        os.write(self._master, self._disturbed(data))
            is_reset = process.wait() == RESET
        if is_reset and not self._is_stopped:
            self.resets += 1
            self._power()

    def _disturbed(self, data: bytes) -> bytes:
        if not self.loss:
            return data
        out = bytearray()
        for one in data:
            if self._chance.random() * 10_000 >= self.loss:
                out.append(one)
            elif self._chance.random() < 0.5:
                out.append(one ^ 0x20)
        return bytes(out)
