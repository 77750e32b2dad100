"""A look at every module of the running release: is each what its manifest says, and what do they amount to.

Owns one walk, a block at a time and one module in memory at a time. What a wrong module means is the application's
decision. `digest` is the one of core/selfcheck.py, digest_of(), taken as the walk goes along.
A flash image is read through `read_image`, SLICE blocks in each step: 2 KiB stay below the 20 ms that a scan may be
held up as long as a chip hashes 100 KB a second, and an RP2040 should do several times that. What the image says of the
modules in it is taken as it stands, since the image is measured.
"""

from hashlib import sha256

from sabot_firmware.core.selfcheck import SelfCheck
from sabot_firmware.release import IMAGE, IN_IMAGE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from sabot_firmware.release import Release

# Blocks of the image in one step: it is a hundred times as long as a module, and no file has to be found.
SLICE = 4


class Inspection:
    """One walk over a release; `wrong` holds the digests that were found instead, by name (empty: not readable)."""

    def __init__(
        self, release: "Release", read_image: "Callable[[int, bytearray | memoryview], None] | None" = None
    ) -> None:
        self._folder = release.folder
        self._image_size = release.image_size
        self._read_image = read_image
        self._modules = release.modules()
        self._whole: "Any" = sha256()
        self._check: "SelfCheck | None" = None
        self._name = ""
        self._file: "Any" = None
        self.is_finished = False
        self.digest = b""
        self.count = 0
        self.wrong: "dict[str, bytes]" = {}

    def step(self) -> bool:
        """Read one block; True when every module was read."""
        if self.is_finished:
            return True
        if self._check is None:
            self._begin()
        else:
            for _ in range(SLICE if self._name == IMAGE else 1):
                if self._check.step():
                    self._end(self._check)
                    break
        return self.is_finished

    def _begin(self) -> None:
        for name, expected in self._modules:
            self._name = name
            if name.startswith(IN_IMAGE):
                self._add(expected)
                return
            self._check = SelfCheck([(name, expected)], self._read_into)
            return
        self.digest = self._whole.digest()
        self.is_finished = True

    def _end(self, check: SelfCheck) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None
        found = check.found[0][1] if check.found else b""
        if check.wrong:
            self.wrong[self._name] = found
        self._add(found)
        self._check = None

    def _add(self, found: bytes) -> None:
        name = self._name.encode()
        self._whole.update(bytes([len(name)]))
        self._whole.update(name)
        self._whole.update(found)
        self.count += 1

    def _read_into(self, name: str, offset: int, buffer: bytearray) -> int:
        if name == IMAGE:
            if self._read_image is None:
                raise OSError(19)  # ENODEV: nobody can read it here
            count = min(len(buffer), self._image_size - offset)
            if count:
                self._read_image(offset, memoryview(buffer)[:count])
            return count
        if self._file is None:
            self._file = open(self._folder + "/" + name, "rb")  # noqa: PTH123 - kept open from block to block
        self._file.seek(offset)
        return int(self._file.readinto(buffer))
