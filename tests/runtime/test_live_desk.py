"""What people and pages see and ask: journaled first, under a name, and nothing that the table has not shown."""

import json
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from runtime.gated_journal import GatedJournal
from runtime.pit import PATIENT, REGISTERS, Pit, Script, decisions, real_tag, settlements
from runtime.wire_device import WireDevice
from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.record import Kind, Stream
from sabot_gateway.link.allowance import MOST_MESSAGES, TELL_EVERY_MS
from sabot_gateway.model.coup import Void
from sabot_gateway.model.effect import ClearAlert, RaiseAlert
from sabot_gateway.model.event import AlertCleared, CoupVoided, PlayerLeft, PlayerSeated
from sabot_gateway.model.registers import Registers
from sabot_gateway.model.review import AlertCommented
from sabot_gateway.model.tag import Chip
from sabot_gateway.projections.alert_queue import all_alerts, history_of, open_alerts
from sabot_gateway.projections.store import Views
from sabot_gateway.runtime.desk import Desk, DeskError, DeskErrorCode, Figure
from sabot_gateway.runtime.house_runner import house_stream
from sabot_gateway.runtime.item import Reloaded, Stopped
from sabot_gateway.runtime.live_desk import LiveDesk
from sabot_gateway.runtime.pump import Pump
from sabot_gateway.table.setup import Timing
from sabot_gateway.transcript.fact import Configured, Said, read_fact
from sabot_gateway.transcript.house import take_house


@pytest.fixture
def pit() -> Pit:
    return Pit({"t1": Script("stu-beaten"), "t2": Script("tcp-player-better")})


@pytest.fixture
def pump(pit: Pit, journal: GatedJournal) -> Pump:
    pump = pit.gateway(journal)
    pit.settle(pump)
    return pump


def desk_of(pit: Pit, pump: Pump) -> Desk:
    return LiveDesk(pump, lambda: pit.broker.is_connected)


def operators(journal: GatedJournal, table: str) -> list[Said]:
    facts = [read_fact(each.kind, each.body) for each in journal.read(Stream(table)) if each.kind is Kind.OPERATOR]
    return [fact for fact in facts if isinstance(fact, Said)]


def test_what_a_person_declares_is_journaled_under_his_name_before_it_counts(
    pit: Pit, pump: Pump, journal: GatedJournal
) -> None:
    desk = desk_of(pit, pump)
    journal.is_open = False
    future = desk.submit("t1", PlayerSeated(3, "P3"), by="H1")
    for _ in range(3):
        pump.cycle()
    state = pump.tables["t1"].state
    assert state is not None
    assert not future.done()
    assert 3 not in state.seats
    journal.is_open = True
    journal.release()
    pit.settle(pump)
    receipt = future.result(0)
    (said,) = operators(journal, "t1")
    assert said.by == "H1"
    assert isinstance(said.event, PlayerSeated)
    assert said.event.at_ms == pit.clock.now_ms()
    (record,) = [each for each in journal.read(Stream("t1")) if each.kind is Kind.OPERATOR]
    assert (receipt.position, receipt.id) == (record.position, record.id)


def test_the_answer_waits_for_the_decision(pit: Pit, pump: Pump, journal: GatedJournal) -> None:
    pit.play("t1", 30)
    pit.send_all("t1")
    pit.settle(pump)
    journal.is_open = False
    future = desk_of(pit, pump).submit("t1", CoupVoided("H1", Void.MALFUNCTION), by="H1")
    pump.cycle()
    journal.release()  # the declaration
    pump.cycle()
    assert not future.done()
    journal.release()  # what follows from it
    pump.cycle()
    assert future.result(0).stream == "t1"


def test_a_review_of_an_alert_is_kept_in_the_tables_stream(pit: Pit, pump: Pump, journal: GatedJournal) -> None:
    future = desk_of(pit, pump).submit("t2", AlertCommented("S1", "0/X", "seen on video"), by="S1")
    pit.settle(pump)
    assert future.result(0).stream == "t2"
    (said,) = operators(journal, "t2")
    assert isinstance(said.event, AlertCommented)


def refusal(future: "Future[Any]") -> DeskErrorCode:
    error = future.exception(0)
    assert isinstance(error, DeskError)
    return error.code


