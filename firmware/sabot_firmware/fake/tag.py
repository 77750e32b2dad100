"""Tags in the fields of antennas, as a reader chip meets them.

Owns which tag lies on which antenna. A tag forgets that it was halted when its field goes off; whoever models
the reader says so with power_off(). Nonsense is a tag too: `twist` damages what it answers.
"""

_NOTHING: "list[Tag]" = []


class Tag:
    """A card or chip with a UID in order of transmission (ISO 15693: least significant byte first)."""

    def __init__(self, uid: bytes, twist: str = "") -> None:
        self.uid = uid
        self.twist = twist  # "", "crc" (damaged answer), "flags", "length", "family" (no E0), "alien" (another's slot)
        self.is_halted = False


class Fields:
    """What lies on each antenna; `selected` is the antenna that the reader's output is switched to, or None."""

    def __init__(self) -> None:
        self.selected: "int | None" = 0
        self._tags: "dict[int, list[Tag]]" = {}

    def place(self, antenna: int, tag: Tag) -> Tag:
        """Lay a tag on an antenna."""
        self._tags.setdefault(antenna, []).append(tag)
        return tag

    def clear(self, antenna: int) -> None:
        """Take everything away."""
        self._tags[antenna] = []

    def remove(self, antenna: int, tag: Tag) -> None:
        """Take one tag away."""
        self._tags[antenna].remove(tag)

    def present(self) -> "list[Tag]":
        """The tags that feel the reader's field."""
        return _NOTHING if self.selected is None else self._tags.get(self.selected, _NOTHING)

    def power_off(self) -> None:
        """The field went off: tags lose their state."""
        for tags in self._tags.values():
            for tag in tags:
                tag.is_halted = False
