"""The outbox keeps, numbers, frees and reports: what it promises while the power stays on."""

from firmware.on_both.seeded import Seeded
from sabot_firmware.core.outbox import ACK_EVERY, Outbox
from sabot_firmware.core.ring import OutboxError
from sabot_firmware.fake.flash_store import FlashStore

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def lost_event(first: int, last: int) -> bytes:
    return f"lost {first}-{last}".encode()


def drained(outbox: Outbox, batch: int = 200) -> "list[tuple[int, int, bytes]]":
    """(number, boot, event) of everything that would be sent, batch by batch."""
    found: list[tuple[int, int, bytes]] = []
    first = 1
    while True:
        boot, start, events = outbox.pending(first, batch)
        if not events:
            return found
        for event in events:
            found.append((start, boot, event))
            start += 1
        first = start


def refusal(call: "Callable[[], object]") -> str:
    try:
        call()
    except OutboxError as error:
        return error.code
    return "taken"


def test_events_come_back_in_order_with_their_numbers() -> None:
    outbox = Outbox(FlashStore(256, 4), lost_event)
    assert [outbox.append(b"a"), outbox.append(b""), outbox.append(b"\xff\xff\xff")] == [1, 2, 3]
    assert drained(outbox) == [(1, 1, b"a"), (2, 1, b""), (3, 1, b"\xff\xff\xff")]
    assert outbox.pending(2, 0) == (1, 2, [b""])
    assert outbox.pending(4, 100) == (1, 4, [])


def test_an_ack_frees_everything_up_to_it() -> None:
    outbox = Outbox(FlashStore(256, 4), lost_event)
    for number in range(1, 8):
        outbox.append(bytes([number]))
    assert outbox.used_bytes > 0
    assert outbox.ack(1, 5)
    assert [number for number, _, _ in drained(outbox)] == [6, 7]
    assert outbox.ack(1, 2), "an old ack is harmless"
    assert outbox.acked == 5
    assert outbox.ack(1, 7)
    assert (drained(outbox), outbox.used_bytes) == ([], 0)


def test_an_ack_of_what_was_never_stored_is_refused() -> None:
    outbox = Outbox(FlashStore(256, 4), lost_event)
    outbox.append(b"a")
    assert not outbox.ack(1, 2)
    assert not outbox.ack(2, 1)
    assert outbox.acked == 0


def test_numbers_run_on_and_boots_count_up_over_restarts() -> None:
    store = FlashStore(256, 4)
    first = Outbox(store, lost_event)
    first.append(b"a")
    first.append(b"b")
    second = Outbox(store, lost_event)
    assert (first.boot, second.boot) == (1, 2)
    assert second.append(b"c") == 3
    third = Outbox(store, lost_event)
    assert third.append(b"d") == 4
    assert drained(third) == [(1, 1, b"a"), (2, 1, b"b"), (3, 2, b"c"), (4, 3, b"d")]
    assert third.pending(1, 100) == (1, 1, [b"a", b"b"]), "one message holds one boot"
    # The wire: an ack of a boot makes all earlier boots safe.
    assert third.ack(3, 0)
    assert drained(third) == [(4, 3, b"d")]


def test_boots_without_an_event_wear_nothing_out() -> None:
    store = FlashStore(256, 3)
    Outbox(store, lost_event).append(b"kept")
    for boot in range(2, 60):
        outbox = Outbox(store, lost_event)
        assert outbox.boot == boot
        if boot == 3:
            outbox.ack(1, 1)
    assert outbox.newest >= 1
    assert store.overwrites == 0


def test_a_full_ring_reports_the_exact_range_it_lost() -> None:
    store = FlashStore(256, 4)
    outbox = Outbox(store, lost_event)
    outbox.append(b"first")
    outbox.ack(1, 1)
    while not outbox.has_overflowed:
        outbox.append(b"x" * 30)
    lost_upto = outbox.floor
    found = drained(outbox)
    assert [number for number, _, _ in found] == list(range(lost_upto + 1, outbox.newest + 1))
    assert [event for _, _, event in found if event[:4] == b"lost"] == [lost_event(2, lost_upto)]
    # A second loss tells of the first one too: its report may be among what is lost.
    while outbox.floor == lost_upto:
        outbox.append(b"x" * 30)
    assert [event for _, _, event in drained(outbox) if event[:4] == b"lost"][-1] == lost_event(2, outbox.floor)
    assert outbox.used_bytes <= 3 * 256
    # The fault lamp goes out when the gateway has acknowledged beyond the loss.
    outbox.ack(1, outbox.newest)
    assert not outbox.has_overflowed


