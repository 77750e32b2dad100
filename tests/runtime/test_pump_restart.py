"""Stopped at any moment and started again: the coup goes on, nothing is settled twice, numbers never go back."""

import cbor2
import pytest

from runtime.gated_journal import GatedJournal
from runtime.pit import NOON, Pit, Script, decisions, settlements
from sabot_gateway.journal.port import Append
from sabot_gateway.journal.record import Entry, Kind, Owner, Stream
from sabot_gateway.model.effect import RecordDecision, SetLamps
from sabot_gateway.model.event import ServiceResumed, TimerFired
from sabot_gateway.model.game import Game
from sabot_gateway.runtime import table_runner
from sabot_gateway.runtime.item import Stopped
from sabot_gateway.runtime.live_desk import LiveDesk
from sabot_gateway.runtime.replay import fold_stream, start
from sabot_gateway.runtime.table_runner import SNAPSHOT_BETWEEN_COUPS, SNAPSHOT_EVERY, is_worth_keeping
from sabot_gateway.runtime.tending import SNAPSHOT_ALL_MS
from sabot_gateway.table.change import replace
from sabot_gateway.table.setup import Timing
from sabot_gateway.table.state import CoupPhase
from sabot_gateway.transcript.decision import body_from_decision, decision_from_body
from sabot_gateway.transcript.fact import Batch, Configured, Said, read_fact
from sabot_gateway.transcript.fold_snapshot import bytes_from_fold, fold_from_bytes
from sabot_tools.bench.night import opened

T1 = Stream("t1")


@pytest.fixture
def pit() -> Pit:
    return Pit({"t1": Script("stu-beaten")})


def said(journal: GatedJournal, kind: type) -> list[object]:
    facts = [read_fact(record.kind, record.body) for record in journal.read(T1) if record.kind is not Kind.DECISION]
    return [fact.event for fact in facts if isinstance(fact, Said) and isinstance(fact.event, kind)]


def test_an_interrupted_coup_goes_on_where_it_was(pit: Pit, journal: GatedJournal) -> None:
    pit.play("t1")
    pump = pit.gateway(journal)
    pit.settle(pump)
    for first in range(1, pit.devices["t1"].newest + 1, 5):
        pit.send("t1", first, 5)
        pit.settle(pump)
        before = pump.tables["t1"].state
        pump = pit.gateway(journal)  # the old one is simply gone
        pit.settle(pump)
        after = pump.tables["t1"].state
        assert before is not None
        assert after is not None
        assert after.coup == before.coup
        assert after.alerts == before.alerts
        assert after.felt == before.felt
    assert len(settlements(journal, "t1")) == 1
    facts = [read_fact(record.kind, record.body) for record in journal.read(T1) if record.kind is not Kind.DECISION]
    assert sum(isinstance(fact, Configured) for fact in facts) == 1
    assert all(event.complete for event in said(journal, ServiceResumed) if isinstance(event, ServiceResumed))


def test_a_decision_that_the_power_cut_swallowed_is_made_at_the_start_once(pit: Pit, journal: GatedJournal) -> None:
    pit.play("t1")
    pump = pit.gateway(journal)
    pit.settle(pump)
    journal.is_open = False
    pit.send_all("t1")
    while not journal.held:
        pump.cycle()
    journal.release()  # the facts are durable
    pump.cycle()
    assert journal.held == 1
    journal.lose()  # the decisions are not
    journal.is_open = True
    assert settlements(journal, "t1") == []
    for _ in range(3):
        pump = pit.gateway(journal)
        pit.settle(pump)
        assert len(settlements(journal, "t1")) == 1
    assert pit.devices["t1"].lamps[-1]["revision"] == pump.tables["t1"].revision


def test_a_decision_that_differs_is_told_and_never_overwritten(pit: Pit, journal: GatedJournal) -> None:
    pit.play("t1", 6)
    pump = pit.gateway(journal)
    pit.settle(pump)
    fence = pump.fence + 1
    # A decision on a fact that led to none, as an older release with other rules may have written it.
    facts = [record.position for record in journal.read(T1) if record.kind is not Kind.DECISION]
    causes = {decision_from_body(each.body).cause for each in journal.read(T1) if each.kind is Kind.DECISION}
    (cause,) = [position for position in facts if position not in causes][:1] or [facts[0]]
    strange = body_from_decision(cause, ((0, (RecordDecision(1, "strange"),)),))
    journal.append(Append(T1, Owner("g1"), fence, [Entry(Kind.DECISION, strange, NOON)])).result()
    before = [record.hash for record in journal.read(T1)]
    started = start(journal, pit.plan)
    assert [(each.table, each.position) for each in started.differences] == [("t1", cause)]
    pump = pit.gateway(journal)
    pit.settle(pump)
    assert [record.hash for record in journal.read(T1)][: len(before)] == before
    assert "DECISION_DIFFERS" in {alert.code for alert in pump.house.alarms.values()}
    assert pump.tables["t1"].fault is None


