"""A house for the proofs: settings of a floor with all five games on disk, its controllers, and gateways to be killed.

A gateway is `sabot gateway` as a process of its own. `Zygote` forks it from a parent that has imported everything, so
that hundreds of starts and of real SIGKILLs fit into a minute; the code that runs is that of the command line.
"""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from app.gateway_process import SOURCES, GatewayProcess
from gateway_config.house_files import House
from gateway_proof.proof_controller import SITE, Controller, Floor, badge_of
from gateway_proof.proof_coups import night_of
from runtime.memory_broker import MemoryBroker
from runtime.pit import real_tag
from sabot_gateway.app import open_journal, plan_from_settings
from sabot_gateway.config import load
from sabot_gateway.model.card import text_from_card
from sabot_gateway.model.game import Game
from sabot_gateway.runtime.clock import SystemClock
from sabot_gateway.runtime.item import Declared
from sabot_gateway.runtime.pump import Pump
from sabot_gateway.runtime.replay import start
from sabot_tools.rounds.card_box import DECKS, CardBox
from sabot_tools.rounds.chip_box import ChipBox
from sabot_tools.rounds.rig import BADGES, badge_tag
from services.process import free_port

DEADLINE_S = 120.0
_DAY_MS = 86_400_000

HEAD = """\
site = "{site}"
gateway = "pit-1"
data = "{data}"

[broker]
url = "mqtt://127.0.0.1:{broker}"
version = "{version}"

[registers]
chips = "chips.csv"
decks = "decks.csv"
badges = "badges.csv"

[log]
format = "json"
level = "info"

[web]
listen = "{web}"
"""

# Nothing is late here by the clock on the wall: a test plays as fast as the machine lets it.
TABLE = """
[[table]]
name = "{name}"
game = "{game}"
ruleset = "shipped"

[table.timing]
lamps_ms = 60000
stall_ms = {day}
fastest_ms = 0
slowest_ms = {day}
clock_ms = 600000
"""


class ProofHouse(House):
    """One table for each of `games`, t1, t2, …, each with its controller."""

    def __init__(
        self,
        folder: Path,
        broker_port: int,
        games: Iterable[Game] = tuple(Game),
        *,
        version: str = "5",
        data: Path | None = None,
        more: str = "",
        has_pages: bool = True,
        pace_ms: int = 0,
    ) -> None:
        folder.mkdir(exist_ok=True)
        super().__init__(folder)
        for device in ("t1-a", "t2-a"):
            (folder / "devices" / f"{device}.toml").unlink()
        self.data = data or folder / "data"
        self.web_port = free_port()
        self.environment: dict[str, str] = {}  # of the gateway, beside our own
        self.controllers: list[Controller] = []
        web = f"127.0.0.1:{self.web_port}" if has_pages else "none"
        text = HEAD.format(site=SITE, data=self.data, broker=broker_port, version=version, web=web) + more
        for number, game in enumerate(games, start=1):
            text += TABLE.format(name=f"t{number}", game=game, day=_DAY_MS)
            secret = self.add_device(f"t{number}-a", f"t{number}")
            self.controllers.append(Controller(f"t{number}", secret, night_of(game), pace_ms))
        self.write("sabot.toml", text)
        self._write_registers()

    @property
    def journal(self) -> Path:
        return self.data / "journal.db"

    def controller(self, table: str) -> Controller:
        return next(each for each in self.controllers if each.table == table)

    def seat_players(self) -> None:
        """Hold'em needs people at the desk: who sits where, with how much, and where the button stands."""
        asking = [each for each in self.controllers if any(said.person for said in each.night.opening)]
        if not asking:
            return
        settings = load(self.file)
        self.data.mkdir(0o700, exist_ok=True)
        clock = SystemClock()
        with open_journal(settings) as journal:
            broker = MemoryBroker()
            pump = Pump(start(journal, plan_from_settings(settings, clock.now_ms())), journal, broker, clock)
            broker.start(pump.queue.put, pump.queue.put)
            for controller in asking:
                _declare_all(controller, pump, broker)
            _settle(pump)

    def process(self) -> GatewayProcess:
        """The gateway from the command line."""
        return GatewayProcess(self.file, self.web_port, self.environment)

    def floor(self, port: int) -> Floor:
        return Floor(self.controllers, port)

    def _write_registers(self) -> None:
        used = {tag for each in self.controllers for tag in each.night.chips}
        box = ChipBox().register.items()
        chips = [f"{real_tag(tag)},{chip.value_cents},{chip.state}" for tag, chip in box if tag in used]
        self.write("chips.csv", "tag,value_cents,state\n" + "\n".join(chips) + "\n")
        cards = [
            f"{card.deck},{DECKS[card.deck].colour},{text_from_card(card.card)},{real_tag(tag)}"
            for tag, card in CardBox().register.items()
        ]
        self.write("decks.csv", "deck,colour,card,tag\n" + "\n".join(cards) + "\n")
        badges = [
            f"{badge_of(bytes.fromhex(real_tag(badge_tag(name))), table).hex()},{person.id}-{table},{person.role}"
            for name, person in BADGES.items()
            for table in [each.table for each in self.controllers]
        ]
        self.write("badges.csv", "tag,person,role\n" + "\n".join(badges) + "\n")


