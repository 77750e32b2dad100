"""Waking the network thread: no ring is ever lost, however it falls."""

import os
import select
import threading

import pytest

from mqtt.ears import PATIENCE_S
from sabot_gateway.mqtt.socket_wait import SocketWait


def test_a_ring_while_another_is_being_heard_does_not_silence_the_bell(monkeypatch: pytest.MonkeyPatch) -> None:
    wait = SocketWait()
    read = os.eventfd_read

    def ring_and_read(bell: int) -> int:
        wait.wake()
        return read(bell)

    wait.wake()
    monkeypatch.setattr(os, "eventfd_read", ring_and_read)
    wait.until_woken(PATIENCE_S)
    wait.wake()
    assert select.select([wait._bell], [], [], 0)[0]


def test_every_order_is_seen_without_waiting_for_a_tick() -> None:
    wait = SocketWait()
    orders: list[int] = []
    done = threading.Event()
    count = 5_000

    def follow() -> None:
        seen = 0
        while seen < count:
            wait.until_woken(PATIENCE_S)  # a lost ring would hold this up for good
            seen += len(orders[seen:])
        done.set()

    threading.Thread(target=follow, daemon=True).start()
    for number in range(count):
        orders.append(number)
        wait.wake()
    assert done.wait(PATIENCE_S / 2)
