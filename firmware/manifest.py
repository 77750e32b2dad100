# What is frozen into a board's image: make -C ports/rp2 BOARD=RPI_PICO_W FROZEN_MANIFEST=…/firmware/manifest.py
#
# Frozen, the code runs from flash and costs no heap. The same packages in a slot take precedence (starting.py puts it
# first on the path), so a frozen board still takes updates; the frozen release is what it falls back to.
include("$(PORT_DIR)/boards/manifest.py")  # noqa: F821 - given by MicroPython's build
package("sabot_protocol", base_path="../protocol")  # noqa: F821
package("sabot_firmware", base_path=".")  # noqa: F821
module("slot.py", base_path="sabot_firmware/core")  # noqa: F821
module("starting.py", base_path=".")  # noqa: F821
