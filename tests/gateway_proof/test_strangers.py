"""Two controllers of one name, a clock that jumps, a wrong key, a flood from a stranger: other tables play on."""

import os
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from gateway_proof.proof_audit import alarms, audit, house_alarms
from gateway_proof.proof_controller import Controller, Floor
from gateway_proof.proof_coups import night_of
from gateway_proof.proof_evening import Evening
from gateway_proof.proof_house import DEADLINE_S, ProofHouse
from gateway_proof.proof_report import Report
from gateway_proof.proof_stranger import publish_garbage
from sabot_gateway.journal.address import reader_at
from sabot_gateway.journal.record import Kind, Stream
from sabot_gateway.link.allowance import MOST_MESSAGES
from sabot_gateway.model.game import Game
from sabot_gateway.projections.source import ReaderSource
from sabot_gateway.transcript.house import House, take_house
from services.mosquitto import Mosquitto

pytestmark = pytest.mark.slow

GAMES = (Game.STU, Game.UTH, Game.TCP)
HOUR_MS = 3_600_000


def quarantined(path: Path) -> Counter[str]:
    """How often something was refused, by reason."""
    with reader_at(str(path)) as reader:
        rows = reader.rows("SELECT reason, COUNT(*) FROM quarantine GROUP BY reason")
    return Counter(dict(rows))


def wait_until(found: Callable[[], bool], what: str) -> None:
    limit = time.monotonic() + DEADLINE_S
    while not found():
        assert time.monotonic() < limit, what
        time.sleep(0.02)


def played_on(evening: Evening, *tables: str) -> None:
    """These tables take part in the evening as if nothing were wrong elsewhere."""
    before = evening.floor.acked
    wait_until(
        lambda: all(evening.floor.acked[table] >= before[table] + 60 for table in tables),
        f"stuck: {evening.floor.acked}",
    )


def end_with(evening: Evening, tables: tuple[str, ...]) -> None:
    """Ends the evening and audits the tables that nothing was done to."""
    for controller in evening.house.controllers:
        controller.is_pausing = True
    sound = [each for each in evening.house.controllers if each.table in tables]
    wait_until(
        lambda: all(each.is_resting and each.acked == each.newest for each in sound), f"stuck: {evening.floor.acked}"
    )
    evening.floor.stop()
    assert evening.gateway.stop() == 0, evening.gateway.said()[-2000:]
    audit(evening.house.journal, sound)


def test_two_controllers_with_one_identity_are_both_refused_and_others_play_on(
    tmp_path: Path, mosquitto: Mosquitto
) -> None:
    house = ProofHouse(tmp_path / "house", mosquitto.port, GAMES, pace_ms=5)
    evening = Evening(house, mosquitto.port)
    twin: Floor | None = None
    try:
        evening.wait_for_events(150)
        # The same key in a second board, which has lived another life: a copied configuration.
        one = house.controller("t1")
        other = Controller("t1", (house.folder / "devices/t1-a.key").read_bytes(), night_of(Game.STU), pace_ms=5)
        twin = Floor([other], mosquitto.port, client="t1-copied")
        wait_until(lambda: "TWIN_DEVICE" in house_alarms(house.journal), "no alert for the twin")
        wait_until(lambda: one.refused == "twin_device", "the first was never told why")
        acked = one.acked
        played_on(evening, "t2", "t3")
        assert one.acked == acked, "something of a twin was taken"
        assert quarantined(house.journal)["twin_device"] > 0
        end_with(evening, ("t2", "t3"))
    finally:
        if twin is not None:
            twin.stop()
        evening.abandon()


@pytest.mark.parametrize("hours", [5, -5])
def test_a_controllers_clock_that_jumps_by_hours_is_told_and_costs_nothing(
    tmp_path: Path, mosquitto: Mosquitto, hours: int
) -> None:
    house = ProofHouse(tmp_path / "house", mosquitto.port, GAMES, pace_ms=5)
    for controller in house.controllers:
        controller.jump(6 * HOUR_MS)  # an uptime that leaves room for a jump back
    evening = Evening(house, mosquitto.port)
    try:
        sure = time.monotonic() + 2  # the first second of a boot proves nothing about its clock
        while time.monotonic() < sure:
            evening.wait_for_events(200)
        house.controller("t1").jump(hours * HOUR_MS)
        evening.wait_for_events(600)
        evening.end()
    finally:
        evening.abandon()
    with reader_at(str(house.journal)) as reader:
        records = [each for each in ReaderSource(reader).read(Stream("t1")) if each.device_ms]
    assert "CLOCK_OFF" in alarms(house.journal, "t1")
    off_ms = abs(records[-1].received_ms - (records[-1].device_ms or 0))
    assert off_ms < 60_000, f"its last event is told {off_ms} ms away from when it came"


def test_a_controller_with_the_wrong_key_is_quarantined_and_the_right_one_goes_on(
    tmp_path: Path, mosquitto: Mosquitto
) -> None:
    house = ProofHouse(tmp_path / "house", mosquitto.port, GAMES, pace_ms=5)
    evening = Evening(house, mosquitto.port)
    wrong = Floor([Controller("t1", os.urandom(16), night_of(Game.STU))], mosquitto.port, client="t1-wrong")
    try:
        evening.wait_for_events(400)
        wait_until(lambda: quarantined(house.journal)["not_authentic"] > 0, "nothing was quarantined")
        assert "sabot_refused_total" in evening.gateway.ask("/metrics")[1]
        evening.end()
        assert wrong.acked == {"t1": 0}
    finally:
        wrong.stop()
        evening.abandon()


def rss_kib(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0])


def test_garbage_at_full_speed_is_quarantined_and_stops_no_table(
    tmp_path: Path, mosquitto: Mosquitto, report: Report
) -> None:
    house = ProofHouse(tmp_path / "house", mosquitto.port, GAMES, pace_ms=5)
    evening = Evening(house, mosquitto.port)
    try:
        evening.wait_for_events(300)
        before, events = rss_kib(evening.gateway.pid), sum(evening.floor.acked.values())
        began = time.monotonic()
        sent = publish_garbage(mosquitto.port, "t1-a", seconds=5.0)
        flooded_s = time.monotonic() - began
        taken = sum(evening.floor.acked.values()) - events
        played_on(evening, "t1", "t2", "t3")
        after = rss_kib(evening.gateway.pid)
        evening.end()
    finally:
        evening.abandon()
    refused = quarantined(house.journal)
    size = house.journal.stat().st_size >> 20
    report(
        f"{sent} messages of a stranger in {flooded_s:.1f} s, {taken} events acknowledged meanwhile; "
        f"RSS {before} -> {after} KiB, journal {size} MiB, quarantine {dict(refused)}"
    )
    assert taken > 100, "the tables stood still"
    assert after - before < 200 * 1024
    assert refused["not_authentic"] + refused["unknown_device"] + refused["oversize"] > 0
    # In two names, the controller's and a stranger's; each has its bound, and what is beyond it was counted.
    assert sum(refused.values()) <= 2 * MOST_MESSAGES
    assert "QUARANTINE_FULL" in house_alarms(house.journal)
    with reader_at(str(house.journal)) as reader:
        bodies = [each.body for each in ReaderSource(reader).read(Stream("house/pit-1")) if each.kind is Kind.FACT]
    actions = [take_house(House(), body).action for body in bodies if b"refused_unkept" in body]
    assert sum(int(action.detail["messages"] or 0) for action in actions if action is not None) > 0
