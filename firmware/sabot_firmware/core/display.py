"""What stands on the dealer's small display at any moment: rows of drawable text.

Owns the choice: a notice of the controller itself (why it refuses to run, a self-test) stands above the
gateway's lines, and longer texts turn pages. Knows no chip. The revision goes hand in hand with the lamps'.
"""

from sabot_firmware.core.glyph import wrapped

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

# Long enough to read two short rows, short enough that a dealer sees all of it while paying.
PAGE_MS = 3000

LANGUAGES = ("fr", "en")


class Display:
    """Rows of text for a display of `rows` by `columns` characters."""

    def __init__(self, rows: int, columns: int, language: str = "fr") -> None:
        self._rows = rows
        self._columns = columns
        self._language = LANGUAGES.index(language)
        self._told: list[tuple[str, str]] = []
        self._lines: list[str] = []
        self._notice: list[str] = []
        self.revision = 0

    def show(self, revision: int, lines: "Sequence[tuple[str, str]]") -> bool:
        """Take the gateway's lines [(French, English)]; False when newer ones were shown already."""
        if revision < self.revision:
            return False
        if revision > self.revision:
            self.revision = revision
            self._told = list(lines)
            self._lines = self._wrap([line[self._language] for line in lines])
        return True

    def speak(self, language: str) -> None:
        """Show the gateway's lines in this language from now on."""
        self._language = LANGUAGES.index(language)
        self._lines = self._wrap([line[self._language] for line in self._told])

    def notice(self, *texts: str) -> None:
        """Put the controller's own words above all; without any, the gateway's lines come back."""
        self._notice = self._wrap(texts)

    def rows(self, now_ms: int) -> "list[str]":
        """The rows to draw now, from the top."""
        rows = self._notice or self._lines
        pages = (len(rows) + self._rows - 1) // self._rows
        if pages > 1:
            first = now_ms // PAGE_MS % pages * self._rows
            return rows[first : first + self._rows]
        return rows

    def _wrap(self, texts: "Sequence[str]") -> "list[str]":
        rows: list[str] = []
        for text in texts:
            rows += wrapped(text, self._columns)
        return rows
