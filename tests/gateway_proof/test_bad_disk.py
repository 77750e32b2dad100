"""A disk that is full, read-only or damaged under the whole gateway: it says so, acknowledges nothing, and recovers."""

import os
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from gateway_proof.proof_audit import house_alarms, told_by
from gateway_proof.proof_controller import Controller
from gateway_proof.proof_evening import Evening
from gateway_proof.proof_house import DEADLINE_S, ProofHouse
from sabot_gateway.model.game import Game
from services.mosquitto import Mosquitto

pytestmark = pytest.mark.slow

GAMES = (Game.STU, Game.UTH)
READ_ONLY = "The journal cannot be written: it is read-only."
FULL = "There is no space left for the journal."


class SmallDisk:
    """Sixteen megabytes of their own, which a ballast fills to the last byte."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(0o700)
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m,mode=0700", "tmpfs", str(folder)], check=True)

    def fill(self) -> None:
        with (self.folder / "ballast").open("wb", buffering=0) as ballast:
            for size in (1 << 20, 1 << 12, 1):
                try:
                    while True:
                        ballast.write(bytes(size))
                except OSError:
                    continue

    def make_room(self) -> None:
        (self.folder / "ballast").unlink()

    def close(self) -> None:
        subprocess.run(["umount", "--lazy", str(self.folder)], check=True)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[SmallDisk]:
    disk = SmallDisk(tmp_path / "disk")
    yield disk
    disk.close()


def wait_for(found: Callable[[], bool], what: str, evening: Evening) -> None:
    limit = time.monotonic() + DEADLINE_S
    while not found():
        assert time.monotonic() < limit, f"never {what}: {evening.gateway.ask('/readyz')}\n{evening.gateway.said()}"
        assert evening.gateway.is_running, evening.gateway.said()
        time.sleep(0.02)


def is_faulty(controller: Controller) -> bool:
    """Every seat in the rhythm of a fault, and a sentence on the display."""
    lamps = controller.lamps
    has_rhythm = bool(lamps["picture"]) and all(lamp["pattern"] == "fault" for lamp in lamps["picture"])
    return has_rhythm and lamps["display"][0]["en"] == "STOP PLAY: the journal fails"


def test_a_full_disk_stops_the_acks_lights_the_fault_lamps_and_passes(
    tmp_path: Path, mosquitto: Mosquitto, disk: SmallDisk
) -> None:
    house = ProofHouse(tmp_path / "house", mosquitto.port, GAMES, data=disk.folder / "data", pace_ms=10)
    evening = Evening(house, mosquitto.port)
    gateway = evening.gateway
    try:
        evening.wait_for_events(200)
        disk.fill()
        wait_for(lambda: gateway.ask("/readyz")[0] == 503, "not ready", evening)
        assert FULL in gateway.ask("/readyz")[1]
        assert "sabot_journal_is_well 0" in gateway.ask("/metrics")[1]
        assert gateway.ask("/healthz")[0] == 200
        wait_for(lambda: all(map(is_faulty, house.controllers)), "fault lamps everywhere", evening)
        wait_for(lambda: any(said.startswith(FULL) for said in gateway.sentences()), "said in the log", evening)
        evening.ledger.holds(evening.floor.acked)
        disk.make_room()
        wait_for(lambda: gateway.ask("/readyz")[0] == 200, "ready again", evening)
        evening.wait_for_events(200)
        wait_for(lambda: not any(map(is_faulty, house.controllers)), "lamps of play", evening)
        evening.end()
    finally:
        evening.abandon()
    assert "JOURNAL_FAULT" in house_alarms(house.journal)
    said = gateway.sentences()
    assert "The journal is written again." in said
    stumbled = any(each.startswith("The views cannot follow") for each in said)  # they may have had nothing to write
    assert ("The views follow the journal again." in said) == stumbled


def test_a_start_on_a_full_disk_is_one_sentence_or_a_gateway_that_waits(
    tmp_path: Path, mosquitto: Mosquitto, disk: SmallDisk
) -> None:
    """Whatever it can do with no byte left, it acknowledges nothing, and goes on when there is room."""
    house = ProofHouse(tmp_path / "house", mosquitto.port, GAMES, data=disk.folder / "data", pace_ms=10)
    evening = Evening(house, mosquitto.port)
    try:
        evening.wait_for_events(200)
        evening.gateway.stop(signal.SIGKILL)
        disk.fill()
        gateway = evening.gateway = house.process()
        limit = time.monotonic() + DEADLINE_S
        while gateway.is_running and gateway.ask("/readyz")[0] != 503:
            assert time.monotonic() < limit
            time.sleep(0.02)
        if not gateway.is_running:
            assert gateway.stop() == 1, gateway.said()  # a supervisor starts it again, until there is room
            assert gateway.said().splitlines()[-1].startswith("sabot gateway: "), gateway.said()
            assert "Traceback" not in gateway.said()
        evening.ledger.holds(evening.floor.acked)
        disk.make_room()
        if not gateway.is_running:
            evening.gateway = house.process()
        evening.gateway.wait_until_ready()
        evening.wait_for_events(200)
        evening.end()
    finally:
        evening.abandon()


def test_a_read_only_data_folder_is_one_sentence_and_loses_nothing(
    tmp_path: Path, mosquitto: Mosquitto, disk: SmallDisk
) -> None:
    house = ProofHouse(tmp_path / "house", mosquitto.port, GAMES, data=disk.folder / "data", pace_ms=10)
    evening = Evening(house, mosquitto.port)
    try:
        evening.wait_for_events(200)
        assert evening.gateway.stop() == 0
        subprocess.run(["mount", "-o", "remount,ro", str(disk.folder)], check=True)
        gateway = house.process()
        assert gateway.stop(signal.SIGCONT) == 1
        (sentence,) = [line for line in gateway.said().splitlines() if line.startswith("sabot gateway: ")]
        assert "cannot be written" in sentence
        assert "Traceback" not in gateway.said()
        evening.ledger.holds(evening.floor.acked)
        subprocess.run(["mount", "-o", "remount,rw", str(disk.folder)], check=True)
        evening.gateway = house.process().wait_until_ready()
        evening.wait_for_events(100)
        evening.end()
    finally:
        evening.abandon()


def test_a_disk_remounted_read_only_under_a_running_gateway_stops_the_acks_and_passes(
    tmp_path: Path, mosquitto: Mosquitto
) -> None:
    """The kernel does that after an error of the disk; what it answers then is in `read_only_disk.c`."""
    shim, flag = tmp_path / "read_only_disk.so", tmp_path / "read-only"
    source = Path(__file__).with_name("read_only_disk.c")
    subprocess.run(["gcc", "-shared", "-fPIC", "-O2", "-Wall", "-Werror", "-o", shim, source, "-ldl"], check=True)
    house = ProofHouse(tmp_path / "house", mosquitto.port, GAMES, pace_ms=10)
    house.environment |= {
        "LD_PRELOAD": str(shim),
        "READ_ONLY_FLAG": str(flag),
        "READ_ONLY_FOLDER": str(house.data),
    }
    evening = Evening(house, mosquitto.port)
    gateway = evening.gateway
    try:
        evening.wait_for_events(200)
        flag.touch()
        wait_for(lambda: gateway.ask("/readyz")[0] == 503, "not ready", evening)
        wait_for(lambda: READ_ONLY in gateway.ask("/readyz")[1], "a sentence about the disk", evening)
        assert gateway.ask("/healthz")[0] == 200
        wait_for(lambda: all(map(is_faulty, house.controllers)), "fault lamps everywhere", evening)
        wait_for(lambda: any(said.startswith(READ_ONLY) for said in gateway.sentences()), "said in the log", evening)
        evening.ledger.holds(evening.floor.acked)
        acked = evening.floor.acked
        time.sleep(1)  # two probes of the journal: it stays as it is
        assert evening.floor.acked == acked
        flag.unlink()
        wait_for(lambda: gateway.ask("/readyz")[0] == 200, "ready again", evening)
        evening.wait_for_events(200)
        wait_for(lambda: not any(map(is_faulty, house.controllers)), "lamps of play", evening)
        evening.end()
    finally:
        evening.abandon()
    assert "JOURNAL_FAULT" in house_alarms(house.journal)
    assert "Traceback" not in gateway.said()


def spoil(journal: Path, part: float) -> tuple[int, bytes]:
    """Overwrites one page at this part of the file, as a bad disk does; where it lies, and what is there now."""
    with closing(sqlite3.connect(journal)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (size,) = connection.execute("PRAGMA page_size").fetchone()
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
    with journal.open("r+b") as file:
        offset, damage = int(pages * part) * size, os.urandom(size)
        file.seek(offset)
        file.write(damage)
    return offset, damage


@pytest.mark.parametrize("part", [0.3, 0.6, 0.9])
def test_a_corrupt_page_is_found_by_verify_and_by_the_start_and_never_overwritten(
    tmp_path: Path, mosquitto: Mosquitto, part: float
) -> None:
    house = ProofHouse(tmp_path / "house", mosquitto.port, GAMES, pace_ms=5)
    evening = Evening(house, mosquitto.port)
    try:
        evening.wait_for_events(600)
        evening.gateway.stop(signal.SIGKILL)
        evening.ledger.read_on()
        offset, damage = spoil(house.journal, part)
        gateway = evening.gateway = house.process()
        limit = time.monotonic() + DEADLINE_S
        while gateway.is_running and gateway.ask("/readyz")[0] not in (200, 503):
            assert time.monotonic() < limit
            time.sleep(0.02)
        said = gateway.said()
        if gateway.is_running:
            # The page is one that a start does not read: the tables are followed, and verify has the last word.
            evening.gateway.stop(signal.SIGKILL)
        else:
            assert gateway.stop() == 2, said
            assert "The journal's stored bytes are damaged." in said
            evening.ledger.holds(evening.floor.acked)  # as they were before the page was lost
        assert "Traceback" not in said
        # Pages that are whole may have been written meanwhile; the damaged one is evidence.
        assert house.journal.read_bytes()[offset : offset + len(damage)] == damage
    finally:
        evening.abandon()
    verdict = told_by("verify", house.journal)
    assert not verdict["whole"]
