"""An image as MicroPython's build makes it, but for the compiler: the manifests are run, a UF2 is wrapped around code.

The code is a stand-in; the list of modules in it is the one that firmware/manifest.py made.
"""

import ast
import contextlib
import re
import struct
from collections.abc import Sequence
from pathlib import Path

from conftest import ROOT
from sabot_tools.field.uf2 import FLASH, RP2040, RP2350

FIRMWARE = ROOT / "firmware"
FAMILIES = {"rpi_pico_w": RP2040, "rpi_pico_2_w": RP2350}


class Options:
    """`options` of an included manifest: what its includer gave, or the default."""

    def __init__(self, given: dict[str, str]) -> None:
        self._given = given

    def defaults(self, **values: str) -> None:
        self._given = {**values, **self._given}

    def __getattr__(self, name: str) -> str:
        return self._given[name]


class Build:
    """The functions that a manifest is given; `frozen` is each file by its name in the image."""

    def __init__(self) -> None:
        self.frozen: dict[str, Path] = {}
        self.included: list[str] = []

    def run(self, file: Path, **given: str) -> None:
        options = Options(given)
        functions = {"include": self.include, "package": self.package, "module": self.module, "options": options}
        with contextlib.chdir(file.parent):
            exec(compile(file.read_text(), str(file), "exec"), functions)

    def include(self, path: str, **options: str) -> None:
        if path.startswith("$"):
            self.included.append(path)  # a part of MicroPython
        else:
            self.run(Path(path).resolve(), **options)

    def package(self, path: str, files: Sequence[str] | None = None, base_path: str = ".") -> None:
        names = files if files is not None else sorted(str(each) for each in Path(base_path, path).rglob("*.py"))
        for name in names:
            self._add(f"{path}/{name}", Path(base_path, path, name))

    def module(self, path: str, base_path: str = ".") -> None:
        assert path.endswith(".py")
        if base_path.startswith("$"):
            self.included.append(f"{base_path}/{path}")
            return
        self._add(path, Path(base_path, path))

    def _add(self, name: str, file: Path) -> None:
        assert file.is_file(), f"{file} is missing"
        assert name not in self.frozen, f"{name} is frozen twice"
        self.frozen[name] = file.resolve()


def built(board: str) -> Build:
    """The build of a board's image."""
    build = Build()
    build.run(FIRMWARE / "boards" / board / "manifest.py")
    return build


def list_in(build: Build) -> bytes:
    """What the image will say that it holds, as the module in it has it."""
    (lines,) = re.findall(r"\ALIST = (b'.*')\n\Z", build.frozen["image_list.py"].read_text())
    found = ast.literal_eval(lines)
    assert isinstance(found, bytes)
    return found


def code_of(board: str, more: bytes = b"") -> bytes:
    """The flash of a board with this image; `more` makes it another one."""
    code = bytes(range(256)) * 300 + list_in(built(board)) + b"\0" + more
    return code + bytes(-len(code) % 256)


def block(address: int, number: int, count: int, family: int, payload: bytes, flags: int = 0x2000) -> bytes:
    """One block of a UF2 file."""
    head = struct.pack("<8I", 0x0A324655, 0x9E5D5157, flags, address, len(payload), number, count, family)
    return head + payload.ljust(476, b"\0") + struct.pack("<I", 0x0AB16F30)


def uf2(code: bytes, family: int) -> bytes:
    """The file that puts this code into a board's flash."""
    pages = [code[at : at + 256] for at in range(0, len(code), 256)]
    return b"".join(block(FLASH + 256 * at, at, len(pages), family, page) for at, page in enumerate(pages))


def image_file(folder: Path, board: str, more: bytes = b"") -> Path:
    """A UF2 of this board on disk."""
    file = folder / f"{board}.uf2"
    file.write_bytes(uf2(code_of(board, more), FAMILIES[board]))
    return file
