"""Tables of the scenario scripts behind a gateway: their setups, their one controller each, and what happened there."""

from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

from runtime.gated_journal import GatedJournal
from runtime.memory_broker import MemoryBroker
from runtime.wire_device import SITE, WireDevice
from sabot_gateway.journal.record import Kind, Stream
from sabot_gateway.link.device import Device
from sabot_gateway.model.effect import RecordSettlement
from sabot_gateway.model.event import DeviceEvent, LampsApplied, PlayerSeated
from sabot_gateway.model.registers import Registers
from sabot_gateway.model.tag import Tag
from sabot_gateway.runtime.plan import Plan, TablePlan
from sabot_gateway.runtime.pump import Pump
from sabot_gateway.runtime.replay import start
from sabot_gateway.table.setup import Timing
from sabot_gateway.transcript.decision import decision_from_body
from sabot_tools.rounds.card_box import DECKS, CardBox
from sabot_tools.rounds.chip_box import ChipBox
from sabot_tools.rounds.playing import play
from sabot_tools.rounds.reading import script_from_file
from sabot_tools.rounds.rig import BADGES, EVENING_MS, Rig, badge_tag

ROUNDS = Path(__file__).parents[1] / "rounds"
NOON = 1_700_000_000_000  # UTC of the gateway when a controller's clock said zero
PATIENT = Timing(lamps_ms=10**9, stall_ms=10**9, fastest_ms=0, slowest_ms=10**9)


class HandClock:
    """Stands still until a test moves it."""

    def __init__(self, now_ms: int) -> None:
        self.utc_ms = now_ms
        self.elapsed_ms = 1_000

    def now_ms(self) -> int:
        return self.utc_ms

    def monotonic_ms(self) -> int:
        return self.elapsed_ms

    def pass_ms(self, ms: int) -> None:
        self.utc_ms += ms
        self.elapsed_ms += ms


class Devices:
    def __init__(self, devices: list[Device]) -> None:
        self._devices = {device.id: device for device in devices}

    def find(self, device: str) -> Device | None:
        return self._devices.get(device)

    def devices(self) -> list[Device]:
        return list(self._devices.values())


class Script:
    """What one controller of a table saw in a scenario, and who sat down before it began."""

    def __init__(self, name: str) -> None:
        script = script_from_file(ROUNDS / f"{name}.round")
        played = play(script)
        assert played.failure is None, played.failure
        self.setup = Rig(script).setup
        self.seated = [entry.event for entry in played.entries if isinstance(entry.event, PlayerSeated)]
        self.seen: list[DeviceEvent] = [
            _tagged(entry.event)
            for entry in played.entries
            if isinstance(entry.event, DeviceEvent) and not isinstance(entry.event, LampsApplied)
        ]


def house_registers() -> Registers:
    """The simulated house's chips, cards and badges, under tags as real readers give them."""
    badges = {badge_tag(name): person for name, person in BADGES.items()}
    return Registers(
        {real_tag(tag): chip for tag, chip in ChipBox().register.items()},
        {real_tag(tag): card for tag, card in CardBox().register.items()},
        dict(DECKS),
        {real_tag(tag): person for tag, person in badges.items()},
    )


def registers_of(scripts: list[Script]) -> Registers:
    """Only what these scripts read: a start is quicker with small registers."""
    seen = {tag for script in scripts for fact in script.seen for tag in getattr(fact, "tags", ())}
    return replace(REGISTERS, chips={tag: chip for tag, chip in REGISTERS.chips.items() if tag in seen})


def real_tag(tag: str) -> Tag:
    return Tag(sha256(tag.encode()).digest()[:7].hex())


REGISTERS = house_registers()


class Pit:
    """Scripts at tables t1, t2, … with controllers felt-1, felt-2, …; builds gateways over one journal."""

    def __init__(
        self, scripts: dict[str, Script], timing: Timing = PATIENT, registers: Registers | None = None
    ) -> None:
        self.scripts = scripts
        self.devices = {table: WireDevice(f"felt-{table}") for table in scripts}
        self.by_topic = {device.name: device for device in self.devices.values()}
        self.clock = HandClock(NOON + EVENING_MS)
        self.broker = MemoryBroker()
        self.plan = self.plan_with(timing, registers or REGISTERS)

    def plan_with(self, timing: Timing, registers: Registers = REGISTERS) -> Plan:
        tables = {
            table: TablePlan(
                replace(
                    script.setup,
                    table=table,
                    chips=registers.chips,
                    cards=registers.cards,
                    decks=registers.decks,
                    badges=registers.badges,
                    timing=timing,
                )
            )
            for table, script in self.scripts.items()
        }
        known = [Device(device.name, table, "table", (device.key,)) for table, device in self.devices.items()]
        return Plan(SITE, "g1", tables, Devices(known), registers)

    def gateway(self, journal: GatedJournal) -> Pump:
        """A gateway that has just been started on this journal, and has heard that the broker is there."""
        pump = Pump(start(journal, self.plan), journal, self.broker, self.clock)
        self.broker.start(pump.queue.put, pump.queue.put)
        return pump

    def settle(self, pump: Pump, cycles: int = 200) -> None:
        """Cycles until nothing is left to do; what was published reaches the controllers."""
        for _ in range(cycles):
            pump.cycle()
            self.carry()
            if pump.is_drained:
                return
        raise AssertionError("the pump never came to rest")

    def carry(self) -> None:
        """The broker hands the controllers what the gateway published."""
        published, self.broker.published = self.broker.published, []
        for message in published:
            self.by_topic[message.topic.split("/")[3]].hear(message.topic, message.payload)

    def send(self, table: str, first: int, most: int = 8) -> None:
        """One message of a table's controller arrives, as quick as the network is."""
        device = self.devices[table]
        _, (_, fields) = device._stored[min(first - 1 + most, device.newest) - 1]
        now_ms = NOON + fields["device_ms"]
        self.clock.pass_ms(max(0, now_ms - self.clock.utc_ms))
        self.broker.arrive(device.topic("event"), device.batch(first, most), now_ms)

    def send_all(self, table: str) -> None:
        """Everything that is not acknowledged, in batches of eight."""
        device = self.devices[table]
        for first in range(device.acked + 1, device.newest + 1, 8):
            self.send(table, first)

    def play(self, table: str, upto: int | None = None) -> None:
        """The controller sees what the script says; nothing is sent yet."""
        for fact in self.scripts[table].seen[:upto]:
            self.devices[table].see(fact, fact.at_ms)


def decisions(journal: GatedJournal, table: str) -> list[Any]:
    """Every effect that was journaled for a table, in order."""
    return [
        effect
        for record in journal.read(Stream(table))
        if record.kind is Kind.DECISION
        for step in decision_from_body(record.body).steps
        for effect in step.effects
    ]


def settlements(journal: GatedJournal, table: str) -> list[RecordSettlement]:
    return [effect for effect in decisions(journal, table) if isinstance(effect, RecordSettlement)]


def _tagged(event: Any) -> Any:
    """The same event with tags as real readers give them."""
    if hasattr(event, "tag"):
        return replace(event, tag=real_tag(event.tag))
    if hasattr(event, "tags"):
        return replace(event, tags=tuple(map(real_tag, event.tags)))
    return event
