"""A bad journal, a defect in one table, a gateway that took over: what stops, what goes on, what comes back."""

from typing import Any

import pytest

from runtime.gated_journal import GatedJournal
from runtime.pit import Pit, Script, settlements
from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.record import Entry, Kind, Owner, Stream
from sabot_gateway.model.effect import ClearAlert, RaiseAlert
from sabot_gateway.model.event import KeyPressed, ServiceResumed
from sabot_gateway.runtime import replay, table_runner
from sabot_gateway.runtime.desk import TableFault
from sabot_gateway.runtime.house_runner import house_stream
from sabot_gateway.runtime.item import Stopped
from sabot_gateway.runtime.pump import Pump
from sabot_gateway.runtime.replay import start
from sabot_gateway.runtime.scribe import PROBE_EVERY_MS
from sabot_gateway.runtime.stream_queue import Waiting
from sabot_gateway.transcript.decision import decision_from_body
from sabot_gateway.transcript.fact import body_from_event
from sabot_gateway.transcript.fold import take_fact

FAULTS = [ErrorCode.FULL, ErrorCode.READ_ONLY, ErrorCode.UNAVAILABLE, ErrorCode.CORRUPT]


@pytest.fixture
def pit() -> Pit:
    return Pit({"t1": Script("stu-beaten"), "t2": Script("tcp-player-better")})


def is_fault_picture(lamps: dict[str, Any]) -> bool:
    return bool(lamps["picture"]) and all(lamp["pattern"] == "fault" for lamp in lamps["picture"])


def recover(pit: Pit, pump: Pump) -> None:
    for _ in range(6):
        pit.clock.pass_ms(PROBE_EVERY_MS)
        pump.cycle()
        pit.carry()
    pit.settle(pump)


@pytest.mark.parametrize("code", FAULTS)
@pytest.mark.parametrize("written", [0, 1])
def test_a_journal_that_fails_stops_acks_and_recovers_without_loss_or_doubling(
    pit: Pit, journal: GatedJournal, code: ErrorCode, written: int
) -> None:
    """`written`: the request was committed although its answer was an error."""
    pump = pit.gateway(journal)
    pit.settle(pump)
    pit.play("t1")
    pit.play("t2")
    pit.send("t1", 1)
    pit.send("t2", 1)
    pit.settle(pump)
    acked = {table: device.acked for table, device in pit.devices.items()}
    journal.is_open = False
    for table in pit.devices:
        pit.send(table, 9)
    pump.cycle()
    journal.fail(JournalError(code), written=written)
    journal.is_open, journal.trouble = True, JournalError(code)
    for table in pit.devices:
        pit.send(table, 17)
    for _ in range(8):
        pit.clock.pass_ms(PROBE_EVERY_MS)
        pump.cycle()
        pit.carry()
    assert {table: device.acked for table, device in pit.devices.items()} == acked
    assert pump.scribe.fault is not None
    assert all(is_fault_picture(device.lamps[-1]) for device in pit.devices.values())
    journal.trouble = None
    recover(pit, pump)
    for table, device in pit.devices.items():
        assert not is_fault_picture(device.lamps[-1])
        pit.send_all(table)
        pit.settle(pump)
        assert device.acked == device.newest
        assert len(settlements(journal, table)) == 1
    assert pit.broker.unsettled == {}


def test_a_fault_of_the_journal_is_told_once_it_can_be_written(pit: Pit, journal: GatedJournal) -> None:
    pump = pit.gateway(journal)
    pit.settle(pump)
    journal.trouble = JournalError(ErrorCode.FULL)
    pit.play("t1", 4)
    pit.send_all("t1")
    for _ in range(4):
        pit.clock.pass_ms(PROBE_EVERY_MS)
        pump.cycle()
    journal.trouble = None
    recover(pit, pump)
    effects = house_effects(journal)
    assert [type(effect) for effect in effects] == [RaiseAlert, ClearAlert]
    assert effects[0].alert.code == "JOURNAL_FAULT"
    assert dict(effects[0].alert.evidence)["code"] == "full"


def test_the_true_picture_comes_back_although_nothing_happened_meanwhile(pit: Pit, journal: GatedJournal) -> None:
    pump = pit.gateway(journal)
    pit.settle(pump)
    device = pit.devices["t1"]
    for _ in range(3):
        before = device.lamps[-1]
        journal.trouble = JournalError(ErrorCode.FULL)
        pump.say(pump.tables["t2"], ServiceResumed(True, at_ms=pit.clock.now_ms()), pit.clock.now_ms())
        for _ in range(2):
            pump.cycle()
            pit.carry()
        assert is_fault_picture(device.lamps[-1])
        journal.trouble = None
        recover(pit, pump)
        assert device.lamps[-1]["picture"] == before["picture"]
        assert device.lamps[-1]["display"] == before["display"]


def test_refused_bytes_are_kept_after_a_fault_too(pit: Pit, journal: GatedJournal) -> None:
    pump = pit.gateway(journal)
    pit.settle(pump)
    journal.trouble = JournalError(ErrorCode.FULL)
    pit.broker.arrive("sabot/v1/house/stranger/event", b"rubbish", pit.clock.now_ms())
    pump.cycle()
    assert pit.broker.unsettled
    journal.trouble = None
    recover(pit, pump)
    (kept,) = journal.quarantined()
    assert (kept.reason, kept.raw) == ("unknown_device", b"rubbish")
    assert pit.broker.unsettled == {}


