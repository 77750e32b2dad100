"""Whatever a network does to messages, every event is taken once and in order, and a hole only when it is one.

The other side is the real outbox and uplink (controller_model.py). The network loses, doubles, delays and reorders; the
controller loses power; the gateway dies between journal and ack. Time moves in steps of 100 ms.
"""

from random import Random
from typing import Any

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from mqtt.controller_model import SITE, Controller
from sabot_gateway.journal.record import Kind
from sabot_gateway.link.device import Device
from sabot_gateway.model.event import ControllerRebooted, LinkGap
from sabot_gateway.model.game import Game
from sabot_gateway.model.registers import Registers
from sabot_gateway.mqtt.ingest import Ingest
from sabot_gateway.mqtt.ingested import Ack, Ingested, Order
from sabot_gateway.mqtt.port import Arrival
from sabot_gateway.rulebook import shipped_ruleset
from sabot_gateway.transcript.fact import Batch, SetupRecord, body_from_setup
from sabot_gateway.transcript.fold import Fold, take, take_fact
from sabot_protocol.device_key import DeviceKey

DEVICE, SECRET, TABLE = "felt-1", b"0123456789abcdef", "t1"
START_MS = 1_790_000_000_000
STEP_MS = 100
SEEDS = st.integers(0, 2**32 - 1)


class OneDevice:
    def __init__(self) -> None:
        self._device = Device(DEVICE, TABLE, "table", (DeviceKey(DEVICE, SECRET),))

    def find(self, device: str) -> Device | None:
        return self._device if device == DEVICE else None

    def devices(self) -> tuple[Device, ...]:
        return (self._device,)


class Gateway:
    """Journals at once, folds what it journaled, and dies when told: then all it knows is its journal."""

    def __init__(self) -> None:
        self.registry = OneDevice()
        self.ingest = Ingest(SITE, self.registry)
        setup = SetupRecord(TABLE, shipped_ruleset(Game.TCF), "")
        self.fold = take(Fold(lambda _: Registers()), Kind.FACT, body_from_setup(setup), START_MS).fold
        self.taken: list[tuple[int, int, int, str]] = []
        self.gaps: list[tuple[int, int]] = []
        self.reboots = 0
        self.troubles = 0

    def receive(self, payload: bytes, now_ms: int) -> list[Ack | Order]:
        """What goes down because of one message."""
        topic = f"sabot/v1/{SITE}/{DEVICE}/event"
        return self._done(self.ingest.take([Arrival(topic, payload, now_ms, False, None)]))

    def tend(self, now_ms: int) -> list[Ack | Order]:
        return self._done(self.ingest.tend(now_ms))

    def die(self, now_ms: int) -> None:
        self.ingest = Ingest(SITE, self.registry)
        for device, sequence in self.fold.sequences.items():
            self.ingest.resume(device, sequence, False, now_ms)

    def _done(self, out: Ingested) -> list[Ack | Order]:
        assert not out.refusals, out.refusals
        self.troubles += len(out.troubles)
        for received in out.facts:
            assert received.table == TABLE
            done = take(self.fold, received.entry.kind, received.entry.body, received.entry.received_ms)
            assert done == take_fact(self.fold, received.fact, received.entry.received_ms), "live and replay differ"
            self.fold = done.fold
            if isinstance(received.fact, Batch):
                batch = received.fact
                for at in range(batch.skip, len(batch.events)):
                    name, values = batch.events[at]
                    self.taken.append((batch.first + at, batch.boot, values["device_ms"], name))
            for step in done.steps:
                if isinstance(step.event, LinkGap):
                    self.gaps.append((step.event.first, step.event.last))
                self.reboots += isinstance(step.event, ControllerRebooted)
        return [*out.acks.values(), *out.orders]


