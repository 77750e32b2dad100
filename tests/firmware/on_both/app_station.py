"""A reader that fails is a fault, an antenna that fails among good ones is one too, and each ends when it answers."""

from sabot_firmware.hal.errors import ReaderError
from sabot_firmware.station import BROKEN_AFTER, Station


class Reader:
    """Answers at once; fails on the antennas in `dead`."""

    limit = 48
    errors = 0
    refused = 0
    is_busy = False

    def __init__(self) -> None:
        self.dead: tuple[int, ...] = ()
        self.antenna = 0

    def start(self, antenna: int) -> None:
        self.antenna = antenna

    def poll(self, now_ms: int) -> "tuple[bytes, ...]":
        assert now_ms >= 0
        if self.antenna in self.dead:
            raise ReaderError("no_ack")
        return ()

    def reset(self) -> None:
        return

    def self_test(self) -> None:
        return


class Post:
    """A station with four antennas on a reader numbered 1, and what it reported."""

    def __init__(self) -> None:
        self.reader = Reader()
        self.told: list[tuple[str, int, bool]] = []
        self.fed: list[int] = []
        self.now = 0
        self.station = Station(1, self.reader, (0, 1, 2, 3), 25, self.feed, self.report)

    def feed(self, _now_ms: int, antenna: int, _uids: "tuple[bytes, ...]") -> None:
        self.fed.append(antenna)

    def report(self, code: str, part: int, is_active: bool) -> None:
        if (code, part, is_active) not in self.told[-1:]:
            self.told.append((code, part, is_active))

    def scan(self, rounds: int, *dead: int) -> "Post":
        self.reader.dead = dead
        self.fed = []
        for _ in range(4 * rounds):
            self.now += 25
            self.station.turn(self.now)
        return self


def test_one_dead_antenna_is_told_by_its_number_and_the_others_are_read() -> None:
    post = Post().scan(BROKEN_AFTER - 1, 2)
    assert post.told == [("reader", 1, False)]  # a failure ended, as far as the reader goes
    post.told = []
    post.scan(3, 2)
    assert ("antenna", 16 + 2, True) in post.told
    assert post.fed == [0, 1, 3] * 3
    assert post.station.bad_antennas == [2]
    post.told = []
    post.scan(2)
    assert ("antenna", 16 + 2, False) in post.told
    assert post.station.bad_antennas == []


def test_a_dead_reader_is_the_readers_fault_not_that_of_each_antenna() -> None:
    post = Post().scan(6, 0, 1, 2, 3)
    assert post.told == [("reader", 1, True)]
    post.scan(2)
    assert ("reader", 1, False) in post.told


def test_a_missed_answer_now_and_then_is_no_fault() -> None:
    post = Post()
    for _ in range(10):
        post.scan(1, 3).scan(1)
    assert [told for told in post.told if told[2]] == []
