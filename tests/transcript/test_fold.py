"""One fold: what controllers and people said gives the same table live, in replay, and from a snapshot."""

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sabot_gateway.journal.record import Kind
from sabot_gateway.link.sequence import Sequence
from sabot_gateway.model.effect import RecordDecision, SetLamps
from sabot_gateway.model.event import (
    ChipsRead,
    ChipsRegistered,
    ControllerRebooted,
    Event,
    KeyPressed,
    LinkGap,
    TimerFired,
)
from sabot_gateway.model.felt import FeltSpot
from sabot_gateway.model.game import Game
from sabot_gateway.model.registers import Registers
from sabot_gateway.model.review import AlertCommented
from sabot_gateway.model.tag import Chip, Tag
from sabot_gateway.table.machine import new_table, step
from sabot_gateway.table.setup import TableSetup, Timing
from sabot_gateway.transcript.decision import body_from_decision
from sabot_gateway.transcript.error import FactError
from sabot_gateway.transcript.fact import (
    SetupRecord,
    Withheld,
    body_from_batch,
    body_from_event,
    body_from_setup,
    body_from_withheld,
)
from sabot_gateway.transcript.fold import Fold, Taken, kept_steps, skip_decision, take
from sabot_gateway.transcript.fold_snapshot import bytes_from_fold, fold_from_bytes
from sabot_gateway.transcript.house import digest_of
from sabot_protocol.codec import encode
from sabot_protocol.version import MAJOR, MINOR, schema_hash
from table.table_stage import setup_for
from transcript.story import OFFSET_MS, Written, played, registers_of, setup_record, told

SETUP = setup_for(Game.TCF)
REGISTERS = registers_of(SETUP)
HOUSE = {digest_of(REGISTERS): REGISTERS}


def empty() -> Fold:
    return Fold(HOUSE.__getitem__)


def ready() -> Fold:
    return take(empty(), Kind.FACT, body_from_setup(setup_record(SETUP)), OFFSET_MS).fold


def message(
    fold: Fold, first: int, *events: tuple[str, dict[str, Any]], boot: int = 1, skip: int = 0, device: str = "t1"
) -> Taken:
    timed = [(name, {"device_ms": 1_000 + first, **values}) for name, values in events]
    payload = encode("event", {"boot": boot, "first": first, "events": timed})
    return take(fold, Kind.FACT, body_from_batch(device, skip, OFFSET_MS, 50, payload), OFFSET_MS + 2_000)


def happened(taken: Taken) -> list[Event | None]:
    return [each.event for each in taken.steps]


def fold_all(written: list[Written]) -> tuple[Fold, list[bytes]]:
    fold, decisions = Fold(HOUSE.__getitem__), []
    for kind, body, received_ms in written:
        taken = take(fold, kind, body, received_ms)
        fold = taken.fold
        decision = body_from_decision(fold.position, kept_steps(taken))
        if decision:
            decisions.append(decision)
            fold = skip_decision(fold)
    return fold, decisions


KEY = ("key_pressed", {"key": "call_floor", "seat": 0})


@settings(max_examples=12, deadline=None)
@given(st.sampled_from([Game.TCF, Game.STU, Game.THE]), st.integers(0, 2**32 - 1))
def test_a_stream_gives_the_table_that_stepping_its_events_gives(game: Game, seed: int) -> None:
    stage = played(game, seed, 120)
    setup = new_setup(stage)
    events, written = told(setup, stage.events, Random(seed))
    registers = registers_of(setup)
    HOUSE[digest_of(registers)] = registers
    state = new_table(with_registers(setup, registers))
    effects: list[tuple[Event | None, object]] = []
    for event in events:
        done = step(state, event)
        state = done.state
        effects.append((event, done.effects))
    fold, found = Fold(HOUSE.__getitem__), []
    for kind, body, received_ms in written:
        taken = take(fold, kind, body, received_ms)
        fold = taken.fold
        found += [(each.event, each.effects) for each in taken.steps]
    assert found[1:] == effects
    assert fold.state is not None
    assert comparable(fold.state) == comparable(state)
    assert fold.position == len(written)
    assert {name: armed.token for name, armed in fold.timers.items()} == state.timers


