"""What the whole gateway costs beside bare paho and cbor2 on the same Mosquitto: throughput, lamps, flatness, restart.

The gateway is the real one, `sabot gateway` with a durable journal and full rules, in a process of its own; tables
play whole coups of four games. The floors are processes too (`bare`). Throughput is that of a backlog: whoever is
measured is held (SIGSTOP) while the broker takes the messages, so that the sender costs nobody anything. Rounds
alternate, and the median of the rounds' ratios counts. Costs per event are processor time, which a crowded machine
blurs less.
"""

import tempfile
import time
from collections import defaultdict, deque
from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from sabot_protocol.codec import decode
from sabot_protocol.device_key import DeviceKey
from sabot_protocol.envelope import unseal
from sabot_protocol.topics import PREFIX
from sabot_tools.bench.bench_house import BenchHouse, Process, mosquitto
from sabot_tools.bench.evening import Message
from sabot_tools.bench.load import Load
from sabot_tools.bench.restart import restarts
from sabot_tools.bench.row import Row

_TABLES: Final = 20
_COUP: Final = 130  # events, about
_RATES: Final = (100, 1_000)  # events per second


class Size(NamedTuple):
    """How much is measured."""

    rounds: int
    coups: int  # of each table in a round of throughput
    seconds: int  # of a round of lamps
    many: int  # tables
    records: int  # of a large journal
    restart_tables: int
    restart_records: int  # of each of them


SHORT: Final = Size(3, 1, 2, 100, 1_000_000, 10, 1_000)
LONG: Final = Size(7, 8, 5, 1_000, 10_000_000, 1_000, 1_000)


def measure(*, is_long: bool = False) -> list[Row]:
    size = LONG if is_long else SHORT
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="sabot-bench-") as name, ExitStack() as parts:
        folder = Path(name)
        port = parts.enter_context(mosquitto(folder / "mosquitto"))
        house = _house(parts, folder / "house", port, "bench", _TABLES)
        load = parts.enter_context(closing(Load(port, "bench-load")))
        consumer = _bare(parts, "consume", port, "bare/consume/#", folder)
        for most in (1, 8):
            rows += _throughput(house, consumer, load, most, size)
        consumer.stop()
        echo = _bare(parts, "echo", port, f"bare/echo/{PREFIX}/+/+/event", folder)
        for per_s in _RATES:
            rows += _lamps(house, port, per_s, size)
        echo.stop()
        rows += _tables(parts, folder, port, load, size)
        rows += _journals(parts, folder, port, load, house, size)
        house.stop()
        rows += restarts(folder, size.restart_tables, size.restart_records, size.rounds)
    return rows


def _house(parts: ExitStack, folder: Path, port: int, site: str, tables: int, records: int = 0) -> BenchHouse:
    house = BenchHouse(folder, port, site, tables)
    if records:
        house.fill(records)
    parts.callback(house.stop)
    house.start()
    return house


def _bare(parts: ExitStack, what: str, port: int, topics: str, folder: Path) -> Process:
    words = ["-m", "sabot_tools.bench.bare", what, str(port), topics, str(folder / "echo.db")]
    process = Process(words, folder / f"{what}.log")
    parts.callback(process.stop)
    assert process.line() == "ready"
    return process


def _throughput(house: BenchHouse, consumer: Process, load: Load, most: int, size: Size) -> list[Row]:
    rates: list[float] = []
    floors: list[float] = []
    costs: list[float] = []
    for _ in range(size.rounds):
        messages = house.messages(size.coups * (1 if most == 1 else 4), most)
        events = sum(message.events for message in messages)
        floors.append(events / _consumed(consumer, load, messages))
        took, used = _drained(house, load, messages)
        rates.append(events / took)
        costs.append(used / events)
    ratio = median([rate / floor for rate, floor in zip(rates, floors, strict=True)])
    name = f"{'one event' if most == 1 else f'up to {most} events'} per message"
    floor = f"paho + cbor2 {median(floors):,.0f}/s"
    return [
        Row(f"durable events, {name}", f"{median(rates):,.0f}", "events/s", floor, f"{ratio:.2f}"),
        Row(f"processor, {name}", f"{1e6 * median(costs):.0f}", "µs/event", "", ""),
    ]


def _drained(house: BenchHouse, load: Load, messages: Sequence[Message]) -> tuple[float, float]:
    """Seconds, and seconds of processor, until everything that comes of a backlog is durable."""
    gateway = house.gateway
    assert gateway is not None
    since = house.last_id()  # before anything of it can be written
    gateway.pause()
    load.send_all(messages)
    used = gateway.cpu_s
    began = time.monotonic()
    gateway.go_on()
    return house.settle(since, messages) - began, gateway.cpu_s - used


def _consumed(consumer: Process, load: Load, messages: Sequence[Message]) -> float:
    consumer.pause()
    load.send_all([message._replace(topic=f"bare/consume/{message.topic}") for message in messages])
    began = time.monotonic()
    consumer.go_on()
    seen = 0
    while seen < len(messages):
        count, last = consumer.line().split()
        seen += int(count)
    return float(last) - began


