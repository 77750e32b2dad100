"""What simulated controllers run, told as boards tell it: a version, and the SHA-256 of every module.

Owns the manifest that each controller starts from, and the digests that its house knows. The modules are the sources of
a release, the very files that run here on either Python: a controller's self-check reads them as a board's reads its
slot. Compiled for a board the same sources have other bytes, so a real controller tells another digest.
"""

import shutil
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Final

import sabot_firmware
import sabot_protocol
from sabot_firmware.core.selfcheck import digest_of
from sabot_gateway.settings.shape import Settings
from sabot_tools.firmware_source import manifest, sources
from sabot_tools.twin import wire_rig
from sabot_tools.twin.board.bench import RELEASE
from sabot_tools.twin.house import HouseError

BOARD: Final = "twin"
MANIFEST: Final = "manifest"


def install(home: Path) -> None:
    """Put into a controller's folder what it starts from: a manifest, and the modules that it names."""
    slot = home / RELEASE
    slot.mkdir(parents=True, exist_ok=True)
    for package in (sabot_firmware, sabot_protocol):
        _lay(slot / package.__name__, Path(package.__path__[0]).resolve())
    (slot / MANIFEST).write_bytes(manifest(_modules(), BOARD, release(), 1))


def release() -> str:
    """The version that hello tells."""
    try:
        return version("sabot")
    except PackageNotFoundError:
        return "source tree"


def digest(is_wire_only: bool = False) -> bytes:
    """What hello tells of all modules."""
    if is_wire_only:
        return digest_of([wire_rig.own_module()])
    return digest_of([(name, sha256(data).digest()) for name, data in _modules().items()])


def check_welcome(settings: Settings, is_wire_only: bool) -> None:
    """HouseError when the gateway would refuse controllers that run this."""
    known = settings.digests
    if known is not None and digest(is_wire_only) not in known:
        raise HouseError(
            f"the gateway would refuse what these controllers run: add {digest(is_wire_only).hex()} to digests in"
            " [firmware] first."
        )


@cache
def _modules() -> Mapping[str, bytes]:
    return {name: path.read_bytes() for name, path in sources().items()}


def _lay(place: Path, package: Path) -> None:
    """A link to the package: what is checked is what runs. Where a disk has no links, a copy of today."""
    if place.is_symlink():
        place.unlink()
    elif place.exists():
        shutil.rmtree(place)
    try:
        place.symlink_to(package, target_is_directory=True)
    except OSError:
        shutil.copytree(package, place, ignore=shutil.ignore_patterns("__pycache__"))