@settings(max_examples=10, deadline=None)
@given(st.sampled_from([Game.UTH, Game.THE]), st.integers(0, 2**32 - 1), st.data())
def test_a_snapshot_anywhere_changes_nothing_of_what_follows(game: Game, seed: int, data: st.DataObject) -> None:
    stage = played(game, seed, 80)
    setup = new_setup(stage)
    registers = registers_of(setup)
    HOUSE[digest_of(registers)] = registers
    _, written = told(setup, stage.events, Random(seed))
    cut = data.draw(st.integers(0, len(written)))
    whole, decisions = fold_all(written)
    fold, before = fold_all(written[:cut])
    fold = fold_from_bytes(bytes_from_fold(fold), HOUSE.__getitem__)
    after = []
    for kind, body, received_ms in written[cut:]:
        taken = take(fold, kind, body, received_ms)
        fold = taken.fold
        decision = body_from_decision(fold.position, kept_steps(taken))
        if decision:
            after.append(decision)
            fold = skip_decision(fold)
    assert before + after == decisions
    assert (fold.sequences, fold.timers, fold.parts, fold.position) == (
        whole.sequences,
        whole.timers,
        whole.parts,
        whole.position,
    )
    assert fold.state is not None
    assert whole.state is not None
    assert comparable(fold.state) == comparable(whole.state)


def new_setup(stage: Any) -> TableSetup:
    setup: TableSetup = stage.state.setup
    return with_decks_unused(setup)


def with_decks_unused(setup: TableSetup) -> TableSetup:
    decks = {name: type(deck)(deck.name, deck.colour, 3 if name == "blue" else 0) for name, deck in setup.decks.items()}
    return TableSetup(
        setup.table, setup.ruleset, setup.chips, setup.cards, decks, setup.badges, setup.timing, setup.fitted
    )


def with_registers(setup: TableSetup, registers: Registers) -> TableSetup:
    return TableSetup(
        setup.table,
        setup.ruleset,
        registers.chips,
        registers.cards,
        registers.decks,
        registers.badges,
        setup.timing,
        setup.fitted,
    )


def comparable(state: Any) -> Any:
    """A state whose ruleset is compared by its digest: one that was read is another object."""
    setup = state.setup
    plain = (setup.table, setup.ruleset.sha256, setup.chips, setup.cards, setup.decks, setup.badges, setup.timing)
    return (plain, setup.fitted, *(getattr(state, name) for name in type(state).__slots__ if name != "setup"))


def test_the_first_setup_shows_its_picture() -> None:
    taken = take(empty(), Kind.FACT, body_from_setup(setup_record(SETUP)), OFFSET_MS)
    (only,) = taken.steps
    assert only.event is None
    assert [type(effect) for effect in only.effects] == [SetLamps]
    assert taken.fold.state is not None


def test_a_setup_in_a_coup_waits_for_its_end() -> None:
    fold = ready()
    chips = [uid for uid, chip in REGISTERS.chips.items() if chip.value_cents == 1_000]
    bet = {"seat": 1, "spot": "ante", "part": 1, "of": 1, "uids": [bytes.fromhex(chips[0])]}
    badge = next(bytes.fromhex(tag) for tag, person in REGISTERS.badges.items() if person.id == "H1")
    fold = message(
        fold,
        1,
        ("badge_read", {"uid": badge}),
        ("key_pressed", {"key": "open_session", "seat": 0}),
        ("key_pressed", {"key": "bets_open", "seat": 0}),
        ("chips_read", bet),
    ).fold
    assert fold.state is not None
    if fold.state.coup.phase == "idle":
        pytest.fail("the coup must be open for this test")
    slow = SetupRecord("T1", SETUP.ruleset, digest_of(REGISTERS), Timing(lamps_ms=9_999), SETUP.fitted)
    fold = take(fold, Kind.FACT, body_from_setup(slow), OFFSET_MS + 9_000).fold
    assert fold.waiting is not None
    assert fold.state is not None
    assert fold.state.setup.timing != slow.timing
    empty_again = {**bet, "uids": []}
    taken = message(fold, 5, ("chips_read", empty_again))
    assert taken.fold.waiting is None
    assert taken.fold.state is not None
    assert taken.fold.state.setup.timing == slow.timing
    notes = [effect for each in taken.steps for effect in each.effects if isinstance(effect, RecordDecision)]
    assert [note.kind for note in notes if note.kind == "configured"] == ["configured"]


