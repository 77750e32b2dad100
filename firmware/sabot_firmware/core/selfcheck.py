"""Proof of what runs here: the SHA-256 of every module, taken a block at a time.

Owns the walk over the modules and the digest over all of them. Reads through a function, so flash files, a slot and
the image in flash are alike to it. Run at the start, daily and on command; one step() per turn keeps the scan loop
going.
The digest of the whole, as told in hello: SHA-256 over, for each module in the order of its name,
one byte with the length of the name, the name, and the module's SHA-256.
A module that is missing, cannot be read or differs is in `wrong`: the controller then refuses to run.
"""

from hashlib import sha256

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

# One block: the time to hash it is far below the 20 ms that a scan may be held up.
BLOCK = 512

# Regulators ask for it at the start, on reset, daily and on demand.
DAILY_MS = 24 * 60 * 60 * 1000


class SelfCheck:
    """One walk; `expected` holds (name, SHA-256) pairs, `read_into(name, offset, buffer)` returns the bytes read."""

    def __init__(
        self, expected: "Sequence[tuple[str, bytes]]", read_into: "Callable[[str, int, bytearray], int]"
    ) -> None:
        self._expected = sorted(expected)
        self._read_into = read_into
        self._buffer = bytearray(BLOCK)
        self._view = memoryview(self._buffer)
        self._at = 0
        self._offset = 0
        self._hash: Any = sha256()
        self.found: list[tuple[str, bytes]] = []
        self.wrong: list[str] = []

    @property
    def is_finished(self) -> bool:
        """Say whether every module was read."""
        return self._at >= len(self._expected)

    def step(self) -> bool:
        """Read and hash one block; True when every module was read."""
        if self.is_finished:
            return True
        name, expected = self._expected[self._at]
        try:
            count = self._read_into(name, self._offset, self._buffer)
        except OSError:
            self.wrong.append(name)
            self._next()
            return self.is_finished
        if count:
            self._hash.update(self._view[:count])
            self._offset += count
            return False
        digest = self._hash.digest()
        self.found.append((name, digest))
        if digest != expected:
            self.wrong.append(name)
        self._next()
        return self.is_finished

    def _next(self) -> None:
        self._at += 1
        self._offset = 0
        self._hash = sha256()


def digest_of(modules: "Sequence[tuple[str, bytes]]") -> bytes:
    """The digest over all modules, as hello tells it."""
    whole = sha256()
    for name, digest in sorted(modules):
        text = name.encode()
        whole.update(bytes([len(text)]))
        whole.update(text)
        whole.update(digest)
    return whole.digest()


def parts_of(modules: "Sequence[tuple[str, bytes]]", size: int = 8) -> "list[list[tuple[str, bytes]]]":
    """The modules in lists of at most eight, as modules_listed takes them."""
    ordered = sorted(modules)
    return [list(ordered[at : at + size]) for at in range(0, len(ordered), size)]
