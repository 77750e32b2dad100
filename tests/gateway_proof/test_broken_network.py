"""Brokers that die, connections that break anywhere, messages that come twice, late, in another order or not at all."""

import random
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from gateway_proof.proof_controller import SITE
from gateway_proof.proof_evening import Evening
from gateway_proof.proof_house import ProofHouse
from gateway_proof.proof_network import Proxy, Relay
from gateway_proof.proof_report import Report
from mqtt.broker_process import MosquittoProcess
from services.mosquitto import Mosquitto

pytestmark = pytest.mark.slow

SEED = 1119
PACE_MS = 10
BROKER_KILLS = 6  # the gateway waits longer from one to the next, up to some seconds
TROUBLES = 40
RELAYED = 3_000  # events


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[MosquittoProcess]:
    """A Mosquitto of this test alone, which can be killed."""
    folder = tmp_path / "broker"
    folder.mkdir()
    process = MosquittoProcess(folder)
    yield process
    process.stop()


def test_a_broker_killed_again_and_again_costs_no_event(
    tmp_path: Path, broker: MosquittoProcess, report: Report
) -> None:
    """It forgets its sessions and what it had queued; the outboxes have it all."""
    evening = Evening(ProofHouse(tmp_path / "house", broker.port, pace_ms=PACE_MS), broker.port)
    try:
        for _ in range(BROKER_KILLS):
            evening.wait_for_events(150)
            broker.kill()
            broker.start()
        evening.wait_for_events(150)
        counts = evening.end()
    finally:
        evening.abandon()
    report(f"{BROKER_KILLS} kills of the broker, then {counts}")


def test_connections_cut_held_and_delayed_anywhere_cost_no_event(
    tmp_path: Path, mosquitto: Mosquitto, report: Report
) -> None:
    """Between gateway and broker as between controllers and broker; also in the middle of a packet."""
    dice = random.Random(SEED)
    above, below = Proxy(mosquitto.port), Proxy(mosquitto.port)
    evening = Evening(ProofHouse(tmp_path / "house", above.port, pace_ms=PACE_MS), below.port)
    try:
        for number in range(TROUBLES):
            evening.wait_for_events(60)
            proxy = above if number % 4 == 0 else below
            pairs = proxy.pairs()
            if not pairs:
                continue
            pair = dice.choice(pairs)
            match dice.randrange(4):
                case 0:
                    pair.cut()
                case 1:
                    pair.bytes_left = dice.randrange(1, 300)
                case 2:
                    pair.delay_s = dice.uniform(0.01, 0.1)
                case _:
                    pair.is_held.set()
                    time.sleep(dice.uniform(0.1, 1.0))  # a link that is up and carries nothing, for a while
                    if dice.random() < 0.5:
                        pair.cut()
                    pair.is_held.clear()
        for pair in (*above.pairs(), *below.pairs()):
            pair.delay_s = 0
        counts = evening.end()
    finally:
        evening.abandon()
        above.stop()
        below.stop()
    report(f"seed {SEED}: {TROUBLES} troubles, then {counts}")


def test_messages_doubled_reordered_delayed_and_lost_change_nothing(
    tmp_path: Path, mosquitto: Mosquitto, broker: MosquittoProcess, report: Report
) -> None:
    """A relay between two brokers carries the sealed messages of both directions, and carries them badly."""
    relay = Relay(broker.port, mosquitto.port, SITE, SEED)
    evening = Evening(ProofHouse(tmp_path / "house", mosquitto.port, pace_ms=PACE_MS), broker.port)
    try:
        evening.wait_for_events(RELAYED)
        relay.is_bad = False
        counts = evening.end()
    finally:
        evening.abandon()
        relay.stop()
    report(f"seed {SEED}: {relay.carried} carried, {relay.lost} lost, {relay.doubled} doubled, then {counts}")
    assert relay.lost > 50
    assert relay.doubled > 50
