"""A deck of 52 tagged cards: whole in a box, shuffled into the shoe, drawn one by one, gathered again.

Owns the order of cards. Chance comes from outside, so that a night can be played
again. Tags are ISO 14443 numbers of seven bytes.
"""

from random import Random

from sabot_tools.twin.card import FACES, Card

_MAKER = 0x04  # the first byte of an NXP tag
_CARD = 0xCA


class Deck:
    """`number` tells decks of one house apart; nothing but the tags depends on it."""

    def __init__(self, name: str, number: int, colour: str = "blue") -> None:
        self.name = name
        self.colour = colour
        head = bytes((_MAKER, _CARD)) + number.to_bytes(3, "big")
        self.cards = tuple(
            Card(face, name, head + bytes((at + 1, (at * 7 + number) & 0xFF))) for at, face in enumerate(FACES)
        )
        self._shoe: list[Card] = []

    @property
    def uids(self) -> tuple[bytes, ...]:
        """Every card of the deck, as a rack that holds it whole would read it."""
        return tuple(card.uid for card in self.cards)

    @property
    def stub(self) -> tuple[Card, ...]:
        """What is still in the shoe, the next card first."""
        return tuple(reversed(self._shoe))

    def shuffle(self, chance: Random) -> None:
        """All cards are gathered, shuffled and put into the shoe."""
        self._shoe = list(self.cards)
        chance.shuffle(self._shoe)

    def stack(self, faces: list[str]) -> None:
        """Put these faces on top of the shoe, the first to be drawn first: for rehearsing a given coup."""
        wanted = [self.card(face) for face in faces]
        self._shoe = [card for card in self._shoe if card not in wanted] + wanted[::-1]

    def draw(self) -> Card:
        """The next card out of the shoe."""
        return self._shoe.pop()

    def card(self, face: str) -> Card:
        """The card of this face."""
        return self.cards[FACES.index(face)]
