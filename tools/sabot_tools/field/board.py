"""A board on a cable: who it is, what lies on it, files written and read back.

Owns what a technician's tools do to a board's files, through the raw REPL. A file is written beside the old one, its
SHA-256 is computed on the board, and only then does it take its name: pulling the cable at any moment leaves whole
files. Everything may be done twice. A disturbed line is tried again; a cable that was pulled is not.
"""

import contextlib
import json
import time
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from typing import Final, NamedTuple
from zlib import crc32

from sabot_tools.field.board_type import BoardType, type_of
from sabot_tools.field.board_words import IMAGE_WORDS, OUTBOX_WORDS, PROBE, WORDS
from sabot_tools.field.port import Port, PortLostError
from sabot_tools.field.repl import BoardError, GarbledError, Repl, SilentError
from sabot_tools.field.trouble import FieldError

ENTER_S: Final = 12.0  # a board that is plugged in now starts within this
RETURN_S: Final = 30.0  # a reset, and the host finding the port again
SERVICE: Final = "service"
SECTOR: Final = 4096  # bytes of flash that are erased together, on every board
_PIECE: Final = 768  # bytes of a file in one sentence; its hexadecimal fits the smallest heap beside the code
_TRIES: Final = 8
_SECTORS: Final = 8  # of flash emptied in one sentence: 400 ms each at worst (firmware/sabot_firmware/hal/flash.py)
_SLICE: Final = 1 << 16  # bytes of the image that the board takes one SHA-256 of: a tenth of a second
_LOOK_S: Final = 0.1


class Identity(NamedTuple):
    """What a board says of itself; `kind` is None for one that Sabot does not know."""

    kind: BoardType | None
    machine: str
    mpy: int  # the format of compiled code that it runs
    serial: str
    is_frozen: bool  # the controllers' code is in its image
    has_sabot: bool  # it was flashed before
    outbox_sectors: int  # raw flash that the file system leaves to the events


