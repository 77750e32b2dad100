"""One embedded broker at a time on a data folder, also right after a gateway was killed.

Owns a lock that the broker's process inherits and keeps as long as it lives: a gateway that is started again at once
waits for the broker of its earlier life to write down what it holds, instead of finding its port taken.
"""

import fcntl
import time
from pathlib import Path
from typing import Final

from sabot_gateway.errors import StartError

FILE: Final = "broker.lock"
_LOOK_S: Final = 0.02


class Hold:
    """The folder's lock, taken within `patience_s`; `fd` is for the child, which holds it too."""

    def __init__(self, folder: Path, patience_s: float) -> None:
        file = folder / FILE
        try:
            file.touch(0o600)
            self._file = file.open("ab")
        except OSError as error:
            raise StartError(f"{file} cannot be written ({error.strerror or error}).") from error
        limit = time.monotonic() + patience_s
        while not self._is_ours():
            if time.monotonic() >= limit:
                self.release()
                raise StartError(f"The embedded broker of an earlier gateway still runs on {folder}.", may_pass=True)
            time.sleep(_LOOK_S)  # the kernel would wait for a lock, but not for a while only

    @property
    def fd(self) -> int:
        return self._file.fileno()

    def release(self) -> None:
        self._file.close()

    def _is_ours(self) -> bool:
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