def test_what_cannot_be_asked_is_refused_with_a_code(pit: Pit, pump: Pump) -> None:
    desk = desk_of(pit, pump)
    unknown = desk.submit("t9", PlayerSeated(1), by="H1")
    device = desk.command("felt-9", "identify", {"seconds": 5}, by="T1")
    pit.settle(pump)
    assert refusal(unknown) is DeskErrorCode.UNKNOWN_TABLE
    assert refusal(device) is DeskErrorCode.UNKNOWN_DEVICE
    with pytest.raises(DeskError) as nameless:
        desk.submit("t1", PlayerSeated(1), by="")
    assert nameless.value.code is DeskErrorCode.INVALID
    with pytest.raises(DeskError) as nonsense:
        desk.command("felt-t1", "dance", {}, by="T1")
    assert nonsense.value.code is DeskErrorCode.INVALID
    with pytest.raises(DeskError):
        desk.view("t9")


def test_a_stopping_gateway_takes_nothing_more(pit: Pit, pump: Pump) -> None:
    pump.queue.put(Stopped())
    pit.settle(pump)
    with pytest.raises(DeskError) as stopping:
        desk_of(pit, pump).note("x", {}, by="H1")
    assert stopping.value.code is DeskErrorCode.STOPPING


def test_a_command_is_noted_first_and_then_sent_with_a_greater_number(
    pit: Pit, pump: Pump, journal: GatedJournal
) -> None:
    desk = desk_of(pit, pump)
    device = pit.devices["t1"]
    device.commands.clear()
    journal.is_open = False
    first = desk.command("felt-t1", "identify", {"seconds": 5}, by="T1")
    for _ in range(3):
        pump.cycle()
        pit.carry()
    assert device.commands == []
    journal.is_open = True
    journal.release()
    pit.settle(pump)
    second = desk.command("felt-t1", "selftest", {"test": "lamps"}, by="T1")
    pit.settle(pump)
    numbers = [command["number"] for command in device.commands]
    assert numbers == [first.result(0).number, second.result(0).number]
    assert numbers[0] < numbers[1]
    actions = [take_house(pump.house.house, each.body).action for each in house_records(journal, Kind.OPERATOR)]
    assert [(each.by, each.detail["command"]) for each in actions if each] == [("T1", "identify"), ("T1", "selftest")]


def house_records(journal: GatedJournal, kind: Kind) -> list[Any]:
    return [record for record in journal.read(house_stream("g1")) if record.kind is kind]


def test_a_note_is_kept_in_the_house_stream(pit: Pit, pump: Pump, journal: GatedJournal) -> None:
    future = desk_of(pit, pump).note("export", {"what": "coups", "rows": 12}, by="C1")
    pit.settle(pump)
    assert future.result(0).stream == "house/g1"
    (record,) = house_records(journal, Kind.OPERATOR)
    action = take_house(pump.house.house, record.body).action
    assert action is not None
    assert (action.name, action.by, dict(action.detail)) == ("export", "C1", {"rows": 12, "what": "coups"})


def test_watchers_hear_which_tables_changed_and_how_far_the_journal_is(pit: Pit, pump: Pump) -> None:
    desk = desk_of(pit, pump)
    heard: list[tuple[frozenset[str], int]] = []
    end = desk.watch(lambda tables, last_id: heard.append((tables, last_id)))
    pit.play("t2", 5)
    pit.send_all("t2")
    pit.settle(pump)
    assert {table for tables, _ in heard for table in tables} - {""} == {"t2"}
    assert heard[-1][1] == desk.health().last_id
    end()
    heard.clear()
    desk.note("x", {}, by="C1")
    pit.settle(pump)
    assert heard == []


def test_readings_show_tables_devices_health_and_figures(pit: Pit, pump: Pump, journal: GatedJournal) -> None:
    desk = desk_of(pit, pump)
    pit.play("t1")
    pit.send_all("t1")
    pit.settle(pump)
    first, second = desk.tables()
    assert (first.name, first.game, first.coup, second.name) == ("t1", "STU", 1, "t2")
    assert first.position == journal.heads()[Stream("t1")].position
    device = next(each for each in desk.devices() if each.id == "felt-t1")
    assert (device.state, device.upto, device.firmware) == ("online", pit.devices["t1"].newest, "test")
    assert next(each for each in desk.devices() if each.id == "felt-t2").state == "unheard"
    assert desk.health().is_ready
    figures = {figure.name: figure.value for figure in desk.figures()}
    assert figures["sabot_events_total"] == pit.devices["t1"].newest
    assert figures["sabot_tables_not_followed"] == 0
    json.dumps(desk.view("t1"))  # plain data
    journal.trouble = JournalError(ErrorCode.FULL)
    desk.note("x", {}, by="C1")
    for _ in range(2):
        pump.cycle()
    health = desk.health()
    assert not health.is_ready
    assert health.journal_fault == "full"


