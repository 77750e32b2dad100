"""Inventories of the antennas under the felt -> the stable, full content of each bet spot.

Owns debounce, hysteresis and doubt for chips (and for the discard rack, a spot like any other). Knows no money.
A spot is an index; its label (seat, spot) is opaque. Told an inventory after the other it answers, when asked,
with contents that stood still, each once, complete and sorted; after a start it tells every spot, empty or not.

  - A tag is part of a spot from its second read (a single one may be a ghost) until LOST_MISSES inventories and
    LOST_MS without it: both, so that neither a slow scan nor a fast one drops a tag that is only shadowed.
  - A content is told when it stood still for SETTLE_MS and STILL_READS inventories, and none of its tags is missing or
    was last read elsewhere: a chip that was exchanged for another is never told together with it.
  - Being read elsewhere is better evidence than silence: a tag that another antenna reads steadily has moved as soon
    as its old antenna has missed it twice running. If two or more go on reading it, turn and turn about, all of them
    see it: none of these spots is told, all are doubtful (neighbour) until only one is left.
  - No tag is ever told on two spots: where one arrives, its departure is told first, even if the spot that it left is
    still in motion or in doubt (then without the tags that are gone, and the doubt once more).
  - A spot that never stands still is doubtful (unstable), as is one with nonsense (unreadable) or with
    more tags than can be kept (too_many). Each doubt is told once; after it the content is told again, changed or not.
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
# what still changes after 10 s is not a bet. An arrival takes four inventories and a loss three: eight are more than
# a slow scan needs for either.
LOST_MS = 1500
SETTLE_MS = 400
UNSTABLE_MS = 10000
UNSTABLE_READS = 8

# Readers miss a shadowed tag now and then, hardly ever twice running (ISO 15693 anticollision with retries).
ENTER_READS = 2
LOST_MISSES = 3
MOVE_MISSES = 2
STILL_READS = 2

# A chip that is pushed out and drawn back is read here, there and here again: the word changes twice. The third
# change shows that it is not the chip that moves: two antennas see it.
BLEED_TURNS = 3

# How long an arrival waits for a tag that is missing where it came from: twice as long as an antenna that is asked
# needs to decide; the word of one that is silent cannot be waited for.
WAIT_MS = 2 * LOST_MS

# A full table of seven seats with five spots of five chips is 175 tags: 25 KiB of heap.
MAX_TAGS = 192


class _Tag:
    __slots__ = ("home", "home_ms", "misses", "reads", "rivals", "turn", "turns")

    def __init__(self, home: int) -> None:
        self.home = home
        self.home_ms = 0
        self.reads = 0
        self.misses = 0
        self.rivals: dict[int, list[int]] | None = None  # other antennas that read it: [reads, misses running]
        self.turn = 0
        self.turns = 0  # how often home and rivals took turns in reading it: odd while a rival was the last

    def best_rival(self) -> int:
        """The other antenna that read it most often; -1 when there is none."""
        best, most = -1, 0
        for spot, counts in (self.rivals or {}).items():
            if counts[0] > most or (counts[0] == most and spot < best):
                best, most = spot, counts[0]
        return best

    def has_moved(self) -> bool:
        """Say whether its home misses it while another antenna reads it."""
        if self.rivals is None or self.misses < MOVE_MISSES:
            return False
        return self.rivals[self.best_rival()][0] >= ENTER_READS


class _Spot:
    __slots__ = (
        "at",
        "changed_ms",
        "doubted",
        "is_fed",
        "is_settled",
        "reason",
        "reported",
        "since_ms",
        "since_reads",
        "still",
        "tags",
    )

    def __init__(self, at: int, now_ms: int) -> None:
        self.at = at
        self.tags: dict[bytes, _Tag] = {}  # home or rival here
        self.is_fed = False
        self.is_settled = False
        self.changed_ms = now_ms
        self.since_ms = now_ms
        self.since_reads = 0
        self.still = 0
        self.reason = ""
        self.doubted: tuple[str, ...] = ()  # the reasons that were told since the last content
        self.reported: tuple[bytes, ...] | None = None


class Spots:
    """The contents of all spots of one controller; `labels[i]` names the spot that antenna i watches."""

    def __init__(self, labels: "Sequence[Label]", now_ms: int, max_tags: int = MAX_TAGS) -> None:
        self._labels = tuple(labels)
        self._spots = [_Spot(at, now_ms) for at in range(len(self._labels))]
        self._restless = list(range(len(self._labels)))  # spots that are not settled, in order: most are, mostly
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
        here.still += 1
        here.since_reads += 0 if here.is_settled else 1
        if not uids and not here.tags:
            return  # nothing came, and there was nothing to go
        self._turn = (self._turn + 1) & 0x3FFFFFFF
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
        """Contents that stood still and were not yet told, departures before arrivals."""
        if not self._restless:
            return ()
        ready: list[int] = []
        for at in self._restless:
            here = self._spots[at]
            if here.still < STILL_READS or ticks_diff(now_ms, here.changed_ms) < SETTLE_MS:
                continue
            if here.reason:
                # Nothing of the kind since. The doubt, if it was not yet told, comes first.
                here.reason = here.reason if here.reason not in here.doubted else ""
            elif not self._is_open(at, here):
                ready.append(at)
        if not ready:
            return ()
        found: list[Content] = []
        for at in ready:
            if not self._origins(at):
                self._tell(at, found)
        for at in ready:
            if not self._spots[at].is_settled:
                origins = self._origins(at)
                if any(self._is_waited_for(now_ms, origin) for origin in origins):
                    continue
                for origin in origins:
                    self._tell_departure(origin, found)
                self._tell(at, found)
        return tuple(found)

    def doubts(self, now_ms: int) -> "tuple[Doubt, ...]":
        """Doubts that lasted and were not yet told."""
        if not self._restless:
            return ()
        found: list[Doubt] = []
        for at in self._restless:
            here = self._spots[at]
            if not here.is_fed:
                continue
            reason, uids = self._why(here, now_ms)
            if reason and reason not in here.doubted:
                here.doubted += (reason,)
                found.append((self._labels[at][0], self._labels[at][1], uids, reason))
        return tuple(found) if found else ()

    def _read(self, now_ms: int, spot: int, uid: bytes, tag: _Tag) -> None:
        if tag.home == spot:
            if tag.turns & 1:
                self._take_turns(now_ms, tag)
            if tag.reads < ENTER_READS:
                tag.reads += 1
                self._change(self._spots[spot], now_ms)
            elif tag.misses >= MOVE_MISSES and not self._spots[spot].is_settled:
                # It is back: whoever came in its place may be leaving, and must be asked again.
                self._change(self._spots[spot], now_ms)
            tag.home_ms = now_ms
            tag.misses = 0
            return
        if tag.rivals is None:
            tag.rivals = {}
        counts = tag.rivals.get(spot)
        if counts is None:
            counts = tag.rivals[spot] = [0, 0]
            self._spots[spot].tags[uid] = tag
            if tag.turns >= BLEED_TURNS:
                self._change(self._spots[spot], now_ms)
        counts[0] += 1
        counts[1] = 0
        if counts[0] == ENTER_READS:
            # No ghost: until its home has been asked, nobody knows where it lies.
            self._change(self._spots[tag.home], now_ms)
            self._change(self._spots[spot], now_ms)
        if not tag.turns & 1:
            self._take_turns(now_ms, tag)
        if tag.has_moved():
            self._leave(now_ms, tag.home, uid)

    def _take_turns(self, now_ms: int, tag: _Tag) -> None:
        tag.turns += 1
        if tag.turns == BLEED_TURNS:
            self._change(self._spots[tag.home], now_ms)
            for rival in tag.rivals or ():
                self._change(self._spots[rival], now_ms)

    def _miss(self, now_ms: int, spot: int, here: _Spot) -> None:
        gone = None
        for uid, tag in here.tags.items():
            if tag.turn == self._turn:
                continue
            if tag.home == spot:
                tag.misses += 1
            elif tag.rivals is not None:
                tag.rivals[spot][1] += 1
            if self._has_left(now_ms, spot, tag):
                gone = gone or []
                gone.append(uid)
        for uid in gone or ():
            self._leave(now_ms, spot, uid)

    def _has_left(self, now_ms: int, spot: int, tag: _Tag) -> bool:
        if tag.home != spot:
            return tag.rivals is not None and tag.rivals[spot][1] >= MOVE_MISSES
        return tag.has_moved() or (tag.misses >= LOST_MISSES and ticks_diff(now_ms, tag.home_ms) > LOST_MS)

    def _leave(self, now_ms: int, spot: int, uid: bytes) -> None:
        tag = self._tags[uid]
        del self._spots[spot].tags[uid]
        if tag.home != spot:
            self._drop_rival(now_ms, spot, tag)
            return
        self._change(self._spots[spot], now_ms)
        if tag.rivals is None:
            del self._tags[uid]
            return
        # The old antenna lost it, another one reads it: it moved.
        tag.home = tag.best_rival()
        tag.reads = min(tag.rivals.pop(tag.home)[0], ENTER_READS)
        tag.misses, tag.home_ms = 0, now_ms
        self._change(self._spots[tag.home], now_ms)
        for rival in tag.rivals:
            self._change(self._spots[rival], now_ms)
        tag.turns = 1 if tag.rivals else 0
        tag.rivals = tag.rivals or None

    def _drop_rival(self, now_ms: int, spot: int, tag: _Tag) -> None:
        is_contested = tag.turns >= BLEED_TURNS
        if tag.rivals is not None:
            del tag.rivals[spot]
        if not tag.rivals:
            tag.rivals, tag.turns = None, 0
            if is_contested:
                self._change(self._spots[tag.home], now_ms)
        if is_contested:
            self._change(self._spots[spot], now_ms)

    def _tell(self, at: int, found: "list[Content]") -> None:
        here = self._spots[at]
        here.is_settled = True
        self._restless.remove(at)
        uids = self._content(at, here)
        if uids != here.reported or here.doubted:
            here.doubted = ()
            self._report(at, uids, found)

    def _tell_departure(self, at: int, found: "list[Content]") -> None:
        """Tell what was told before, without the tags that are no longer here."""
        here = self._spots[at]
        here.doubted = ()  # a doubt that lasts is told again after this
        content = self._content(at, here)
        self._report(at, tuple([uid for uid in here.reported or () if uid in content]), found)

    def _report(self, at: int, uids: "tuple[bytes, ...]", found: "list[Content]") -> None:
        self._spots[at].reported = uids
        found.append((self._labels[at][0], self._labels[at][1], uids))

    def _origins(self, at: int) -> "list[int]":
        """Spots that were told with a tag that lies here now."""
        here = self._spots[at]
        known = here.reported or ()
        came = [uid for uid in self._content(at, here) if uid not in known]
        if not came:
            return []
        others = [other for other in range(len(self._spots)) if other != at]
        return [other for other in others if any(uid in (self._spots[other].reported or ()) for uid in came)]

    def _change(self, here: _Spot, now_ms: int) -> None:
        if here.is_settled:
            here.is_settled = False
            here.since_ms = now_ms
            here.since_reads = 0
            self._restless.append(here.at)
            self._restless.sort()
        here.changed_ms = now_ms
        here.still = 0

    def _doubt(self, here: _Spot, now_ms: int, reason: str) -> None:
        self._change(here, now_ms)
        here.reason = reason

    def _why(self, here: _Spot, now_ms: int) -> "tuple[str, tuple[bytes, ...]]":
        if here.reason:
            return here.reason, ()
        if ticks_diff(now_ms, here.changed_ms) >= SETTLE_MS:
            contested = self._contested(here)
            if contested:
                return "neighbour", contested
        if here.since_reads >= UNSTABLE_READS and ticks_diff(now_ms, here.since_ms) >= UNSTABLE_MS and not here.doubted:
            return "unstable", ()
        return "", ()

    def _is_open(self, at: int, here: _Spot) -> bool:
        """Say whether some tag may be here or not: last read elsewhere, read by several, or missing."""
        for tag in here.tags.values():
            if tag.turns & 1 or tag.turns >= BLEED_TURNS or (tag.home == at and _is_missing(tag)):
                return True
        return False

    def _is_waited_for(self, now_ms: int, origin: int) -> bool:
        """Say whether another tag is about to leave the spot that one has left."""
        here = self._spots[origin]
        for uid in here.reported or ():
            tag = here.tags.get(uid)
            if tag is not None and tag.home == origin and _is_missing(tag):
                if ticks_diff(now_ms, tag.home_ms) <= WAIT_MS:
                    return True
        return False

    def _contested(self, here: _Spot) -> "tuple[bytes, ...]":
        return tuple(sorted([uid for uid, tag in here.tags.items() if tag.turns >= BLEED_TURNS])[:DOUBT_SIZE])

    def _content(self, at: int, here: _Spot) -> "tuple[bytes, ...]":
        return tuple(sorted([uid for uid, tag in here.tags.items() if tag.home == at and tag.reads >= ENTER_READS]))


def _is_missing(tag: _Tag) -> bool:
    return tag.reads >= ENTER_READS and tag.misses >= MOVE_MISSES
