"""The felt of each game and the controller under it: which spot lies over which antenna and pixel, which key is where.

Owns the plan of a simulated table and writes it as a controller's config file.
The order of spots is the order in which changes are told within one moment: chips
that move along with the game (stack, bet, pot) leave before they arrive.
"""

from dataclasses import dataclass
from typing import Final

from sabot_firmware.core.lamps import PALETTE
from sabot_protocol.messages import KEY

Place = tuple[int, str]

SHOE, RACK, BADGE, SPOTS = range(4)  # readers; from SPOTS on, one for each ANTENNAS spots
ANTENNAS: Final = 4  # under one reader: those of a seat
COLUMNS: Final = 7
BRIGHTNESS: Final = 96

# Spots before each seat, by game; the keys of sabot_gateway's rulesets with the same names.
SPOTS_OF: Final = {
    "TCF": ("ante", "play", "pair_plus", "bonus"),
    "STU": ("ante", "raise", "buy", "bonus"),
    "TCP": ("ante", "play", "pair_plus", "six_card"),
    "UTH": ("ante", "blind", "trips", "play"),
    "THE": ("stack", "bet"),
}
CUT_CARD: Final = bytes.fromhex("04cc0000000001")  # the blank card that players cut onto
POT: Final[Place] = (0, "pot")


@dataclass(frozen=True, slots=True)
class Layout:
    """`places[i]` is lit by pixel i."""

    game: str
    places: tuple[Place, ...]
    keys: tuple[str, ...]

    def antenna(self, place: Place) -> tuple[int, int]:
        """The reader and its antenna under a spot."""
        at = self.places.index(place)
        return SPOTS + at // ANTENNAS, at % ANTENNAS

    def key(self, name: str) -> int:
        """The position of a key; a seat's key is its number."""
        return self.keys.index(name)


def layout_of(game: str, seats: int) -> Layout:
    """The felt of a table with so many seats."""
    numbers = range(1, seats + 1)
    if game == "THE":
        places = [(seat, spot) for spot in SPOTS_OF[game] for seat in numbers] + [POT]
    else:
        places = [(seat, spot) for seat in numbers for spot in SPOTS_OF[game]]
    return Layout(game, tuple(places), (*KEY[1], *(str(seat) for seat in numbers)))


def config_of(layout: Layout, site: str, device: str, broker: tuple[str, int], scan_ms: int = 20) -> bytes:
    """The file that this table's controller runs by."""
    rows = (len(layout.keys) + COLUMNS - 1) // COLUMNS
    lines = [
        f"site = {site}",
        f"device = {device}",
        "board = twin",
        "language = en",
        "link = ethernet",
        f"broker_host = {broker[0]}",
        f"broker_port = {broker[1]}",
        "tls = no",
        "outbox_sectors = 16",
        f"pixels = {len(layout.places)}",
        f"brightness = {BRIGHTNESS}",
        "display = ssd1306",
        f"keypad_rows = {rows}",
        f"keypad_columns = {COLUMNS}",
        "door = yes",
        f"scan_ms = {scan_ms}",
        f"reader = {SHOE} shoe pn532 spi0 0",
        f"reader = {RACK} discard pn5180 spi1 1",
        f"reader = {BADGE} badge pn532 uart1 0",
    ]
    lines.append(f"cut_card = {CUT_CARD.hex()}")
    readers = range(SPOTS, SPOTS - (-len(layout.places) // ANTENNAS))
    lines += [f"reader = {number} spots pn5180 spi1 0" for number in readers]
    for pixel, place in enumerate(layout.places):
        reader, antenna = layout.antenna(place)
        lines.append(f"spot = {reader} {antenna} {place[0]} {place[1]} {pixel} 1")
    lines += [f"key = {at} {name}" for at, name in enumerate(layout.keys)]
    return ("\n".join([*lines, "end"]) + "\n").encode()


def _seen(red: int, green: int, blue: int) -> bytes:
    return bytes(part * BRIGHTNESS // 255 for part in (green, red, blue))


# What an eye takes for which colour, in the order of the lamps' bytes.
COLOURS: Final = {_seen(*parts): name for name, parts in PALETTE.items()}
