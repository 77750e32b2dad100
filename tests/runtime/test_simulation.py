"""Hundreds of seeded nights in which everything that can go wrong does, at moments that a dice chooses.

Messages arrive late, twice, out of order or not at all; commits wait, fail, or succeed unheard; the gateway dies
between any two of its steps and is started again on what the journal holds. Real journal, real tables, real scripts.
What must hold afterwards: each event exactly once in the journal, decisions as in a night without trouble, one
settlement per coup, and every controller told that everything is safe only when it is.
"""

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from runtime.gated_journal import GatedJournal
from runtime.pit import Pit, Script, decisions, registers_of, settlements
from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.record import Kind, Stream
from sabot_gateway.journal.sqlite import open_sqlite_journal
from sabot_gateway.journal.stored import StoredJournal
from sabot_gateway.model.effect import RaiseAlert, RecordSettlement, SetLamps
from sabot_gateway.model.registers import Registers
from sabot_gateway.runtime.pump import Pump
from sabot_gateway.runtime.scribe import PROBE_EVERY_MS
from sabot_gateway.transcript.fact import Batch, read_fact

SCRIPTS = ("stu-beaten", "tcp-player-better", "uth-trips-of-a-beaten-hand", "tcf-bonus-trips")
NIGHTS = 200
PER_TEST = 25


@cache
def script(name: str) -> Script:
    return Script(name)


@cache
def registers() -> Registers:
    return registers_of([script(name) for name in SCRIPTS])


class Night:
    """One seeded night of one table over a journal of its own stream."""

    def __init__(self, seed: int, inner: StoredJournal, table: str, name: str) -> None:
        self.dice = random.Random(seed)
        self.journal = GatedJournal(inner)
        self.table = table
        self.pit = Pit({table: script(name)}, registers=registers())
        self.device = self.pit.devices[table]
        self.pit.play(table)
        self.pump = self.pit.gateway(self.journal)
        self.crashes = 0
        self.durable = 0  # what the journal holds of the controller's events, asked after each crash

    def pass_by(self) -> None:
        """Until everything is acknowledged; then everything is allowed to come to rest."""
        for _ in range(4_000):
            self.dice.choice(self.choices())()
            self.pit.carry()
            assert self.device.acked <= self.taken(), "told to be safe before it was durable"
            if self.device.acked == self.device.newest:
                break
        else:
            raise AssertionError(f"the night did not end: {self.device.acked} of {self.device.newest}")
        self.calm()
        self.pit.settle(self.pump)

    def choices(self) -> list[Any]:
        usual = (self.send, self.send, self.send, self.cycle, self.cycle, self.cycle, self.cycle, self.commit)
        return [*usual, self.commit, self.close_gate, self.stumble, self.crash, self.wait]

    def send(self) -> None:
        """Mostly what comes next, sometimes again, sometimes ahead of its time."""
        newest, most = self.device.newest, self.dice.randint(1, 8)
        first = self.device.acked + 1 + self.dice.choice((0, 0, 0, 0, -3, -8, 1, most))
        if 1 <= first <= newest:
            self.pit.send(self.table, first, most)

    def cycle(self) -> None:
        self.pump.cycle()

    def commit(self) -> None:
        self.journal.trouble = None
        self.journal.release(self.dice.choice((1, 1, None)))
        if not self.journal.held:
            self.journal.is_open = self.dice.random() < 0.5

    def close_gate(self) -> None:
        self.journal.is_open = False

    def stumble(self) -> None:
        """The journal answers with an error, whether it wrote or not."""
        code = self.dice.choice((ErrorCode.FULL, ErrorCode.READ_ONLY, ErrorCode.UNAVAILABLE))
        if self.journal.held:
            self.journal.fail(JournalError(code), written=self.dice.randint(0, self.journal.held))
        elif self.dice.random() < 0.3:
            self.journal.trouble = JournalError(code)

    def crash(self) -> None:
        """The process is gone, and with it everything that was not on the disk."""
        if self.dice.random() < 0.6:
            return
        self.journal.lose(self.dice.randint(0, self.journal.held))
        self.journal.trouble, self.journal.is_open = None, True
        self.crashes += 1
        self.pit.broker.stop()
        self.pump = self.pit.gateway(self.journal)
        self.pit.broker.redeliver()

    def wait(self) -> None:
        self.pit.clock.pass_ms(self.dice.choice((10, PROBE_EVERY_MS, 1_100)))

    def calm(self) -> None:
        self.journal.is_open, self.journal.trouble = True, None
        self.journal.release()
        for _ in range(8):
            self.pit.clock.pass_ms(PROBE_EVERY_MS)
            self.pump.cycle()
            self.pit.carry()

    def taken(self) -> int:
        """The last event that is in the journal, as far as it was looked at."""
        if self.device.acked > self.durable:
            self.durable = max(numbers_taken(self.journal, self.table), default=0)
        return self.durable


