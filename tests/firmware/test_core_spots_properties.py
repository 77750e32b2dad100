"""Whatever is laid, pushed, taken, shadowed or seen twice: what the spots tell stays true, and in the end complete.

The felt is scanned antenna by antenna. Where a property says so, chips rest for a few scans once they lie: faster than
that, a hand and a missed read look the same to an antenna.
"""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from sabot_firmware.core.spots import LOST_MISSES, LOST_MS, SETTLE_MS, UNSTABLE_MS, UNSTABLE_READS, Spots
from sabot_firmware.core.ticks import MASK, ticks_add

LABELS = ((1, "ante"), (1, "play"), (2, "ante"), (2, "play"))
NOWHERE = len(LABELS)
CHIPS = tuple(bytes([0xE0, number, 2, 3, 4, 5, 6, 7]) for number in range(6))

Contents = dict[tuple[int, str], tuple[bytes, ...]]
places = st.lists(st.integers(0, NOWHERE), min_size=len(CHIPS), max_size=len(CHIPS))


class Felt:
    """Chips on antennas, a scan over all of them, and everything that was told."""

    def __init__(self, step_ms: int) -> None:
        self.now = MASK - 9000
        self.step_ms = step_ms
        self.spots = Spots(LABELS, self.now)
        self.standing: Contents = {}
        self.told: list[tuple[tuple[int, str], tuple[bytes, ...]]] = []
        self.doubts: list[tuple[int, str, tuple[bytes, ...], str]] = []

    def scan(self, seen: "list[set[int]]") -> None:
        """Ask each antenna once; `seen[antenna]` are the chips that it reads."""
        for antenna in range(len(LABELS)):
            self.now = ticks_add(self.now, self.step_ms)
            self.spots.feed(self.now, antenna, [CHIPS[chip] for chip in sorted(seen[antenna])])
            for seat, spot, uids in self.spots.due(self.now):
                self.standing[seat, spot] = uids
                self.told.append(((seat, spot), uids))
                everywhere = [uid for some in self.standing.values() for uid in some]
                assert len(everywhere) == len(set(everywhere)), "a tag is told on two spots"
            self.doubts += self.spots.doubts(self.now)

    @property
    def scans_to_settle(self) -> int:
        """Scans after which whatever happened is told: the longest way is a loss."""
        cycle = self.step_ms * len(LABELS)
        return 2 * LOST_MISSES + 4 + (LOST_MS + 2 * SETTLE_MS) // cycle


def lying(where: "list[int]") -> "list[set[int]]":
    return [{chip for chip in range(len(CHIPS)) if where[chip] == antenna} for antenna in range(len(LABELS))]


def contents(where: "list[int]") -> Contents:
    return {LABELS[at]: tuple(sorted(CHIPS[chip] for chip in some)) for at, some in enumerate(lying(where))}


steps = st.sampled_from([10, 25, 60, 250, 700])


@settings(deadline=None)
@given(steps, places, st.lists(st.tuples(st.integers(4, 30), places), max_size=8), st.integers(0, 0xFFFF))
def test_only_contents_that_lay_there_are_told_and_the_last_one_is(
    step_ms: int, start: list[int], moves: list[tuple[int, list[int]]], seed: int
) -> None:
    felt = Felt(step_ms)
    luck = random.Random(seed)
    truths: list[Contents] = []
    missed: set[int] = set()
    for scans, where in [(6, start), *moves, (felt.scans_to_settle, moves[-1][1] if moves else start)]:
        truths.append(contents(where))
        for _ in range(scans):
            # A chip is missed now and then, never twice running.
            missed = set(luck.sample(range(len(CHIPS)), luck.randrange(3))) - missed
            felt.scan([some - missed for some in lying(where)])
    assert felt.standing == truths[-1]
    # Moved again and again before it was told, a spot was never still: that is all that may be doubted.
    assert {doubt[3] for doubt in felt.doubts} <= {"unstable"}
    told = {(label, uids) for label, uids in felt.told}
    lay = {(label, uids) for truth in truths for label, uids in truth.items()}
    # Where a chip arrives, the spot that it left is told without it at once, whatever else moves there.
    assert all(
        (label, uids) in lay or any(set(uids) < set(truth[label]) for truth in truths) for label, uids in told
    ), "chips that never lay there together"