class _MemoryLink:
    is_up = True
    connection = 1

    def __init__(self, controller: Controller, broker: MemoryBroker) -> None:
        self._controller, self._broker = controller, broker

    def send(self, channel: str, data: bytes) -> bool:
        self._broker.arrive(self._controller.topic(channel), data, time.time_ns() // 1_000_000)
        return True


def _declare_all(controller: Controller, pump: Pump, broker: MemoryBroker) -> None:
    """Plays the opening as far as people take part in it."""
    left = sum(said.person is not None for said in controller.night.opening)
    link = _MemoryLink(controller, broker)
    limit = time.monotonic() + DEADLINE_S
    while left or controller.acked < controller.newest:
        assert time.monotonic() < limit, f"{left} declarations left at {controller.table}"
        controller.turn(link, is_seeing=left > 0)
        pump.cycle()
        published, broker.published = broker.published, []
        for message in published:
            if message.topic.startswith(f"sabot/v1/{SITE}/{controller.name}/"):
                controller.hear(message.topic.rsplit("/", 1)[1], message.payload)
        if controller.waiting and controller.acked == controller.newest:
            future: Future[Any] = Future()
            pump.queue.put(Declared(controller.table, controller.waiting.pop(), "C1", future))
            while not future.done():
                assert time.monotonic() < limit
                pump.cycle()
                time.sleep(0.001)  # the journal's own thread answers
            left -= 1
        time.sleep(0.001)


def _settle(pump: Pump) -> None:
    limit = time.monotonic() + DEADLINE_S
    while not pump.is_drained:
        assert time.monotonic() < limit
        pump.cycle()
        time.sleep(0.001)


_PARENT = """
import gc, os, sys
import sabot_gateway.app, sabot_gateway.journal.sqlite, sabot_gateway.journal.postgres
import sabot_gateway.web.application, sabot_gateway.web.server
import sabot_tools.gateway_command, uvicorn.protocols.http.h11_impl, uvicorn.lifespan.on, uvicorn.loops.asyncio
from sabot_tools.cli import main
gc.freeze()
for line in sys.stdin:
    word, *rest = line.split()
    if word == "start":
        child = os.fork()
        if not child:
            log = os.open(rest[1], os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
            os.dup2(log, 1)
            os.dup2(log, 2)
            code = 70
            try:
                code = main(["gateway", "--config", rest[0]])
            finally:
                os._exit(code)
        print(child, flush=True)
    else:
        print(os.waitstatus_to_exitcode(os.waitpid(int(rest[0]), 0)[1]), flush=True)
"""


class Zygote:
    """Starts gateways of one house by forking; each is ended by its own pid."""

    def __init__(self, house: ProofHouse) -> None:
        self._house = house
        self.log = house.folder / "forked.log"
        self._parent = subprocess.Popen(
            [sys.executable, "-c", _PARENT],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": SOURCES},
        )
        self.pid = 0
        self._began_at = 0  # in the log

    def start(self) -> None:
        self._began_at = self.log.stat().st_size if self.log.exists() else 0
        self.pid = int(self._ask(f"start {self._house.file} {self.log}"))

    def said(self) -> str:
        """What the gateway that runs now has logged."""
        if not self.log.exists():
            return ""
        with self.log.open(encoding="utf-8") as log:
            log.seek(self._began_at)
            return log.read()

    def wait_until_ready(self) -> None:
        limit = time.monotonic() + DEADLINE_S
        while '"Ready: ' not in self.said():
            assert time.monotonic() < limit, self.said()
            time.sleep(0.005)  # a process has no other way to say that it is so far

    def end(self, number: signal.Signals = signal.SIGKILL) -> int:
        """The exit code of the gateway after the signal."""
        os.kill(self.pid, number)
        return int(self._ask(f"wait {self.pid}"))

    def close(self) -> None:
        assert self._parent.stdin is not None
        assert self._parent.stdout is not None
        self._parent.stdin.close()
        self._parent.wait(DEADLINE_S)
        self._parent.stdout.close()

    def _ask(self, line: str) -> str:
        assert self._parent.stdin is not None
        assert self._parent.stdout is not None
        self._parent.stdin.write(line + "\n")
        self._parent.stdin.flush()
        return self._parent.stdout.readline()