def test_tending_keeps_erases_out_of_appends() -> None:
    store = FlashStore(256, 5)
    outbox = Outbox(store, lost_event)
    outbox.tend()
    for _ in range(300):
        before = sum(store.erases)
        outbox.append(b"event")
        assert sum(store.erases) == before
        outbox.ack(1, outbox.newest)
        if outbox.needs_tending:
            outbox.tend()
    assert sum(store.erases) > 10


def test_too_long_an_event_is_refused_and_nothing_changes() -> None:
    outbox = Outbox(FlashStore(256, 4), lost_event)
    for _ in range(2):
        assert refusal(lambda: outbox.append(b"x" * (outbox.max_event + 1))) == "too_long"
    assert outbox.append(b"x" * outbox.max_event) == 1


def test_too_small_a_flash_is_refused() -> None:
    assert refusal(lambda: Outbox(FlashStore(256, 2), lost_event)) == "too_small"
    assert refusal(lambda: Outbox(FlashStore(64, 8), lost_event)) == "too_small"


def test_flash_full_of_rubbish_is_formatted() -> None:
    store = FlashStore(256, 4)
    store.cells[:] = Seeded(7).bytes(1024)
    outbox = Outbox(store, lost_event)
    assert (outbox.boot, outbox.append(b"a")) == (1, 1)
    for _ in range(60):
        outbox.append(b"rubbish is erased before it is used")
    assert store.overwrites == 0


def test_a_damaged_record_is_left_out_and_reported() -> None:
    store = FlashStore(256, 4)
    outbox = Outbox(store, lost_event)
    for letter in b"abcdef":
        outbox.append(bytes([letter]) * 9)
    at = bytes(store.cells).find(b"ccccccccc")
    store.cells[at + 4] = 0
    outbox = Outbox(store, lost_event)
    assert outbox.pending(1, 100) == (1, 1, [b"a" * 9, b"b" * 9])
    assert outbox.pending(3, 100) == (1, 4, [b"d" * 9, b"e" * 9, b"f" * 9])
    assert outbox.needs_tending
    while outbox.needs_tending:
        outbox.tend()
    assert outbox.pending(7, 100) == (2, 7, [lost_event(3, 3)])


def test_worn_cells_are_stepped_over() -> None:
    store = FlashStore(256, 4)
    outbox = Outbox(store, lost_event)
    store.cells[120:124] = b"\x00\x00\x00\x00"  # cells that no longer hold ones
    for number in range(1, 9):
        assert outbox.append(f"event {number}".encode()) == number
    expected = [(number, 1, f"event {number}".encode()) for number in range(1, 9)]
    assert drained(outbox) == expected
    assert drained(Outbox(store, lost_event)) == expected


def test_wear_is_level_over_a_long_run() -> None:
    store = FlashStore(256, 8)
    outbox = Outbox(store, lost_event)
    random = Seeded(11)
    for turn in range(6000):
        outbox.append(random.bytes(random.below(40)))
        if random.chance(30):
            outbox.ack(outbox.boot, outbox.newest - random.below(3))
        if random.chance(1) or turn == 3000:
            outbox = Outbox(store, lost_event)
    assert max(store.erases) - min(store.erases) <= 1, store.erases
    assert min(store.erases) > 50
    assert store.overwrites == 0


def test_acks_are_kept_over_a_restart_but_for_the_last_few() -> None:
    store = FlashStore(1024, 4)
    outbox = Outbox(store, lost_event)
    for _ in range(40):
        outbox.append(b"e")
        outbox.ack(1, outbox.newest)
    again = Outbox(store, lost_event)
    assert 40 - ACK_EVERY < again.acked <= 40
