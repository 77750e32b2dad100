"""A lamp picture as the bytes of one message, and the picture of a table that Sabot cannot follow.

Pure. The whole picture, never a difference (law 6); what a controller has no pixel for it ignores, so every
controller of a table gets the same bytes inside its own envelope.
"""

from functools import lru_cache
from typing import Final

from sabot_gateway.model.effect import Lamp, Line, SetLamps
from sabot_gateway.model.felt import Colour, FeltSpot, Pattern
from sabot_gateway.table.lamps import DECISION_SPOT, MOST_LAMPS
from sabot_gateway.table.remembered import Remembered
from sabot_gateway.table.setup import TableSetup
from sabot_protocol.joined import encode_joined, item_bytes

STOP_JOURNAL: Final = (
    Line("ARRETEZ LE JEU : journal en panne", "STOP PLAY: the journal fails"),
    Line("Appelez la surveillance", "Call surveillance"),
)
STOP_TABLE: Final = (
    Line("ARRETEZ LE JEU : table non suivie", "STOP PLAY: table not followed"),
    Line("Appelez la surveillance", "Call surveillance"),
)


def payload_from_lamps(lamps: SetLamps) -> bytes:
    """The payload of a `lamps` message."""
    lists = {"picture": _LAMPS.all_of(lamps.picture), "display": [_line(line.fr, line.en) for line in lamps.display]}
    return encode_joined("lamps", {"revision": lamps.revision}, lists)


def fault_lamps(setup: TableSetup, revision: int, lines: tuple[Line, ...]) -> SetLamps:
    """Every seat and the dealer's place in the rhythm of a fault."""
    spot = DECISION_SPOT[setup.game]
    places = [(0, FeltSpot.FLOAT), *((seat, spot) for seat in range(1, setup.seats_total + 1))]
    picture = tuple(Lamp(seat, spot, Colour.RED, Pattern.FAULT) for seat, spot in places)
    return SetLamps(revision, picture[:MOST_LAMPS], lines)


def _lamp(lamp: Lamp) -> bytes:
    plain: dict[str, int | str] = {
        "seat": lamp.seat,
        "spot": lamp.spot.value,
        "colour": lamp.colour.value,
        "pattern": lamp.pattern.value,
    }
    if lamp.amount_cents is not None:
        plain["amount_cents"] = lamp.amount_cents
    return item_bytes("lamps", "picture", plain)


@lru_cache(maxsize=1024)
def _line(fr: str, en: str) -> bytes:
    return item_bytes("lamps", "display", {"fr": fr, "en": en})


_LAMPS: Final = Remembered(_lamp)
