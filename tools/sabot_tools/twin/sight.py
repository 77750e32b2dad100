"""What people at the table see: the colour of each lamp and the words on the dealer's display, and nothing else.

Owns the way from pixels and rows to colours and amounts. A card is seen where it
lies face up; that is the table's business (`felt`). A sight is one moment: lamps
that blink may be dark in it, and a long text turns its pages.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from sabot_tools.twin.layout import COLOURS, Layout, Place

_PAY = re.compile(r"(\d+) ([A-Z][A-Z ]*[A-Z]) pay = (\d+(?:\.\d\d)?)")
_SHARE = re.compile(r"Seat (\d+): (\d+(?:\.\d\d)?)(?! to call)")

_DISTRUST = ("STOP PLAY", "No answer")


@dataclass(frozen=True, slots=True)
class Sight:
    lamps: Mapping[Place, str]
    text: str

    def lit(self, *colours: str) -> list[Place]:
        """The places that shine in one of these colours."""
        return [place for place, colour in self.lamps.items() if colour in colours]

    @property
    def has_alert(self) -> bool:
        """Something is wrong, says the display or an orange lamp."""
        return "!" in self.text or "REVIEW" in self.text or "orange" in self.lamps.values()

    def amount_due(self) -> tuple[Place, int] | None:
        """The spot to be paid next, and what must lie there in the end."""
        found = _PAY.search(self.text)
        if found is None:
            return None
        return (int(found[1]), found[2].lower().replace(" ", "_")), cents_from_text(found[3])

    def shares(self) -> dict[int, int]:
        """What each winner of a hold'em coup receives."""
        return {int(seat): cents_from_text(amount) for seat, amount in _SHARE.findall(self.text)}


def is_trusted(text: str) -> bool:
    """Whether the display leaves it at the lamps: nobody pays by lamps that stand for a fault of the system itself."""
    return not any(word in text for word in _DISTRUST)


def lamps_seen(layout: Layout, pixels: bytes) -> dict[Place, str]:
    """The lamps that shine at this moment."""
    lamps: dict[Place, str] = {}
    if not any(pixels):
        return lamps
    for at, place in enumerate(layout.places):
        colour = COLOURS.get(pixels[3 * at : 3 * at + 3])
        if colour is not None:
            lamps[place] = colour
    return lamps


def cents_from_text(text: str) -> int:
    """`12.50` or `12` in cents."""
    whole, _, rest = text.partition(".")
    return int(whole) * 100 + int(rest or 0)
