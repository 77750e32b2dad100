"""Cards as things: a face, the deck it came with, and the number of the tag inside it.

The twin's own vocabulary, on purpose not the gateway's: what the two say about a
coup is compared in the end. A face is written as players write it, `As` or `Td`.
"""

from typing import Final, NamedTuple

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
FACES: Final = tuple(rank + suit for rank in RANKS for suit in SUITS)


class Card(NamedTuple):
    face: str
    deck: str
    uid: bytes


def rank_of(face: str) -> int:
    """2 to 14."""
    return RANKS.index(face[0]) + 2
