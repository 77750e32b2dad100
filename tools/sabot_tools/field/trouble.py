"""What keeps a field tool from doing its work: one sentence for the technician, and the exit code that goes with it.

Owns the two kinds. A sentence never holds a key.
"""

from typing import Final

REFUSED: Final = 1  # it was tried, and refused or found wrong
NOT_STARTED: Final = 2  # it could not begin


class FieldError(Exception):
    """One sentence; the command ends with `code`."""

    code = REFUSED


class StartError(FieldError):
    """Nothing was begun: a file, port, gateway or argument that is not as it must be."""

    code = NOT_STARTED