def _lamps(house: BenchHouse, port: int, per_s: int, size: Size) -> list[Row]:
    """From sending an event to hearing its picture, beside from sending it to hearing its echo."""
    ours: list[list[float]] = []
    floors: list[list[float]] = []
    for number in range(size.rounds + 1):
        messages = house.messages(1, 1, max(2, size.seconds * per_s // _COUP))
        echoed, lit = _echoed(port, messages, per_s), _lit(house, port, messages, per_s)
        if number:  # the first round is for both to warm up: a log that still grows is flushed three times as slowly
            floors.append(echoed)
            ours.append(lit)
    rows = []
    for name, share in (("p50", 0.5), ("p99", 0.99)):
        pairs = [(_share(mine, share), _share(floor, share)) for mine, floor in zip(ours, floors, strict=True)]
        value, floor = median([mine for mine, _ in pairs]), median([floor for _, floor in pairs])
        ratio = median([mine / floor for mine, floor in pairs])
        text = f"durable echo {1e3 * floor:.1f} ms"
        rows.append(Row(f"event to lamp, {per_s:,}/s, {name}", f"{1e3 * value:.1f}", "ms", text, f"{ratio:.2f}"))
    return rows


def _lit(house: BenchHouse, port: int, messages: Sequence[Message], per_s: int) -> list[float]:
    """Seconds from each event that changes its table's picture to that picture, or a later one."""
    heard: list[tuple[str, bytes, float]] = []
    last = {message.topic: message.revision for message in messages if message.revision}
    left = dict(last)
    keys = {teller.topic: teller.key for teller in house.tellers}

    def note(topic: str, payload: bytes, at: float) -> None:
        heard.append((topic, payload, at))
        event = topic.rsplit("/", 1)[0] + "/event"
        # Opening the seal while events are sent would be measured too: only the last picture ends the round.
        if is_sent and event in left and _revision(keys[event], topic, payload) >= left[event]:
            del left[event]

    is_sent = False

    def is_done() -> bool:
        nonlocal is_sent
        if not is_sent:
            is_sent = True
            for topic, payload, _ in heard:
                event = topic.rsplit("/", 1)[0] + "/event"
                if event in left and _revision(keys[event], topic, payload) >= left[event]:
                    del left[event]
        return not left

    with closing(Load(port, "bench-lamps", [f"{PREFIX}/{house.site}/+/lamps"])) as load:
        sent = load.send_evenly(messages, per_s, note, is_done)
    waiting: dict[str, deque[tuple[int, float]]] = defaultdict(deque)
    for message, at in zip(messages, sent, strict=True):
        if message.revision:
            waiting[message.topic].append((message.revision, at))
    took: list[float] = []
    for topic, payload, at in heard:
        event = topic.rsplit("/", 1)[0] + "/event"
        revision, queue = _revision(keys[event], topic, payload), waiting[event]
        while queue and queue[0][0] <= revision:
            took.append(at - queue.popleft()[1])
    return took


def _echoed(port: int, messages: Sequence[Message], per_s: int) -> list[float]:
    """Seconds from each event to its answer; those that have a picture at the gateway count."""
    heard: dict[bytes, float] = {}

    def note(topic: str, payload: bytes, at: float) -> None:
        del topic
        heard[payload] = at

    bare = [message._replace(topic=f"bare/echo/{message.topic}") for message in messages]
    with closing(Load(port, "bench-echo", [f"bare/echo/{PREFIX}/+/+/lamps"])) as load:
        sent = load.send_evenly(bare, per_s, note, lambda: len(heard) == len(messages))
    return [heard[message.payload[-16:]] - at for message, at in zip(messages, sent, strict=True) if message.revision]


def _tables(parts: ExitStack, folder: Path, port: int, load: Load, size: Size) -> list[Row]:
    """What an event costs at one table and at many, each its own gateway."""
    one = _house(parts, folder / "one", port, "one", 4)
    many = _house(parts, folder / "many", port, "many", size.many)
    row = _compared(load, one, size.many // 4, many, 1, f"{size.many:,} tables", "4 tables", size)
    one.stop()
    many.stop()
    return [row]


def _journals(parts: ExitStack, folder: Path, port: int, load: Load, empty: BenchHouse, size: Size) -> list[Row]:
    large = _house(parts, folder / "large", port, "large", _TABLES, size.records)
    name = f"{size.records:,} records before"
    row = _compared(load, empty, 4 * size.coups, large, 4 * size.coups, name, "a new journal", size)
    large.stop()
    return [row]


def _compared(
    load: Load, first: BenchHouse, few: int, second: BenchHouse, more: int, name: str, against: str, size: Size
) -> Row:
    costs: list[tuple[float, float]] = []
    for _ in range(size.rounds):
        pair = []
        for house, coups in ((first, few), (second, more)):
            messages = house.messages(coups, 8)
            pair.append(_drained(house, load, messages)[1] / sum(message.events for message in messages))
        costs.append((pair[0], pair[1]))
    floor, cost = (1e6 * median(column) for column in zip(*costs, strict=True))
    ratio = median([mine / base for base, mine in costs])
    return Row(f"processor per event, {name}", f"{cost:.0f}", "µs/event", f"{against} {floor:.0f} µs", f"{ratio:.2f}")


def _revision(key: DeviceKey, topic: str, payload: bytes) -> int:
    _, values = decode(unseal(key, topic, payload), "lamps")
    return int(values["revision"])


def _share(values: Sequence[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]
