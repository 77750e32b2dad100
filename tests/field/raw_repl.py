"""The raw REPL as a board's MicroPython speaks it, run by MicroPython's unix port, which has none of its own.

    micropython raw_repl.py FOLDER PLATFORM MACHINE [no-paste] [plain-image] [sabot-image]

Bytes come on standard input and go to standard output; code is executed by this real MicroPython, with FOLDER as the
board's flash. What a board says of itself is what the arguments say; `plain-image`: its file system takes all of its
flash, as with the image that its maker gives out, and leaves none to the outbox; `sabot-image`: its image holds the
controllers' code, and can be read. As MicroPython does:
Ctrl-A raw, Ctrl-B friendly, Ctrl-C interrupt, Ctrl-D execute, Ctrl-E A Ctrl-A raw-paste with a window.
"""

# Whatever the code raises is told on the line.
# ruff: noqa: BLE001

import os
import sys

WINDOW = 128
BLOCK, BLOCKS, FILE_BLOCKS = 4096, 768, 512  # a Pico 2 W's storage, and what the house's image gives to files
_in = sys.stdin.buffer
_out = sys.stdout.buffer


class Implementation:
    name = "micropython"
    version = sys.implementation.version
    _mpy = getattr(sys.implementation, "_mpy", 0)
    _machine = ""


class Changed:
    """A module with some words of a board's own."""

    def __init__(self, module: object) -> None:
        for name in dir(module):
            if not name.startswith("__"):
                setattr(self, name, getattr(module, name))


def pretend(platform: str, machine: str) -> None:
    fake, files = Changed(sys), Changed(os)
    Implementation._machine = machine
    fake.implementation = Implementation  # type: ignore[attr-defined]  # any name goes on MicroPython
    fake.platform = platform  # type: ignore[attr-defined]  # as above
    size = BLOCKS if "plain-image" in sys.argv else FILE_BLOCKS
    files.statvfs = lambda _: (BLOCK, BLOCK, size, 0)  # type: ignore[attr-defined]  # as above
    sys.modules["sys"] = fake  # type: ignore[assignment]  # what the board's code imports
    sys.modules["os"] = files  # type: ignore[assignment]  # as above
    if "sabot-image" in sys.argv:
        sys.modules["sabot_firmware"] = files  # type: ignore[assignment]  # it is there, and nothing more is asked
        sys.modules["uctypes"] = __import__("code_flash")


def byte() -> bytes:
    data = _in.read(1)
    if not data:
        raise SystemExit(0)
    return data


def raw_code() -> "bytes | None":
    """Code up to Ctrl-D; None when the raw REPL is left."""
    code = bytearray()
    while True:
        one = byte()
        if one == b"\x01":
            _out.write(b"raw REPL; CTRL-B to exit\r\n>")
            code = bytearray()
        elif one == b"\x02":
            _out.write(b"\r\n>>> ")
            return None
        elif one == b"\x03":
            code = bytearray()
        elif one == b"\x04":
            _out.write(b"OK")
            return bytes(code)
        elif one == b"\x05" and not code:
            letter, last = byte(), byte()
            if letter == b"A" and last == b"\x01":
                if "no-paste" in sys.argv:
                    _out.write(b"R\x00")
                    continue
                _out.write(b"R\x01" + bytes([WINDOW & 0xFF, WINDOW >> 8]) + b"\x01")
                return pasted()
        else:
            code += one


def pasted() -> bytes:
    code = bytearray()
    room = WINDOW * 2
    while True:
        one = byte()
        if one == b"\x04":
            _out.write(b"\x04")
            return bytes(code)
        if one == b"\x03":
            _out.write(b"\x04")
            return b"raise KeyboardInterrupt"
        code += one
        room -= 1
        if room <= WINDOW:
            _out.write(b"\x01")
            room += WINDOW


def main() -> None:
    folder, platform, machine = sys.argv[1:4]
    os.chdir(folder)
    pretend(platform, machine)
    names: dict[str, object] = {"__name__": "__main__"}
    is_raw = False
    while True:
        if not is_raw:
            one = byte()
            if one == b"\x01":
                is_raw = True
                _out.write(b"raw REPL; CTRL-B to exit\r\n>")
            elif one == b"\x03":
                _out.write(b"\r\nKeyboardInterrupt\r\n>>> ")
            continue
        code = raw_code()
        if code is None:
            is_raw = False
            continue
        failure = None
        try:
            exec(code.decode(), names)
        except SystemExit:
            raise
        except BaseException as error:
            failure = error
        _out.write(b"\x04")
        if failure is not None:
            getattr(sys, "print_exception")(failure, sys.stdout)  # noqa: B009 - CPython's checker knows no such name
        _out.write(b"\x04>")


main()
