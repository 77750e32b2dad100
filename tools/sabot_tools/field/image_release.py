"""Software that lies in a board's image: what is measured of it, and the manifest by which the board measures itself.

Owns the reading of a built image (the UF2 that its build made) and what follows from it: the flash's bytes, the modules
that the image says it holds, the files that start it, the manifest and the digest that the board's hello will tell.
The list of modules was written into the image by its build (firmware/manifest.py): their SHA-256 are those of the
sources, and they are as good as the image's own, which is measured. Touches no port.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final

from sabot_firmware.core.selfcheck import digest_of
from sabot_firmware.release import IMAGE, IN_IMAGE
from sabot_tools.field.board_type import BOARD_TYPES, BoardType, start_files
from sabot_tools.field.trouble import StartError
from sabot_tools.field.uf2 import Uf2Error, family_of, flash_from_uf2
from sabot_tools.firmware_source import sources

MANIFEST: Final = "manifest"
_LISTED: Final = re.compile(rb"sabot-image-list 1\n((?:[0-9a-f]{64} [A-Za-z0-9_./-]{1,40}\n)+)end\n")
_MOST: Final = 120  # modules: the wire counts 128, and the board needs a few to tell what should not be there


@dataclass(frozen=True, slots=True)
class ImageRelease:
    """What a board proves that runs this image; `digest` is what its hello will tell."""

    kind: BoardType
    code: bytes
    modules: tuple[tuple[str, bytes], ...]
    start: Mapping[str, bytes]
    manifest: bytes
    digest: bytes

    @property
    def files(self) -> dict[str, bytes]:
        """Every file by its path on the board, what starts it last."""
        return {MANIFEST: self.manifest, **self.start}


def read_image(file: Path, kind: BoardType | None, release: str, serial: int) -> ImageRelease:
    """The release in a built image, for this board or for the one that it is for; StartError when it is none."""
    try:
        data = file.read_bytes()
    except OSError as error:
        raise StartError(f"{file} cannot be read ({error.strerror or error}).") from error
    try:
        kind = kind or _recognised(data)
        code = flash_from_uf2(data, kind.uf2_family)
    except Uf2Error as error:
        raise StartError(f"{file} {error}") from error
    if len(code) > kind.code_bytes:
        raise StartError(f"{file} is larger than the flash that a {kind.title} has for code: {len(code):,} bytes.")
    modules = modules_in(code)
    if not modules:
        raise StartError(
            f"{file} names no module that it holds: build it with firmware/boards/{kind.name}/manifest.py."
        )
    start = start_files(kind)
    if len(modules) + len(start) >= _MOST:
        raise StartError(f"{file} holds more modules than a controller can tell.")
    own = [(name, sha256(each).digest()) for name, each in start.items()]
    listed = [(IN_IMAGE + name, digest) for name, digest in modules]
    digest = digest_of([*listed, (IMAGE, sha256(code).digest()), *own])
    return ImageRelease(kind, code, modules, start, _manifest(kind, code, start, release, serial), digest)


def modules_in(code: bytes) -> tuple[tuple[str, bytes], ...]:
    """(name, SHA-256 of the source) of every module that an image says it holds; none when it does not say."""
    found = _LISTED.findall(code)
    if len(found) != 1:
        return ()
    rows = [line.split(" ") for line in found[0].decode().splitlines()]
    return tuple((name, bytes.fromhex(digest)) for digest, name in rows)


def others(image: ImageRelease) -> list[str]:
    """The modules of the packages that are not, by their sources, those that are installed here."""
    here = {name: sha256(path.read_bytes()).digest() for name, path in sources().items()}
    listed = {name: digest for name, digest in image.modules if "/" in name}
    return sorted(name for name in here.keys() | listed.keys() if here.get(name) != listed.get(name))


def _recognised(data: bytes) -> BoardType:
    """The board that an image is for, by the chip that its blocks name."""
    family = family_of(data)
    for kind in BOARD_TYPES:
        if kind.uf2_family == family:
            return kind
    raise Uf2Error(f"is for no board that Sabot knows (family {family:08x}).")


def _manifest(kind: BoardType, code: bytes, start: Mapping[str, bytes], release: str, serial: int) -> bytes:
    """The lines that sabot_firmware/release.py reads; `image` comes before the files."""
    lines = ["sabot-image 1", f"board {kind.name}", f"release {release}", f"serial {serial}"]
    lines.append(f"image {sha256(code).hexdigest()} {len(code)}")
    lines += [f"file {sha256(start[path]).hexdigest()} {len(start[path])} {path}" for path in sorted(start)]
    return ("\n".join(lines) + "\n").encode()
