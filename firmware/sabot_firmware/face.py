"""What people see: lamps under the felt and the dealer's small display.

Owns the passage from the gateway's picture to pixels and rows. Colours, rhythms and revisions are core's. turn() draws
one moment; a picture that came is lit at the next turn, and that its revision is lit is told once.
"""

from sabot_firmware.core.display import Display
from sabot_firmware.core.lamps import Lamps
from sabot_firmware.core.ticks import ticks_add, ticks_diff
from sabot_firmware.hal.errors import BusError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from sabot_firmware.config import Config
    from sabot_firmware.hal.assembly import Hardware

# A notice that needs no action (a self-test that passed) makes way for the gateway's lines again.
NOTICE_MS = 10000

# Above the gateway's lines while they may be old: what shines is what was due before it fell silent.
SILENT = {
    "fr": "Pas de reponse du serveur : ne payez plus.",
    "en": "No answer from the gateway: stop paying.",
}


class Face:
    """The lamps and the display of one controller."""

    def __init__(
        self, config: "Config", parts: "Hardware", report: "Callable[[str, int, bool], None]", shown: int = 0
    ) -> None:
        """`shown` is the last revision that an earlier start took: it is taken again, what is older is not."""
        places = {(spot[2], spot[3]): (spot[4], spot[5]) for spot in config.spots if spot[5]}
        self._lamps = Lamps(places, config.number("pixels"), config.number("brightness"))
        self._strip = parts.lamps
        self._glass = parts.display
        rows, columns = (self._glass.rows, self._glass.columns) if self._glass is not None else (4, 16)
        self._display = Display(rows, columns, config.text("language"))
        self._report = report
        self._oldest = shown
        self._lit = 0
        self._notice_ends: "int | None" = None
        self._standing = ""
        self._language = config.text("language")
        self._is_silent = False

    @property
    def revision(self) -> int:
        """The revision of the picture that should shine."""
        return self._lamps.revision

    def show(self, revision: int, picture: "Sequence[dict[str, Any]]", lines: "Sequence[dict[str, str]]") -> bool:
        """Take the gateway's picture and lines; False when a newer one is there already."""
        if revision < self._oldest or revision < self._lamps.revision:
            return False
        self._lamps.show(revision, [(lamp["seat"], lamp["spot"], lamp["colour"], lamp["pattern"]) for lamp in picture])
        return self._display.show(revision, [(line["fr"], line["en"]) for line in lines])

    def adapt(self, config: "Config") -> None:
        """Take over what the gateway may change while the controller runs."""
        self._lamps.brightness = config.number("brightness")
        self._language = config.text("language")
        self._display.speak(self._language)

    def identify(self, now_ms: int, seconds: int) -> None:
        """Run a light over the whole table, so that a technician finds it."""
        self._lamps.identify(now_ms, seconds)

    def set_fault(self, is_faulty: bool) -> None:
        """Light the fault pattern, or not."""
        self._lamps.is_faulty = is_faulty

    def stand(self, text: str) -> None:
        """Show the controller's own words until others take their place; none brings the gateway's lines back."""
        self._standing = text
        if self._notice_ends is None:
            self._say(self._own())

    def hush(self, is_silent: bool) -> None:
        """Say that nobody answers, or stop saying it."""
        if is_silent != self._is_silent:
            self._is_silent = is_silent
            self.stand(self._standing)

    def notice(self, now_ms: int, text: str) -> None:
        """Show the controller's own words for a while."""
        self._notice_ends = ticks_add(now_ms, NOTICE_MS)
        self._say(text)

    def turn(self, now_ms: int) -> int:
        """Draw this moment; the revision that was lit just now, 0 for none."""
        if self._notice_ends is not None and ticks_diff(now_ms, self._notice_ends) >= 0:
            self._notice_ends = None
            self._say(self._own())
        if self._glass is not None:
            self._draw(now_ms)
        if self._strip is not None and not self._strip.show(now_ms, self._lamps.render(now_ms)):
            return 0  # too early for these lamps: the next turn shows it
        if self._lit != self._lamps.revision:
            self._lit = self._lamps.revision
            return self._lit
        return 0

    def _own(self) -> str:
        return self._standing or (SILENT[self._language] if self._is_silent else "")

    def _say(self, text: str) -> None:
        if text:
            self._display.notice(text)
        else:
            self._display.notice()

    def _draw(self, now_ms: int) -> None:
        glass: "Any" = self._glass
        glass.draw(self._display.rows(now_ms))
        try:
            if not glass.poll(now_ms):
                self._report("display", 0, False)
        except BusError:
            self._report("display", 0, True)