def test_revisions_of_the_lamps_never_go_back(pit: Pit, journal: GatedJournal) -> None:
    pit.play("t1")
    revisions: list[int] = []
    for first in range(1, pit.devices["t1"].newest + 1, 7):
        pump = pit.gateway(journal)
        pit.settle(pump)
        pit.send("t1", first, 7)
        pit.settle(pump)
        revisions.append(pump.tables["t1"].revision)
    assert revisions == sorted(revisions)
    shown = [effect.revision for effect in decisions(journal, "t1") if isinstance(effect, SetLamps)]
    assert shown == sorted(set(shown))


def test_lamps_are_published_again_at_the_start_and_when_the_broker_is_back(pit: Pit, journal: GatedJournal) -> None:
    pump = pit.gateway(journal)
    pit.settle(pump)
    topic = pit.devices["t1"].topic("lamps")
    pit.broker.retained.clear()
    pump = pit.gateway(journal)
    pit.settle(pump)
    assert topic in pit.broker.retained
    pit.broker.retained.clear()
    pit.broker.disconnect()
    pit.broker.connect()
    pit.settle(pump)
    assert topic in pit.broker.retained


@pytest.mark.parametrize("has_snapshot", [False, True])
def test_a_backlog_after_a_restart_is_timed_as_before_it(pit: Pit, journal: GatedJournal, has_snapshot: bool) -> None:
    """What happened while the gateway was away comes late; it did not happen late."""
    pit.play("t1")
    pump = pit.gateway(journal)
    pit.settle(pump)
    for first in (1, 9):
        pit.send("t1", first)
        pit.settle(pump)
    if has_snapshot:
        pump.queue.put(Stopped())
        pit.settle(pump)
    pit.clock.pass_ms(60_000)
    pump = pit.gateway(journal)
    device = pit.devices["t1"]
    for first in range(17, device.newest + 1, 8):
        pit.broker.arrive(device.topic("event"), device.batch(first), pit.clock.now_ms())
    pit.settle(pump)
    assert device.acked == device.newest
    facts = [read_fact(record.kind, record.body) for record in journal.read(T1) if record.kind is not Kind.DECISION]
    batches = [fact for fact in facts if isinstance(fact, Batch)]
    assert len(batches) > 3
    assert {batch.offset_ms for batch in batches} == {NOON}
    assert batches[2].spread_ms >= batches[1].spread_ms  # nobody knows how far the clocks went apart meanwhile


@pytest.mark.parametrize("has_snapshot", [False, True])
def test_software_and_board_of_a_controller_are_known_after_a_restart(
    pit: Pit, journal: GatedJournal, has_snapshot: bool
) -> None:
    pump = pit.gateway(journal)
    pit.send_all("t1")
    pit.settle(pump)
    if has_snapshot:
        pump.queue.put(Stopped())
        pit.settle(pump)
    desk = LiveDesk(pit.gateway(journal), lambda: True)
    (status,) = desk.devices()
    assert (status.firmware, status.board, status.capabilities) == ("test", "none", ("lamps",))
    assert status.digest == bytes(32).hex()


def test_a_snapshot_makes_the_next_start_short_and_the_same(pit: Pit, journal: GatedJournal) -> None:
    pit.play("t1")
    pump = pit.gateway(journal)
    pit.settle(pump)
    pit.send_all("t1")
    pit.settle(pump)
    whole = fold_stream(journal, T1, pump.house.lookup)
    assert whole.saved_position == 0
    pump.queue.put(Stopped())
    pit.settle(pump)
    short = fold_stream(journal, T1, pump.house.lookup)
    assert short.saved_position == journal.heads()[T1].position
    assert short.fold == whole.fold
    pump = pit.gateway(journal)
    pit.settle(pump)
    assert len(settlements(journal, "t1")) == 1


