"""Small files on the controller's own file system, written so that a power cut leaves the old one or the new one.

Owns whole-file reads, writes, removal and the search for modules. LittleFS and POSIX rename atomically: the new text
is complete before it takes the old one's name. Never raises for a file that is not there.
"""

import os

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def read_file(path: str, limit: int) -> "bytes | None":
    """The bytes of a file, None when it is missing or longer than `limit`."""
    try:
        if os.stat(path)[6] > limit:  # noqa: PTH116 - no pathlib on boards
            return None
        with open(path, "rb") as file:  # noqa: PTH123 - no pathlib on boards
            return bytes(file.read())
    except OSError:
        return None


def has_file(path: str) -> bool:
    """Say whether something of this name is there."""
    try:
        os.stat(path)  # noqa: PTH116 - no pathlib on boards
    except OSError:
        return False
    return True


def modules_below(root: str, below: str, left_out: "Sequence[str]") -> "list[str]":
    """Every .py and .mpy file in `root` and its folders, by its path from there, but in the folders left out."""
    found: "list[str]" = []
    try:
        names = os.listdir(root + "/" + below)  # noqa: PTH208 - no pathlib on boards
    except OSError:
        return found
    for name in names:
        path = below + name
        if name.endswith(".py") or name.endswith(".mpy"):  # noqa: PIE810 - MicroPython takes one ending at a time
            found.append(path)
        elif "." not in name and root + "/" + path not in left_out:  # whatever a module is imported from has no dot
            found += modules_below(root, path + "/", left_out)
    return found


def write_file(path: str, data: "bytes | bytearray") -> None:
    """Replace a file as a whole. Raises OSError when the file system is full or broken."""
    fresh = path + ".new"
    with open(fresh, "wb") as file:  # noqa: PTH123 - no pathlib on boards
        file.write(data)
    os.rename(fresh, path)  # noqa: PTH104 - no pathlib on boards


def make_folder(path: str) -> None:
    """Make a folder and those above it; what exists stays."""
    at = path.find("/", 1)
    while True:
        part = path if at < 0 else path[:at]
        try:
            os.mkdir(part)  # noqa: PTH102 - no pathlib on boards
        except OSError:
            pass  # it is there already; if not, the write that follows will say so
        if at < 0:
            return
        at = path.find("/", at + 1)


def remove_tree(path: str) -> None:
    """Remove a file or a folder with all that it holds; what cannot be removed stays."""
    try:
        names = os.listdir(path)  # noqa: PTH208 - no pathlib on boards
    except OSError:
        names = None
    try:
        if names is None:
            os.remove(path)  # noqa: PTH107 - no pathlib on boards
            return
        for name in names:
            remove_tree(path + "/" + name)
        os.rmdir(path)  # noqa: PTH106 - no pathlib on boards
    except OSError:
        return
