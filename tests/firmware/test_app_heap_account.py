"""A full table's heap, part by part: within 128 KiB, with 40 KiB left for TLS, where the code is frozen.

No frozen image can be built from what registries offer, so the sum is taken from parts that are each measured on a real
32-bit MicroPython: what the interpreter itself holds, what running the frozen modules makes, and what a table of
eight seats holds while it plays. The TLS buffers are what must fit into the rest: then the same table plays in a heap
of just that size while a handshake's worth of it is held, so that garbage and holes in the heap count too.
"""

import ast
import re
from pathlib import Path

import pytest

from conftest import MicroPython
from firmware.rig_image import RIG, START, write_rig_image
from sabot_tools.firmware_build import without_type_checking
from sabot_tools.firmware_source import sources

HEAP = 128 * 1024
FOR_TLS = 40 * 1024  # a handshake, and room to breathe
HANDSHAKE = 32 * 1024  # 16 KiB in, 4 KiB out, each with its head, and 11 KiB of certificates and numbers while it lasts
FIGURE = re.compile(r"([a-z_]+) (\d+)")

# Where everything starts, and what is loaded when the config names its part.
ROOTS = (
    *("sabot_firmware.app", "sabot_firmware.tasks", "sabot_firmware.host", "sabot_firmware.hal.assembly"),
    *("sabot_firmware.hal.lamps", "sabot_firmware.hal.oled", "sabot_firmware.hal.keypad_mcp23017"),
    *("sabot_firmware.hal.door", "sabot_firmware.hal.mux", "sabot_firmware.hal.pn532", "sabot_firmware.hal.pn532_link"),
    *("sabot_firmware.hal.pn5180", "sabot_firmware.hal.pn5180_host", "sabot_firmware.net.choice"),
    *("sabot_firmware.net.mqtt_link", "sabot_firmware.net.wifi", "sabot_firmware.net.ethernet"),
    *("sabot_protocol.device_key", "sabot_protocol.aead_cryptolib"),
)


def loaded() -> dict[str, str]:
    """The source of every module that a full table loads, each behind those that it imports."""
    texts = {
        name.removesuffix(".py").replace("/", "."): without_type_checking(path.read_text())
        for name, path in sources().items()
        if not name.endswith("__init__.py")
    }
    found: dict[str, str] = {}

    def visit(name: str) -> None:
        if name in found or name not in texts:
            return
        for node in ast.parse(texts[name]).body:
            if isinstance(node, ast.ImportFrom) and node.module is not None:
                visit(node.module)
                for each in node.names:
                    visit(f"{node.module}.{each.name}")
        found[name] = texts[name]

    for root in ROOTS:
        visit(root)
    return found


@pytest.mark.slow
def test_a_full_table_leaves_forty_kibibytes_for_tls_where_code_is_frozen(
    micropython: MicroPython, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    modules = loaded()
    for name, text in modules.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "modules").write_text("\n".join(modules) + "\n")
    image = write_rig_image(tmp_path / "rig.romfs")
    measured = micropython.run(START, str(image), "full_table", str(tmp_path), "0", heap="2m")
    measured += micropython.run(RIG / "frozen_code.py", str(tmp_path), heap="2m")
    figures = {name: int(value) for name, value in FIGURE.findall(measured)}
    # As a heap that runs out: what is no heap on a frozen board (the models, and what imports from an image make beyond
    # freezing) is added, and HANDSHAKE is held while the table plays, in pieces as mbedTLS takes them.
    size = HEAP + figures["code"] - figures["frozen"] + figures["models"]
    played = micropython.run(START, str(image), "full_table", str(tmp_path), str(HANDSHAKE), heap=str(size))
    limited = {name: int(value) for name, value in FIGURE.findall(played)}
    tables = HEAP - HEAP * limited["room"] // size
    taken = tables + figures["base"] + figures["state"]
    frozen, in_place = HEAP - taken - figures["frozen"], HEAP - taken - figures["code"]
    with capsys.disabled():
        print(  # noqa: T201 - the figures are the result
            f"\nheap of {HEAP:,}: tables {tables:,}, interpreter {figures['base']:,}, state {figures['state']:,};"
            f" code {figures['frozen']:,} frozen leaves {frozen:,}, {figures['code']:,} from ROMFS leaves {in_place:,};"
            f" played with {HANDSHAKE:,} held for TLS, {limited['left']:,} were left"
        )
    assert frozen >= FOR_TLS
    assert figures["frozen"] < figures["code"], "freezing saves nothing: the measurement is wrong"
