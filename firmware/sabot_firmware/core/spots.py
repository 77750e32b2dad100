"""Inventories of the antennas under the felt -> the stable, full content of each bet spot.

Owns debounce, hysteresis and doubt for chips (and for the discard rack, a spot like any other). Knows no money.
A spot is an index; its label (seat, spot) is opaque. Told an inventory after the other it answers, when asked,
with contents that stood still, each once, complete and sorted; after a start it tells every spot, empty or not.

  - A tag is part of a spot from its second read (a single one may be a ghost) until LOST_MISSES inventories and
    LOST_MS without it: both, so that neither a slow scan nor a fast one drops a tag that is only shadowed.
  - A content is told when it stood still for SETTLE_MS and STILL_READS inventories.
  - A tag that a second antenna reads has moved if its old antenna misses it twice running; if the old one reads it
    again, both see it: neither spot is told, both are doubtful (neighbour) until one of them loses it.
  - A spot that never stands still is doubtful (unstable), as is one with nonsense (unreadable) or with
    more tags than can be kept (too_many). After a doubt the content is told again, even if unchanged.
Limits: each spot must be fed at least every six days (ticks.py). A kept tag costs about 130 bytes of heap.
"""

from sabot_firmware.core.ticks import ticks_diff
from sabot_firmware.core.uid import DOUBT_SIZE, is_uid

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    Label = tuple[int, str]
    Content = tuple[int, str, tuple[bytes, ...]]
    Doubt = tuple[int, str, tuple[bytes, ...], str]

# Figures of the best open RFID table: a tag is lost after 1.5 s, what is analysed stood still for 400 ms, and
# what still changes after 10 s is not a bet.
LOST_MS = 1500
SETTLE_MS = 400
UNSTABLE_MS = 10000

# Readers miss a shadowed tag now and then, hardly ever twice running (ISO 15693 anticollision with retries).
ENTER_READS = 2
LOST_MISSES = 3
MOVE_MISSES = 2
STILL_READS = 2

# A full table of seven seats with five spots of five chips is 175 tags: 25 KiB of heap.
MAX_TAGS = 192


class _Tag:
    __slots__ = (
        "home",
        "home_ms",
        "is_contested",
        "misses",
        "reads",
        "rival",
        "rival_is_newer",
        "rival_misses",
        "turn",
    )

    def __init__(self, home: int) -> None:
        self.home = home
        self.home_ms = 0
        self.reads = 0
        self.misses = 0
        self.rival = -1
        self.rival_misses = 0
        self.rival_is_newer = False
        self.is_contested = False
        self.turn = 0


class _Spot:
    __slots__ = ("changed_ms", "doubted", "is_fed", "is_settled", "reason", "reported", "since_ms", "still", "tags")

    def __init__(self, now_ms: int) -> None:
        self.tags: dict[bytes, _Tag] = {}  # home or rival here
        self.is_fed = False
        self.is_settled = False
        self.changed_ms = now_ms
        self.since_ms = now_ms
        self.still = 0
        self.reason = ""
        self.doubted = ""
        self.reported: tuple[bytes, ...] | None = None


