"""The whole gateway as a process: a coup by hand through a real broker, stopped and started in the middle of it."""

import json
import os
import re
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import paho.mqtt.client as mqtt
import pytest
from paho.mqtt.enums import CallbackAPIVersion

from app.gateway_process import SOURCES, GatewayProcess
from app.hand_dealer import HandDealer, every_tag, write_chips
from app.hand_sender import DEADLINE_S, Sender
from gateway_config.house_files import FACES, House
from sabot_gateway.journal.port import Journal
from sabot_gateway.journal.postgres import open_postgres_journal
from sabot_gateway.journal.record import Kind, Stream
from sabot_gateway.journal.sqlite import open_sqlite_journal
from sabot_gateway.model.effect import RecordSettlement
from sabot_gateway.model.settlement import Settlement
from sabot_gateway.transcript.decision import decision_from_body
from sabot_gateway.web.figure_help import HELP
from services.mosquitto import Mosquitto
from services.postgres import Postgres
from services.process import free_port

pytestmark = pytest.mark.slow

TABLE = """\
site = "riviera"
gateway = "pit-1"

[registers]
chips = "chips.csv"
decks = "decks.csv"
badges = "badges.csv"

[rulesets]
house-tcf = "house-tcf.toml"

[[table]]
name = "t1"
ruleset = "house-tcf"

[log]
format = "json"
level = "debug"

"""


class WholeHouse(House):
    """One table of poker trois cartes with one controller, at a broker of the embedded kind or the house's own."""

    def __init__(self, folder: Path, more: str, broker_port: int) -> None:
        super().__init__(folder)
        self.web_port = free_port()
        self.broker_port = broker_port
        self.write("sabot.toml", f'{TABLE}{more}\n[web]\nlisten = "127.0.0.1:{self.web_port}"\n')
        write_chips(folder / "chips.csv")
        (folder / "devices" / "t2-a.toml").unlink()
        self.key = self.add_device("t1-a", "t1")

    @contextmanager
    def running(self) -> Iterator[GatewayProcess]:
        """The gateway, ready; it must end in order."""
        process = GatewayProcess(self.file, self.web_port)
        try:
            yield process.wait_until_ready()
        except BaseException:
            process.stop(signal.SIGKILL)
            raise
        if process.is_running:
            assert process.stop() == 0, process.said()

    @contextmanager
    def sender(self) -> Iterator[Sender]:
        sender = Sender("riviera", "t1-a", self.key, self.broker_port)
        try:
            yield sender
        finally:
            sender.stop()


def colours(lamps: dict[str, Any]) -> dict[tuple[int, str], str]:
    return {(lamp["seat"], lamp["spot"]): lamp["colour"] for lamp in lamps["picture"]}


def has_no_secret(house: WholeHouse) -> None:
    """No tag, no key and no card in any log of the house."""
    said = "".join(path.read_text() for path in house.folder.glob("gateway-*.log")).lower()
    assert said
    assert [tag for tag in every_tag() if tag in said] == []
    assert house.key.hex() not in said
    assert [face for face in FACES if re.search(rf"\b{face.lower()}\b", said)] == []


def is_settled_once(journal: Journal) -> None:
    """The dealer's Qh 9c 4d qualifies: seat 5 loses 10 and 5, seat 2's pair of kings wins twice 10 (TCF-46)."""
    (settlement,) = _settlements(journal)
    assert isinstance(settlement.settlement, Settlement)
    assert settlement.settlement.bank_net == 1000 + 500 - 1000 - 1000


