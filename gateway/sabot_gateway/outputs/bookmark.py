"""How far in the journal a receiver was told everything: a small file per receiver.

Owns the file. It is replaced whole and durably, so a crash leaves the old mark or the new one. A mark that lags sends a
message twice, with the same id; a mark never runs ahead of what was delivered.
"""

import json
import os
from pathlib import Path

from sabot_gateway.errors import StartError


class Bookmark:
    def __init__(self, folder: Path, receiver: str) -> None:
        self._file = folder / f"{receiver}.json"

    def read(self) -> int | None:
        """The id of the last record told; None for a receiver that was never told anything."""
        try:
            text = self._file.read_text()
        except FileNotFoundError:
            return None
        except OSError as error:
            raise StartError(f"{self._file} cannot be read ({error.strerror or error}).") from error
        try:
            match json.loads(text):
                case {"told": int(told)} if told >= 0:
                    return told
        except ValueError:
            pass
        raise StartError(f"{self._file} is damaged: it should say how far its receiver was told.")

    def write(self, told: int) -> None:
        """OSError if it cannot be kept."""
        fresh = self._file.with_suffix(".new")
        with fresh.open("w") as file:
            file.write(json.dumps({"told": told}) + "\n")
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(self._file)
