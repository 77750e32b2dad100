"""MicroPython's raw REPL, from the technician's end: code in, what it printed out.

Owns the protocol: interrupt, raw mode, raw-paste with its window where the board has it, plain raw mode in small
pieces where not. Knows no file and no Sabot. Whatever the line does to the bytes, a call ends: with what the board
printed, with its traceback (BoardError), or with GarbledError, after which `enter` brings both ends in step again.
"""

import time
from typing import Final

from sabot_tools.field.port import Port
from sabot_tools.field.trouble import FieldError

_INTERRUPT: Final = b"\r\x03\x03"
_RAW: Final = b"\r\x01"
_BANNER: Final = b"raw REPL; CTRL-B to exit\r\n>"
_PASTE: Final = b"\x05A\x01"
_END: Final = b"\x04"
_LEAVE: Final = b"\r\x02"
_KNOCK_S: Final = 0.5
_PIECE: Final = 256  # a UART's buffer on the smallest board
_PIECE_S: Final = 0.01
_MOST: Final = 1 << 20  # bytes that one call may print; a line full of noise must not fill the memory


class BoardError(FieldError):
    """The code that ran on the board failed; the last line of its traceback says how."""


class GarbledError(FieldError):
    """The board answered something else than it should: noise, or bytes that were lost."""


class SilentError(FieldError):
    """There is no answer, or none of a REPL."""


class Repl:
    """One conversation over an open port."""

    def __init__(self, port: Port) -> None:
        self._port = port
        self._has_paste = True

    def enter(self, wait_s: float) -> None:
        """Interrupts what runs and takes the raw REPL; SilentError when the board does not give it in time."""
        limit = time.monotonic() + wait_s
        heard = b""
        while True:
            self._port.write(_INTERRUPT)
            self._drain()
            self._port.write(_RAW)
            end = min(limit, time.monotonic() + _KNOCK_S)
            heard = b""
            while time.monotonic() < end:
                heard = (heard + self._port.read(4096, end))[-4096:]
                if heard.endswith(_BANNER):
                    return
            if time.monotonic() >= limit:
                break
        what = "it answers, but not as MicroPython does" if heard else "it does not answer"
        raise SilentError(
            f"The board on {self._port.path} is not in its REPL ({what}): unplug it, plug it in while this waits, "
            "and run the command again."
        )

    def run(self, code: str, wait_s: float = 10.0) -> str:
        """What `code` printed on the board."""
        limit = time.monotonic() + wait_s
        self._send(code.encode(), limit)
        printed = self._until(_END, limit)
        failed = self._until(_END, limit)
        self._expect(b">", limit)
        if failed:
            lines = failed.decode("utf-8", "replace").strip().splitlines()
            raise BoardError(f"The board could not do it: {lines[-1] if lines else 'it does not say why'}.")
        return printed.decode("utf-8", "replace")

    def cast(self, code: str) -> None:
        """Starts code whose end is not waited for: a reset answers nothing."""
        self._send(code.encode(), time.monotonic() + _KNOCK_S * 4)

    def leave(self) -> None:
        """Back to the friendly prompt."""
        self._port.write(_LEAVE)

    def _send(self, code: bytes, limit: float) -> None:
        if self._has_paste:
            self._port.write(_PASTE)
            answer = self._exactly(2, limit)
            if answer == b"R\x01":
                self._paste(code, limit)
                return
            self._has_paste = False
            if answer == b"ra":  # an older board takes it for code, and shows its banner again
                self._expect(_BANNER[2:], limit)
            elif answer != b"R\x00":
                raise self._garbled()
        for at in range(0, len(code), _PIECE):
            self._port.write(code[at : at + _PIECE])
            time.sleep(_PIECE_S)
        self._port.write(_END)
        self._expect(b"OK", limit)

    def _paste(self, code: bytes, limit: float) -> None:
        window = int.from_bytes(self._exactly(2, limit), "little")
        if not 0 < window <= 0x4000:
            raise self._garbled()
        room, at = window, 0
        while at < len(code):
            while room == 0 or self._port.is_waiting:
                word = self._exactly(1, limit)
                if word == b"\x01":
                    room += window
                elif word == _END:  # the board wants no more of it
                    self._port.write(_END)
                    return
                else:
                    raise self._garbled()
            piece = code[at : at + room]
            self._port.write(piece)
            room -= len(piece)
            at += len(piece)
        self._port.write(_END)
        while (word := self._exactly(1, limit)) != _END:
            if word != b"\x01":
                raise self._garbled()

    def _until(self, mark: bytes, limit: float) -> bytes:
        heard = bytearray()
        while not heard.endswith(mark):
            heard += self._exactly(1, limit)
            if len(heard) > _MOST:
                raise self._garbled()
        return bytes(heard[: -len(mark)])

    def _expect(self, words: bytes, limit: float) -> None:
        if self._exactly(len(words), limit) != words:
            raise self._garbled()

    def _exactly(self, size: int, limit: float) -> bytes:
        heard = b""
        while len(heard) < size:
            data = self._port.read(size - len(heard), limit)
            if not data:
                raise GarbledError(f"The board on {self._port.path} stopped answering in the middle of a sentence.")
            heard += data
        return heard

    def _drain(self) -> None:
        end = time.monotonic() + _KNOCK_S * 4
        while self._port.is_waiting and time.monotonic() < end:
            self._port.read(4096, 0)

    def _garbled(self) -> GarbledError:
        return GarbledError(f"The line to the board on {self._port.path} is disturbed.")
