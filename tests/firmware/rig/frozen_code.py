"""What modules cost in heap when they are frozen: only what their execution makes, since code, names and constants
lie in flash then.

    micropython frozen_code.py FOLDER

FOLDER holds each module's source under its dotted name, and `modules`, their order. All are compiled first, so that
code, interned names and constant objects are in the heap before the first is run; what running them adds is what a
frozen board pays. Each module stands as a class here, which costs some 50 bytes more than a module does. Prints
`frozen BYTES`.
"""

# MicroPython has no pathlib, and what a script of the rig prints is its result.
# ruff: noqa: PTH123, T201

import gc
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_gc: "Any" = gc


def heap() -> int:
    gc.collect()
    return int(_gc.mem_alloc())


def main(folder: str) -> None:
    with open(folder + "/modules") as file:
        names = [line.strip() for line in file]
    codes = []
    for name in names:
        with open(folder + "/" + name) as file:
            codes.append(compile(file.read(), name, "exec"))
    modules: Any = sys.modules
    for name in names:
        package = name.rpartition(".")[0]
        while package:
            modules[package] = type(package, (object,), {"__path__": "."})
            package = package.rpartition(".")[0]
    for name in ("asyncio", "binascii", "cryptolib", "hashlib", "os", "socket", "struct", "time"):
        __import__(name)  # the port's own: there before
    before = heap()
    for at in range(len(names)):
        space: dict[str, Any] = {"__name__": names[at]}
        exec(codes[at], space)
        modules[names[at]] = type(names[at], (object,), space)
    print("frozen", heap() - before)


main(sys.argv[1])
