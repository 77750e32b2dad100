"""A serial port with deadlines, and the operating system's complaints in our words.

Owns the one import of pyserial for the tools that talk to a board. A port is held for one program alone.
"""

import errno
import time
from typing import Final

import serial  # type: ignore[import-untyped]  # pyserial ships no types

from sabot_tools.field.trouble import FieldError, StartError

BAUD: Final = 115_200  # of a UART; a USB port ignores it
_TURN_S: Final = 0.02
_WRITE_S: Final = 10.0
_LET_GO_S: Final = (
    1.0  # a program that was just ended, or is just being started by another, holds a port a moment longer
)


class PortLostError(FieldError):
    """The cable was pulled, or the board went away."""


class Port:
    """An open line; every reading has a deadline."""

    def __init__(self, path: str, baud: int = BAUD) -> None:
        self.path = path
        limit = time.monotonic() + _LET_GO_S
        while True:
            try:
                self._serial = serial.Serial(path, baud, timeout=_TURN_S, write_timeout=_WRITE_S, exclusive=True)
            except (serial.SerialException, OSError, ValueError) as error:
                if _is_busy(error) and time.monotonic() < limit:
                    time.sleep(_TURN_S)
                    continue
                raise StartError(_why_not(path, error)) from error
            return

    def read(self, size: int, deadline: float) -> bytes:
        """Up to `size` bytes, as soon as any are there; nothing when the deadline (monotonic seconds) has passed."""
        while True:
            try:
                waiting = self._serial.in_waiting
                data: bytes = self._serial.read(min(size, max(1, waiting)))
            except (serial.SerialException, OSError, TypeError) as error:
                # TypeError: pyserial's own, when the port is closed under it.
                raise self._lost() from error
            if data or time.monotonic() >= deadline:
                return data

    @property
    def is_waiting(self) -> bool:
        """Something can be read at once."""
        try:
            return bool(self._serial.in_waiting)
        except (serial.SerialException, OSError) as error:
            raise self._lost() from error

    def write(self, data: bytes) -> None:
        try:
            self._serial.write(data)
        except serial.SerialTimeoutException as error:
            raise FieldError(f"The board on {self.path} takes nothing: it hangs, or it is no board.") from error
        except (serial.SerialException, OSError) as error:
            raise self._lost() from error

    def close(self) -> None:
        self._serial.close()

    def _lost(self) -> PortLostError:
        return PortLostError(f"The board on {self.path} went away; plug it in and run the command again to finish.")


def _is_busy(error: Exception) -> bool:
    return getattr(error, "errno", None) in (errno.EBUSY, errno.EAGAIN) or "exclusively lock" in str(error)


def _why_not(path: str, error: Exception) -> str:
    code = getattr(error, "errno", None)
    if code == errno.ENOENT:
        return f"There is no port {path}: is the cable in?"
    if _is_busy(error):
        return f"Another program uses {path}: a bridge, a monitor or a terminal must let it go first."
    if code == errno.EACCES:
        return f"{path} may not be opened by this account: add it to the group that owns the port (often dialout)."
    return f"{path} is no serial port that can be opened."
