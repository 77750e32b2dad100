"""Two days' worth of coups at one gateway, as fast as it takes them: memory flat, upkeep meanwhile, a restart equal.

Forty coups an hour at one table for two days of sixteen hours are 1,280 coups; here five tables share some more than
that. The hours of the upkeep (checkpoints, copies, removal of old records) are made seconds in the gateway's process.
"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from app.gateway_process import SOURCES, GatewayProcess
from gateway_proof.proof_audit import audit, folded_whole
from gateway_proof.proof_evening import Evening
from gateway_proof.proof_house import ProofHouse
from gateway_proof.proof_report import Report
from sabot_gateway.journal.address import reader_at
from sabot_gateway.journal.record import Stream
from sabot_gateway.journal.sqlite import open_sqlite_journal
from sabot_gateway.model.game import Game
from sabot_gateway.projections.shelf import Shelf
from sabot_gateway.runtime.replay import fold_stream
from services.mosquitto import Mosquitto

pytestmark = pytest.mark.slow

COUPS = int(os.environ.get("SABOT_COUPS", "1600"))
LOOKS = 8
GROWTH_KIB = 12 * 1024  # from a third of the night to its end: caches that fill once, never something per coup

# `sabot gateway` with the hours of its upkeep made seconds, so that two days of it happen too.
HURRIED = """
import sys
from sabot_gateway import upkeep
from sabot_gateway.runtime import table_runner
from sabot_tools.cli import main
upkeep._MINUTE_MS = 2_000
upkeep._HOUR_MS = 2_000
upkeep._RETAIN_EVERY_MS = 3_000
upkeep._DAY_MS = 5_000
table_runner.SNAPSHOT_BETWEEN_COUPS = 80
table_runner.SNAPSHOT_EVERY = 200
sys.exit(main(["gateway", "--config", sys.argv[1]]))
"""


class HurriedProcess(GatewayProcess):
    def __init__(self, config: Path, web_port: int) -> None:
        self.log = config.parent / f"gateway-{time.monotonic_ns()}.log"
        self._base = f"http://127.0.0.1:{web_port}"
        with self.log.open("wb") as output:
            self._process = subprocess.Popen(
                [sys.executable, "-c", HURRIED, str(config)],
                stdout=output,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": SOURCES},
            )


class HurriedHouse(ProofHouse):
    def process(self) -> GatewayProcess:
        return HurriedProcess(self.file, self.web_port)


def rss_kib(pid: int) -> int:
    return int(Path(f"/proc/{pid}/status").read_text().split("VmRSS:")[1].split()[0])


def test_two_days_of_coups_leave_memory_flat_and_a_restart_equal(
    tmp_path: Path, mosquitto: Mosquitto, report: Report
) -> None:
    more = f'\n[store]\nretention_days = 1\ncheckpoint_minutes = 1\nbackup = "{tmp_path}/copies"\nbackup_hours = 1\n'
    house = HurriedHouse(tmp_path / "house", mosquitto.port, tuple(Game), more=more)
    began = time.monotonic()
    evening = Evening(house, mosquitto.port)
    trend = []
    try:
        for look in range(1, LOOKS + 1):
            while sum(each.rings * each.night.coups for each in house.controllers) < COUPS * look // LOOKS:
                evening.wait_for_events(50)
            trend.append(rss_kib(evening.gateway.pid))
        played_s = time.monotonic() - began
        evening.floor.finish()
        assert evening.gateway.stop(signal.SIGKILL) == -signal.SIGKILL
        restarted = time.monotonic()
        evening.gateway = house.process().wait_until_ready()
        restart_s = time.monotonic() - restarted
        evening.floor.finish()
        assert evening.gateway.stop() == 0
    finally:
        evening.abandon()
    coups = sum((each.rings + 1) * each.night.coups for each in house.controllers)
    report(
        f"{coups} coups, {evening.floor.events} events in {played_s:.0f} s; RSS {trend} KiB; "
        f"restart {restart_s:.1f} s; {len(list((tmp_path / 'copies').glob('*.db')))} copies"
    )
    third = trend[LOOKS // 3]
    assert trend[-1] - third < GROWTH_KIB, trend
    with reader_at(str(house.journal)) as reader:
        (removed,) = reader.rows("SELECT first_id FROM clock")[0]
    assert removed > 1, "retention removed nothing"
    assert list((tmp_path / "copies").glob("journal-*Z.db")), "no copy was made"
    evening.ledger.read_on()
    counts = audit(house.journal, house.controllers, evening.ledger)
    assert counts["coups"] == coups
    has_same_state(house, evening)


def has_same_state(house: ProofHouse, evening: Evening) -> None:
    """What a start makes of snapshots and the records that are left is what every record ever written makes."""
    with open_sqlite_journal(house.journal) as journal:
        shelf = Shelf(journal)
        for controller in house.controllers:
            found = fold_stream(journal, Stream(controller.table), shelf)
            whole = folded_whole(evening.ledger, controller.table, shelf)
            assert found.saved_position > 0
            assert not found.differences
            assert (found.fold.position, found.fold.state) == (whole.position, whole.state), controller.table