@pytest.mark.parametrize("written", [0, 1])
def test_refused_bytes_whose_answer_was_lost_are_kept_once(pit: Pit, journal: GatedJournal, written: int) -> None:
    pump = pit.gateway(journal)
    pit.settle(pump)
    journal.is_open = False
    pit.broker.arrive("sabot/v1/house/stranger/event", b"rubbish", pit.clock.now_ms())
    pit.broker.arrive("sabot/v1/house/stranger/event", b"rubbish", pit.clock.now_ms())
    pump.cycle()
    journal.fail(JournalError(ErrorCode.FULL), written=written)
    journal.is_open = True
    recover(pit, pump)
    assert [kept.raw for kept in journal.quarantined()] == [b"rubbish", b"rubbish"]
    assert pit.broker.unsettled == {}


def test_a_defect_at_one_table_leaves_the_others_and_the_journal_alone(
    pit: Pit, journal: GatedJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def defective(fold: Any, fact: Any, received_ms: int) -> Any:
        taken = take_fact(fold, fact, received_ms)
        if fold.state is not None and fold.state.setup.table == "t1":
            assert not any(isinstance(step.event, KeyPressed) for step in taken.steps), "a defect"
        return taken

    monkeypatch.setattr(table_runner, "take_fact", defective)
    pump = pit.gateway(journal)
    pit.settle(pump)
    for table, device in pit.devices.items():
        pit.play(table)
        pit.send_all(table)
        pit.settle(pump)
        assert device.acked == device.newest
    assert pump.tables["t1"].fault is TableFault.STEP
    assert "AssertionError" in pump.tables["t1"].fault_detail
    assert is_fault_picture(pit.devices["t1"].lamps[-1])
    assert settlements(journal, "t1") == []
    assert pump.tables["t2"].fault is None
    assert len(settlements(journal, "t2")) == 1
    assert [type(effect) for effect in about(house_effects(journal), "TABLE_NOT_FOLLOWED")] == [RaiseAlert]

    # The open alarm does not keep the house's stream from its snapshot, or retention would wait for it for ever.
    pump.queue.put(Stopped())
    pit.settle(pump)
    kept = journal.snapshot(pump.house.queue.stream)
    assert kept is not None
    assert kept.head == journal.heads()[pump.house.queue.stream]
    assert [alert.code for alert in start(journal, pit.plan).house.alarms.values()] == ["TABLE_NOT_FOLLOWED"]

    # Corrected and started again, the table is followed from what was journaled meanwhile.
    monkeypatch.undo()
    pump = pit.gateway(journal)
    pit.settle(pump)
    assert pump.tables["t1"].fault is None
    assert len(settlements(journal, "t1")) == 1
    assert not is_fault_picture(pit.devices["t1"].lamps[-1])
    assert [type(effect) for effect in about(house_effects(journal), "TABLE_NOT_FOLLOWED")] == [RaiseAlert, ClearAlert]


def test_a_table_that_cannot_be_folded_at_the_start_is_still_heard(
    pit: Pit, journal: GatedJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    pump = pit.gateway(journal)
    pit.settle(pump)
    pit.play("t1")
    pit.send("t1", 1)
    pit.send("t1", 9)
    pit.settle(pump)

    def broken(fold: Any, kind: Any, body: bytes, received_ms: int) -> Any:
        raise AssertionError("a defect")

    monkeypatch.setattr(replay, "take", broken)
    pump = pit.gateway(journal)
    assert pump.tables["t1"].fault is TableFault.UNREADABLE
    shown = pit.devices["t1"].lamps[-1]["revision"]
    pit.send_all("t1")
    pit.settle(pump)
    device = pit.devices["t1"]
    assert device.acked == device.newest
    # A controller takes no picture older than its last: the fault lamps stand behind all that was ever decided.
    assert is_fault_picture(device.lamps[-1])
    assert device.lamps[-1]["revision"] == shown + 1
    monkeypatch.undo()
    pump = pit.gateway(journal)
    pit.settle(pump)
    assert pump.tables["t1"].fault is None
    assert len(settlements(journal, "t1")) == 1


def test_a_table_taken_over_by_another_gateway_is_left_alone(pit: Pit, journal: GatedJournal) -> None:
    pump = pit.gateway(journal)
    pit.settle(pump)
    other = start(journal, pit.plan)
    theirs = other.tables["t1"].queue
    theirs.owner = Owner("g2")
    theirs.put(Waiting(Entry(Kind.FACT, body_from_event(ServiceResumed(True)), 5)))
    append = theirs.launch()
    assert append is not None
    journal.append(append).result()
    for table in pit.devices:
        pit.play(table, 6)
        pit.send_all(table)
    pit.settle(pump)
    assert pump.tables["t1"].fault is TableFault.FENCED
    assert pit.devices["t1"].acked == 0
    assert pit.devices["t2"].acked == pit.devices["t2"].newest
    owners = {record.owner for record in journal.read(Stream("t1"), theirs.position)}
    assert owners == {"g2"}


def about(effects: list[Any], code: str) -> list[Any]:
    """The alarms of one code, raised and cleared."""
    return [effect for effect in effects if code in (effect.alert if type(effect) is ClearAlert else effect.alert.id)]


def house_effects(journal: GatedJournal) -> list[Any]:
    return [
        effect
        for record in journal.read(house_stream("g1"))
        if record.kind is Kind.DECISION
        for step in decision_from_body(record.body).steps
        for effect in step.effects
    ]