def test_no_reading_shows_a_card_that_lies_face_down(pit: Pit, pump: Pump) -> None:
    """Law 7: what is dealt and not shown appears nowhere, neither as a card nor as its tag."""
    desk = desk_of(pit, pump)
    pit.play("t1", 26)
    pit.send_all("t1")
    pit.settle(pump)
    state = pump.tables["t1"].state
    assert state is not None
    assert str(state.coup.phase) in ("dealing", "deciding")
    drawn = set(state.coup.drawn)
    assert drawn
    shown = json.dumps(desk.view("t1")) + repr(desk.tables()) + repr(desk.devices()) + repr(desk.figures())
    assert not [tag for tag in drawn if tag in shown]


def reload(pit: Pit, pump: Pump, **changes: Any) -> "Future[None]":
    pit.plan = pit.plan_with(**changes)
    future: Future[None] = Future()
    pump.queue.put(Reloaded(pit.plan, future))
    return future


def configured(journal: GatedJournal, table: str) -> int:
    facts = [read_fact(each.kind, each.body) for each in journal.read(Stream(table)) if each.kind is Kind.FACT]
    return sum(isinstance(fact, Configured) for fact in facts)


def test_a_reload_takes_effect_between_coups_only(pit: Pit, pump: Pump, journal: GatedJournal) -> None:
    pit.play("t1", 30)
    pit.send_all("t1")
    pit.settle(pump)
    other = Timing(lamps_ms=10**9, stall_ms=10**8, fastest_ms=0, slowest_ms=10**9)
    future = reload(pit, pump, timing=other)
    pit.settle(pump)
    future.result(0)
    busy, idle = pump.tables["t1"].state, pump.tables["t2"].state
    assert busy is not None
    assert idle is not None
    assert busy.setup.timing == PATIENT, "a coup is under way"
    assert idle.setup.timing == other
    for fact in pit.scripts["t1"].seen[30:]:
        pit.devices["t1"].see(fact, fact.at_ms)
    pit.send_all("t1")
    pit.settle(pump)
    assert len(settlements(journal, "t1")) == 1
    done = pump.tables["t1"].state
    assert done is not None
    assert done.setup.timing == other
    reload(pit, pump, timing=other)
    pit.settle(pump)
    assert configured(journal, "t1") == 2, "the same settings again change nothing"


def test_new_registers_are_kept_by_the_house_before_a_table_names_them(
    pit: Pit, pump: Pump, journal: GatedJournal
) -> None:
    chip = real_tag("a new chip")
    registers = Registers({**REGISTERS.chips, chip: Chip(500)}, REGISTERS.cards, REGISTERS.decks, REGISTERS.badges)
    reload(pit, pump, timing=PATIENT, registers=registers)
    pit.settle(pump)
    state = pump.tables["t1"].state
    assert state is not None
    assert chip in state.setup.chips
    ids = [record.id for record in house_records(journal, Kind.FACT)]
    setups = [each.id for each in journal.read(Stream("t1")) if each.kind is Kind.FACT]
    assert max(ids) < max(setups)
    pump = pit.gateway(journal)
    pit.settle(pump)
    again = pump.tables["t1"].state
    assert again is not None
    assert chip in again.setup.chips


def test_a_table_is_added_and_another_left_without_a_restart(pit: Pit, pump: Pump, journal: GatedJournal) -> None:
    whole = pit.plan
    pit.plan = type(whole)(
        whole.site, whole.gateway, {"t2": whole.tables["t2"]}, whole.devices, whole.registers, whole.digests
    )
    future: Future[None] = Future()
    pump.queue.put(Reloaded(pit.plan, future))
    pit.settle(pump)
    pit.clock.pass_ms(1_000)
    pit.settle(pump)
    assert list(pump.tables) == ["t2"]
    future = Future()
    pump.queue.put(Reloaded(whole, future))
    pit.settle(pump)
    assert set(pump.tables) == {"t1", "t2"}
    pit.play("t1")
    pit.send_all("t1")
    pit.settle(pump)
    assert len(settlements(journal, "t1")) == 1


