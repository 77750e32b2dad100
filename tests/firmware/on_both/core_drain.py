"""What is sent when: live events at once, a backlog in order through a window, a lost message again."""

from firmware.on_both.core_outbox import lost_event
from firmware.on_both.seeded import Seeded
from sabot_firmware.core.drain import RESEND_MAX_MS, RESEND_MS, WINDOW, Drain
from sabot_firmware.core.outbox import Outbox
from sabot_firmware.core.ticks import MASK, ticks_add
from sabot_firmware.fake.flash_store import FlashStore


def test_a_lonely_live_event_goes_at_once() -> None:
    drain = Drain()
    drain.restart(9)
    assert drain.ready(0, 9, 9) == 0
    assert drain.ready(0, 9, 10) == 10
    drain.sent(0, 10, 1)
    assert drain.ready(1, 9, 10) == 0
    assert drain.ready(1, 9, 11) == 11, "the next one does not wait for the ack of the first"


def test_a_backlog_goes_in_batches_up_to_the_window() -> None:
    drain = Drain()
    drain.restart(0)
    for batch in range(WINDOW):
        assert drain.ready(0, 0, 1000) == 1 + 50 * batch
        drain.sent(0, 1 + 50 * batch, 50)
    assert drain.ready(0, 0, 1000) == 0
    assert drain.ready(0, 50, 1000) == 1 + 50 * WINDOW, "an ack opens the window"


def test_an_unacknowledged_message_is_sent_again_with_growing_patience() -> None:
    drain = Drain()
    now = MASK - 1000
    drain.restart(0)
    drain.sent(now, 1, 5)
    waits = []
    for _ in range(7):
        start = now
        while not drain.ready(now, 0, 5):
            now = ticks_add(now, 500)
        waits.append((now - start) & MASK)
        drain.sent(now, 1, 5)
    assert waits[:3] == [RESEND_MS, 2 * RESEND_MS, 4 * RESEND_MS]
    assert waits[-1] == RESEND_MAX_MS
    assert drain.ready(now, 5, 5) == 0, "acknowledged at last"


def test_a_resend_that_the_gateway_asks_for_starts_where_it_asks() -> None:
    drain = Drain()
    drain.restart(10)
    drain.sent(0, 11, 20)
    drain.rewind(15, 10)
    assert drain.ready(1, 10, 30) == 15
    drain.rewind(3, 10)
    assert drain.ready(1, 10, 30) == 11, "what is acknowledged or lost is not kept"
    drain.rewind(99, 10)
    assert drain.ready(1, 10, 30) == 11


def test_a_loss_under_way_is_jumped_over() -> None:
    drain = Drain()
    drain.restart(0)
    drain.sent(0, 1, 5)
    assert drain.ready(0, 40, 60) == 41


def test_everything_arrives_in_order_over_a_link_that_loses_by_seed() -> None:
    for seed in range(8):
        play(seed)


def play(seed: int) -> None:
    """A gateway that takes events in order and acknowledges; messages and acks are lost, links break."""
    random = Seeded(seed)
    outbox = Outbox(FlashStore(1024, 16), lost_event)
    drain = Drain()
    drain.restart(outbox.floor)
    arrived = 0
    now = MASK - 5000
    while arrived < 300:
        now = ticks_add(now, 20)
        if outbox.newest < 300 and random.chance(40):
            outbox.append(f"event {outbox.newest + 1}".encode())
        first = drain.ready(now, outbox.floor, outbox.newest)
        if first:
            _, start, events = outbox.pending(first, 100)
            drain.sent(now, start, len(events))
            if random.chance(80):
                for event in events:
                    assert event == f"event {start}".encode()
                    arrived += 1 if start == arrived + 1 else 0
                    start += 1
        if random.chance(30):
            outbox.ack(outbox.boot, arrived)
        if random.chance(2):
            drain.restart(outbox.floor)
    assert not outbox.has_overflowed
