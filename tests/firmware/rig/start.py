"""Starts a module of the rig from a ROMFS image: start.py IMAGE MODULE ARGUMENTS...

The image is mapped into memory outside MicroPython's heap (ffi and uctypes of the unix port) and mounted: code runs in
place, as a board runs it from flash, and bytecode costs no heap. Only on MicroPython's unix port.
"""

# MicroPython has no pathlib, and what a script of the rig prints is its result.
# ruff: noqa: PTH116

import gc
import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_READ, _PRIVATE = 1, 2


def run_from(image: str) -> None:
    """Mount the image and let imports find it first."""
    ffi: Any = __import__("ffi")
    uctypes: Any = __import__("uctypes")
    vfs: Any = __import__("vfs")
    libc = ffi.open("libc.so.6")
    size = os.stat(image)[6]
    handle = libc.func("i", "open", "si")(image, 0)
    assert handle >= 0, image
    address = libc.func("p", "mmap", "pLiiil")(0, size, _READ, _PRIVATE, handle, 0)
    vfs.mount(vfs.VfsRom(uctypes.bytearray_at(address, size)), "/rom")
    sys.path.insert(0, "/rom")


_gc: "Any" = gc
_gc.threshold(4096)  # as main.py does: imports then leave no holes in the heap
run_from(sys.argv[1])
__import__("firmware.rig." + sys.argv[2], None, None, ("*",)).main(sys.argv[3:])
