# What is frozen into a Raspberry Pi board's image; that board's own manifest includes it (boards/README.md, Images).
#
# Of the port's modules all but its _boot.py, which gives all storage to the file system: ours leaves the outbox some.
#
# Frozen, the code runs from flash and costs no heap. The same packages in a slot take precedence (starting.py puts it
# first on the path), so a frozen board still takes updates; the frozen release is what it falls back to.
# MicroPython's build gives `include`, `package` and `module`, and runs this file in its own folder.
# ruff: noqa: F821, PTH118
import os

# Never on a board: CPython's halves of protocol and network, and the stand-ins for chips.
HOST_ONLY = ("accelerated.py", "aead_cryptography.py", "fake/", "net/pause_host.py", "net/stream_host.py")


def modules(folder: str) -> list[str]:
    found: list[str] = []
    for path, _, names in os.walk(folder):
        found += [os.path.relpath(os.path.join(path, name), folder) for name in names if name.endswith(".py")]
    return sorted(name for name in found if not name.startswith(HOST_ONLY))


include("$(MPY_DIR)/extmod/asyncio")
module("rp2.py", base_path="$(PORT_DIR)/modules")
module("_boot.py", base_path="boards/rp2")
package("sabot_protocol", files=modules("../protocol/sabot_protocol"), base_path="../protocol")
package("sabot_firmware", files=modules("sabot_firmware"), base_path=".")
module("slot.py", base_path="sabot_firmware/core")
module("starting.py", base_path=".")
