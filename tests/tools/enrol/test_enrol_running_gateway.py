"""A deck enrolled at a table of a running gateway is played with, and nothing was restarted in between."""

from contextlib import nullcontext
from pathlib import Path

import pytest

from app.hand_dealer import HandDealer
from app.test_gateway_whole import WholeHouse, colours
from gateway_config.house_files import tag_of
from sabot_gateway.journal.address import reader_at
from sabot_gateway.journal.browsing import read
from sabot_gateway.journal.record import Kind, Stream
from sabot_gateway.model.card import text_from_card
from sabot_gateway.transcript.fact import Configured, read_fact
from sabot_tools.enrol.deck_passing import ORDER
from services.mosquitto import Mosquitto
from tools.enrol.enrol_process import EnrolProcess

pytestmark = pytest.mark.slow


def setups(journal: Path) -> int:
    """How often the table was set up: what it is told behind a setup, it understands by that setup."""
    with reader_at(str(journal)) as reader:
        facts = [record for record in read(lambda: nullcontext(reader), Stream("t1"), 0) if record.kind is Kind.FACT]
    return sum(isinstance(read_fact(record.kind, record.body), Configured) for record in facts)


def test_a_running_gateway_plays_with_a_deck_that_was_just_enrolled(tmp_path: Path, mosquitto: Mosquitto) -> None:
    house = WholeHouse(tmp_path, f'[broker]\nurl = "mqtt://127.0.0.1:{mosquitto.port}"\n', mosquitto.port)
    house.write("decks.csv", "deck,colour,card,tag\n")
    with house.running() as gateway, house.sender() as sender:
        sender.wait_for_ack()
        journal = tmp_path / "data" / "journal.db"
        before = setups(journal)
        enrol = EnrolProcess(house.file, "deck", "d1", "--colour", "red", "--device", "t1-a")
        try:
            enrol.wait_for("next: 2 of clubs (0 of 52)")
            for card in ORDER:
                sender.tell("card_scanned", reader=0, uid=bytes.fromhex(tag_of(text_from_card(card))))
            enrol.wait_for("52 cards: Enter registers deck d1.")
            enrol.type()
            assert enrol.finish() == (0, "Deck d1 (red) is registered: 52 cards.\n")
        finally:
            enrol.stop()
        sender.wait_for_ack()  # by the gateway: enrolling acknowledged nothing and swallowed nothing
        gateway.wait_for(lambda: setups(journal) > before, "the table set up with the new register")
        dealer = HandDealer(sender)
        dealer.open()
        dealer.stake_and_deal()
        dealer.decide_and_reveal()
        # TCF-51: seat 5 loses, seat 2 is paid: the hands are known, so the cards are.
        sender.wait_for_lamps(
            lambda lamps: (
                colours(lamps)
                == {(5, "ante"): "red", (5, "pair_plus"): "red", (2, "ante"): "green", (2, "play"): "green"}
            ),
            "no payout lamps",
        )