def test_registers_that_the_house_did_not_write_are_one_clear_error() -> None:
    with pytest.raises(FactError, match="registers"):
        take(empty(), Kind.FACT, body_from_setup(SetupRecord("T1", SETUP.ruleset, "00" * 32)), OFFSET_MS)


def test_a_jump_in_the_numbers_is_a_gap() -> None:
    fold = message(ready(), 1, KEY).fold
    taken = message(fold, 5, KEY)
    gap, key = happened(taken)
    assert gap == LinkGap(2, 4, at_ms=OFFSET_MS + 1_005, device="t1")
    assert isinstance(key, KeyPressed)
    assert taken.fold.sequences["t1"] == Sequence(1, 5, 1, 1_005)


def test_a_device_heard_for_the_first_time_leaves_no_gap() -> None:
    taken = message(ready(), 500, KEY)
    assert [type(event) for event in happened(taken)] == [KeyPressed]


def test_events_taken_before_are_left_out() -> None:
    fold = message(ready(), 1, KEY, KEY).fold
    taken = message(fold, 1, KEY, KEY, KEY, skip=2)
    assert [event.seq for event in happened(taken) if event is not None] == [3]


def test_an_overflow_of_what_was_taken_or_already_missed_is_no_second_gap() -> None:
    fold = message(ready(), 1, KEY, KEY).fold
    taken = message(fold, 9, ("outbox_overflow", {"from": 2, "to": 8}))
    assert [(e.first, e.last) for e in happened(taken) if isinstance(e, LinkGap)] == [(3, 8)]
    assert [report.name for report in taken.reports] == ["outbox_overflow"]


def test_an_overflow_before_the_first_contact_is_a_gap() -> None:
    taken = message(ready(), 9, KEY, ("outbox_overflow", {"from": 2, "to": 8}))
    assert [(e.first, e.last) for e in happened(taken) if isinstance(e, LinkGap)] == [(2, 8)]


HELLO = (
    "hello",
    {
        "major": MAJOR,
        "minor": MINOR,
        "schema": schema_hash(),
        "firmware": "1.0",
        "digest": bytes(32),
        "modules": 1,
        "board": "bench",
        "capabilities": [],
        "reset_cause": "watchdog",
    },
)


def test_a_hello_of_a_new_boot_is_a_reboot_with_its_cause() -> None:
    first = message(ready(), 1, HELLO)
    assert happened(first) == [], "a controller that is new to the table did not reboot"
    taken = message(first.fold, 2, HELLO, KEY, boot=2)
    reboot, _ = happened(taken)
    assert isinstance(reboot, ControllerRebooted)
    assert (reboot.cause, reboot.boot, reboot.seq) == ("watchdog", 2, 2)
    assert [report.name for report in taken.reports] == ["hello"]


def test_a_new_boot_without_its_hello_is_a_reboot_all_the_same() -> None:
    fold = message(ready(), 1, KEY).fold
    taken = message(fold, 4, KEY, boot=2)
    assert [type(event) for event in happened(taken)] == [LinkGap, ControllerRebooted, KeyPressed]


def test_withheld_numbers_are_a_gap_and_are_not_asked_for_again() -> None:
    fold = message(ready(), 1, KEY).fold
    body = body_from_withheld(Withheld("t1", 2, 2, 9, 77, "schema_unknown"))
    taken = take(fold, Kind.FACT, body, OFFSET_MS)
    assert [(e.first, e.last) for e in happened(taken) if isinstance(e, LinkGap)] == [(2, 9)]
    assert taken.fold.sequences["t1"] == Sequence(2, 9, 1, 77, "schema_unknown")
    after = message(taken.fold, 10, KEY, boot=3)
    assert not [event for event in happened(after) if isinstance(event, LinkGap)]
    assert after.fold.sequences["t1"].refused == ""


