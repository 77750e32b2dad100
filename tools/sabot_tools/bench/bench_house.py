"""A house for the gateway's bench: settings on disk, a real Mosquitto, and the real gateway as a process of its own.

Owns what is started, and ends it. The house plays the bank games of `night`, with registers as that night needs them.
"""

import os
import secrets
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

from sabot_gateway.broker import leash
from sabot_gateway.broker.embedded import EmbeddedBroker
from sabot_gateway.journal.port import Append, Receipt
from sabot_gateway.journal.record import Entry, Kind, Owner, Stream
from sabot_gateway.journal.sqlite import open_sqlite_journal
from sabot_gateway.model.card import text_from_card
from sabot_gateway.settings.shape import Address, BrokerProgram, EmbeddedSettings
from sabot_protocol.device_key import DeviceKey
from sabot_tools.bench.evening import FIRST_MS, GAMES, Message, Teller, badges_of, device_name, game_of, story
from sabot_tools.bench.load import Load
from sabot_tools.bench.night import opened

_LIMIT_S: Final = 300.0  # for anything at all on a crowded machine
_LOOK_S: Final = 0.02
_SOON_S: Final = 0.002
_AT_ONCE: Final = 1_000  # records of one append
_AHEAD: Final = 8  # appends
_TICK_S: Final = os.sysconf("SC_CLK_TCK")


@contextmanager
def mosquitto(folder: Path) -> Iterator[int]:
    """A broker on a free port of loopback; StartError where there is no Mosquitto."""
    with closing(socket.create_server(("127.0.0.1", 0))) as probe:
        port: int = probe.getsockname()[1]
    broker = EmbeddedBroker(folder, EmbeddedSettings(Address("127.0.0.1", port), BrokerProgram.MOSQUITTO))
    broker.start()
    try:
        yield port
    finally:
        broker.stop()


class Process:
    """A child whose output is read line by line. `cpu_s` is what it has used so far."""

    def __init__(self, words: list[str], log: Path) -> None:
        self._log = log.open("w")
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        self._child = subprocess.Popen(  # noqa: S603  # our own modules, and no shell
            # On a leash: a bench that is killed leaves no gateway behind.
            [sys.executable, "-I", "-S", leash.__file__, str(os.getpid()), sys.executable, *words],
            stdout=subprocess.PIPE,
            stderr=self._log,
            env=environment,
            text=True,
        )

    def line(self) -> str:
        assert self._child.stdout is not None
        line = self._child.stdout.readline()
        if not line:
            raise RuntimeError(f"a process of the bench ended; see {self._log.name}")
        return line.strip()

    @property
    def is_running(self) -> bool:
        return self._child.poll() is None

    @property
    def cpu_s(self) -> float:
        fields = self._stat()
        return (int(fields[11]) + int(fields[12])) / _TICK_S

    def pause(self) -> None:
        """Returns when it stands still: the signal alone does not say so."""
        self._child.send_signal(signal.SIGSTOP)
        until(lambda: self._stat()[0] == "T", _SOON_S)

    def _stat(self) -> list[str]:
        """The fields of /proc/PID/stat (proc(5)) from the third on: the state comes first."""
        return Path(f"/proc/{self._child.pid}/stat").read_text().rsplit(")", 1)[1].split()

    def go_on(self) -> None:
        self._child.send_signal(signal.SIGCONT)

    def stop(self) -> None:
        self.go_on()
        self._child.terminate()
        self._child.wait()
        assert self._child.stdout is not None
        self._child.stdout.close()
        self._log.close()


