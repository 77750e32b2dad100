"""A spot is told when its content stood still: once, complete, and never while a tag is seen in two places."""

from firmware.on_both.seeded import Seeded
from sabot_firmware.core.spots import LOST_MS, SETTLE_MS, UNSTABLE_MS, Spots
from sabot_firmware.core.ticks import MASK, ticks_add
from sabot_firmware.core.uid import parts_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

A, B, C = b"\xe0AAAAAAA", b"\xe0BBBBBBB", b"\xe0CCCCCCC"
LABELS = ((1, "ante"), (1, "play"), (2, "ante"))


class Felt:
    """Scans three spots in turn, 25 ms each, and collects what is told; the ticks wrap on the way."""

    def __init__(self, max_tags: int = 192) -> None:
        self.now = MASK - 3000
        self.spots = Spots(LABELS, self.now, max_tags)
        self.told: list[tuple[Any, ...]] = []
        self.doubted: list[tuple[Any, ...]] = []

    def scan(self, ms: int, *contents: "tuple[bytes, ...]") -> "Felt":
        for _ in range(ms // 75):
            for at in range(3):
                self.spots.feed(self.now, at, contents[at] if at < len(contents) else ())
                self.now = ticks_add(self.now, 25)
                self.doubted += self.spots.doubts(self.now)
                self.told += self.spots.due(self.now)
        return self


def settled(*contents: "tuple[bytes, ...]") -> Felt:
    felt = Felt().scan(1500, *contents)
    felt.told = []
    return felt


def test_after_a_start_every_spot_is_told_once() -> None:
    felt = Felt().scan(4000, (B, A))
    assert sorted(felt.told) == [(1, "ante", (A, B)), (1, "play", ()), (2, "ante", ())]
    assert felt.doubted == []


def test_a_chip_put_down_and_taken_away_is_told_as_the_full_content() -> None:
    felt = settled((A,))
    assert felt.scan(1500, (A, B)).told == [(1, "ante", (A, B))]
    assert felt.scan(LOST_MS + SETTLE_MS + 300, (B,)).told[1:] == [(1, "ante", (B,))]


def test_a_content_is_not_told_before_it_stood_still() -> None:
    felt = settled()
    assert felt.scan(375, (A,)).told == []
    assert felt.scan(375, (A, B)).told == []
    assert felt.scan(900, (A, B, C)).told == [(1, "ante", (A, B, C))]


def test_a_ghost_read_once_is_never_part_of_a_spot() -> None:
    felt = settled((A,))
    assert felt.scan(75, (A, B)).scan(5000, (A,)).told == []


def test_a_shadowed_chip_is_not_lost() -> None:
    felt = settled((A, B))
    for _ in range(20):
        felt.scan(1050, (A,)).scan(75, (A, B))
    assert felt.told == []


def test_a_chip_that_moves_to_another_spot_is_told_on_both() -> None:
    felt = settled((A,))
    felt.scan(2000, (), (A,))
    assert sorted(felt.told) == [(1, "ante", ()), (1, "play", (A,))]
    assert felt.doubted == []


def test_a_tag_on_two_antennas_is_doubt_until_one_loses_it() -> None:
    felt = settled((A,))
    felt.scan(3000, (A,), (A,))
    assert felt.told == []
    assert sorted(felt.doubted) == [(1, "ante", (A,), "neighbour"), (1, "play", (A,), "neighbour")]
    felt.scan(2000, (A,), ())
    assert sorted(felt.told) == [(1, "ante", (A,)), (1, "play", ())], "told again, though unchanged"
    assert len(felt.doubted) == 2


def test_a_spot_that_never_stands_still_is_doubtful_once() -> None:
    felt = settled()
    for turn in range(UNSTABLE_MS // 150 + 40):
        felt.scan(150, (bytes([0xE0, turn, 1, 1, 1, 1, 1, 1]),))
    assert felt.told == []
    assert felt.doubted == [(1, "ante", (), "unstable")]
    assert felt.scan(3000, (A,)).told == [(1, "ante", (A,))]


def test_a_spot_whose_reader_is_silent_says_nothing_at_all() -> None:
    spots = Spots(LABELS, 0)
    for now in range(0, 3 * UNSTABLE_MS, 500):
        assert (spots.due(now), spots.doubts(now)) == ((), ())
    for now in range(3 * UNSTABLE_MS, 3 * UNSTABLE_MS + 300, 75):
        spots.feed(now, 0, (A,))
        assert (spots.due(now), spots.doubts(now)) == ((), ()), "its first change is no instability"


def test_nonsense_on_a_spot_is_doubt_and_ends_when_it_ends() -> None:
    felt = settled((A,))
    felt.scan(1500, (A, b"\x00" * 8))
    assert felt.told == []
    assert felt.doubted == [(1, "ante", (), "unreadable")]
    assert felt.scan(1500, (A,)).told == [(1, "ante", (A,))]


def test_more_tags_than_can_be_kept_are_doubt_not_a_crash() -> None:
    felt = Felt(max_tags=4)
    many = tuple(bytes([0xE0, number, 1, 1, 1, 1, 1, 1]) for number in range(9))
    felt.scan(1500, many)
    assert felt.doubted == [(1, "ante", (), "too_many")]
    assert (1, "ante", many[:4]) not in felt.told


def test_the_shoe_can_ask_whether_a_tag_is_on_the_felt() -> None:
    felt = settled((A,))
    assert felt.spots.has(A)
    assert not felt.spots.has(B)


def test_an_idle_felt_survives_the_wrap_of_the_ticks() -> None:
    felt = settled((A,))
    for _ in range(30):
        felt.now = ticks_add(felt.now, 1 << 28)
        felt.scan(75, (A,))
    assert felt.told == []
    assert felt.scan(1500, (A, B)).told == [(1, "ante", (A, B))]


def test_shuffled_doubled_and_missing_reads_change_nothing_by_seed() -> None:
    for seed in range(25):
        random = Seeded(seed)
        truth = [bytes([0xE0, number, seed, 1, 1, 1, 1, 1]) for number in range(1 + random.below(14))]
        felt = Felt()
        missed: set[bytes] = set()
        for _ in range(60):
            uids = []
            for uid in truth:
                if uid not in missed and random.chance(20):
                    missed.add(uid)
                else:
                    missed.discard(uid)
                    uids += [uid] * (1 + random.below(2))
            random.shuffle(uids)
            felt.scan(75, tuple(uids))
        assert [told for told in felt.told if told[:2] == (1, "ante")] == [(1, "ante", tuple(sorted(truth)))], seed
        assert felt.doubted == []


def test_long_contents_come_in_parts() -> None:
    uids = tuple(bytes([number, 1, 1, 1]) for number in range(70))
    parts = parts_of(uids)
    assert [(part, of, len(some)) for part, of, some in parts] == [(1, 3, 32), (2, 3, 32), (3, 3, 6)]
    assert parts[0][2] + parts[1][2] + parts[2][2] == uids
    assert parts_of(()) == [(1, 1, ())]


def test_a_slow_scan_does_not_lose_a_chip_that_was_missed_once_or_twice() -> None:
    spots = Spots(LABELS, 0)
    now = 0
    told = []
    for uids in ((A, B), (A, B), (A, B), (A,), (A,), (A, B), (A,), (A, B)):
        spots.feed(now, 0, uids)
        now += 2 * LOST_MS
        told += list(spots.due(now))
    assert told == [(1, "ante", (A, B))]


def test_a_neighbour_that_bleeds_never_takes_a_chip_by_a_missed_read() -> None:
    for seed in range(20):
        random = Seeded(seed)
        felt = settled((A,))
        has_missed = False
        for _ in range(80):
            has_missed = not has_missed and random.chance(40)
            felt.scan(75, () if has_missed else (A,), (A,))
        assert felt.told == [], seed
        assert (1, "play", (A,), "neighbour") in felt.doubted
