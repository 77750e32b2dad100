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


def told_in_order(felt: Felt, contents: "dict[tuple[int, str], tuple[bytes, ...]]") -> None:
    """After every word that was said, no tag stands on two spots; in the end each stands where it lies."""
    standing = dict(contents)
    for seat, spot, uids in felt.told:
        standing[seat, spot] = uids
        everything = [uid for some in standing.values() for uid in some]
        assert len(everything) == len(set(everything)), felt.told


def test_a_pushed_chip_is_told_gone_before_it_is_told_there() -> None:
    for start in range(8):
        for source, target in ((0, 1), (1, 0), (0, 2), (2, 0), (2, 1)):
            contents: list[tuple[bytes, ...]] = [(), (), ()]
            contents[source] = (A, B, C)
            felt = settled(*contents)
            before = {LABELS[at]: contents[at] for at in range(3)}
            felt.now = ticks_add(felt.now, 11 * start)
            contents[source], contents[target] = (B,), (A, C)
            felt.scan(1500, *contents)
            assert felt.told == [LABELS[source] + ((B,),), LABELS[target] + ((A, C),)], (source, target)
            assert felt.doubted == []
            told_in_order(felt, before)


def test_a_slow_scan_tells_a_pushed_chip_gone_first_too() -> None:
    for source, target in ((0, 1), (1, 0), (0, 2), (2, 0)):
        for lag in range(3):
            spots = Spots(LABELS, 0)
            told: list[tuple[Any, ...]] = []
            for turn in range(60 + lag):
                lies = source if turn < 30 + lag else target
                spots.feed(520 * turn // 3, turn % 3, (A,) if turn % 3 == lies else ())
                told += spots.due(520 * turn // 3)
                assert spots.doubts(520 * turn // 3) == ()
            assert told[3:] == [LABELS[source] + ((),), LABELS[target] + ((A,),)], (source, target, lag)


def test_two_chips_that_change_places_are_never_told_twice() -> None:
    felt = settled((A,), (B,))
    felt.scan(2000, (B,), (A,))
    told_in_order(felt, {LABELS[0]: (A,), LABELS[1]: (B,)})
    assert {told[:2]: told[2] for told in felt.told} == {LABELS[0]: (B,), LABELS[1]: (A,)}


def test_a_chip_is_told_gone_from_a_spot_that_is_still_in_motion() -> None:
    felt = settled((A, B))
    for turn in range(12):
        felt.scan(150, (B, bytes([0xE0, turn, 1, 1, 1, 1, 1, 1])), (A,))
    assert felt.told[:2] == [(1, "ante", (B,)), (1, "play", (A,))], "without what comes and goes there"
    told_in_order(felt, {LABELS[0]: (A, B)})


def test_a_chip_that_leaves_a_doubtful_spot_leaves_the_doubt_behind() -> None:
    felt = settled((A, B))
    felt.scan(1500, (A, B, b"\x00" * 8))
    felt.scan(1500, (B, b"\x00" * 8), (A,))
    assert felt.told == [(1, "ante", (B,)), (1, "play", (A,))]
    assert felt.doubted == [(1, "ante", (), "unreadable"), (1, "ante", (), "unreadable")]


def test_a_chip_pushed_out_and_drawn_back_is_no_doubt() -> None:
    felt = settled((A,))
    felt.scan(75, (), (A,)).scan(2000, (A,))
    assert (felt.told, felt.doubted) == ([], [])


def test_a_single_read_elsewhere_does_not_move_a_shadowed_chip() -> None:
    felt = settled((A,))
    felt.scan(75, ()).scan(75, (), (A,)).scan(300, ()).scan(1500, (A,))
    assert (felt.told, felt.doubted) == ([], [])


def test_pushed_chips_by_seed_are_never_told_on_two_spots() -> None:
    for seed in range(40):
        random = Seeded(seed)
        chips = [bytes([0xE0, number, seed, 1, 1, 1, 1, 1]) for number in range(1 + random.below(9))]
        lies = [random.below(3) for _ in chips]
        felt = Felt()
        missed: set[int] = set()
        for _ in range(12):
            for chip in range(len(chips)):
                if random.chance(30):
                    lies[chip] = random.below(3)
            for _ in range(1 + random.below(30)):
                contents: list[list[bytes]] = [[], [], []]
                for chip in range(len(chips)):
                    if chip not in missed and random.chance(15):
                        missed.add(chip)
                    else:
                        missed.discard(chip)
                        contents[lies[chip]].append(chips[chip])
                felt.scan(75, *[tuple(some) for some in contents])
        there = [tuple(sorted([chips[at] for at in range(len(chips)) if lies[at] == spot])) for spot in range(3)]
        felt.scan(4000, *there)
        told_in_order(felt, {})
        standing = {(told[0], told[1]): told[2] for told in felt.told}
        assert [standing[label] for label in LABELS] == there, seed


def test_a_tag_on_two_antennas_is_doubt_until_one_loses_it() -> None:
    felt = settled((A,))
    felt.scan(3000, (A,), (A,))
    assert felt.told == []
    assert sorted(felt.doubted) == [(1, "ante", (A,), "neighbour"), (1, "play", (A,), "neighbour")]
    felt.scan(2000, (A,), ())
    assert sorted(felt.told) == [(1, "ante", (A,)), (1, "play", ())], "told again, though unchanged"
    assert len(felt.doubted) == 2


def test_a_tag_on_three_antennas_is_doubt_on_all_of_them() -> None:
    felt = settled((A,))
    felt.scan(3000, (A,), (A,), (A,))
    assert felt.told == []
    assert sorted(felt.doubted) == [(seat, spot, (A,), "neighbour") for seat, spot in LABELS]
    felt.scan(2500, (), (), (A,))
    assert felt.told[-1] == (2, "ante", (A,))
    assert sorted(felt.told) == [(1, "ante", ()), (1, "play", ()), (2, "ante", (A,))]


def test_an_exchanged_chip_is_never_told_together_with_the_new_one() -> None:
    felt = settled((A, C))
    assert felt.scan(LOST_MS + SETTLE_MS + 600, (B, C)).told == [(1, "ante", (B, C))]


def test_a_chip_that_comes_back_is_never_told_together_with_the_one_in_its_place() -> None:
    felt = settled((A,))
    felt.scan(LOST_MS - 150, (B,))  # not yet lost
    felt.scan(LOST_MS + SETTLE_MS + 600, (A,))
    assert (1, "ante", tuple(sorted((A, B)))) not in felt.told


def test_a_chip_that_leaves_together_with_a_pushed_one_is_not_told_alone() -> None:
    felt = settled((A, B))
    felt.scan(LOST_MS + SETTLE_MS + 600, (), (B,))
    assert felt.told == [(1, "ante", ()), (1, "play", (B,))]


def test_a_chip_read_here_while_its_old_antenna_is_silent_is_doubt() -> None:
    felt = settled((A,))
    for _ in range(UNSTABLE_MS // 75 + 40):
        felt.now = ticks_add(felt.now, 75)
        felt.spots.feed(felt.now, 1, (A,))
        felt.told += felt.spots.due(felt.now)
        felt.doubted += felt.spots.doubts(felt.now)
    assert felt.told == []
    assert felt.doubted == [(1, "play", (), "unstable")]
    felt.scan(2500, (), (A,))
    assert felt.told == [(1, "ante", ()), (1, "play", (A,))]


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
