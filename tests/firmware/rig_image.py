"""The image that the rig runs on MicroPython: the release as boards get it, the models of chips, and the rig itself."""

from pathlib import Path

from conftest import ROOT
from sabot_tools.firmware_build import compiled
from sabot_tools.firmware_source import manifest, sources
from sabot_tools.romfs import romfs_image

RIG = ROOT / "tests" / "firmware" / "rig"
START = RIG / "start.py"
ARCHITECTURE = "x86"  # of the MicroPython under test; only native code would differ, and there is none


def write_rig_image(path: Path) -> Path:
    """Write the image; its manifest lists the release alone, as on a board."""
    release = compiled(sources(), ARCHITECTURE)
    models = {
        each.relative_to(ROOT / "firmware").as_posix(): each
        for each in _modules(ROOT / "firmware" / "sabot_firmware" / "fake")
    }
    rig = {f"firmware/rig/{each.name}": each for each in _modules(RIG) if each not in (START, RIG / "frozen_code.py")}
    files = {**release, **compiled(models, ARCHITECTURE), **compiled(rig, ARCHITECTURE)}
    path.write_bytes(romfs_image({**files, "manifest": manifest(release, "rig", "0.1.0", 1)}))
    return path


def _modules(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.py"))
