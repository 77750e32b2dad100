"""Five tables of simulated hardware against a real gateway behind a real Mosquitto: every settlement to the cent.

Two thousand coups of each game: hold'em and the bank games as two nights side by side, hold'em at more tables, because
its coups take longer.
"""

import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from app.gateway_process import SOURCES, GatewayProcess
from conftest import MicroPython
from sabot_tools.twin import software
from sabot_tools.twin.catalogue import INCIDENTS
from sabot_tools.twin.floor import AT_ONCE
from sabot_tools.twin.house import GAMES, write_house
from sabot_tools.twin.ledger import Ledger
from sabot_tools.twin.overheard import Overheard
from services.mosquitto import Mosquitto
from services.process import free_port

VOLUME = 2_000  # coups of each game
BANK_TABLES, HOLDEM_TABLES = 10, 20  # of each bank game
BYTE_LEVEL_TABLES = 24  # of each game
# These wait for minutes, or take the controller away: the last by themselves below.
ALONE = {"coup-stalled", "pace-slow", "controller-lost", "controller-rebooted"}
BANK_GAMES = ",".join(game for game in GAMES if game != "THE")


class House:
    """A running gateway and the settings that it shares with the twin."""

    def __init__(self, folder: Path, broker: Mosquitto, games: Sequence[str] = GAMES) -> None:
        web = free_port()
        # The gateway takes nothing but what the twin says it runs: each night here shows that both say the same.
        known = [software.digest(), software.digest(is_wire_only=True)]
        self.file = write_house(folder, games, "riviera", "127.0.0.1:1", f"127.0.0.1:{web}", digests=known)
        # Fifty tables in a hurry are no evidence of slow lamps: what is asked here is asked of the books.
        text = self.file.read_text(encoding="utf-8")
        if "lamps_ms" not in text:
            text = text.replace("fastest_ms = 0", "fastest_ms = 0\nlamps_ms = 60000")
        self.file.write_text(
            text.replace("[embedded]", f'[broker]\nurl = "mqtt://127.0.0.1:{broker.port}"\n[embedded]')
        )
        with self.file.open("a", encoding="utf-8") as file:
            file.write("\n[outputs]\nmqtt = true\n")
        self.gateway = GatewayProcess(self.file, web).wait_until_ready()

    def simulate(self, *words: str) -> dict[str, object]:
        """What `sabot simulate --json` says of a night here; its exit code must agree."""
        done = subprocess.run(
            self._words(*words), capture_output=True, text=True, check=False, timeout=3600, env=self._environment
        )
        assert done.stdout, f"{done.stderr}\n{self.gateway.said()}"
        verdict: dict[str, object] = json.loads(done.stdout)
        assert done.returncode == (1 if verdict["faults"] else 0), done.stderr
        return verdict

    def interrupt(self, *words: str) -> None:
        """Begin a night, and pull the plug on all of it in the middle of a coup."""
        ledger = Ledger(self.file.parent / "data" / "journal.db")
        night = subprocess.Popen(self._words(*words), stdout=subprocess.DEVNULL, env=self._environment)
        try:
            self.gateway.wait_for(lambda: _has_settled(ledger), "a coup of the night to be settled")
        finally:
            night.kill()
            night.wait()

    @property
    def _environment(self) -> dict[str, str]:
        return {**os.environ, "PYTHONPATH": SOURCES}

    def _words(self, *words: str) -> list[str]:
        return [sys.executable, "-m", "sabot_tools.cli", "simulate", "--config", str(self.file), "--json", *words]


def _has_settled(ledger: Ledger) -> bool:
    ledger.read()
    return ledger.count > 0


@pytest.fixture
def house(tmp_path: Path, mosquitto: Mosquitto) -> Iterator[House]:
    made = House(tmp_path, mosquitto)
    yield made
    assert made.gateway.stop() == 0


@pytest.fixture
def large_house(tmp_path: Path, mosquitto: Mosquitto) -> Iterator[House]:
    made = House(tmp_path, mosquitto, GAMES * BANK_TABLES + ("THE",) * (HOLDEM_TABLES - BANK_TABLES))
    yield made
    assert made.gateway.stop() == 0


@pytest.fixture
def broad_house(tmp_path: Path, mosquitto: Mosquitto) -> Iterator[House]:
    made = House(tmp_path, mosquitto, GAMES * BYTE_LEVEL_TABLES)
    yield made
    assert made.gateway.stop() == 0


