# What is frozen into a Raspberry Pi board's image; that board's own manifest includes it (boards/README.md, Images).
#
# Of the port's modules all but its _boot.py, which gives all storage to the file system: ours leaves the outbox some.
#
# Frozen, the code runs from flash and costs no heap. The same packages in a slot take precedence (starting.py puts it
# first on the path), so a frozen board still takes updates; the frozen release is what it falls back to.
# MicroPython's build gives `include`, `package`, `module` and `options`, and runs this file in its own folder.
# `board` is the folder of the board that includes it: its board.py is frozen for _boot.py, which runs before there are
# files.
#
# One module is made here: image_list.py says which modules were frozen, each with the SHA-256 of its source. It lies in
# the image as plain text, so it can be read back from the built image and is proven with it
# (docs/adr/0015-an-image-is-measured.md).
# ruff: noqa: F821, PTH118, PTH123
import atexit
import os
import shutil
import tempfile
from hashlib import sha256

options.defaults(board="")

# Never on a board: CPython's halves of protocol and network, and the stand-ins for chips.
HOST_ONLY = (
    "accelerated.py",
    "aead_cryptography.py",
    "joined.py",
    "fake/",
    "net/pause_host.py",
    "net/stream_host.py",
)


def modules(folder: str) -> list[str]:
    found: list[str] = []
    for path, _, names in os.walk(folder):
        found += [os.path.relpath(os.path.join(path, name), folder) for name in names if name.endswith(".py")]
    return sorted(name for name in found if not name.startswith(HOST_ONLY))


def digest(path: str) -> str:
    with open(path, "rb") as file:
        return sha256(file.read()).hexdigest()


def image_list(files: dict[str, str]) -> str:
    lines = [f"{digest(files[name])} {name}" for name in sorted(files)]
    return "sabot-image-list 1\n" + "".join(line + "\n" for line in lines) + "end\n"


PACKAGES = {"sabot_protocol": "../protocol", "sabot_firmware": "."}
ALONE = {
    "_boot.py": "boards/rp2",
    "board.py": "boards/" + options.board,
    "slot.py": "sabot_firmware/core",
    "starting.py": ".",
}

include("$(MPY_DIR)/extmod/asyncio")
module("rp2.py", base_path="$(PORT_DIR)/modules")
frozen = {}
for package_name, base in PACKAGES.items():
    held = modules(f"{base}/{package_name}")
    package(package_name, files=held, base_path=base)
    frozen.update({f"{package_name}/{name}": f"{base}/{package_name}/{name}" for name in held})
for name, base in ALONE.items():
    module(name, base_path=base)
    frozen[name] = f"{base}/{name}"
made = tempfile.mkdtemp()
atexit.register(shutil.rmtree, made, True)  # the build compiles what it was given before it ends
with open(made + "/image_list.py", "w") as file:
    file.write(f"LIST = {image_list(frozen).encode()!r}\n")
module("image_list.py", base_path=made)