class Cage:
    """Another system of the house, which listens at the broker: how many messages came on each topic."""

    def __init__(self, port: int) -> None:
        self.topics: Counter[str] = Counter()
        self._changed = threading.Condition()
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, client_id="cage")
        self._client.on_message = self._received
        self._client.on_connect = lambda client, *_: client.subscribe("sabot/out/#", 1)
        self._client.connect("127.0.0.1", port)
        self._client.loop_start()

    def wait_for(self, found: Callable[[], bool]) -> bool:
        with self._changed:
            return self._changed.wait_for(found, DEADLINE_S)

    def stop(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def _received(self, _client: mqtt.Client, _user: object, message: mqtt.MQTTMessage) -> None:
        with self._changed:
            self.topics[message.topic] += 1
            self._changed.notify_all()


@contextmanager
def told_outside(port: int) -> Iterator[Cage]:
    cage = Cage(port)
    try:
        yield cage
    finally:
        cage.stop()


def _settlements(journal: Journal) -> list[RecordSettlement]:
    decisions = [record for record in journal.read(Stream("t1")) if record.kind is Kind.DECISION]
    steps = [step for record in decisions for step in decision_from_body(record.body).steps]
    return [effect for _, effects in steps for effect in effects if isinstance(effect, RecordSettlement)]


def verified(*words: str) -> dict[str, Any]:
    done = subprocess.run(
        [sys.executable, "-m", "sabot_tools.cli", "verify", "--json", *words],
        env={**os.environ, "PYTHONPATH": SOURCES},
        capture_output=True,
        text=True,
        check=False,
    )
    verdict: dict[str, Any] = json.loads(done.stdout)
    return verdict


def play_through_a_restart(house: WholeHouse, end: signal.Signals) -> None:
    """One coup, with the gateway ended by `end` between deal and decisions; settled once, paid, and told outside."""
    with house.running() as gateway, house.sender() as sender:
        dealer = HandDealer(sender)
        dealer.open()
        dealer.stake_and_deal()
        sender.wait_for_ack()
        assert sender.refused == ""
        figures = re.findall("^# TYPE (\\w+)", gateway.ask("/metrics")[1], re.MULTILINE)
        assert sorted(figures) == sorted(HELP), "every figure has a meaning, and there is no other"
        with pytest.raises(subprocess.CalledProcessError) as second:
            subprocess.run(
                [sys.executable, "-m", "sabot_tools.cli", "gateway", "--config", str(house.file)],
                env={**os.environ, "PYTHONPATH": SOURCES},
                capture_output=True,
                text=True,
                check=True,
            )
        assert second.value.returncode == 2
        assert f"sabot gateway: Another gateway runs on {house.folder}/data." in second.value.stderr
        assert gateway.stop(end) == (0 if end is signal.SIGTERM else -end)
        # The dealer goes on while no gateway listens.
        dealer.decide_and_reveal()
        with house.running():
            # TCF-51: the lamps show who is paid and who loses, as before the restart was foreseen.
            sender.wait_for_lamps(
                lambda lamps: (
                    colours(lamps)
                    == {(5, "ante"): "red", (5, "pair_plus"): "red", (2, "ante"): "green", (2, "play"): "green"}
                ),
                "no payout lamps",
            )
            dealer.pay()
            sender.wait_for_lamps(lambda lamps: not colours(lamps), "lamps stay on after the payments")
            dealer.collect()
            sender.wait_for_ack()
    has_no_secret(house)


def test_a_coup_by_hand_with_the_embedded_broker(tmp_path: Path) -> None:
    port = free_port()
    house = WholeHouse(tmp_path, f'[embedded]\nlisten = "127.0.0.1:{port}"\n', port)
    play_through_a_restart(house, signal.SIGKILL)
    with open_sqlite_journal(tmp_path / "data" / "journal.db") as journal:
        is_settled_once(journal)
    verdict = verified(str(tmp_path / "data" / "journal.db"), "--public-key", str(tmp_path / "data" / "signing.pub"))
    assert verdict["whole"], verdict
    assert verdict["checkpoints"] >= 1
    assert verdict["last_id"] == verdict["signed_id"]


def test_a_coup_by_hand_with_mosquitto_and_postgresql(tmp_path: Path, mosquitto: Mosquitto, postgres: Postgres) -> None:
    postgres.query("CREATE DATABASE whole_gateway")
    address = f"postgresql://{postgres.user}@{postgres.host}:{postgres.port}/whole_gateway"
    more = f'[broker]\nurl = "mqtt://127.0.0.1:{mosquitto.port}"\nversion = "5"\n[store]\npostgresql = "{address}"\n'
    house = WholeHouse(tmp_path, more, mosquitto.port)
    with told_outside(mosquitto.port) as told:
        play_through_a_restart(house, signal.SIGTERM)
        assert told.wait_for(lambda: told.topics["sabot/out/v1/riviera/t1/settlement"] == 1), told.topics
    with open_postgres_journal(address, tmp_path / "data") as journal:
        is_settled_once(journal)
    assert verified(address)["whole"]


def test_settings_are_read_again_while_it_runs(tmp_path: Path) -> None:
    port = free_port()
    house = WholeHouse(tmp_path, f'[embedded]\nlisten = "127.0.0.1:{port}"\n', port)
    with house.running() as gateway:
        house.add_device("t1-b", "t1")
        sender = Sender("riviera", "t1-b", (tmp_path / "devices/t1-b.key").read_bytes(), port)
        try:
            sender.wait_for_ack()
        finally:
            sender.stop()
        house.replace("house-tcf.toml", "table_min = 500", "table_min = 60000")
        gateway.send(signal.SIGHUP)
        wrong = f"The settings are wrong, so everything stays as it was: {tmp_path}/house-tcf.toml: table_min: "
        gateway.wait_for(lambda: any(said.startswith(wrong) for said in gateway.sentences()), "the wrong ruleset named")
        house.replace("house-tcf.toml", "table_min = 60000", "table_min = 1000")
        house.replace("sabot.toml", 'gateway = "pit-1"', 'gateway = "pit-2"')
        gateway.send(signal.SIGHUP)
        changed = "gateway changed in sabot.toml; that needs a restart."
        gateway.wait_for(lambda: changed in gateway.sentences(), "the need of a restart named")
        assert gateway.ask("/readyz")[0] == 200


def test_a_broker_address_that_is_taken_is_one_sentence(tmp_path: Path, mosquitto: Mosquitto) -> None:
    house = WholeHouse(tmp_path, f'[embedded]\nlisten = "127.0.0.1:{mosquitto.port}"\n', mosquitto.port)
    gateway = GatewayProcess(house.file, house.web_port)
    assert gateway.stop(signal.SIGCONT) == 2
    sentence = f"The embedded broker cannot listen on 127.0.0.1:{mosquitto.port}: another program does."
    assert gateway.said().splitlines()[-1] == f"sabot gateway: {sentence}"


def test_a_server_that_is_away_is_one_sentence_and_worth_another_try(tmp_path: Path) -> None:
    """After a power cut the box may be up before its PostgreSQL: it is started again until both are."""
    nobody = free_port()
    address = f"postgresql://sabot:sesame@127.0.0.1:{nobody}/sabot"
    house = WholeHouse(tmp_path, f'[store]\npostgresql = "{address}"\n', nobody)
    gateway = GatewayProcess(house.file, house.web_port)
    assert gateway.stop(signal.SIGCONT) == 1
    assert gateway.said().splitlines()[-1].startswith("sabot gateway: The journal's storage does not answer. Postgre")
    assert "Traceback" not in gateway.said()
    assert "sesame" not in gateway.said()


DEFECT = """
import sys
from pathlib import Path
from sabot_gateway import upkeep
from sabot_tools.cli import main

def fail(self):
    raise ValueError("the card is As")

upkeep.Upkeep._run = fail
sys.exit(main(["gateway", "--config", sys.argv[1]]))
"""


def test_a_part_that_ends_by_a_defect_ends_the_process_with_1(tmp_path: Path) -> None:
    port = free_port()
    house = WholeHouse(tmp_path, f'[embedded]\nlisten = "127.0.0.1:{port}"\n', port)
    done = subprocess.run(
        [sys.executable, "-c", DEFECT, str(house.file)],
        env={**os.environ, "PYTHONPATH": SOURCES},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 1
    assert "upkeep ended by a defect." in done.stderr
    assert "ValueError" in done.stderr
    assert "the card is As" not in done.stderr
