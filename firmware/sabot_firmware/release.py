"""The release that runs here: its manifest, its files, and the two slots that releases take turns in.

Owns paths and file handling of software. What is accepted when is core/update.py's decision, which slot a start runs
is core/slot.py's. Layout on the file system, below `root`:

    slot.0 slot.1            the two copies of the slot record
    slot0/ slot1/            a release each: `manifest`, sabot_firmware/, sabot_protocol/
    manifest.new             the manifest of an update under way

A board that runs the code in its image has one manifest, in `root`: the image's SHA-256 and length, and the files that
start it, which lie in `root` too. Its modules are then, in the order of the names:

    .frozen/…                each module in the image, with the SHA-256 that the build wrote into the image
    image                    the image as a whole, to be measured in flash
    main.py …                the files of the manifest
    …                        any other module that lies where it would be found before the image's: its digest is zeros

A start without a manifest (a development tree) has release "unknown", lists no modules but itself, and takes no update.
"""

import os
from binascii import unhexlify
from hashlib import sha256

from sabot_firmware.core.slot import SIZE, slots_from_copies
from sabot_firmware.file import has_file, make_folder, modules_below, read_file, remove_tree, write_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from sabot_firmware.core.slot import Slots

IMAGE = "image"
IN_IMAGE = ".frozen/"  # MicroPython's own name for where frozen modules are found; before every other in order

_BLOCK = 512
_MAX_NAME = 48  # bytes that the wire has for the name of a module; a longer one is told by its end, and not read
_MANY = 8  # modules that should not be there: enough to be refused for, and bounded on the wire
_MAX_MANIFEST = 0xFFFF  # the wire's bound; core/manifest.py has its own, tighter one


class Release:
    """The running release; `folder` is the slot it was started from, `listed` what the image says that it holds."""

    def __init__(self, root: str, folder: str, listed: bytes = b"") -> None:
        self.folder = folder if has_file(folder + "/manifest") else root
        self.root = root
        self.name = "unknown"
        self.board = ""
        self.serial = 0
        self.image_size = 0  # bytes of the image that are measured
        self._image = b""  # its SHA-256; empty where the code came as files
        self._listed = listed
        self._started = folder
        for line in self._lines():
            word, _, value = line.partition(b" ")
            if word == b"release":
                self.name = value.decode()
            elif word == b"board":
                self.board = value.decode()
            elif word == b"serial":
                self.serial = int(value)
            elif word == b"image":
                self._image, self.image_size = _image(value)
            elif word == b"file":
                break

    def modules(self) -> "Iterator[tuple[str, bytes]]":
        """(path, SHA-256) of every module in the order of the paths, line by line: all at once would take 20 KiB."""
        if not self._image:
            yield from self._files()
            return
        yield from self._in_image()
        own = list(self._files())  # a handful
        known = [name for name, _ in own]
        own.append((IMAGE, self._image))
        own += [(path, bytes(32)) for path in self._found() if path not in known][:_MANY]
        own.sort()
        yield from own

    def _files(self) -> "Iterator[tuple[str, bytes]]":
        for line in self._lines():
            words = line.split(b" ")
            if words[0] == b"file" and len(words) == 4:
                yield words[3].decode(), unhexlify(words[1])

    def _in_image(self) -> "Iterator[tuple[str, bytes]]":
        # One line at a time: the list lies in flash, and is 8 KiB long.
        at = self._listed.find(b"\n") + 1
        while True:
            end = self._listed.find(b"\n", at)
            if end < 0:
                return
            words = self._listed[at:end].split(b" ")
            at = end + 1
            if len(words) != 2:
                continue  # its last line
            try:
                name, digest = IN_IMAGE + words[1].decode(), unhexlify(words[0])
            except ValueError:
                continue  # worn flash; the image that this lies in will be found wrong
            yield name, digest

    def _found(self) -> "list[str]":
        # A slot that was not started is on nobody's path: an update may be on its way into it.
        slots = [self.root + "/slot" + str(at) for at in (0, 1)]
        found = modules_below(self.root, "", [slot for slot in slots if slot != self._started])
        return sorted(path if len(path.encode()) <= _MAX_NAME else path[-_MAX_NAME // 4 :] for path in found)

    def _lines(self) -> "Iterator[bytes]":
        # The manifest was checked when it was installed; a line damaged since then names a module that is not there.
        try:
            with open(self.folder + "/manifest", "rb") as file:  # noqa: PTH123 - no pathlib on boards
                while True:
                    line = file.readline()
                    if not line:
                        return
                    yield line.rstrip(b"\n")
        except OSError:
            return


class SlotFiles:
    """The slot record and the spare slot of `root`."""

    def __init__(self, root: str) -> None:
        self._root = root
        copies = [read_file(self._copy(at), SIZE) for at in (0, 1)]
        self.slots: "Slots" = slots_from_copies([copy for copy in copies if copy is not None])
        self._checking = ""
        self._offset = 0
        self._hash: "Any" = None

    @property
    def spare(self) -> str:
        """The folder that an update is written to."""
        return self._root + "/slot" + str(self.slots.spare)

    def keep(self, slots: "Slots") -> None:
        """Write the record's next copy."""
        write_file(self._copy(slots.copy), slots.pack())
        self.slots = slots

    def keep_head(self, offset: int, data: "bytes | memoryview") -> None:
        """Put a piece of the manifest aside; it belongs to the slot, and its digest was checked before it is used."""
        with open(self._root + "/manifest.new", "wb" if not offset else "r+b") as file:  # noqa: PTH123 - no pathlib
            file.seek(offset)
            file.write(data)

    def prepare(self, expected: bytes) -> None:
        """Empty the spare slot and give it its manifest, whose SHA-256 is `expected`."""
        self.discard()
        make_folder(self.spare)
        data = read_file(self._root + "/manifest.new", _MAX_MANIFEST)
        if data is None or sha256(data).digest() != expected:
            raise OSError(5)  # EIO: the flash did not keep what was written
        write_file(self.spare + "/manifest", data)

    def discard(self) -> None:
        """Empty the spare slot."""
        remove_tree(self.spare)

    def write(self, path: str, offset: int, data: "bytes | memoryview") -> None:
        """Write a piece of a file into the spare slot."""
        whole = self.spare + "/" + path
        if not offset:
            make_folder(whole.rpartition("/")[0])
        with open(whole, "wb" if not offset else "ab") as file:  # noqa: PTH123 - no pathlib on boards
            file.write(data)

    def digest_step(self, path: str) -> "bytes | None":
        """Read one block of a file in the spare slot; its SHA-256 once it is read to the end, None before."""
        if path != self._checking:
            self._checking = path
            self._offset = 0
            self._hash = sha256()
        with open(self.spare + "/" + path, "rb") as file:  # noqa: PTH123 - no pathlib on boards
            file.seek(self._offset)
            data = file.read(_BLOCK)
        if data:
            self._hash.update(data)
            self._offset += len(data)
            return None
        self._checking = ""
        return bytes(self._hash.digest())

    def _copy(self, at: int) -> str:
        return self._root + "/slot." + str(at)


def _image(value: bytes) -> "tuple[bytes, int]":
    # A line that was damaged names an image that no flash holds.
    words = value.split(b" ")
    try:
        return unhexlify(words[0]) or bytes(32), int(words[1])
    except (ValueError, IndexError):
        return bytes(32), 0


def running_folder(file: str) -> str:
    """The folder that holds sabot_firmware, from a module's __file__."""
    at = file.rfind("/sabot_firmware/")
    return file[:at] if at >= 0 else (os.getcwd() if not file.startswith("/") else "")  # noqa: PTH109 - no pathlib