def numbers_taken(journal: GatedJournal, table: str) -> list[int]:
    """The numbers of the controller's events in the order in which the journal holds them."""
    facts = (read_fact(each.kind, each.body) for each in journal.read(Stream(table)) if each.kind is not Kind.DECISION)
    batches = (fact for fact in facts if isinstance(fact, Batch))
    return [batch.first + at for batch in batches for at in range(batch.skip, len(batch.events))]


def conclusions(journal: GatedJournal, table: str) -> list[Any]:
    """What was decided, without numbers and times that depend on how often the gateway was started."""
    found: list[Any] = []
    for effect in decisions(journal, table):
        match effect:
            case SetLamps(_, picture, display):
                found.append(("lamps", picture, display))
            case RaiseAlert(alert):
                found.append(RaiseAlert(replace(alert, first_ms=0, last_ms=0)))
            case _:
                found.append(effect)
    pictures = [each for each in found if isinstance(each, tuple)]
    others = [each for each in found if not isinstance(each, tuple)]
    # A start shows the standing picture anew.
    return [each for at, each in enumerate(pictures) if not at or pictures[at - 1] != each] + others


@pytest.fixture
def real_journal(tmp_path: Path) -> Iterator[StoredJournal]:
    with open_sqlite_journal(tmp_path / "journal.db") as journal:
        yield journal


@pytest.fixture
def quiet(real_journal: StoredJournal) -> dict[str, list[Any]]:
    """The conclusions of each script on a night without trouble."""
    found = {}
    for number, name in enumerate(SCRIPTS):
        journal, table = GatedJournal(real_journal), f"quiet-{number}"
        pit = Pit({table: script(name)}, registers=registers())
        pump: Pump = pit.gateway(journal)
        pit.settle(pump)
        pit.play(table)
        pit.send_all(table)
        pit.settle(pump)
        assert len(settlements(journal, table)) == 1
        found[name] = conclusions(journal, table)
    return found


@pytest.mark.slow
@pytest.mark.parametrize("start", range(0, NIGHTS, PER_TEST))
def test_a_night_of_crashes_ends_like_a_quiet_one(
    start: int, real_journal: StoredJournal, quiet: dict[str, list[Any]]
) -> None:
    crashes = 0
    for seed in range(start, start + PER_TEST):
        name = SCRIPTS[seed % len(SCRIPTS)]
        night = Night(seed, real_journal, f"night-{seed}", name)
        night.pass_by()
        crashes += night.crashes
        numbers = numbers_taken(night.journal, night.table)
        assert numbers == list(range(1, night.device.newest + 1)), f"seed {seed}"
        assert conclusions(night.journal, night.table) == quiet[name], f"seed {seed}"
        settled = [each for each in decisions(night.journal, night.table) if isinstance(each, RecordSettlement)]
        assert len(settled) == 1, f"seed {seed}"
        assert night.pit.broker.unsettled == {}, f"seed {seed}"
        assert night.pump.scribe.fault is None
    assert crashes > PER_TEST, "hardly anything went wrong"