class Network:
    """Both directions; what is under way is (when it arrives, what). No message is lost three times in a row."""

    def __init__(self, random: Random, controller: Controller, gateway: Gateway, loss: float) -> None:
        self.random, self.controller, self.gateway, self.loss = random, controller, gateway, loss
        self.up: list[tuple[int, bytes]] = []
        self.down: list[tuple[int, Ack | Order]] = []
        self.now_ms = START_MS
        self.lost = 0

    def step(self) -> None:
        self.now_ms += STEP_MS
        self.controller.now_ms = self.now_ms
        self.controller.turn()
        for message in self.controller.sent:
            for _ in range(self._copies()):
                self.up.append((self.now_ms + self.random.randrange(0, 900), message))
        self.controller.sent.clear()
        self.up, here = self._arrived(self.up)
        for message in here:
            self._send_down(self.gateway.receive(message, self.now_ms))
        self._send_down(self.gateway.tend(self.now_ms))
        self.down, orders = self._arrived(self.down)
        for what in orders:
            self._hear(what)

    def run(self, steps: int) -> None:
        for _ in range(steps):
            self.step()

    def _copies(self) -> int:
        if self.lost < 2 and self.random.random() < self.loss:
            self.lost += 1
            return 0
        self.lost = 0
        return 2 if self.random.random() < self.loss else 1

    def _arrived(self, flying: list[tuple[int, Any]]) -> tuple[list[tuple[int, Any]], list[Any]]:
        here = [each for each in flying if each[0] <= self.now_ms]
        return [each for each in flying if each[0] > self.now_ms], [
            what for _, what in sorted(here, key=lambda e: e[0])
        ]

    def _send_down(self, messages: list[Ack | Order]) -> None:
        for message in messages:
            if self.random.random() >= self.loss:
                self.down.append((self.now_ms + self.random.randrange(0, 900), message))

    def _hear(self, what: Ack | Order) -> None:
        if isinstance(what, Ack):
            self.controller.uplink.acknowledge(what.boot, what.upto)
        else:
            self.controller.obey(what.number, what.name, what.values)


def play(random: Random, controller: Controller, network: Network, rounds: int, reboots: bool, deaths: bool) -> None:
    for _ in range(rounds):
        for _ in range(random.randrange(0, 6)):
            controller.record("key_pressed", "fold", random.randrange(0, 8))
        network.run(random.randrange(1, 5))
        if reboots and random.random() < 0.1:
            controller.store.cut_after(0)
            controller.start()
        if deaths and random.random() < 0.1:
            network.gateway.die(network.now_ms)


def settle(network: Network) -> None:
    """The network is well again; what is still to come comes."""
    network.loss = 0.0
    for _ in range(1_500):
        network.step()
        controller, gateway = network.controller, network.gateway
        upto = gateway.fold.sequences.get(DEVICE)
        if upto is not None and upto.upto == controller.uplink.outbox.newest:
            return
    raise AssertionError("the gateway never caught up")


def check(controller: Controller, gateway: Gateway) -> None:
    numbers = [number for number, *_ in gateway.taken]
    assert numbers == sorted(set(numbers)), "taken twice or out of order"
    for number, boot, device_ms, name in gateway.taken:
        assert controller.recorded[number] == (boot, device_ms, name)
    missing = set(range(1, controller.uplink.outbox.newest + 1)) - set(numbers)
    told = {number for first, last in gateway.gaps for number in range(first, last + 1)}
    assert missing == told, "a hole must be told, and nothing else"
    assert gateway.troubles == 0


# Shrinking a seed says nothing and takes minutes.
UNSHRUNK = [Phase.explicit, Phase.reuse, Phase.generate]


@settings(max_examples=25, deadline=None, phases=UNSHRUNK)
@given(SEEDS, st.sampled_from([0.0, 0.1, 0.3]), st.booleans(), st.booleans())
def test_every_event_is_taken_once_and_in_order(seed: int, loss: float, reboots: bool, deaths: bool) -> None:
    random = Random(seed)
    controller = Controller(DEVICE, SECRET, now_ms=START_MS)
    gateway = Gateway()
    network = Network(random, controller, gateway, loss)
    play(random, controller, network, 30, reboots, deaths)
    settle(network)
    check(controller, gateway)
    assert gateway.gaps == [], "nothing was lost, so nothing may be given up"
    assert gateway.reboots == controller.uplink.outbox.boot - 1


@settings(max_examples=10, deadline=None, phases=UNSHRUNK)
@given(SEEDS, st.sampled_from([0.0, 0.2]), st.booleans())
def test_an_outbox_that_overflowed_leaves_exactly_the_holes_that_are_told(seed: int, loss: float, deaths: bool) -> None:
    random = Random(seed)
    controller = Controller(DEVICE, SECRET, sectors=4, now_ms=START_MS)
    gateway = Gateway()
    network = Network(random, controller, gateway, loss)
    play(random, controller, network, 8, reboots=False, deaths=deaths)
    controller.is_up = False
    for _ in range(random.randrange(150, 400)):
        controller.record("key_pressed", "check", 1)
    controller.is_up = True
    controller.connection += 1
    play(random, controller, network, 8, reboots=False, deaths=deaths)
    settle(network)
    check(controller, gateway)
    assert gateway.gaps, "hundreds of events do not fit into four sectors"