def test_a_reload_that_the_journal_cannot_serve_changes_nothing_and_can_be_tried_again(
    pit: Pit, journal: GatedJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = pit.plan
    pit.plan = replace(whole, tables={"t2": whole.tables["t2"]})
    pump = pit.gateway(journal)
    pit.settle(pump)

    def away(stream: Stream, after: int = 0) -> Any:
        raise JournalError(ErrorCode.UNAVAILABLE)

    with monkeypatch.context() as patch:
        patch.setattr(journal, "read", away)
        future: Future[None] = Future()
        pump.queue.put(Reloaded(whole, future))
        pit.settle(pump)
        assert isinstance(future.exception(0), JournalError)
    assert list(pump.tables) == ["t2"]
    assert pump.plan is pit.plan
    again: Future[None] = Future()
    pump.queue.put(Reloaded(whole, again))
    pit.settle(pump)
    again.result(0)
    assert set(pump.tables) == {"t1", "t2"}


def test_a_table_head_on_two_tables_is_an_alarm_of_the_floor(pit: Pit, pump: Pump, journal: GatedJournal) -> None:
    """STU-11 allows one table: only the whole floor can see it."""
    for table in ("t1", "t2"):
        pit.play(table, 12)
        pit.send_all(table)
        pit.settle(pump)
    codes = {alert.code for alert in pump.house.alarms.values()}
    assert "HEAD_TOO_MANY_TABLES" in codes
    before = len(house_records(journal, Kind.DECISION))
    pump = pit.gateway(journal)
    pit.settle(pump)
    assert {alert.code for alert in pump.house.alarms.values()} == codes
    assert len(house_records(journal, Kind.DECISION)) == before, "a start repeats nothing"


def test_a_twin_is_released_under_a_name_once_that_is_durable(pit: Pit, pump: Pump, journal: GatedJournal) -> None:
    desk = desk_of(pit, pump)
    device = pit.devices["t1"]
    pit.play("t1")
    pit.send("t1", 1)
    pit.settle(pump)
    refused = desk.release("felt-t1", by="T1")
    pit.settle(pump)
    error = refused.exception(0)
    assert isinstance(error, DeskError)
    assert error.code is DeskErrorCode.INVALID  # there is no twin

    twin = WireDevice("felt-t1")
    twin.record("door", 77, open=True)
    pit.broker.arrive(twin.topic("event"), twin.batch(2), pit.clock.now_ms())
    pit.settle(pump)
    acked = device.acked
    pit.send("t1", 9)
    pit.settle(pump)
    assert device.acked == acked
    assert [alert.code for alert in pump.house.alarms.values()] == ["TWIN_DEVICE"]

    journal.is_open = False
    future = desk.release("felt-t1", by="T1")
    pump.cycle()
    line = pump.ingest.line("felt-t1")
    assert line is not None
    assert line.is_twin
    journal.release()
    journal.is_open = True
    pit.settle(pump)
    assert future.result(0).stream == house_stream("g1")
    assert not line.is_twin
    assert not pump.house.alarms
    pit.send_all("t1")
    pit.settle(pump)
    assert device.acked == device.newest
    noted = [each for each in journal.read(house_stream("g1")) if each.kind is Kind.OPERATOR]
    action = take_house(pump.house.house, noted[-1].body).action
    assert action is not None
    assert (action.name, action.by, action.detail) == ("release", "T1", {"device": "felt-t1"})


def test_figures_of_the_receivers_stand_beside_the_gateways_own(pit: Pit, pump: Pump) -> None:
    figures = LiveDesk(pump, lambda: True, lambda: (Figure("sabot_output_told_total", 3),)).figures()
    assert Figure("sabot_output_told_total", 3) in figures
    assert "sabot_records_written_total" in {figure.name for figure in figures}


def test_messages_in_a_controllers_name_that_it_never_sealed_are_one_alarm_which_a_person_clears(
    pit: Pit, pump: Pump, journal: GatedJournal, tmp_path: Path
) -> None:
    pit.settle(pump)
    house = str(pump.house.queue.stream)
    for _ in range(3):
        pit.broker.arrive("sabot/v1/house/felt-t1/event", b"rubbish", pit.clock.now_ms())
        pit.broker.arrive("sabot/v1/house/stranger/event", b"rubbish", pit.clock.now_ms())
    pit.settle(pump)
    raised = [effect.alert for effect in decisions(journal, house) if isinstance(effect, RaiseAlert)]
    assert sorted((alert.code, dict(alert.evidence)["device"]) for alert in raised) == [
        ("MESSAGES_REFUSED", "felt-t1"),
        ("MESSAGES_REFUSED", "stranger"),
    ]
    desk = desk_of(pit, pump)
    assert {figure.name: figure.value for figure in desk.figures()}["sabot_alerts_open"] == 2
    comment = desk.submit(house, AlertCommented("S1", raised[0].id, "a technician's laptop"), by="S1")
    cleared = desk.submit(house, AlertCleared("S1", raised[0].id, "replayed by the auditor"), by="S1")
    pit.settle(pump)
    assert comment.result().stream == cleared.result().stream == house
    ended = [effect for effect in decisions(journal, house) if isinstance(effect, ClearAlert)]
    assert [(effect.alert, effect.by, effect.reason) for effect in ended] == [
        (raised[0].id, "S1", "replayed by the auditor")
    ]
    views = Views(tmp_path / "views.db")
    views.catch_up(journal)
    with views.reading() as db:
        (still_open,) = open_alerts(db)
        (told,) = [each for each in all_alerts(db) if each.alert == raised[0].id]
        history = [(each.kind, each.by) for each in history_of(db, told.id)]
    views.close()
    assert still_open.alert == raised[1].id
    assert (told.cleared_by, told.cleared_reason) == ("S1", "replayed by the auditor")
    assert history == [("commented", "S1"), ("cleared", "S1")]


def test_a_tables_fact_does_not_go_into_the_stream_of_the_house(pit: Pit, pump: Pump) -> None:
    pit.settle(pump)
    refused = desk_of(pit, pump).submit(str(pump.house.queue.stream), PlayerLeft(1), by="S1")
    pit.settle(pump)
    with pytest.raises(DeskError, match="no such table"):
        refused.result()


def test_an_alarm_of_an_earlier_life_can_still_be_cleared(pit: Pit, pump: Pump, journal: GatedJournal) -> None:
    pit.broker.arrive("sabot/v1/house/felt-t1/event", b"rubbish", pit.clock.now_ms())
    pit.settle(pump)
    house = str(pump.house.queue.stream)
    (raised,) = [effect.alert for effect in decisions(journal, house) if isinstance(effect, RaiseAlert)]
    pump.queue.put(Stopped())
    pit.settle(pump)
    assert journal.snapshot(Stream(house)) is not None
    again = pit.gateway(journal)
    pit.settle(again)
    assert raised.id in again.house.alarms, "the snapshot carries it, so that it is raised once"
    desk_of(pit, again).submit(house, AlertCleared("S1", raised.id, "seen"), by="S1")
    pit.settle(again)
    (ended,) = [effect for effect in decisions(journal, house) if isinstance(effect, ClearAlert)]
    assert (ended.alert, ended.by) == (raised.id, "S1")
    assert raised.id not in again.house.alarms


def test_a_flood_is_one_alarm_and_what_is_not_kept_of_it_is_counted_in_the_journal(
    pit: Pit, pump: Pump, journal: GatedJournal
) -> None:
    pit.settle(pump)
    stream = pump.house.queue.stream
    for _ in range(2):
        for number in range(MOST_MESSAGES):
            pit.broker.arrive(f"sabot/v1/house/nobody-{number}/event", b"rubbish", pit.clock.now_ms())
        pit.settle(pump)
        pit.clock.pass_ms(TELL_EVERY_MS)
        pit.settle(pump)
    pit.broker.arrive("sabot/v1/house/nobody/event", b"rubbish", pit.clock.now_ms())
    pump.queue.put(Stopped())
    pit.settle(pump)
    raised = [effect.alert.code for effect in decisions(journal, stream) if isinstance(effect, RaiseAlert)]
    assert raised == ["MESSAGES_REFUSED", "QUARANTINE_FULL"]
    assert journal.quarantine_counts() == {"unknown_device": MOST_MESSAGES}
    actions = [
        take_house(pump.house.house, each.body).action for each in journal.read(stream) if each.kind is Kind.FACT
    ]
    noted = [action.detail for action in actions if action is not None and action.name == "refused_unkept"]
    assert noted == [
        {"sender": "stranger", "messages": MOST_MESSAGES, "bytes": 7 * MOST_MESSAGES},
        {"sender": "stranger", "messages": 1, "bytes": 7},
    ]
    assert not pit.broker.unsettled
