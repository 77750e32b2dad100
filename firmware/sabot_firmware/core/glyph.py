"""Text of the wire -> characters that a small display can draw.

Owns the fallback: the displays' built-in font has ASCII 32-126 only, so é becomes e, œ becomes oe, and what has
no likeness becomes a question mark: a reader sees that something stood there. Nothing is dropped silently.
Letters are taken as slices: MicroPython interns what it takes by index or loop, and never frees that.
"""

_LIKENESS = (
    ("àâäáãå", "a"), ("ç", "c"), ("éèêë", "e"), ("îïíì", "i"), ("ñ", "n"), ("ôöóòõ", "o"), ("ùûüú", "u"), ("ÿ", "y"),
    ("ÀÂÄÁÃÅ", "A"), ("Ç", "C"), ("ÉÈÊË", "E"), ("ÎÏÍÌ", "I"), ("Ñ", "N"), ("ÔÖÓÒÕ", "O"), ("ÙÛÜÚ", "U"), ("Ÿ", "Y"),
    ("œ", "oe"), ("Œ", "OE"), ("æ", "ae"), ("Æ", "AE"), ("ß", "ss"), ("€", "EUR"), ("£", "GBP"),
    ("’‘", "'"), ("“”«»", '"'), ("–—−‑", "-"), ("…", "..."), ("·•", "."), ("×", "x"), ("→", ">"), ("←", "<"),
    ("♠", "s"), ("♥", "h"), ("♦", "d"), ("♣", "c"), ("\u00a0\u202f\t\n\r", " "),
)  # fmt: skip


def drawable(text: str) -> str:
    """The text in ASCII that can be drawn."""
    for byte in text.encode():
        if not 32 <= byte <= 126:
            return "".join([_likeness(text[at : at + 1]) for at in range(len(text))])
    return text


def wrapped(text: str, columns: int) -> "list[str]":
    """The text in rows of at most `columns` characters, broken between words where that is possible."""
    rows: list[str] = []
    row = ""
    for word in drawable(text).split(" "):
        while len(word) > columns:
            if row:
                rows.append(row)
                row = ""
            rows.append(word[:columns])
            word = word[columns:]
        if not row:
            row = word
        elif len(row) + 1 + len(word) <= columns:
            row = row + " " + word
        else:
            rows.append(row)
            row = word
    if row or not rows:
        rows.append(row)
    return rows


def _likeness(letter: str) -> str:
    if " " <= letter <= "~":
        return letter
    for letters, likeness in _LIKENESS:
        if letter in letters:
            return likeness
    return "?"
