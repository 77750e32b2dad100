"""Where several controllers share a felt, one that does not confirm its lamps is shown them again, and told."""

from dataclasses import replace

import pytest

from runtime.gated_journal import GatedJournal
from runtime.pit import Devices, Pit, Script
from runtime.wire_device import WireDevice
from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.record import Kind
from sabot_gateway.link.device import Device
from sabot_gateway.model.effect import ClearAlert, RaiseAlert
from sabot_gateway.runtime.house_runner import house_stream
from sabot_gateway.runtime.laggards import AGAIN_MS, LATE_MS, Laggards, Looked
from sabot_gateway.runtime.pump import Pump
from sabot_gateway.transcript.decision import decision_from_body

BOTH = ("felt", "shoe")


def test_nobody_is_behind_who_confirmed() -> None:
    laggards = Laggards()
    laggards.shown("t1", 7, BOTH, 0)
    assert laggards.look({"felt": 7, "shoe": 8}.get, LATE_MS) == Looked([], [], [])


def test_one_behind_is_shown_the_picture_again_then_told_once_and_told_back() -> None:
    laggards, applied = Laggards(), {"felt": 7, "shoe": 6}
    laggards.shown("t1", 7, BOTH, 0)
    assert laggards.look(applied.get, AGAIN_MS - 1) == Looked([], [], [])
    assert laggards.look(applied.get, AGAIN_MS) == Looked([("t1", "shoe")], [], [])
    assert laggards.look(applied.get, AGAIN_MS + 1) == Looked([], [], [])
    assert laggards.look(applied.get, LATE_MS) == Looked([("t1", "shoe")], [("t1", "shoe")], [])
    assert laggards.look(applied.get, LATE_MS + AGAIN_MS) == Looked([("t1", "shoe")], [], [])
    applied["shoe"] = 7
    assert laggards.look(applied.get, LATE_MS + AGAIN_MS) == Looked([], [], ["shoe"])
    assert laggards.look(applied.get, LATE_MS + AGAIN_MS) == Looked([], [], [])


def test_pictures_that_follow_quickly_do_not_hide_who_confirms_none_of_them() -> None:
    laggards, applied = Laggards(), {"felt": 0, "shoe": 0}
    late = []
    for number in range(1, 20):
        laggards.shown("t1", number, BOTH, number * 500)
        applied["felt"] = number
        late += laggards.look(applied.get, number * 500).late
    assert late == [("t1", "shoe")]


def test_one_that_follows_slowly_is_not_late() -> None:
    laggards, applied = Laggards(), {"felt": 0, "shoe": 0}
    for number in range(1, 60):
        laggards.shown("t1", number, BOTH, number * 500)
        applied["felt"], applied["shoe"] = number, max(0, number - 4)
        assert laggards.look(applied.get, number * 500).late == []


def test_a_picture_that_nobody_confirms_is_the_tables_own_alert() -> None:
    laggards = Laggards()
    laggards.shown("t1", 7, BOTH, 0)
    assert laggards.look({"felt": 6, "shoe": 6}.get, 10 * LATE_MS) == Looked([], [], [])


def test_one_that_is_away_is_not_late_and_counts_from_its_return() -> None:
    laggards, applied = Laggards(), dict[str, int | None]({"felt": 7, "shoe": None})
    laggards.shown("t1", 7, BOTH, 0)
    assert laggards.look(applied.get, 10 * LATE_MS) == Looked([], [], [])
    applied["shoe"] = 0
    assert laggards.look(applied.get, 11 * LATE_MS - 1).late == []
    assert laggards.look(applied.get, 13 * LATE_MS).late == [("t1", "shoe")]
    applied["shoe"] = None  # it is lost: that is an alert of its own
    assert laggards.look(applied.get, 13 * LATE_MS + 1).back == ["shoe"]


def test_one_that_left_its_table_and_a_table_that_was_left_are_forgotten() -> None:
    laggards, applied = Laggards(), {"felt": 7, "shoe": 0}
    laggards.shown("t1", 7, BOTH, 0)
    assert laggards.look(applied.get, LATE_MS).late == [("t1", "shoe")]
    laggards.shown("t1", 8, ("felt", "other"), LATE_MS)
    assert laggards.look(applied.get, LATE_MS).back == ["shoe"]
    laggards.forget("t1")
    assert laggards.look(applied.get, 10 * LATE_MS) == Looked([], [], [])


def test_one_told_late_by_an_earlier_life_is_told_back_by_this_one() -> None:
    laggards = Laggards()
    laggards.resume(["shoe", "gone"])
    laggards.shown("t1", 7, BOTH, 0)
    assert laggards.look({"felt": 7, "shoe": 6}.get, 1).back == ["gone"]
    assert laggards.look({"felt": 7, "shoe": 7}.get, 2).back == ["shoe"]


