"""The desired picture and the time -> pixels: what shines under which bet.

Owns colours, rhythms and the rule that a picture's revision never goes backwards. Knows no wire and no pin:
render() fills a preallocated buffer in the order green, red, blue (WS2812), three bytes a pixel.
Level, not edge: a picture is complete, and drawing it twice changes nothing. A blank picture is dark.

Colours are those of Okabe and Ito's palette for all kinds of colour vision (2008); and since colour alone must
never carry the message, each pattern has its own rhythm, told apart by someone who sees no colour at all:
    steady  always on                       blink   on 500, off 500 ms
    pulse   two short flashes in 1,200 ms   chase   a light that runs along the spot: pay here next
    fault   three quick flashes, then 1 s of dark, on every pixel of the table
No pattern flashes more than three times in a second (WCAG 2.2, 2.3.1).
Limits: a lamp for a spot that has no pixels here is ignored: a table may have several controllers.
"""

from sabot_firmware.core.ticks import MASK, ticks_diff

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    Lamp = tuple[int, str, str, str]

# Red, green, blue of the palette; white stands in for its black, grey and yellow.
PALETTE = {
    "white": (255, 255, 255),
    "blue": (0, 114, 178),
    "orange": (230, 159, 0),
    "green": (0, 158, 115),
    "red": (213, 94, 0),  # vermilion: told from green by every eye
    "violet": (204, 121, 167),
}

PATTERNS = ("steady", "blink", "pulse", "chase", "fault")

# Milliseconds of one step of the running light: a spot of eight pixels is crossed in under a second.
CHASE_MS = 120


class Lamps:
    """The picture that should shine, and its pixels at any moment."""

    def __init__(self, places: "Mapping[tuple[int, str], tuple[int, int]]", pixels: int, brightness: int = 255) -> None:
        """`places` maps (seat, spot) to (first pixel, count); brightness 1-255 scales every colour."""
        for first, count in places.values():
            assert first >= 0
            assert count > 0
            assert first + count <= pixels
        self._places = places
        self.brightness = brightness
        self._picture: tuple[Lamp, ...] = ()
        self._identify_until = 0
        self._is_identifying = False
        self.revision = 0
        self.is_faulty = False
        self.pixels = bytearray(3 * pixels)
        self._dark = bytes(3 * pixels)

    def show(self, revision: int, picture: "Sequence[Lamp]") -> bool:
        """Take a picture [(seat, spot, colour, pattern)]; False when a newer one was shown already."""
        if revision < self.revision:
            return False
        if revision > self.revision:
            self._picture = tuple(lamp for lamp in picture if (lamp[0], lamp[1]) in self._places and lamp[2] in PALETTE)
            self.revision = revision
        return True

    def identify(self, now_ms: int, seconds: int) -> None:
        """Run a white light over the whole table for a while, so that a technician finds it; 0 ends it."""
        self._is_identifying = seconds > 0
        self._identify_until = (now_ms + 1000 * seconds) & MASK

    def render(self, now_ms: int) -> bytearray:
        """Draw this moment into `pixels` and return them."""
        pixels = self.pixels
        pixels[:] = self._dark
        if self._is_identifying and ticks_diff(self._identify_until, now_ms) <= 0:
            self._is_identifying = False
        total = len(pixels) // 3
        if self._is_identifying:
            self._draw(0, total, "white", "chase", now_ms)
        elif self.is_faulty:
            self._draw(0, total, "red", "fault", now_ms)
        else:
            for seat, spot, colour, pattern in self._picture:
                first, count = self._places[(seat, spot)]
                self._draw(first, count, colour, pattern, now_ms)
        return pixels

    def _draw(self, first: int, count: int, colour: str, pattern: str, now_ms: int) -> None:
        if pattern == "chase":
            first += now_ms // CHASE_MS % count
            count = 1
        elif not is_lit(pattern, now_ms):
            return
        red, green, blue = PALETTE[colour]
        level = self.brightness
        for at in range(3 * first, 3 * (first + count), 3):
            self.pixels[at] = green * level // 255
            self.pixels[at + 1] = red * level // 255
            self.pixels[at + 2] = blue * level // 255


def is_lit(pattern: str, now_ms: int) -> bool:
    """Say whether a pattern is on at this moment; an unknown one shines steadily rather than not at all."""
    if pattern == "blink":
        return now_ms % 1000 < 500
    if pattern == "pulse":
        phase = now_ms % 1200
        return phase < 150 or 300 <= phase < 450
    if pattern == "fault":
        phase = now_ms % 2000
        return phase < 1000 and phase % 334 < 167
    return True