@settings(deadline=None)
@given(steps, places, st.data())
def test_chips_exchanged_on_one_spot_are_never_told_together(
    step_ms: int, start: list[int], data: st.DataObject
) -> None:
    felt = Felt(step_ms)
    for _ in range(felt.scans_to_settle):
        felt.scan(lying(start))
    told = len(felt.told)
    taken = data.draw(st.sets(st.integers(0, len(CHIPS) - 1)))
    laid = data.draw(st.sets(st.sampled_from([chip for chip in range(len(CHIPS)) if start[chip] == NOWHERE] or [0])))
    at = data.draw(st.integers(0, NOWHERE - 1))
    where = [
        at if start[chip] == NOWHERE and chip in laid else NOWHERE if chip in taken else start[chip]
        for chip in range(len(CHIPS))
    ]
    for _ in range(felt.scans_to_settle):
        felt.scan(lying(where))
    changed = {label for label in LABELS if contents(start)[label] != contents(where)[label]}
    assert sorted(felt.told[told:]) == sorted((label, contents(where)[label]) for label in changed)


@settings(deadline=None)
@given(steps, places, st.lists(st.lists(st.sets(st.integers(0, 5)), min_size=4, max_size=4), max_size=60), places)
def test_after_any_confusion_what_lies_still_is_told(
    step_ms: int, start: list[int], confusion: list[list[set[int]]], end: list[int]
) -> None:
    felt = Felt(step_ms)
    for _ in range(6):
        felt.scan(lying(start))
    for seen in confusion:
        felt.scan(seen)
    for _ in range(2 * felt.scans_to_settle):
        felt.scan(lying(end))
    assert felt.standing == contents(end)
    quiet = (len(felt.told), len(felt.doubts))
    for _ in range(felt.scans_to_settle):
        felt.scan(lying(end))
    assert (len(felt.told), len(felt.doubts)) == quiet, "told once"


@settings(deadline=None)
@given(steps, st.sets(st.integers(0, 3), min_size=2), st.integers(0, 3))
def test_a_chip_that_several_antennas_see_is_in_doubt_on_each_of_them(
    step_ms: int, antennas: set[int], first: int
) -> None:
    felt = Felt(step_ms)
    for _ in range(felt.scans_to_settle):
        felt.scan(lying([first] + [NOWHERE] * 5))
    told = len(felt.told)
    seeing = antennas | {first}
    for _ in range(felt.scans_to_settle):
        felt.scan([{0} if antenna in seeing else set() for antenna in range(len(LABELS))])
    assert felt.told[told:] == []
    assert sorted(felt.doubts) == sorted((*LABELS[at], (CHIPS[0],), "neighbour") for at in seeing)
    for _ in range(felt.scans_to_settle):
        felt.scan(lying([first] + [NOWHERE] * 5))
    assert sorted(felt.told[told:]) == sorted((LABELS[at], (CHIPS[0],) if at == first else ()) for at in seeing)


@settings(deadline=None)
@given(steps, st.lists(st.lists(st.sets(st.integers(0, 5)), min_size=4, max_size=4), min_size=1, max_size=4))
def test_no_spot_stays_silent_for_long(step_ms: int, pattern: list[list[set[int]]]) -> None:
    # Whatever a felt shows, again and again: each spot is told, or doubted, within a bounded time of its first scan.
    felt = Felt(step_ms)
    cycle = step_ms * len(LABELS)
    scans = 2 * max(UNSTABLE_READS, UNSTABLE_MS // cycle) + felt.scans_to_settle
    for scan in range(scans):
        felt.scan(pattern[scan % len(pattern)])
    heard = {label for label, _ in felt.told} | {(seat, spot) for seat, spot, _, _ in felt.doubts}
    assert heard == set(LABELS)


@settings(deadline=None)
@given(steps, st.lists(st.sampled_from(["", "chip", "nonsense", "both"]), max_size=40))
def test_nonsense_is_told_each_time_and_never_holds_a_spot_for_ever(step_ms: int, readings: list[str]) -> None:
    spots = Spots(LABELS[:1], 0)
    words = {"": [], "chip": [CHIPS[0]], "nonsense": [b"\x00" * 8], "both": [b"\x00" * 8, CHIPS[0]]}
    now = 0
    doubts: list[tuple[int, str, tuple[bytes, ...], str]] = []
    told: list[tuple[int, str, tuple[bytes, ...]]] = []
    for reading in [*readings, *["chip"] * (8 + (LOST_MS + SETTLE_MS) // step_ms)]:
        now += step_ms
        spots.feed(now, 0, words[reading])
        told += spots.due(now)
        doubts += spots.doubts(now)
    assert told[-1] == (1, "ante", (CHIPS[0],))
    assert bool(doubts) == any(reading in ("nonsense", "both") for reading in readings)