class Spots:
    """The contents of all spots of one controller; `labels[i]` names the spot that antenna i watches."""

    def __init__(self, labels: "Sequence[Label]", now_ms: int, max_tags: int = MAX_TAGS) -> None:
        self._labels = tuple(labels)
        self._spots = [_Spot(now_ms) for _ in self._labels]
        self._tags: dict[bytes, _Tag] = {}
        self._max_tags = max_tags
        self._turn = 0

    def has(self, uid: bytes) -> bool:
        """Say whether some spot sees this tag now: the shoe asks."""
        return uid in self._tags

    def feed(self, now_ms: int, spot: int, uids: "Sequence[bytes]") -> None:
        """Take one inventory of a spot. An inventory that failed is not fed: silence proves nothing."""
        here = self._spots[spot]
        if not here.is_fed:
            here.is_fed = True
            here.changed_ms = here.since_ms = now_ms
        self._turn = (self._turn + 1) & 0x3FFFFFFF
        here.still += 1
        for uid in uids:
            if not is_uid(uid):
                self._doubt(here, now_ms, "unreadable")
                continue
            tag = self._tags.get(uid)
            if tag is None:
                if len(self._tags) >= self._max_tags:
                    self._doubt(here, now_ms, "too_many")
                    continue
                uid = bytes(uid)
                tag = self._tags[uid] = here.tags[uid] = _Tag(spot)
            if tag.turn != self._turn:  # some readers give a tag twice
                tag.turn = self._turn
                self._read(now_ms, spot, uid, tag)
        self._miss(now_ms, spot, here)

    def due(self, now_ms: int) -> "tuple[Content, ...]":
        """Contents that stood still and were not yet told."""
        found: list[Content] = []
        for at in range(len(self._spots)):
            here = self._spots[at]
            if here.is_settled or here.reason or here.still < STILL_READS:
                continue
            if ticks_diff(now_ms, here.changed_ms) < SETTLE_MS or self._contested(here):
                continue
            here.is_settled = True
            uids = self._content(at, here)
            if uids != here.reported or here.doubted:
                here.reported = uids
                here.doubted = ""
                found.append((self._labels[at][0], self._labels[at][1], uids))
        return tuple(found) if found else ()

    def doubts(self, now_ms: int) -> "tuple[Doubt, ...]":
        """Doubts that lasted and were not yet told."""
        found: list[Doubt] = []
        for at in range(len(self._spots)):
            here = self._spots[at]
            if here.is_settled or not here.is_fed:
                continue
            reason, uids = self._why(here, now_ms)
            if reason and reason != here.doubted:
                here.doubted = reason
                found.append((self._labels[at][0], self._labels[at][1], uids, reason))
        return tuple(found) if found else ()

    def _read(self, now_ms: int, spot: int, uid: bytes, tag: _Tag) -> None:
        if tag.home == spot:
            if tag.rival >= 0 and tag.rival_is_newer and not tag.is_contested:
                tag.is_contested = True  # seen here, there, and here again: on both
                self._change(self._spots[spot], now_ms)
                self._change(self._spots[tag.rival], now_ms)
            tag.rival_is_newer = False
            tag.home_ms = now_ms
            tag.misses = 0
            if tag.reads < ENTER_READS:
                tag.reads += 1
                self._change(self._spots[spot], now_ms)
            return
        if tag.rival != spot:
            self._drop_rival(now_ms, uid, tag)
            tag.rival = spot
            self._spots[spot].tags[uid] = tag
        tag.rival_is_newer = True
        tag.rival_misses = 0

    def _miss(self, now_ms: int, spot: int, here: _Spot) -> None:
        gone = None
        for uid, tag in here.tags.items():
            if tag.turn == self._turn:
                continue
            if tag.home == spot:
                tag.misses += 1
            else:
                tag.rival_misses += 1
            if self._has_left(now_ms, spot, tag):
                gone = gone or []
                gone.append(uid)
        for uid in gone or ():
            self._leave(now_ms, spot, uid)

    def _has_left(self, now_ms: int, spot: int, tag: _Tag) -> bool:
        if tag.home != spot:
            return tag.rival_misses >= MOVE_MISSES
        if tag.rival >= 0:
            return tag.misses >= MOVE_MISSES
        return tag.misses >= LOST_MISSES and ticks_diff(now_ms, tag.home_ms) > LOST_MS

    def _leave(self, now_ms: int, spot: int, uid: bytes) -> None:
        tag = self._tags[uid]
        if tag.home != spot:
            self._drop_rival(now_ms, uid, tag)
            return
        del self._spots[spot].tags[uid]
        self._change(self._spots[spot], now_ms)
        if tag.rival < 0:
            del self._tags[uid]
            return
        # The old antenna lost it, the new one reads it: it moved.
        tag.home, tag.rival, tag.misses, tag.home_ms = tag.rival, -1, 0, now_ms
        tag.is_contested = tag.rival_is_newer = False
        self._change(self._spots[tag.home], now_ms)

    def _drop_rival(self, now_ms: int, uid: bytes, tag: _Tag) -> None:
        if tag.rival < 0:
            return
        rival = self._spots[tag.rival]
        del rival.tags[uid]
        if tag.is_contested:
            self._change(rival, now_ms)
            self._change(self._spots[tag.home], now_ms)
        tag.rival = -1
        tag.is_contested = tag.rival_is_newer = False

    def _change(self, here: _Spot, now_ms: int) -> None:
        if here.is_settled:
            here.is_settled = False
            here.since_ms = now_ms
        here.reason = ""
        here.changed_ms = now_ms
        here.still = 0

    def _doubt(self, here: _Spot, now_ms: int, reason: str) -> None:
        self._change(here, now_ms)
        here.reason = reason

    def _why(self, here: _Spot, now_ms: int) -> "tuple[str, tuple[bytes, ...]]":
        if here.reason:
            reason = here.reason
            if here.still >= STILL_READS and ticks_diff(now_ms, here.changed_ms) >= SETTLE_MS:
                here.reason = ""  # nothing of the kind since: the content may settle again
            return reason, ()
        if ticks_diff(now_ms, here.changed_ms) >= SETTLE_MS:
            contested = self._contested(here)
            if contested:
                return "neighbour", contested
        if ticks_diff(now_ms, here.since_ms) >= UNSTABLE_MS and here.doubted != "neighbour":
            return "unstable", ()
        return "", ()

    def _contested(self, here: _Spot) -> "tuple[bytes, ...]":
        return tuple(sorted([uid for uid, tag in here.tags.items() if tag.is_contested])[:DOUBT_SIZE])

    def _content(self, at: int, here: _Spot) -> "tuple[bytes, ...]":
        return tuple(sorted([uid for uid, tag in here.tags.items() if tag.home == at and tag.reads >= ENTER_READS]))
