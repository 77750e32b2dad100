"""Fixtures that every room of the tests shares, and the header that names the real parts under test."""

import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

pytest_plugins = ["services.fixtures"]

ROOT = Path(__file__).resolve().parents[1]
LAUNCHER = ROOT / ".tools" / "micropython" / "run"


class MicroPython:
    """A real MicroPython with a heap as small as a board's. A script that fails, fails the test."""

    def __init__(self, launcher: Path) -> None:
        self.launcher = launcher

    @property
    def version(self) -> str:
        return self._output(["-c", "import sys; print(sys.version)"], {})

    def run(self, script: Path, *args: str, heap: str = "128k", path: Iterable[Path] = ()) -> str:
        """Standard output of `script`; `path` is searched for modules after MicroPython's own frozen ones."""
        search = ":".join([".frozen", *map(str, path)])
        return self._output(["-X", f"heapsize={heap}", str(script), *args], {"MICROPYPATH": search})

    def _output(self, arguments: list[str], environment: dict[str, str]) -> str:
        done = subprocess.run(
            [str(self.launcher), *arguments],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )
        assert done.returncode == 0, f"MicroPython {arguments} failed:\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
        return done.stdout


@pytest.fixture(scope="session")
def micropython() -> MicroPython:
    assert LAUNCHER.exists(), "There is no MicroPython in .tools/micropython: run setup/micropython.sh."
    return MicroPython(LAUNCHER)


def pytest_report_header() -> list[str]:
    if not LAUNCHER.exists():
        return ["micropython: missing (run setup/micropython.sh); the tests that need it will fail"]
    return [f"micropython: {MicroPython(LAUNCHER).version.strip()} · cpython: {sys.version.split()[0]}"]


def pytest_configure(config: pytest.Config) -> None:
    # A crowded machine is no fault: no example is judged by the wall clock, nor is making one.
    settings.register_profile("sabot", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("sabot")
    config.addinivalue_line("markers", "rules(*ids): the rules of the catalogue that this test shows")