@pytest.fixture
def pit() -> Pit:
    """One table with two controllers: `felt-t1`, which plays, and `shoe-t1`."""
    pit = Pit({"t1": Script("stu-beaten")})
    shoe = WireDevice("shoe-t1")
    pit.by_topic[shoe.name] = shoe
    known = [*pit.plan.devices.devices(), Device(shoe.name, "t1", "shoe", (shoe.key,))]
    pit.plan = replace(pit.plan, devices=Devices(known))
    return pit


def confirm(pit: Pit, *names: str) -> None:
    """These controllers say that they lit the newest picture."""
    for name in names:
        device = pit.by_topic[name]
        elapsed = pit.clock.elapsed_ms
        device.record("lamps_applied", 20_000 + elapsed, revision=device.lamps[-1]["revision"])
        pit.broker.arrive(device.topic("event"), device.batch(device.acked + 1), pit.clock.utc_ms)


def told(journal: GatedJournal) -> list[str]:
    """What the house was told of controllers that do not confirm."""
    said = []
    for record in journal.read(house_stream("g1")):
        steps = decision_from_body(record.body).steps if record.kind is Kind.DECISION else ()
        for effect in [effect for step in steps for effect in step.effects]:
            if isinstance(effect, RaiseAlert) and effect.alert.code == "PICTURE_NOT_CONFIRMED":
                said.append(f"raised {effect.alert.spot}")
            elif isinstance(effect, ClearAlert) and "PICTURE_NOT_CONFIRMED" in effect.alert:
                said.append("cleared")
    return said


def wait(pit: Pit, pump: Pump, ms: int) -> None:
    for _ in range(ms // 500):
        pit.clock.pass_ms(500)
        pit.settle(pump)


def test_a_dark_controller_is_an_alarm_of_the_house_although_another_confirms(pit: Pit, journal: GatedJournal) -> None:
    pump = pit.gateway(journal)
    pit.settle(pump)
    confirm(pit, "felt-t1", "shoe-t1")
    pit.settle(pump)
    pit.play("t1", 12)
    pit.send_all("t1")
    pit.settle(pump)
    confirm(pit, "felt-t1")
    pit.settle(pump)
    assert pump.performer.unconfirmed() == 0, "the table has its word"
    before = pump.performer.resent
    wait(pit, pump, LATE_MS + AGAIN_MS)
    assert told(journal) == ["raised shoe-t1"]
    assert pump.performer.resent > before
    pump = pit.gateway(journal)  # a restart in between
    pit.settle(pump)
    confirm(pit, "felt-t1", "shoe-t1")
    pit.settle(pump)
    wait(pit, pump, 1_000)
    assert told(journal) == ["raised shoe-t1", "cleared"]


def test_one_that_comes_back_with_a_backlog_is_not_late_while_it_drains(pit: Pit, journal: GatedJournal) -> None:
    pump = pit.gateway(journal)
    pit.settle(pump)
    confirm(pit, "felt-t1", "shoe-t1")
    pit.settle(pump)
    shoe = pit.by_topic["shoe-t1"]
    for _ in range(100):  # the line is down: what happens is kept, dated as it happens
        shoe.record("door", 20_000 + pit.clock.elapsed_ms, open=False)
        pit.clock.pass_ms(500)
        pit.settle(pump)
    pit.play("t1", 12)
    pit.send_all("t1")
    pit.settle(pump)
    confirm(pit, "felt-t1")
    while shoe.acked < shoe.newest:  # it is back, and slow
        pit.broker.arrive(shoe.topic("event"), shoe.batch(shoe.acked + 1, 2), pit.clock.utc_ms)
        wait(pit, pump, 500)
    assert told(journal) == []
    confirm(pit, "shoe-t1")
    pit.settle(pump)
    wait(pit, pump, 2 * LATE_MS)
    assert told(journal) == []
    pit.play("t1", 20)
    pit.send_all("t1")
    pit.settle(pump)
    confirm(pit, "felt-t1")
    wait(pit, pump, LATE_MS + AGAIN_MS)
    assert told(journal) == ["raised shoe-t1"], "now it is dark"


def test_a_journal_that_fails_is_no_fault_of_the_controllers(pit: Pit, journal: GatedJournal) -> None:
    pump = pit.gateway(journal)
    pit.settle(pump)
    confirm(pit, "felt-t1", "shoe-t1")
    pit.settle(pump)
    journal.trouble = JournalError(ErrorCode.FULL)
    confirm(pit, "felt-t1")
    for second in range(20):
        pit.clock.pass_ms(1_000)
        pump.cycle()
        pit.carry()
        if second == 5:
            confirm(pit, "felt-t1")  # the fault lamps; the other has more on its mind that nobody acknowledges
    assert pump.scribe.fault is not None
    journal.trouble = None
    wait(pit, pump, 3_000)
    confirm(pit, "felt-t1", "shoe-t1")
    pit.settle(pump)
    wait(pit, pump, 1_000)
    assert told(journal) == []