@pytest.mark.slow
def test_two_thousand_coups_of_each_game_are_settled_as_the_book_says(large_house: House) -> None:
    nights = [
        ("--games", "THE", "--coups", str(VOLUME // HOLDEM_TABLES)),
        ("--games", BANK_GAMES, "--coups", str(VOLUME // BANK_TABLES), "--players", "2"),
    ]
    with ThreadPoolExecutor(len(nights)) as both:
        verdicts = list(both.map(lambda words: large_house.simulate("--seed", "7", *words), nights))
    for verdict, games in zip(verdicts, (1, len(GAMES) - 1), strict=True):
        assert verdict["faults"] == []
        assert verdict["coups"] == verdict["settlements"] == VOLUME * games
        assert verdict["alerts"] == 0


@pytest.mark.slow
def test_controllers_on_micropython_play_by_the_book(house: House, micropython: MicroPython) -> None:
    verdict = house.simulate("--coups", "2", "--micropython", str(micropython.launcher))
    assert verdict["faults"] == []
    assert verdict["settlements"] == 2 * len(GAMES)


@pytest.mark.slow
def test_tables_at_the_byte_level_play_by_the_book(house: House) -> None:
    for seed in ("1", "2"):  # the second night finds the house as the first has left it
        verdict = house.simulate("--coups", "4", "--wire-only", "--seed", seed)
        assert verdict["faults"] == []
        assert verdict["settlements"] == 4 * len(GAMES)


@pytest.mark.slow
def test_tables_at_the_byte_level_play_by_the_book_more_than_take_turns_at_once(broad_house: House) -> None:
    verdict = broad_house.simulate("--coups", "1", "--wire-only")
    assert verdict["faults"] == []
    assert verdict["coups"] == verdict["settlements"] == len(GAMES) * BYTE_LEVEL_TABLES > AT_ONCE


@pytest.mark.slow
def test_every_incident_raises_its_alert_once_behind_a_real_broker_and_nothing_else(house: House) -> None:
    words, at = [], Counter[str]()
    for incident in sorted(INCIDENTS.values(), key=lambda each: len(each.games)):
        if incident.name not in ALONE:
            game = min(incident.games, key=lambda each: at[each])  # each at one table, one after the other
            at[game] += 1
            words += ["--incident", f"{incident.name}@{at[game]}:table-{GAMES.index(game) + 1}"]
    verdict = house.simulate("--coups", str(max(at.values()) + 3), "--seed", "3", *words)
    assert verdict["faults"] == []  # no incident without an occasion, no alert missing, none for no reason
    assert int(str(verdict["alerts"])) >= at.total()


@pytest.mark.slow
def test_a_lost_and_a_restarted_controller_are_alerts_and_lose_no_coup(house: House) -> None:
    words = [
        word for name in ("controller-lost", "controller-rebooted") for word in ("--incident", f"{name}@1:table-1")
    ]
    verdict = house.simulate("--coups", "3", "--games", "TCF", *words)
    assert verdict["faults"] == []
    assert verdict["alerts"] == 2


@pytest.mark.slow
def test_a_night_that_was_cut_short_is_taken_over_and_the_next_one_is_in_order(house: House) -> None:
    house.interrupt("--coups", "100", "--seed", "5")
    verdict = house.simulate("--coups", "2", "--seed", "6")
    assert verdict["faults"] == []
    assert verdict["coups"] == verdict["settlements"] == 2 * len(GAMES)


@pytest.mark.slow
def test_what_is_heard_at_the_broker_is_what_the_journal_holds(house: House, mosquitto: Mosquitto) -> None:
    overheard = Overheard("riviera", ("127.0.0.1", mosquitto.port))
    ledger = Ledger(house.file.parent / "data" / "journal.db")
    overheard.skip()
    ledger.skip()  # a broker that has served other houses keeps messages that this one cannot open
    verdict = house.simulate("--coups", "3", "--seed", "8", "--incident", "overpaid@1", "--incident", "pot-over@1")
    overheard.close()
    ledger.read()
    assert verdict["faults"] == []
    assert overheard.settled == ledger.settled
    assert sorted(map(str, overheard.raised)) == sorted(map(str, ledger.raised))
    assert overheard.count == 3 * len(GAMES)
    assert {alert.code for alert in overheard.raised} == {"OVERPAID", "POT_OVER"}


def test_an_incident_that_is_not_known_is_refused_with_the_list() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "sabot_tools.cli", "simulate", "--config", "x", "--incident", "earthquake@2"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": SOURCES},
    )
    assert done.returncode == 2
    assert all(name in done.stderr for name in INCIDENTS)
    assert "Traceback" not in done.stderr
