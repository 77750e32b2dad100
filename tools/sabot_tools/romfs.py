"""A read-only file system image that MicroPython runs code from in place (ROMFS, MicroPython 1.25 and later).

Owns the image's layout: a header, then nested records of kind, length and payload, numbers in groups of seven bits
with the most significant group first. A directory holds its name and records; a file its name and its bytes.
Source: MicroPython's documentation of `vfs.VfsRom` and `vfs.rom_ioctl`, and the reader in its extmod/vfs_rom.c.
"""

from collections.abc import Mapping

_MAGIC = b"\xd2\xcd\x31"
_VERBATIM, _DIRECTORY, _FILE = 2, 4, 5


def romfs_image(files: Mapping[str, bytes]) -> bytes:
    """The image of these files, given by path; folders follow from the paths."""
    body = _records(files)
    length = _number(len(body))
    # Padded to an even size: flash is programmed in halfwords. A leading empty group leaves the number as it is.
    odd = (len(_MAGIC) + len(length) + len(body)) % 2
    return _MAGIC + b"\x80" * odd + length + body


def _records(files: Mapping[str, bytes]) -> bytes:
    folders: dict[str, dict[str, bytes]] = {}
    out = b""
    for path in sorted(files):
        head, slash, rest = path.partition("/")
        if slash:
            folders.setdefault(head, {})[rest] = files[path]
        else:
            out += _record(_FILE, _name(path) + _record(_VERBATIM, files[path]))
    for name, inside in folders.items():
        out += _record(_DIRECTORY, _name(name) + _records(inside))
    return out


def _record(kind: int, payload: bytes) -> bytes:
    return _number(kind) + _number(len(payload)) + payload


def _name(text: str) -> bytes:
    data = text.encode("ascii")
    return _number(len(data)) + data


def _number(value: int) -> bytes:
    groups = [value & 127]
    while value := value >> 7:
        groups.append(value & 127 | 128)
    return bytes(reversed(groups))