class BenchHouse:
    """Tables 0 … count - 1 of one site, and their gateway. `write` before `start`."""

    def __init__(self, folder: Path, port: int, site: str, tables: int) -> None:
        self.folder = folder
        self.site = site
        self.tables = tables
        self.journal = folder / "data" / "journal.db"
        self._port = port
        self._secrets = [secrets.token_bytes(16) for _ in range(tables)]
        keys = [DeviceKey(device_name(number), secret) for number, secret in enumerate(self._secrets)]
        self.tellers = [Teller(site, number, key) for number, key in enumerate(keys)]
        self.gateway: Process | None = None
        self._told = [0] * tables  # coups of each
        self._filled = 0  # records of an earlier time
        self._reader: sqlite3.Connection | None = None
        self._write()

    def fill(self, records: int) -> None:
        """The journal has a past of so many records of tables that nobody plays at any more."""
        _fill(self.journal, records)
        self._filled = records

    def start(self) -> None:
        """The gateway runs, is connected, and every table is open."""
        log = self.folder / "gateway.log"
        command = "import sys; from sabot_tools.cli import main; sys.exit(main(sys.argv[1:]))"
        self.gateway = Process(["-c", command, "gateway", "--config", str(self.folder / "sabot.toml")], log)
        until(lambda: "Connected to the broker" in log.read_text() or not self.gateway_runs())
        if not self.gateway_runs():
            raise RuntimeError(f"the gateway of the bench did not start: {log.read_text()[-400:]}")
        self._reader = sqlite3.connect(f"file:{self.journal}?mode=ro", uri=True, isolation_level=None)
        until(lambda: self._pictures() >= self.tables)  # of every table that took its setup
        since = self.last_id()
        opening = [message for number in range(self.tables) for message in self._tell(number, 0, 8, FIRST_MS)]
        with closing(Load(self._port, f"{self.site}-opening")) as load:
            load.send_all(opening)
        self.settle(since, opening)

    def gateway_runs(self) -> bool:
        return self.gateway is not None and self.gateway.is_running

    def stop(self) -> None:
        if self._reader is not None:
            self._reader.close()
        if self.gateway is not None:
            self.gateway.stop()

    def messages(self, coups: int, most: int, tables: int | None = None) -> list[Message]:
        """The next coups of all tables, or of the first so many, in turns."""
        found: list[Message] = []
        for _ in range(coups):
            told = []
            for number in range(self.tables if tables is None else min(tables, self.tables)):
                self._told[number] += 1
                told.append(self._tell(number, self._told[number], most, FIRST_MS))
            found += [row[at] for at in range(max(map(len, told))) for row in told if at < len(row)]
        return found

    def settle(self, since: int, messages: Sequence[Message]) -> float:
        """Waits until everything that comes of these messages is journaled; when that was."""
        records = since + sum(message.records for message in messages)
        until(lambda: self.last_id() >= records, _SOON_S)
        return time.monotonic()

    def last_id(self) -> int:
        assert self._reader is not None
        ((last,),) = self._reader.execute("SELECT last_id FROM clock").fetchall()
        return int(last)

    def _pictures(self) -> int:
        assert self._reader is not None
        sql = "SELECT COUNT(DISTINCT stream) FROM record WHERE id > ? AND kind = 2"
        ((count,),) = self._reader.execute(sql, (self._filled,)).fetchall()
        return int(count)

    def _tell(self, number: int, part: int, most: int, ms: int) -> list[Message]:
        return self.tellers[number].tell(story(game_of(number)).part(part), most, ms)

    def _write(self) -> None:
        for name, mode in (("devices", 0o700), ("registers", 0o755), ("data", 0o700)):
            (self.folder / name).mkdir(mode, parents=True)
        setups = [opened(game).setup for game in GAMES]
        chips = {tag: chip for setup in setups for tag, chip in setup.chips.items()}
        cards = {tag: known for setup in setups for tag, known in setup.cards.items()}
        badges = [
            f"{tag.hex()},{post[0].upper()}{number},{post}"
            for number in range(self.tables)
            for tag, post in zip(badges_of(number), ("table_head", "dealer"), strict=True)
        ]
        for name, lines in (
            ("chips", ["tag,value_cents,state", *(f"{tag},{chip.value_cents},in_play" for tag, chip in chips.items())]),
            (
                "decks",
                ["deck,colour,card,tag"]
                + [f"{known.deck},red,{text_from_card(known.card)},{tag}" for tag, known in cards.items()],
            ),
            ("badges", ["tag,person,role", *badges]),
        ):
            (self.folder / "registers" / f"{name}.csv").write_text("\n".join(lines) + "\n")
        text = [
            f'site = "{self.site}"',
            f'gateway = "{self.site}"',
            "[broker]",
            f'url = "mqtt://127.0.0.1:{self._port}"',
        ]
        text += ["[registers]", *(f'{name} = "registers/{name}.csv"' for name in ("chips", "decks", "badges"))]
        text += ["[web]", 'listen = "none"', ""]
        for number, own in enumerate(self._secrets):
            name, game = device_name(number), game_of(number)
            text += ["[[table]]", f'name = "{name}"', f'game = "{game}"', 'ruleset = "shipped"']
            text += ["[table.timing]", "fastest_ms = 0"]
            secret = self.folder / "devices" / f"{name}.key"
            secret.touch(0o600)
            secret.write_bytes(own)
            device = f'id = "{name}"\ntable = "{name}"\nkey = "{name}.key"\n'
            (self.folder / "devices" / f"{name}.toml").write_text(device)
        (self.folder / "sabot.toml").write_text("\n".join(text) + "\n")


def until(is_so: Callable[[], bool], look_s: float = _LOOK_S) -> None:
    limit = time.monotonic() + _LIMIT_S
    while not is_so():
        if time.monotonic() > limit:
            raise TimeoutError("something that the bench waits for did not happen")
        time.sleep(look_s)


def _fill(journal: Path, records: int) -> None:
    """A journal with so many records of tables that nobody plays at any more."""
    journal.parent.mkdir(0o700, exist_ok=True)
    entries = [Entry(Kind.FACT, bytes(60), 1_700_000_000_000, 1_700_000_000_000)] * _AT_ONCE
    with open_sqlite_journal(journal) as opened_journal:
        under_way: deque[Future[tuple[Receipt, ...]]] = deque()
        for number in range(0, records, _AT_ONCE):
            if len(under_way) >= _AHEAD:
                under_way.popleft().result()
            stream = Stream(f"closed-{number // _AT_ONCE % 100}")
            under_way.append(opened_journal.append(Append(stream, Owner("past"), 1, entries)))
        for future in under_way:
            future.result()
