"""Journal, ack, step, decision, lamps: in this order, whatever the timing."""

import pytest

from runtime.gated_journal import GatedJournal
from runtime.pit import Pit, Script, decisions, settlements
from sabot_gateway.journal.record import Kind, Stream
from sabot_gateway.transcript.decision import decision_from_body


@pytest.fixture
def pit() -> Pit:
    return Pit({"t1": Script("stu-beaten")})


def test_a_coup_is_settled_from_sealed_messages(pit: Pit, journal: GatedJournal) -> None:
    pump = pit.gateway(journal)
    pit.settle(pump)
    pit.play("t1")
    pit.send_all("t1")
    pit.settle(pump)
    (settled,) = settlements(journal, "t1")
    assert settled.number == 1
    device = pit.devices["t1"]
    assert device.acked == device.newest
    assert pit.broker.unsettled == {}


def test_nothing_is_acknowledged_before_it_is_durable(pit: Pit, journal: GatedJournal) -> None:
    pump = pit.gateway(journal)
    pit.settle(pump)
    pit.play("t1", 10)
    journal.is_open = False
    pit.send_all("t1")
    for _ in range(5):
        pump.cycle()
        pit.carry()
    device = pit.devices["t1"]
    assert device.acked == 0
    assert pit.broker.unsettled
    journal.release()
    pump.cycle()  # lets lamps pass that may come in a moment
    pump.cycle()  # and waits no longer
    pit.carry()
    assert device.acked == device.newest
    assert pit.broker.unsettled == {}


def test_lamps_wait_for_the_decision_to_be_durable(pit: Pit, journal: GatedJournal) -> None:
    pump = pit.gateway(journal)
    pit.settle(pump)
    device = pit.devices["t1"]
    shown = len(device.lamps)
    pit.play("t1")
    pit.send_all("t1")
    journal.is_open = False
    while not journal.held:
        pump.cycle()
    journal.release()  # the facts
    for _ in range(5):
        pump.cycle()
        pit.carry()
    assert device.acked == device.newest
    assert len(device.lamps) == shown
    assert journal.held == 1
    journal.release()  # the decisions
    pump.cycle()
    pit.carry()
    assert len(device.lamps) > shown


def test_the_lamps_show_what_the_journal_decided_last(pit: Pit, journal: GatedJournal) -> None:
    pump = pit.gateway(journal)
    pit.settle(pump)
    pit.play("t1")
    for first in range(1, pit.devices["t1"].newest + 1):
        pit.send("t1", first, 1)
        pit.settle(pump)
    pictures = [effect.revision for effect in decisions(journal, "t1") if type(effect).__name__ == "SetLamps"]
    shown = [lamps["revision"] for lamps in pit.devices["t1"].lamps]
    assert pictures == sorted(set(pictures))
    assert shown[-1] == pictures[-1]
    assert set(shown) <= set(pictures)


def test_a_message_twice_is_one_fact_and_two_acks(pit: Pit, journal: GatedJournal) -> None:
    pump = pit.gateway(journal)
    pit.settle(pump)
    pit.play("t1", 5)
    pit.send("t1", 1)
    pit.send("t1", 1)
    pit.settle(pump)
    pit.send("t1", 1)
    pit.settle(pump)
    facts = [record for record in journal.read(Stream("t1")) if record.kind is Kind.FACT and record.device_ms]
    assert len(facts) == 1
    assert pit.broker.unsettled == {}
    assert pit.devices["t1"].acked == pit.devices["t1"].newest


def test_a_duplicate_is_not_acknowledged_while_the_first_copy_is_not_durable(pit: Pit, journal: GatedJournal) -> None:
    pump = pit.gateway(journal)
    pit.settle(pump)
    pit.play("t1", 5)
    journal.is_open = False
    pit.send("t1", 1)
    pump.cycle()
    pit.send("t1", 1)
    for _ in range(4):
        pump.cycle()
        pit.carry()
    assert pit.devices["t1"].acked == 0
    journal.is_open = True
    journal.release()
    pit.settle(pump)
    assert pit.devices["t1"].acked == pit.devices["t1"].newest


def test_many_messages_of_one_cycle_are_one_ack(pit: Pit, journal: GatedJournal) -> None:
    pump = pit.gateway(journal)
    pit.settle(pump)
    pit.play("t1", 20)
    for first in range(1, 20, 2):
        pit.send("t1", first, 2)
    pump.cycle()
    pit.broker.published.clear()
    pump.cycle()
    pump.cycle()
    acks = [message for message in pit.broker.published if message.topic.endswith("/ack")]
    assert len(acks) == 1


def test_every_decision_names_its_cause(pit: Pit, journal: GatedJournal) -> None:
    pump = pit.gateway(journal)
    pit.settle(pump)
    pit.play("t1")
    pit.send_all("t1")
    pit.settle(pump)
    records = {record.position: record for record in journal.read(Stream("t1"))}
    causes = [decision_from_body(each.body).cause for each in records.values() if each.kind is Kind.DECISION]
    assert len(set(causes)) == len(causes)
    assert all(records[cause].kind is not Kind.DECISION for cause in causes)


def test_what_comes_before_the_very_first_setup_is_not_lost_to_the_table(pit: Pit, journal: GatedJournal) -> None:
    pump = pit.gateway(journal)
    pit.play("t1")
    pit.send_all("t1")
    pit.settle(pump)
    assert len(settlements(journal, "t1")) == 1
