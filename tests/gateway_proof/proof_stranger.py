"""A stranger at the broker who has no key: random bytes and wrong topics, as fast as the broker takes them."""

import random
import time

import paho.mqtt.client as mqtt
from paho.mqtt.enums import CallbackAPIVersion

from gateway_proof.proof_controller import SITE


def publish_garbage(port: int, device: str, *, count: int = 0, seconds: float = 0.0, seed: int = 1) -> int:
    """How many messages went out: `count` of them, or as many as go out in `seconds`."""
    dice = random.Random(seed)
    client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id="stranger")
    client.max_inflight_messages_set(1000)
    client.connect("127.0.0.1", port)
    client.loop_start()
    topics = [f"sabot/v1/{SITE}/{device}/{name}" for name in ("event", "status", "ack", "nonsense")]
    topics += [f"sabot/v1/{SITE}/nobody/event", f"sabot/v1/elsewhere/{device}/event", f"sabot/v9/{SITE}/{device}/event"]
    sent, limit = 0, time.monotonic() + seconds
    while sent < count or time.monotonic() < limit:
        size = dice.choice((0, 1, 40, 300, 1_024, 5_000, 60_000))
        told = client.publish(dice.choice(topics), dice.randbytes(size), qos=sent & 1)
        sent += 1
        if sent % 200 == 0:
            told.wait_for_publish(10)  # what paho queues is no load on the gateway
    told.wait_for_publish(10)
    client.disconnect()
    client.loop_stop()
    return sent
