"""The self-test that a technician orders: each part proves itself, on the display and as an event.

Owns the order of tests and what passing means for each. Runs in turns beside the scan loop and never stops it.
Limits: lamps cannot be read back: a light runs over them and a person looks; a keypad passes when no key is stuck.
"""

from sabot_firmware.core.ticks import ticks_diff
from sabot_firmware.station import FAILED, PASSED, TESTING

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from sabot_firmware.face import Face
    from sabot_firmware.inspection import Inspection
    from sabot_firmware.table import Table

TESTS = ("readers", "antennas", "lamps", "keypad", "display", "flash", "link", "digests")

# A reader resets and answers within 2 s (station.py); every antenna had its turn several times by then.
LIMIT_MS = 4000
_SHINE_S = 2


class SelfTest:
    """One test or all; `tell(test, passed, part)` is called for each."""

    def __init__(
        self,
        table: "Table",
        face: "Face",
        checks: "dict[str, Callable[[], bool]]",
        new_check: "Callable[[], Inspection]",
        tell: "Callable[[str, bool, int], None]",
    ) -> None:
        self._table = table
        self._face = face
        self._checks = checks
        self._new_check = new_check
        self._tell = tell
        self._waiting: "list[str]" = []
        self._since: "int | None" = None
        self._check: "Inspection | None" = None
        self._failed: "list[str]" = []

    @property
    def is_running(self) -> bool:
        """Say whether turn() has something to do."""
        return bool(self._waiting)

    def begin(self, test: str) -> None:
        """Start one test, or "all"."""
        self._waiting = list(TESTS) if test == "all" else [test]
        self._since = None
        self._failed = []

    def turn(self, now_ms: int) -> None:
        """Take a step of the test under way."""
        if not self._waiting:
            return
        test = self._waiting[0]
        if self._since is None:
            self._since = now_ms
            self._begin(test, now_ms)
        part = self._result(test, ticks_diff(now_ms, self._since) >= LIMIT_MS)
        if part is None:
            return
        del self._waiting[0]
        self._since = None
        if part >= 0:
            self._failed.append(test)
        self._tell(test, part < 0, max(0, part))
        if not self._waiting:
            self._face.notice(
                now_ms, "Self-test failed: " + ", ".join(self._failed) if self._failed else "Self-test passed"
            )

    def _begin(self, test: str, now_ms: int) -> None:
        if test == "readers":
            for station in self._table.stations:
                station.begin_test()
        elif test == "lamps":
            self._face.identify(now_ms, _SHINE_S)
        elif test == "digests":
            self._check = self._new_check()

    def _result(self, test: str, is_late: bool) -> "int | None":
        # The first part that failed, -1 when all passed, None while it runs.
        if test == "readers":
            return self._readers(is_late)
        if test == "antennas":
            return self._antennas()
        if test == "digests":
            assert self._check is not None, "begun before"
            if not self._check.step():
                return None
            return 0 if self._check.wrong else -1
        check = self._checks.get(test)
        return -1 if check is None or check() else 0

    def _readers(self, is_late: bool) -> "int | None":
        for station in self._table.stations:
            if station.test == TESTING and not is_late:
                return None
        for station in self._table.stations:
            if station.test != PASSED:
                station.test = FAILED
                return station.number
        return -1

    def _antennas(self) -> int:
        for station in self._table.stations:
            if station.bad_antennas:
                return station.bad_antennas[0]
        return -1
