"""One simulated table over the stand-in floor, ready to be played in a test."""

from pathlib import Path
from random import Random

from sabot_gateway.model.card import DECK, text_from_card
from sabot_gateway.model.game import Game
from sabot_gateway.model.person import Person, Role
from sabot_gateway.model.tag import CardTag, Chip, ChipState, Tag
from sabot_gateway.model.tag import Deck as KnownDeck
from sabot_gateway.rulebook import shipped_ruleset
from sabot_gateway.table.setup import Fitted, TableSetup, Timing
from sabot_tools.twin.book import Book
from sabot_tools.twin.chip import Tray, chips_of_table
from sabot_tools.twin.deck import Deck
from sabot_tools.twin.felt import Felt
from sabot_tools.twin.hand_rig import HandRig
from sabot_tools.twin.layout import config_of, layout_of
from sabot_tools.twin.local_controller import LocalController
from sabot_tools.twin.table import Player, Staff, Table
from sabot_tools.twin.temperament import HONEST
from twin.stand_in_floor import StandInFloor

WITHDRAWN, OTHER_DECK = bytes.fromhex("e004ff00000000aa"), bytes.fromhex("04ca0000000b01")
SECRET = bytes(range(16))
STAFF = Staff(*(bytes.fromhex(f"04bd000000000{number}") for number in (1, 2, 3, 4)))


def seat_table(
    game: Game, folder: Path, seed: int = 1, players: int = 3, seats: int = 5, floor: StandInFloor | None = None
) -> tuple[Table, StandInFloor]:
    """A closed table with its players around it, or one as a floor left it; must be called in a running loop."""
    ruleset = shipped_ruleset(game)
    deck, chips = Deck("A", 1), chips_of_table(1)
    faces = {text_from_card(card): card for card in DECK}
    setup = TableSetup(
        table="t1",
        ruleset=ruleset,
        chips={
            **{Tag(chip.uid.hex()): Chip(chip.cents) for chip in chips},
            Tag(WITHDRAWN.hex()): Chip(1000, ChipState.WITHDRAWN),
        },
        cards={
            **{Tag(card.uid.hex()): CardTag(faces[card.face], "A") for card in deck.cards},
            Tag(OTHER_DECK.hex()): CardTag(faces["As"], "B"),
        },
        decks={"A": KnownDeck("A", "blue"), "B": KnownDeck("B", "red")},
        badges={
            Tag(STAFF.dealer.hex()): Person("D1", Role.DEALER),
            Tag(STAFF.head.hex()): Person("H1", Role.TABLE_HEAD),
            Tag(STAFF.relief_dealer.hex()): Person("D2", Role.DEALER),
            Tag(STAFF.relief_head.hex()): Person("H2", Role.TABLE_HEAD),
        },
        timing=Timing(fastest_ms=0),
        fitted=Fitted(stacks=game is Game.THE, pot=game is Game.THE),
    )
    is_again = floor is not None
    floor = floor or StandInFloor("riviera", "t1", SECRET, setup)
    layout = layout_of(str(game), seats)
    conf = config_of(layout, "riviera", "t1", ("127.0.0.1", 1883))
    rig = HandRig(layout, LocalController(conf, SECRET, folder, floor), wake_s=0)  # this floor answers at once
    floor.welcome(rig.now_ms)
    people = [Player(at + 1, HONEST[at % len(HONEST)]) for at in range(players)]
    table = Table(
        name="t1",
        game=str(game),
        values=ruleset.values,
        rig=rig,
        felt=Felt(rig),
        deck=deck,
        bank=Tray(chips),
        players=people,
        staff=STAFF,
        chance=Random(seed),
        book=Book(),
        withdrawn=WITHDRAWN,
        other_deck=OTHER_DECK,
        is_again=is_again,
    )
    return table, floor