class Board:
    """A board in its raw REPL, from `connect` to `close`."""

    def __init__(self, path: str, wait_s: float = ENTER_S) -> None:
        self._path = path
        self._port = Port(path)
        self._repl = Repl(self._port)
        try:
            self._step_in(wait_s)
        except BaseException:
            self.close()
            raise

    def identify(self) -> Identity:
        answer = self._ask(OUTBOX_WORDS + PROBE)
        platform, machine, mpy, serial, is_frozen, has_sabot, sectors = _list(answer, 7)
        kind = type_of(str(platform), str(machine))
        return Identity(kind, str(machine), int(mpy), str(serial), bool(is_frozen), bool(has_sabot), int(sectors or 0))

    def digests(self, paths: Iterable[str]) -> dict[str, str]:
        """SHA-256 of each file as it lies on the board; empty for one that is not there."""
        found: dict[str, str] = {}
        wanted = list(paths)
        for at in range(0, len(wanted), 8):
            some = wanted[at : at + 8]
            found |= dict(zip(some, map(str, _list(self._ask(f"S([D(p) for p in {some!r}])"), len(some))), strict=True))
        return found

    def read_text(self, path: str, most: int = 8192) -> str:
        """A small file of plain text; empty when it is not there."""
        answer = self._ask(f"try:\n f=open(R+{path!r});t=f.read({most});f.close()\nexcept OSError:t=''\nS([t])")
        return str(_list(answer, 1)[0])

    def files(self, folder: str) -> list[str]:
        answer = self._ask(f"S(T({folder!r}))")
        if not isinstance(answer, list):
            raise GarbledError("The board's list of files came damaged.")
        return [str(path) for path in answer]

    def write(self, path: str, data: bytes, advance: Callable[[int], None] = lambda _: None) -> None:
        """One file, whole and read back; a disturbed line is tried again."""
        digest = sha256(data).hexdigest()
        trouble: FieldError | None = None
        for _ in range(_TRIES):
            try:
                self._write_once(path, data, digest)
            except (GarbledError, BoardError, SilentError) as error:
                trouble = error
                self._step_in(ENTER_S)
            else:
                advance(len(data))
                return
        raise FieldError(f"{path} could not be written to the board: {trouble}") from trouble

    def remove(self, path: str) -> None:
        self._ask(f"X({path!r})\nS([])")

    def install(self, files: Mapping[str, bytes], advance: Callable[[int], None]) -> int:
        """Writes what differs, in this order, and reads every digest back; how many files were written."""
        lying = self.digests(files)
        written = 0
        for path, data in files.items():
            if lying[path] == sha256(data).hexdigest():
                advance(len(data))
                continue
            self.write(path, data, advance)
            written += 1
        after = self.digests(files)
        wrong = [path for path, data in files.items() if after[path] != sha256(data).hexdigest()]
        if wrong:
            raise FieldError(f"The board did not keep {', '.join(wrong)}: its flash is worn or full.")
        return written

    def forget_events(self, sectors: int) -> None:
        """Empties the outbox: what another controller had to say is not this one's, and its numbers begin at one."""
        for at in range(0, sectors, _SECTORS):
            if self._ask(f"{OUTBOX_WORDS}S([E({at},{_SECTORS})])") != [True]:
                raise FieldError("The board's outbox could not be emptied: its flash is worn.")

    def runs(self, code: bytes, advance: Callable[[int], None] = lambda _: None) -> bool:
        """Says whether the board's flash begins with these bytes, by SHA-256 that it takes itself."""
        for at in range(0, len(code), _SLICE):
            piece = code[at : at + _SLICE]
            if self._ask(f"{IMAGE_WORDS}S([I({at},{len(piece)})])") != [sha256(piece).hexdigest()]:
                return False
            advance(len(piece))
        return True

    def restart(self, *, wait: bool) -> None:
        """A reset by the board itself; with `wait`, back in the REPL afterwards."""
        self._repl.cast("import machine\nmachine.reset()")
        self._port.close()
        if not wait:
            return
        limit = time.monotonic() + RETURN_S
        while True:
            try:
                self._port = Port(self._path)
                self._repl = Repl(self._port)
                self._step_in(ENTER_S)
            except FieldError:
                self._port.close()
                if time.monotonic() > limit:
                    raise
                time.sleep(_LOOK_S)
            else:
                return

    def close(self) -> None:
        with contextlib.suppress(FieldError):  # it is gone, and so is the need
            self._repl.leave()
        self._port.close()

    def _step_in(self, wait_s: float) -> None:
        trouble: FieldError | None = None
        for _ in range(_TRIES):
            try:
                self._repl.enter(wait_s)
                self._repl.run(WORDS)
            except (GarbledError, BoardError) as error:
                trouble = error
            else:
                return
        raise FieldError(f"The line to the board on {self._path} is too disturbed to work with.") from trouble

    def _write_once(self, path: str, data: bytes, digest: str) -> None:
        for at in range(0, len(data) or 1, _PIECE):
            piece = data[at : at + _PIECE]
            for _ in range(_TRIES):
                if self._ask(f"S([W({path!r},{at},{piece.hex()!r})])") == [crc32(piece)]:
                    break
        if self._ask(f"S([N({path!r},{digest!r}) or D({path!r})=={digest!r}])") != [True]:
            raise GarbledError(f"{path} arrived damaged.")

    def _ask(self, code: str) -> object:
        """What the board answers to a question that may be put twice."""
        trouble: FieldError | None = None
        for _ in range(_TRIES):
            try:
                return _checked(self._repl.run(code))
            except PortLostError:
                raise
            except (GarbledError, BoardError, SilentError) as error:
                trouble = error
                self._step_in(ENTER_S)
        raise FieldError(f"The board on {self._path} gives no sensible answer: {trouble}") from trouble


def _checked(answer: str) -> object:
    """An answer with its own digest behind it: a line that alters it is found out."""
    lines = answer.replace("\r", "").split("\n")
    if len(lines) < 2 or sha256(lines[0].encode()).hexdigest()[:16] != lines[1]:
        raise GarbledError("An answer of the board came damaged.")
    value: object = json.loads(lines[0])
    return value


def _list(answer: object, size: int) -> list[str | int | bool]:
    if not isinstance(answer, list) or len(answer) != size:
        raise GarbledError("An answer of the board came damaged.")
    return answer
