"""What a controller must not forget over a restart beside its events: the last command's number and the time.

Owns one small file. A command's number is remembered before the command is obeyed, so that none is obeyed twice: an old
one played again after a restart is stale. The time lets a certificate's dates be checked before the gateway has
spoken; it is only ever a little old.
"""

import struct
from binascii import crc32

from sabot_firmware.file import read_file, write_file

_SHAPE = "<4sII"
_MAGIC = b"SMEM"
_SIZE = 16


class Memory:
    """The file `path`; a missing or damaged one is a fresh start."""

    def __init__(self, path: str) -> None:
        self._path = path
        self.command = 0
        self.utc_s = 0
        data = read_file(path, _SIZE)
        if data is not None and len(data) == _SIZE and struct.unpack("<I", data[12:])[0] == crc32(data[:12]):
            magic, command, utc_s = struct.unpack(_SHAPE, data[:12])
            if magic == _MAGIC:
                self.command = command
                self.utc_s = utc_s

    def is_new(self, command: int) -> bool:
        """Say whether this command's number is greater than every one before."""
        return command > self.command

    def keep(self, command: int, utc_s: int = 0) -> None:
        """Remember a command and, if known, the time. Raises OSError when the file system is full or broken."""
        self.command = max(command, self.command)
        self.utc_s = utc_s or self.utc_s
        data = struct.pack(_SHAPE, _MAGIC, self.command, self.utc_s)
        write_file(self._path, data + struct.pack("<I", crc32(data)))
