"""kill -9 of the gateway at hundreds of random instants while five games are played: nothing lost, nothing twice."""

import os
import random
import signal
import time
from pathlib import Path

import pytest

from gateway_proof.proof_audit import Ledger, audit
from gateway_proof.proof_controller import Floor
from gateway_proof.proof_house import DEADLINE_S, ProofHouse, Zygote
from gateway_proof.proof_report import Report
from services.mosquitto import Mosquitto
from services.postgres import Postgres

pytestmark = pytest.mark.slow

SEED = int(os.environ.get("SABOT_SEED", "1118"))
KILLS = int(os.environ.get("SABOT_KILLS", "250"))
SERVER_SHARE = 5  # of these kills one in so many more with the journal in PostgreSQL
START_S = 0.15  # about what a start takes: a third of the kills fall into it
RUN_S = 0.12
PACE_MS = 20  # between two things at a table: some 300 events a second on the floor
IN_ORDER = 12  # every so often it is told to stop instead, and leaves snapshots for the next start


def wait_for_progress(floor: Floor) -> None:
    """Until something new is acknowledged: the gateway under way has come as far as that."""
    before, limit = sum(floor.acked.values()), time.monotonic() + DEADLINE_S
    while sum(floor.acked.values()) == before:
        assert time.monotonic() < limit, f"nothing was acknowledged any more: {floor.acked}"
        assert floor.defect is None
        time.sleep(0.001)


def killed_again_and_again(house: ProofHouse, port: int, journal: Path | str, kills: int) -> dict[str, int]:
    """Plays and kills, looks after each kill, and audits the end; the counts."""
    dice = random.Random(SEED)
    house.seat_players()
    zygote = Zygote(house)
    floor = house.floor(port)
    ledger = Ledger(journal, floor.acked)
    try:
        for kill in range(1, kills + 1):
            zygote.start()
            if kill % IN_ORDER == 0:
                zygote.wait_until_ready()
                wait_for_progress(floor)
                assert zygote.end(signal.SIGTERM) == 0, zygote.said()
                zygote.start()
            if dice.random() < 1 / 3:
                time.sleep(dice.uniform(0, START_S))
            else:
                wait_for_progress(floor)
                time.sleep(dice.uniform(0, RUN_S))
            assert zygote.end() == -signal.SIGKILL, zygote.said()
            ledger.holds(floor.acked)
        zygote.start()
        zygote.wait_until_ready()
        floor.finish()
        assert zygote.end(signal.SIGTERM) == 0
    finally:
        floor.stop()
        zygote.close()
    counts = audit(journal, house.controllers)
    assert [controller.acked_ahead for controller in house.controllers] == [0] * 5
    assert counts["coups"] > kills // 4, "hardly anything was played"
    return counts


def test_killed_at_any_instant_it_loses_nothing_and_settles_nothing_twice(
    tmp_path: Path, mosquitto: Mosquitto, report: Report
) -> None:
    house = ProofHouse(tmp_path / "house", mosquitto.port, pace_ms=PACE_MS)
    counts = killed_again_and_again(house, mosquitto.port, house.journal, KILLS)
    report(f"seed {SEED}: {KILLS} kills, then {counts}")


def test_killed_at_any_instant_with_its_journal_in_postgresql_it_loses_nothing_either(
    tmp_path: Path, mosquitto: Mosquitto, postgres: Postgres, report: Report
) -> None:
    postgres.query("CREATE DATABASE killed_gateway")
    address = f"postgresql://{postgres.user}@{postgres.host}:{postgres.port}/killed_gateway"
    more = f'[store]\npostgresql = "{address}"\n\n'
    house = ProofHouse(tmp_path / "house", mosquitto.port, more=more, pace_ms=PACE_MS)
    kills = KILLS // SERVER_SHARE
    counts = killed_again_and_again(house, mosquitto.port, address, kills)
    report(f"seed {SEED}: {kills} kills, then {counts}")
