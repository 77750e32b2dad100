"""A real Chromium, headless, with a profile of its own and no errands of its own on the network."""

import shutil
import subprocess
from pathlib import Path

_FLAGS = (
    "--headless",
    "--no-sandbox",  # the tests may run as root, where Chromium's sandbox cannot start
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)


class Chromium:
    def __init__(self, folder: Path) -> None:
        program = shutil.which("chromium")
        assert program, "Chromium is missing: run setup/system.sh."
        self._command = [program, *_FLAGS, f"--user-data-dir={folder / 'profile'}"]

    def dom(self, address: str) -> str:
        """The page at `address` after its scripts ran."""
        return self._run("--dump-dom", address)

    def screenshot(self, address: str, picture: Path, width: int = 1280, height: int = 800) -> None:
        self._run(f"--screenshot={picture}", f"--window-size={width},{height}", address)
        assert picture.exists(), f"Chromium wrote no picture of {address}."

    def _run(self, *arguments: str) -> str:
        done = subprocess.run([*self._command, *arguments], capture_output=True, text=True, check=True, timeout=300)
        return done.stdout
