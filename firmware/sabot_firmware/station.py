"""One RFID reader at its place: asks its antennas in turn and hands each inventory to whoever knows what it means.

Owns the turn of antennas, the count of failures and the faults of the reader and of its antennas. Knows no cards:
`feed(now_ms, antenna, uids)` does. Never waits: turn() polls the reader once.
"""

from sabot_firmware.core.ticks import ticks_diff
from sabot_firmware.hal.errors import ReaderError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from sabot_firmware.hal.reader import Reader

    Feed = Callable[[int, int, tuple[bytes, ...]], None]
    Report = Callable[[str, int, bool], None]

# Failures in a row before a reader, or one antenna of several, is called broken: one is noise, and each costs a reset
# of some 20 ms.
BROKEN_AFTER = 3

# A self-test resets the chip and exchanges a handful of frames.
TEST_MS = 2000

# An antenna's fault names it as ANTENNAS times the reader's number plus its own: a multiplexer has 16 (hal/mux.py).
ANTENNAS = 16

UNTESTED, TESTING, PASSED, FAILED = range(4)


class Station:
    """A reader with its antennas; `number` is its number in the config."""

    def __init__(
        self, number: int, reader: "Reader", antennas: "tuple[int, ...]", scan_ms: int, feed: "Feed", report: "Report"
    ) -> None:
        self.number = number
        self.reader = reader
        self.errors = 0
        self.test = UNTESTED
        self._misses: "dict[int, int]" = {}  # failures in a row of each antenna that failed last time
        self._antennas = antennas
        self.scan_ms = scan_ms
        self._feed = feed
        self._report = report
        self._at = 0
        self._failures = 0
        self._started_ms: "int | None" = None
        self._is_asking = False
        self._wants_test = False
        self._test_ms = 0

    @property
    def bad_antennas(self) -> "list[int]":
        """Antennas that failed when they were last asked."""
        return sorted(self._misses)

    def begin_test(self) -> None:
        """Prove the reader as soon as it is free; `test` tells the outcome."""
        self._wants_test = True
        self.test = TESTING

    def turn(self, now_ms: int) -> None:
        """One short step."""
        if not self._is_asking and self.test != TESTING:
            if self._started_ms is not None and ticks_diff(now_ms, self._started_ms) < self.scan_ms:
                return
            self._ask(now_ms)
        elif self._wants_test and not self._is_asking:
            self._wants_test = False
            self._test_ms = now_ms
            self.reader.self_test()
        uids = self._poll(now_ms)
        if uids is not None:
            self._succeeded(now_ms, uids)
        elif self.test == TESTING:
            self._watch_test(now_ms)

    def _ask(self, now_ms: int) -> None:
        self._started_ms = now_ms
        self._is_asking = True
        self.reader.start(self._antennas[self._at])

    def _poll(self, now_ms: int) -> "tuple[bytes, ...] | None":
        try:
            return self.reader.poll(now_ms)
        except ReaderError:
            self._failed()
            return None

    def _watch_test(self, now_ms: int) -> None:
        if not self._wants_test and ticks_diff(now_ms, self._test_ms) > TEST_MS:
            self.test = FAILED

    def _succeeded(self, now_ms: int, uids: "tuple[bytes, ...]") -> None:
        if self._failures:
            self._failures = 0
            self._report("reader", self.number, False)
        if not self._is_asking:
            self.test = PASSED if self.test == TESTING else self.test
            return
        antenna = self._antennas[self._at]
        if antenna in self._misses and self._misses.pop(antenna) >= BROKEN_AFTER:
            self._report("antenna", self._part(antenna), False)
        self._next()
        self._feed(now_ms, antenna, uids)

    def _failed(self) -> None:
        self.errors += 1
        self._failures += 1
        if self._failures == BROKEN_AFTER:
            self._report("reader", self.number, True)
        if self.test == TESTING and not self._wants_test and not self._is_asking:
            self.test = FAILED
            return
        antenna = self._antennas[self._at]
        misses = self._misses[antenna] = self._misses.get(antenna, 0) + 1
        if misses >= BROKEN_AFTER > self._failures:  # the others answer: it is not the reader
            self._report("antenna", self._part(antenna), True)
        self._next()

    def _part(self, antenna: int) -> int:
        return (ANTENNAS * self.number + antenna) & 255

    def _next(self) -> None:
        self._is_asking = False
        self._at = (self._at + 1) % len(self._antennas)
