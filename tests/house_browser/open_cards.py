"""What the twin's own people have seen: which card of which coup lies open, and since when.

Owns the oracle of law 7. It knows every card that leaves the shoe, as the dealer's hands do; a card is open from the
moment before it is laid open, so that nobody is accused for being quick.
"""

import time
from typing import Any

from sabot_tools.twin.bank_coup import BankCoup
from sabot_tools.twin.hand_rig import HandRig
from sabot_tools.twin.holdem_coup import HoldemCoup
from sabot_tools.twin.table import Table

HANDS = {"TCF": 3, "STU": 5, "TCP": 3, "UTH": 2, "THE": 2}
HOLDEM_OPEN = frozenset({1, 2, 3, 5, 7})  # THE-64 and on: a card is burned before flop, turn and river


def now_ms() -> int:
    return time.time_ns() // 1_000_000


class OpenCards:
    """By table and coup: each open card and since when. Written by the table's thread, read by the test's."""

    def __init__(self) -> None:
        self._since: dict[tuple[str, int], dict[str, int]] = {}
        self.dealt: dict[tuple[str, int], set[str]] = {}

    def open(self, table: str, coup: int, *faces: str) -> None:
        for face in faces:
            self._since.setdefault((table, coup), {}).setdefault(face, now_ms())

    def deal(self, table: str, coup: int, face: str) -> None:
        self.dealt.setdefault((table, coup), set()).add(face)

    def is_open(self, table: str, coup: int, face: str, at_ms: int) -> bool:
        since = self._since.get((table, coup), {}).get(face)
        return since is not None and since <= at_ms

    def sealed(self, table: str, coup: int) -> set[str]:
        """Cards that left the shoe in a coup and never lay open."""
        return self.dealt.get((table, coup), set()) - self._since.get((table, coup), {}).keys()


class WitnessRig(HandRig):
    """The hands of a table with eyes on the cards."""

    def __init__(self, table: Table, rig: HandRig, cards: OpenCards) -> None:
        self.__dict__ = rig.__dict__  # the same hands: whoever holds the other rig moves the same things
        self._witness_table = table
        self._witness_cards = cards
        self._witness_faces = {card.uid: card.face for card in table.deck.cards}
        self._witness_drawn = 0
        self._witness_is_button = False
        self.coup: Any = None  # what the people at the table know; told at every stage

    async def draw(self, *uids: bytes) -> None:
        for face in (self._witness_faces[uid] for uid in uids if uid in self._witness_faces):
            self._see(face)
        await super().draw(*uids)

    async def press(self, key: str, seat: int = 0) -> None:
        if key == "button":
            self._witness_is_button = True
        elif key == "shuffle":
            self._witness_drawn, self._witness_is_button = 0, False
        elif key == "reveal":
            self._see_hands()
        await super().press(key, seat)

    def _see(self, face: str) -> None:
        table, cards, number = self._witness_table, self._witness_cards, self._witness_table.coups + 1
        if self._witness_is_button:  # THE-42: for everybody to see
            cards.open(table.name, number - 1, face)
            cards.open(table.name, number, face)
            return
        drawn, self._witness_drawn = self._witness_drawn, self._witness_drawn + 1
        cards.deal(table.name, number, face)
        hands = len(table.players) + (table.game != "THE")
        behind = drawn - HANDS[table.game] * hands  # from 0 for the first card after the hands
        if (
            (table.game == "STU" and behind >= -1)  # STU-29: the dealer's last card; STU-61: those that are bought
            or (table.game == "UTH" and behind >= 0)
            or (table.game == "THE" and behind in HOLDEM_OPEN)
        ):
            cards.open(table.name, number, face)

    def _see_hands(self) -> None:
        """Whoever is still in shows; a folded hand lies face down for ever."""
        table, coup = self._witness_table, self.coup
        match coup:
            case BankCoup():
                shown = [face for seat in coup.hands if seat not in coup.folded for face in coup.faces(seat)]
                shown += [card.face for card in coup.house]
            case HoldemCoup():
                shown = [card.face for each in coup.betting.live for card in coup.hands[each.seat]]
            case _:
                raise AssertionError(f"a reveal in {coup!r}")
        self._witness_cards.open(table.name, table.coups + 1, *shown)
