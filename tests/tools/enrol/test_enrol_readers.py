"""`sabot enrol` at a reader: over a real Mosquitto with sealed batches, and over a serial cable."""

import json
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from app.hand_sender import Sender
from gateway_config.house_files import House, tag_of
from sabot_gateway.config import load
from sabot_gateway.journal.port import Append
from sabot_gateway.journal.record import Entry, Kind, Owner, Stream
from sabot_gateway.journal.sqlite import open_sqlite_journal
from sabot_gateway.model.card import card_from_text
from sabot_gateway.model.effect import RecordDecision
from sabot_gateway.model.tag import Tag
from sabot_gateway.transcript.decision import body_from_decision
from sabot_tools.cli import main
from sabot_tools.enrol.deck_passing import ORDER, spoken
from services.mosquitto import Mosquitto
from services.process import free_port
from tools.enrol.cable_controller import CableController
from tools.enrol.enrol_process import EnrolProcess

UIDS = [bytes((0x04, 0xCC, 0, 0, 0, 0, number)) for number in range(53)]


class ReaderHouse(House):
    def __init__(self, folder: Path, broker_port: int) -> None:
        super().__init__(folder)
        self.port = broker_port
        self.append(f'[broker]\nurl = "mqtt://127.0.0.1:{broker_port}"\n')
        self.key = (folder / "devices" / "t1-a.key").read_bytes()

    @contextmanager
    def sender(self) -> Iterator[Sender]:
        sender = Sender("riviera", "t1-a", self.key, self.port)
        try:
            yield sender
        finally:
            sender.stop()

    @contextmanager
    def enrolling(self, *words: str) -> Iterator[EnrolProcess]:
        process = EnrolProcess(self.file, *words)
        try:
            yield process
        finally:
            process.stop()

    def registers(self) -> list[str]:
        return [(self.folder / name).read_text() for name in ("chips.csv", "decks.csv", "badges.csv")]


@pytest.fixture
def house(tmp_path: Path, mosquitto: Mosquitto) -> ReaderHouse:
    return ReaderHouse(tmp_path, mosquitto.port)


DECK = ("deck", "blue-7", "--colour", "blue")


def scan(sender: Sender, uid: bytes) -> None:
    sender.tell("card_scanned", reader=0, uid=uid)


def test_a_deck_passed_card_by_card_with_doubts_and_a_card_taken_back(house: ReaderHouse) -> None:
    with house.sender() as sender, house.enrolling(*DECK, "--device", "t1-a", "--json") as enrol:
        enrol.wait_for("next: 2 of clubs (0 of 52)")
        scan(sender, UIDS[0])
        enrol.wait_for("next: 3 of clubs (1 of 52)")
        scan(sender, UIDS[0])
        enrol.wait_for("This card was passed already, as the 2 of clubs: not taken. next: 3 of clubs")
        scan(sender, bytes.fromhex(tag_of("As")))
        enrol.wait_for("is registered already (decks.csv, line 53): not taken. next: 3 of clubs")
        sender.tell("card_doubtful", reader=0, uids=[UIDS[1], UIDS[2]], reason="two_cards")
        enrol.wait_for("Doubtful, not taken: two cards passed at once. next: 3 of clubs")
        scan(sender, UIDS[52])
        enrol.wait_for("next: 4 of clubs (2 of 52)")
        enrol.type("u")
        enrol.wait_for("The 3 of clubs was taken back.")
        for number in range(1, 52):
            scan(sender, UIDS[number])
        enrol.wait_for("52 cards: Enter registers deck blue-7.")
        before = house.registers()
        enrol.type()
        code, said = enrol.finish()
    assert code == 0
    assert json.loads(said)["tags"] == 52
    assert house.registers() != before
    cards = load(house.file).registers.cards
    assert {tag: card.card for tag, card in cards.items() if card.deck == "blue-7"} == {
        uid.hex(): card for uid, card in zip(UIDS, ORDER, strict=False)
    }
    assert cards[Tag(UIDS[31].hex())].card == card_from_text("7h")
    assert [uid for uid in UIDS if uid.hex() in enrol.said] == []


def test_chips_are_laid_stack_by_stack(house: ReaderHouse) -> None:
    stacks = [[bytes((0xE0, 4, at, 0, 0, 0, 0, number)) for number in range(20)] for at in range(2)]

    def lay(uids: list[bytes]) -> None:
        sender.tell("chips_read", seat=2, spot="ante", part=1, of=1, uids=uids)

    with (
        house.sender() as sender,
        house.enrolling("chips", "--value", "25", "--count", "40", "--device", "t1-a") as enrol,
    ):
        enrol.wait_for("Chips of 25.00, 40 in all")
        lay(stacks[0])
        enrol.wait_for("ante of seat 2: 20 chips. Enter takes them.")
        enrol.type()
        enrol.wait_for("Taken: 20 chips so far of 40.")
        enrol.type("d")
        enrol.wait_for("There are 20 chips instead of 40")
        lay([])
        lay([*stacks[1], bytes.fromhex("04a1000000000a")])
        enrol.wait_for("not taken: one is registered already (chips.csv, line 2)")
        enrol.type()
        lay(stacks[1])
        enrol.wait_for("ante of seat 2: 20 chips. Enter takes them.", times=2)
        enrol.type()
        enrol.wait_for("Taken: 40 chips so far of 40.")
        enrol.type("d")
        assert enrol.finish() == (0, "Chips are registered: 40 of 25.00.\n")
    chips = load(house.file).registers.chips
    assert sum(chip.value_cents == 2500 for chip in chips.values()) == 40


