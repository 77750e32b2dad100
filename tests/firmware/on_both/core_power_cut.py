"""Power fails after every single byte and in every erase: nothing stored is lost, doubled, moved or renumbered."""

from firmware.on_both.core_outbox import drained, lost_event
from firmware.on_both.seeded import Seeded
from sabot_firmware.core.outbox import Outbox
from sabot_firmware.fake.flash_store import FlashStore, PowerLostError


class Witness:
    """Remembers what the outbox promised, and holds it to that after every restart."""

    def __init__(self) -> None:
        self.stored: dict[int, bytes] = {}
        self.on_the_way = b""
        self.newest = 0
        self.boot = 0
        self.acked = 0
        self.mark = 0
        self.asked_mark = 0
        self.opened_at = 0

    def append(self, outbox: Outbox, event: bytes) -> None:
        self.on_the_way = event
        number = outbox.append(event)
        assert number > self.newest, "a number was given twice"
        self.newest = number
        self.stored[number] = event

    def ack(self, outbox: Outbox, upto: int) -> None:
        self.acked = max(self.acked, upto)
        # An ack of this boot frees all earlier ones, so what is older is acknowledged as the boot before it.
        assert outbox.ack(outbox.boot if upto > self.opened_at else outbox.boot - 1, upto)

    def remember(self, outbox: Outbox, mark: int) -> None:
        self.asked_mark = mark
        outbox.remember(mark)
        self.mark = mark

    def check(self, outbox: Outbox) -> None:
        assert outbox.mark in (self.mark, self.asked_mark), "a mark went backwards or was made up"
        self.mark = self.asked_mark = outbox.mark
        assert outbox.boot > self.boot, "a boot was counted twice"
        self.boot = outbox.boot
        assert outbox.acked <= self.acked, "an ack may be forgotten, never made up"
        found = drained(outbox)
        numbers = [number for number, _, _ in found]
        assert numbers == list(range(outbox.floor + 1, outbox.newest + 1)), "in order, once, without a gap"
        assert outbox.newest >= self.newest
        reports = []
        unknown = []
        for number, boot, event in found:
            assert boot <= outbox.boot
            if number in self.stored:
                assert event == self.stored[number]
            elif event[:5] == b"lost ":
                first, last = event[5:].split(b"-")
                reports.append((int(first), int(last)))
            else:
                unknown.append(event)
                self.stored[number] = event
        assert unknown in ([], [self.on_the_way]), "only the event that was being stored may be there unasked"
        self.on_the_way = b""
        if outbox.has_overflowed:
            assert reports[-1][1] == outbox.floor, "the report names the last number lost"
            assert reports[-1][0] <= self.acked + 1, "and begins at the last ack"
        else:
            for number in self.stored:
                assert number in numbers or number <= self.acked, "an event was lost"
        self.newest = self.opened_at = outbox.newest


def act(witness: Witness, outbox: Outbox, random: Seeded, acks: int) -> None:
    """One random deed: store, acknowledge or tend."""
    deed = random.below(11)
    if deed < 7:
        witness.append(outbox, b"event " + random.bytes(random.below(30)))
    elif deed < 9 and random.chance(acks):
        if outbox.newest > outbox.acked:
            witness.ack(outbox, outbox.acked + 1 + random.below(outbox.newest - outbox.acked))
    elif deed == 10:
        witness.remember(outbox, witness.mark + 1 + random.below(3))
    else:
        outbox.tend()


def cut_at(step: int, seed: int, deeds: int, acks: int, cuts: int) -> bool:
    """Run by a seed, cut at a step, then `cuts` more times while recovering; False when the run ended first."""
    store = FlashStore(160, 4, seed * 7919 + step + 1)
    random = Seeded(seed)
    witness = Witness()
    store.cut_after(step)
    was_cut = True
    try:
        outbox = Outbox(store, lost_event)
        witness.boot = outbox.boot
        for _ in range(deeds):
            act(witness, outbox, random, acks)
        was_cut = False
    except PowerLostError:
        pass
    for _ in range(cuts):
        store.power_on()
        store.cut_after(random.below(70))
        opens(store)
    store.power_on()
    again = Outbox(store, lost_event)
    witness.check(again)
    witness.append(again, b"afterwards")
    assert store.overwrites == 0, "a cell was programmed twice without an erase"
    return was_cut


def opens(store: FlashStore) -> bool:
    try:
        Outbox(store, lost_event)
    except PowerLostError:
        return False
    return True


def every_cut(seed: int, deeds: int, acks: int, cuts: int) -> int:
    step = 0
    while cut_at(step, seed, deeds, acks, cuts):
        step += 1
    return step


def test_a_cut_at_every_step_of_a_run_with_acks() -> None:
    assert every_cut(1, 40, 100, 0) > 700


def test_a_cut_at_every_step_of_a_run_that_overflows() -> None:
    assert every_cut(2, 45, 0, 0) > 900


def test_a_cut_at_every_step_and_again_while_recovering() -> None:
    assert every_cut(3, 30, 40, 2) > 500


def test_long_runs_with_cuts_at_random() -> None:
    for seed in range(1, 7):
        long_run(seed)


def long_run(seed: int) -> None:
    random = Seeded(100 + seed)
    store = FlashStore(160 + 32 * (seed % 3), 3 + seed % 4, seed)
    witness = Witness()
    acks = (100, 60, 0)[seed % 3]
    cuts = 0
    while cuts < 40:
        store.cut_after(random.below(1500))
        try:
            outbox = Outbox(store, lost_event)
            store.cut_after(-1)
            witness.check(outbox)
            keep_what_waits(witness, outbox)
            store.cut_after(random.below(1500))
            while True:
                act(witness, outbox, random, acks)
        except PowerLostError:
            cuts += 1
            store.power_on()
    assert max(store.erases) - min(store.erases) <= 2 + cuts, "a torn erase is repeated, nothing else"


def keep_what_waits(witness: Witness, outbox: Outbox) -> None:
    """Forget what was acknowledged or lost, so that a long run stays small."""
    for number in [number for number in witness.stored if number <= outbox.floor]:
        del witness.stored[number]
