"""kill -9 of a writer at random instants: all that was reported durable is there, and nothing is torn."""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

from conftest import ROOT
from sabot_gateway.journal.address import reader_at
from sabot_gateway.journal.record import Stream
from sabot_gateway.journal.sqlite import open_sqlite_journal
from sabot_gateway.journal.verification import verify

KILLS = 30


def write_and_kill(path: Path, delay_s: float) -> dict[str, tuple[int, str]]:
    """Lets a scribe write for a moment after its first receipt; what it reported last, by stream."""
    environment = {**os.environ, "PYTHONPATH": f"{ROOT / 'gateway'}:{ROOT / 'protocol'}"}
    command = [sys.executable, str(Path(__file__).with_name("scribe.py")), str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as scribe:
        assert scribe.stdout
        first = scribe.stdout.readline()
        stop = time.monotonic() + delay_s
        lines = [first]
        while time.monotonic() < stop:
            lines.append(scribe.stdout.readline())
        os.kill(scribe.pid, signal.SIGKILL)
        lines += scribe.stdout.readlines()
    reported: dict[str, tuple[int, str]] = {}
    for line in lines:
        if line.endswith("\n"):
            stream, position, digest = line.split()
            reported[stream] = int(position), digest
    return reported


def test_nothing_reported_durable_is_lost_to_kill_9(tmp_path: Path) -> None:
    path = tmp_path / "journal.db"
    chance = random.Random(20)
    kept: dict[str, tuple[int, str]] = {}
    for _ in range(KILLS):
        kept |= write_and_kill(path, chance.uniform(0, 0.08))
        with reader_at(str(path)) as reader:
            assert verify(reader).findings == ()
        with open_sqlite_journal(path) as journal:
            heads = journal.heads()
            for stream, (position, digest) in kept.items():
                assert heads[Stream(stream)].position >= position
                (record,) = [r for r in journal.read(Stream(stream), position - 1) if r.position == position]
                assert record.hash.hex() == digest
                bodies = [int(record.body) for record in journal.read(Stream(stream))]
                assert bodies == list(range(1, len(bodies) + 1)), "nothing twice, nothing left out"
    assert min(position for position, _ in kept.values()) > KILLS
