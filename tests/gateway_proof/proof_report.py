"""How a proof tells its figures: a line of the test run, with or without captured output."""

from collections.abc import Callable

Report = Callable[[str], None]