@pytest.mark.parametrize(
    ("behind", "phase", "is_worth_it"),
    [
        (SNAPSHOT_BETWEEN_COUPS - 1, CoupPhase.IDLE, False),
        (SNAPSHOT_BETWEEN_COUPS, CoupPhase.IDLE, True),
        (SNAPSHOT_BETWEEN_COUPS, CoupPhase.PAYING, False),
        (SNAPSHOT_EVERY - 1, CoupPhase.PAYING, False),
        (SNAPSHOT_EVERY, CoupPhase.PAYING, True),
    ],
)
def test_a_snapshot_waits_for_the_end_of_the_coup_but_not_for_ever(
    behind: int, phase: CoupPhase, is_worth_it: bool
) -> None:
    state = opened(Game.TCF)
    state = replace(state, coup=replace(state.coup, phase=phase))
    assert is_worth_keeping(behind, state) is is_worth_it


def test_a_table_is_kept_when_its_coup_is_over(
    pit: Pit, journal: GatedJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_runner, "SNAPSHOT_BETWEEN_COUPS", 10)
    pit.play("t1")
    pump = pit.gateway(journal)
    pit.settle(pump)
    pit.send_all("t1")
    pit.settle(pump)
    kept = journal.snapshot(T1)
    assert kept is not None
    state = fold_from_bytes(kept.body, pump.house.lookup).state
    assert state is not None
    assert state.coup.phase is CoupPhase.IDLE
    assert state.coup.number > 0, "after the coup, not before it"


@pytest.mark.parametrize("cycles", range(6))
def test_a_new_table_is_not_held_up_when_snapshots_are_made_of_all(
    pit: Pit, journal: GatedJournal, cycles: int
) -> None:
    pump = pit.gateway(journal)
    for _ in range(cycles):
        pump.cycle()
    pit.clock.pass_ms(SNAPSHOT_ALL_MS)  # in one of these cycles the table's first setup waits to be written
    pit.settle(pump)
    assert journal.heads()[T1].position > 0


def test_a_snapshot_of_another_release_is_passed_over(pit: Pit, journal: GatedJournal) -> None:
    pit.play("t1", 8)
    pump = pit.gateway(journal)
    pit.settle(pump)
    pit.send_all("t1")
    pit.settle(pump)
    snapshot = pump.tables["t1"].snapshot(NOON)
    assert snapshot is not None
    strange = type(snapshot)(snapshot.stream, snapshot.head, NOON, cbor2.dumps([99, "fold"]))
    journal.save_snapshots([strange]).result()
    started = start(journal, pit.plan)
    assert bytes_from_fold(started.tables["t1"].fold) == bytes_from_fold(pump.tables["t1"].fold)
    assert started.complete["t1"]


@pytest.fixture
def quick() -> Pit:
    timing = Timing(lamps_ms=2_000, stall_ms=10**9, fastest_ms=0, slowest_ms=10**9)
    return Pit({"t1": Script("stu-beaten")}, timing)


def test_a_timer_that_ran_before_the_restart_fires_after_it(quick: Pit, journal: GatedJournal) -> None:
    pump = quick.gateway(journal)
    quick.play("t1", 12)
    quick.send_all("t1")
    quick.settle(pump)  # a picture is out, and nobody confirms it
    assert pump.timers.next_ms() is not None
    pump = quick.gateway(journal)
    quick.settle(pump)
    assert said(journal, TimerFired) == []
    quick.clock.pass_ms(2_001)
    quick.settle(pump)
    (fired,) = said(journal, TimerFired)
    assert isinstance(fired, TimerFired)
    assert fired.timer == "lamps"
    state = pump.tables["t1"].state
    assert state is not None
    assert "LAMPS_NOT_CONFIRMED" in {alert.code for alert in state.alerts.values()}


def test_an_unconfirmed_picture_is_sent_again_until_it_is_confirmed(quick: Pit, journal: GatedJournal) -> None:
    pump = quick.gateway(journal)
    quick.settle(pump)
    topic, device = quick.devices["t1"].topic("lamps"), quick.devices["t1"]
    sent = 0
    for _ in range(5):
        quick.clock.pass_ms(2_500)
        pump.cycle()
        sent += sum(message.topic == topic for message in quick.broker.published)
        quick.settle(pump)
    assert sent >= 2
    assert pump.performer.unconfirmed() == 1
    device.record("lamps_applied", 20_000, revision=device.lamps[-1]["revision"])
    quick.send_all("t1")
    quick.settle(pump)
    device.record("lamps_applied", 21_000, revision=device.lamps[-1]["revision"])
    quick.send_all("t1")
    quick.settle(pump)
    assert pump.performer.unconfirmed() == 0
    state = pump.tables["t1"].state
    assert state is not None
    assert "LAMPS_NOT_CONFIRMED" not in {alert.code for alert in state.alerts.values()}