def chips(part: int, of: int, *uids: bytes, seat: int = 1) -> tuple[str, dict[str, Any]]:
    values = {"device_ms": 5_000, "seat": seat, "spot": "ante", "part": part, "of": of, "uids": list(uids)}
    return "chips_read", values


def test_parts_are_one_reading_whatever_messages_they_came_in() -> None:
    fold = message(ready(), 1, chips(1, 3, b"aaaa")).fold
    fold = message(fold, 2, chips(2, 3, b"bbbb")).fold
    taken = message(fold, 3, chips(3, 3, b"cccc"), KEY)
    reading = happened(taken)[0]
    assert reading == ChipsRead(
        1,
        FeltSpot.ANTE,
        (Tag("61616161"), Tag("62626262"), Tag("63636363")),
        at_ms=OFFSET_MS + 5_000,
        device="t1",
        boot=1,
        seq=3,
    )
    assert taken.fold.parts == {}


@pytest.mark.parametrize(
    "second",
    [chips(3, 3, b"bbbb"), chips(2, 4, b"bbbb"), chips(2, 3, b"bbbb", seat=2)],
    ids=["part missing", "other number of parts", "other seat"],
)
def test_parts_that_do_not_follow_are_no_reading_and_are_reported(second: tuple[str, dict[str, Any]]) -> None:
    fold = message(ready(), 1, chips(1, 3, b"aaaa")).fold
    taken = message(fold, 2, second)
    assert happened(taken) == []
    assert [report.name for report in taken.reports] == ["reading_incomplete"]
    assert taken.fold.parts == {}


def test_a_half_read_spot_survives_a_snapshot() -> None:
    fold = message(ready(), 1, chips(1, 2, b"aaaa")).fold
    again = fold_from_bytes(bytes_from_fold(fold), HOUSE.__getitem__)
    assert again.parts == fold.parts


def test_a_timer_is_armed_in_the_gateways_time_and_disarmed_when_it_fired() -> None:
    badge = next(bytes.fromhex(tag) for tag, person in REGISTERS.badges.items() if person.id == "H1")
    fold = message(ready(), 1, ("badge_read", {"uid": badge}), ("key_pressed", {"key": "open_session", "seat": 0})).fold
    name, armed = next(iter(fold.timers.items()))
    assert armed.due_ms > OFFSET_MS + 2_000
    body = body_from_event(TimerFired(name, armed.token, at_ms=armed.due_ms))
    assert name not in take(fold, Kind.FACT, body, armed.due_ms).fold.timers


def test_the_alert_queue_is_none_of_the_tables_business() -> None:
    fold = ready()
    taken = take(fold, Kind.OPERATOR, body_from_event(AlertCommented("S1", "1/X", "hm"), "S1"), OFFSET_MS)
    assert (taken.steps, taken.fold.state, taken.fold.position) == ((), fold.state, fold.position + 1)


def test_facts_before_the_first_setup_only_count() -> None:
    taken = message(empty(), 1, HELLO, KEY)
    assert taken.steps == ()
    assert taken.fold.sequences["t1"].upto == 2


def test_registers_changed_at_the_table_are_kept_in_its_snapshot() -> None:
    fold = ready()
    small = len(bytes_from_fold(fold))
    body = body_from_event(ChipsRegistered({Tag("ee"): Chip(700)}, at_ms=OFFSET_MS), "H1")
    fold = take(fold, Kind.OPERATOR, body, OFFSET_MS).fold
    again = fold_from_bytes(bytes_from_fold(fold), HOUSE.__getitem__)
    assert again.state is not None
    assert again.state.setup.chips[Tag("ee")] == Chip(700)
    assert small < 20_000, "the registers of the house are named, not written"


def test_a_snapshot_that_cannot_be_read_is_one_clear_error() -> None:
    data = bytes_from_fold(ready())
    for cut in range(0, len(data), 97):
        with pytest.raises(FactError):
            fold_from_bytes(data[:cut], HOUSE.__getitem__)
