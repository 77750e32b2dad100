"""The manifest of a release: which files a board gets, their sizes and their SHA-256.

    sabot-firmware 1
    board pico-w
    release 0.2.0
    serial 17
    file 9f86d08188… 4711 sabot_firmware/app.py

Owns the reading of these lines; refuses anything else with a code and a line number. Every line ends with LF,
files are in the order of their paths, a path stays inside its slot. The serial counts releases: a controller
never goes back to a lower one, else an old, signed, faulty release could be played to it again.
Kept as one block of bytes: a file's line is read when its turn comes, so 60 files cost no objects.
"""

from binascii import unhexlify

# Bounds what an offer can make the controller allocate. A release of 83 files takes 9.6 KiB, 96 files of the usual
# length 11 KiB.
MAX_SIZE = 12288
MAX_FILES = 96
MAX_PATH = 48  # the wire's bound for the name of a module
MAX_FILE_SIZE = 262144  # no module is a tenth of this; a slot is a few hundred KiB

_LETTERS = b"abcdefghijklmnopqrstuvwxyz0123456789_./-"


class ManifestError(Exception):
    """A manifest that is refused; `code` says why, `line` where."""

    def __init__(self, code: str, line: int) -> None:
        super().__init__(f"{code} in line {line}")
        self.code = code
        self.line = line


class Manifest:
    """A manifest whose every line was checked."""

    def __init__(self, data: bytes) -> None:
        if len(data) > MAX_SIZE or data[-1:] != b"\n":
            raise ManifestError("shape", 0)
        self._lines = bytes(data[:-1]).split(b"\n")
        if len(self._lines) < 5 or self._lines[0] != b"sabot-firmware 1":
            raise ManifestError("shape", 1)
        self.board = self._head(1, b"board").decode()
        self.release = self._head(2, b"release").decode()
        self.serial = _number(self._head(3, b"serial"), 1, 0x7FFFFFFF, 4)
        self.count = len(self._lines) - 4
        if self.count > MAX_FILES:
            raise ManifestError("too_many", 0)
        self.total = 0
        before = ""
        for at in range(self.count):
            path, size, _ = self.file(at)
            if path <= before:
                raise ManifestError("order", at + 5)
            before = path
            self.total += size

    def file(self, at: int) -> "tuple[str, int, bytes]":
        """(path, size, SHA-256) of a file, counted from 0."""
        words = self._lines[at + 4].split(b" ")
        if len(words) != 4 or words[0] != b"file":
            raise ManifestError("shape", at + 5)
        return _path(words[3], at + 5), _number(words[2], 0, MAX_FILE_SIZE, at + 5), _digest(words[1], at + 5)

    def _head(self, at: int, name: bytes) -> bytes:
        words = self._lines[at].split(b" ")
        if len(words) != 2 or words[0] != name or not 1 <= len(words[1]) <= 32:
            raise ManifestError("shape", at + 1)
        for byte in words[1]:
            if not 33 <= byte <= 126:
                raise ManifestError("shape", at + 1)
        return words[1]


def _number(text: bytes, low: int, high: int, line: int) -> int:
    # Only digits, no sign, no leading zero: int() would take more than one form of a number.
    if not 1 <= len(text) <= 10 or (text[0] == 48 and len(text) > 1):
        raise ManifestError("number", line)
    for byte in text:
        if not 48 <= byte <= 57:
            raise ManifestError("number", line)
    value = int(text.decode())
    if not low <= value <= high:
        raise ManifestError("number", line)
    return value


def _digest(text: bytes, line: int) -> bytes:
    if len(text) != 64:
        raise ManifestError("digest", line)
    for byte in text:
        if byte not in b"0123456789abcdef":
            raise ManifestError("digest", line)
    return unhexlify(text)


def _path(text: bytes, line: int) -> str:
    if not 1 <= len(text) <= MAX_PATH:
        raise ManifestError("path", line)
    for byte in text:
        if byte not in _LETTERS:
            raise ManifestError("path", line)
    for part in text.split(b"/"):
        if not part or part[0] == 46:  # empty, hidden, "." or ".."
            raise ManifestError("path", line)
    return text.decode()