def test_a_badge_is_held_twice(house: ReaderHouse) -> None:
    with (
        house.sender() as sender,
        house.enrolling("badge", "p-99", "--role", "table_head", "--device", "t1-a") as enrol,
    ):
        enrol.wait_for("Hold the badge of p-99 to the reader.")
        sender.tell("badge_read", uid=UIDS[0])
        enrol.wait_for("hold it there again")
        sender.tell("badge_read", uid=UIDS[0])
        assert enrol.finish() == (0, "The badge of p-99 (table head) is registered.\n")
    assert load(house.file).registers.badges[Tag(UIDS[0].hex())].id == "p-99"


@pytest.mark.parametrize("ending", [signal.SIGINT, signal.SIGTERM])
def test_stopped_half_way_nothing_is_registered(house: ReaderHouse, ending: signal.Signals) -> None:
    before = house.registers()
    with house.sender() as sender, house.enrolling(*DECK, "--device", "t1-a") as enrol:
        enrol.wait_for("(0 of 52)")
        for uid in UIDS[:30]:
            scan(sender, uid)
        enrol.wait_for("(30 of 52)")
        enrol.signal(ending)
        assert enrol.finish() == (130 if ending is signal.SIGINT else -ending, "")
    assert house.registers() == before


def test_a_broker_that_does_not_listen_is_one_sentence(tmp_path: Path) -> None:
    house = ReaderHouse(tmp_path, free_port())
    with house.enrolling(*DECK, "--device", "t1-a") as enrol:
        assert enrol.finish() == (2, "")
    assert enrol.said == f"sabot enrol: The broker at 127.0.0.1:{house.port} does not listen there.\n"


def write_seance(house: House, *kinds: str) -> None:
    """A journal of t1 with these conclusions, and more of another kind behind them than a page holds."""
    (house.folder / "data").mkdir(0o700, exist_ok=True)
    owner = Owner("pit-1")
    bodies = [body_from_decision(1, [(0, [RecordDecision(0, kind, (("by", "p-3"),))])]) for kind in kinds]
    bodies += [body_from_decision(1, [(0, [RecordDecision(1, "phase", (("to", "idle"),))])])] * 1_200
    with open_sqlite_journal(house.folder / "data" / "journal.db") as journal:
        journal.append(Append(Stream("t1"), owner, 1, [Entry(Kind.DECISION, body, 1) for body in bodies])).result()


def test_a_controller_of_an_open_table_is_refused_unless_told_anyway(
    house: ReaderHouse, capsys: pytest.CaptureFixture[str]
) -> None:
    at = ("--config", str(house.file))
    write_seance(house, "seance_opening")
    assert main(["enrol", *DECK, "--device", "t1-a", *at]) == 1
    sentence = "The séance at t1 is open, so that its tags are play; close it first, or say --anyway."
    assert capsys.readouterr().err == f"sabot enrol: {sentence}\n"
    assert main(["enrol", "retire", "d1", *at]) == 1
    assert "The séance at t1 is open, and may be playing with the deck" in capsys.readouterr().err
    assert main(["enrol", "retire", "d1", "--anyway", *at]) == 0
    with house.enrolling(*DECK, "--device", "t1-a", "--anyway") as enrol:
        enrol.wait_for("(0 of 52)")
        enrol.type("q")
        assert enrol.finish() == (1, "")
    assert "Stopped; nothing was registered." in enrol.said
    write_seance(house, "seance_closed")
    assert main(["enrol", "retire", "d2", *at]) == 0


def test_the_controller_on_a_cable_of_an_open_table_is_refused_when_it_is_known(house: ReaderHouse) -> None:
    write_seance(house, "seance_closed", "seance_opening")
    with on_a_cable(house) as controller, house.enrolling(*DECK, "--port", controller.port) as enrol:
        enrol.wait_for("Waiting for the controller")
        controller.announce()
        assert enrol.finish() == (1, "")
    assert "The séance at t1 is open" in enrol.said


@contextmanager
def on_a_cable(house: House) -> Iterator[CableController]:
    controller = CableController("riviera", "t1-a", (house.folder / "devices" / "t1-a.key").read_bytes())
    try:
        yield controller
    finally:
        controller.stop()


def test_a_deck_over_a_serial_cable_where_nobody_acknowledges(house: ReaderHouse) -> None:
    with on_a_cable(house) as controller:
        for uid in UIDS[:3]:  # before anybody enrols: kept, told, and not taken
            controller.record("card_scanned", 0, uid)
        with house.enrolling(*DECK, "--port", controller.port) as enrol:
            enrol.wait_for("Waiting for the controller")
            controller.noise()
            controller.announce()
            enrol.wait_for("(0 of 52)")
            for number, card in enumerate(ORDER):
                enrol.wait_for(f"next: {spoken(card)} ({number} of 52)")
                controller.record("card_scanned", 0, UIDS[number])
            enrol.wait_for("52 cards")
            enrol.type()
            assert enrol.finish() == (0, "Deck blue-7 (blue) is registered: 52 cards.\n")
        assert controller.acks == 0
        assert controller.uplink.outbox.acked == 0
    cards = load(house.file).registers.cards
    assert [cards[Tag(uid.hex())].card for uid in UIDS[:52]] == list(ORDER)


def test_a_cable_that_is_pulled_ends_it_and_nothing_is_registered(house: ReaderHouse) -> None:
    before = house.registers()
    with on_a_cable(house) as controller:
        with house.enrolling(*DECK, "--port", controller.port, "--device", "t1-a") as enrol:
            enrol.wait_for("(0 of 52)")
            controller.record("card_scanned", 0, UIDS[0])
            enrol.wait_for("(1 of 52)")
            controller.stop()
            assert enrol.finish() == (1, "")
        assert f"The controller on {controller.port} went away; nothing was registered." in enrol.said
    assert house.registers() == before
