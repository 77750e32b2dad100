"""The data folder: made for its owner only, and held by one gateway at a time.

Owns the lock. It is the kernel's, so it ends with the process however that ends.
"""

import errno
import fcntl
import os
from pathlib import Path
from typing import BinaryIO, Final

from sabot_gateway.errors import StartError

LOCK: Final = "gateway.lock"
_FOR_OWNER_ONLY: Final = 0o700
_OTHERS: Final = 0o077
_PASSING: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS})  # a disk may be full or read-only for a while


class DataFolder:
    """The folder, held until `release`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = _locked(path)

    def release(self) -> None:
        self._lock.close()


def make_private(folder: Path) -> None:
    """Makes a folder that only its owner may enter; StartError if that cannot be or others may."""
    try:
        folder.mkdir(_FOR_OWNER_ONLY, parents=True, exist_ok=True)
        mode = folder.stat().st_mode
    except OSError as error:
        raise _failed(folder, "made", error) from error
    if mode & _OTHERS:
        raise StartError(f"Others may enter {folder}, where keys are kept; its mode must be 0700.")


def _locked(folder: Path) -> BinaryIO:
    make_private(folder)
    try:
        lock = (folder / LOCK).open("ab")
    except OSError as error:
        raise _failed(folder, "written", error) from error
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.close()
        raise StartError(f"Another gateway runs on {folder}.") from None
    lock.truncate(0)
    lock.write(f"{os.getpid()}\n".encode())
    lock.flush()
    return lock


def _failed(folder: Path, done: str, error: OSError) -> StartError:
    sentence = f"{folder} cannot be {done} ({error.strerror or error})."
    return StartError(sentence, may_pass=error.errno in _PASSING)
