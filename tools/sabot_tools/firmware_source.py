"""What a release of the controllers' code consists of: its modules, and the manifest by which it is known.

Owns which files are a release. Compiles nothing and needs no compiler (firmware_build.py does); signs nothing.
"""

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

import sabot_firmware
import sabot_protocol

# Never on a board: CPython's halves of protocol and network, and the stand-ins for chips.
_LEFT_OUT = (
    "sabot_protocol/accelerated.py",
    "sabot_protocol/aead_cryptography.py",
    "sabot_protocol/joined.py",
    "sabot_firmware/fake/",
    "sabot_firmware/net/pause_host.py",
    "sabot_firmware/net/stream_host.py",
)


def sources() -> dict[str, Path]:
    """Every module of a release by its path on the board, from a checkout or an installation alike."""
    found: dict[str, Path] = {}
    for package in (sabot_firmware, sabot_protocol):
        folder = Path(package.__path__[0])
        for path in sorted(folder.rglob("*.py")):
            name = path.relative_to(folder.parent).as_posix()
            if not name.startswith(_LEFT_OUT):
                found[name] = path
    return found


def manifest(files: Mapping[str, bytes], board: str, release: str, serial: int) -> bytes:
    """The lines that a release is known by, as sabot_firmware.core.manifest reads them; to be signed."""
    lines = ["sabot-firmware 1", f"board {board}", f"release {release}", f"serial {serial}"]
    lines += [f"file {sha256(files[path]).hexdigest()} {len(files[path])} {path}" for path in sorted(files)]
    return ("\n".join(lines) + "\n").encode()
