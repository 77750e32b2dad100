"""Raw reads of the antenna at the shoe's mouth -> exactly one card_scanned for each card that passes.

Owns what one passing is. Knows no deck, no coup and no bus. Told the tags in the field again and again,
it answers with ("card_scanned", uid) or ("card_doubtful", uids, reason); when the order of two cards or the
reality of one cannot be known, it says so once and leaves it to the table head.

How each case is told apart:
  - A card counts when it was read and no other tag was, in CONFIRM_READS inventories running: a second card
    would have shown in one of them. So a tag that is missed once cannot swap two cards.
  - Two cards first seen together, or within APART_MS of each other: their order is unknown -> two_cards.
  - A card that overlaps one already counted counts as soon as it is alone; if it never is -> two_cards.
  - A tag that flickers within GONE_MS is still the same passing: nothing is said.
  - A card that comes again within RETURN_MS: if it was the last to pass -> drawn_back, if not -> read_again.
    Later than that, or after refill(), it may rightly come from a newly shuffled deck: after a refill at once, unless
    it has been lying at the mouth all the while (no gap above APART_MS).
  - A tag that another antenna sees now (`seen_elsewhere`) bleeds in -> neighbour.
  - A tag that answers nonsense -> unreadable. More tags than can be told apart -> too_many.
Limits: feed() must be called also when the field is empty, at least once in six days (ticks.py); in practice it
runs every 10-50 ms. At most MAX_PRESENT tags are followed; a passing keeps about 100 bytes.
"""

from sabot_firmware.core.ticks import ticks_diff
from sabot_firmware.core.uid import DOUBT_SIZE, is_uid

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Output = tuple[object, ...]

# Two inventories at the slowest usual scan (commercial tables scan every 50-100 ms) and a margin. A dealer
# draws at most three cards a second and a card stays about 100 ms over the antenna: some 230 ms lie between.
APART_MS = 120

# Inventories without another tag before a card counts, the one that read it included: ISO 14443 readers miss
# a tag now and then, hardly ever twice running.
CONFIRM_READS = 2

# A tag unseen for so long is gone: the figure that the best open RFID table uses.
GONE_MS = 1500

# No deck is collected, shuffled, cut and loaded faster than this.
RETURN_MS = 20000

# A reader tells two stacked cards apart reliably, three rarely; more than this in the field is a fault.
MAX_PRESENT = 8

# Cards that can pass within RETURN_MS at three a second.
_REMEMBERED = 64

_PENDING, _SCANNED, _DOUBTED = 0, 1, 2


class _Passing:
    __slots__ = ("alone", "is_crowded", "is_of_old_deck", "last_ms", "state", "uid")

    def __init__(self, uid: bytes, now_ms: int) -> None:
        self.uid = uid
        self.last_ms = now_ms
        self.alone = 0
        self.is_crowded = False
        self.is_of_old_deck = False
        self.state = _PENDING


class Shoe:
    """Follows the tags at the shoe's mouth; `seen_elsewhere(uid)` says whether another antenna sees a tag now."""

    def __init__(self, seen_elsewhere: "Callable[[bytes], bool]") -> None:
        self._seen_elsewhere = seen_elsewhere
        self._present: list[_Passing] = []
        self._passed: list[tuple[bytes, int]] = []
        self._latest = b""
        self._outputs: list[Output] = []
        self._is_unreadable = False
        self._unreadable_ms = 0
        self._is_crammed = False

    def refill(self) -> None:
        """A deck was put in: every card may come again, those of this very moment too."""
        self._passed = []
        self._latest = b""
        for passing in self._present:
            passing.is_of_old_deck = passing.state != _PENDING  # one that was not told yet is of neither deck

    def holds(self, now_ms: int, uid: bytes) -> bool:
        """Say whether a tag that passed here is in the field now: another shoe or mouth nearby asks."""
        passing = self._find(uid)
        return passing is not None and passing.state == _SCANNED and ticks_diff(now_ms, passing.last_ms) <= APART_MS

    def feed(self, now_ms: int, uids: "Sequence[bytes]") -> "tuple[Output, ...]":
        """Take one inventory of the field and return what it proves."""
        if not uids and not self._present and not self._is_unreadable and not self._passed:
            self._is_crammed = False
            return ()
        self._forget(now_ms)
        self._settle_silent(now_ms)
        self._see(now_ms, uids)
        self._judge(now_ms)
        if not self._outputs:
            return ()
        outputs = tuple(self._outputs)
        self._outputs = []
        return outputs

    def _see(self, now_ms: int, uids: "Sequence[bytes]") -> None:
        is_nonsense = False
        for uid in uids:
            if not is_uid(uid):
                is_nonsense = True
                continue
            known = self._find(uid)
            if known and known.is_of_old_deck and ticks_diff(now_ms, known.last_ms) > APART_MS:
                self._present.remove(known)
                known = None
            if known:
                known.last_ms = now_ms
            elif len(self._present) < MAX_PRESENT:
                self._enter(bytes(uid), now_ms)
            elif not self._is_crammed:
                self._is_crammed = True
                self._doubt([passing.uid for passing in self._present], "too_many")
        if is_nonsense:
            if not self._is_unreadable:
                self._is_unreadable = True
                self._doubt([], "unreadable")
            self._unreadable_ms = now_ms

    def _enter(self, uid: bytes, now_ms: int) -> None:
        passing = _Passing(uid, now_ms)
        self._present.append(passing)
        if self._seen_elsewhere(uid):
            passing.state = _DOUBTED
            self._doubt([uid], "neighbour")
        elif any(uid == passed for passed, _ in self._passed):
            passing.state = _DOUBTED
            self._doubt([uid], "drawn_back" if uid == self._latest else "read_again")

    def _judge(self, now_ms: int) -> None:
        near = [passing for passing in self._present if ticks_diff(now_ms, passing.last_ms) <= APART_MS]
        pending = [passing for passing in near if passing.state == _PENDING]
        if len(pending) > 1:
            for passing in pending:
                passing.state = _DOUBTED
            self._doubt([passing.uid for passing in pending], "two_cards")
        elif pending:
            passing = pending[0]
            if len(near) > 1:
                passing.is_crowded = True
                passing.alone = 0
            else:
                passing.alone += 1
                if passing.alone >= CONFIRM_READS:
                    self._scan(passing)

    def _settle_silent(self, now_ms: int) -> None:
        # In order of arrival: an earlier card is told before a later one.
        crowded = []
        for passing in self._present:
            if passing.state == _PENDING and ticks_diff(now_ms, passing.last_ms) > APART_MS:
                if passing.is_crowded:
                    passing.state = _DOUBTED
                    crowded.append(passing.uid)
                else:
                    self._scan(passing)
        if crowded:
            self._doubt(crowded, "two_cards")

    def _forget(self, now_ms: int) -> None:
        at = 0
        while at < len(self._present):
            passing = self._present[at]
            if ticks_diff(now_ms, passing.last_ms) > GONE_MS and passing.state != _PENDING:
                if passing.state == _SCANNED and not passing.is_of_old_deck:
                    self._remember(passing.uid, passing.last_ms)
                del self._present[at]
                self._is_crammed = False
            else:
                at += 1
        while self._passed and ticks_diff(now_ms, self._passed[0][1]) > RETURN_MS:
            del self._passed[0]
        if self._is_unreadable and ticks_diff(now_ms, self._unreadable_ms) > GONE_MS:
            self._is_unreadable = False

    def _remember(self, uid: bytes, last_ms: int) -> None:
        self._passed.append((uid, last_ms))
        if len(self._passed) > _REMEMBERED:
            del self._passed[0]

    def _scan(self, passing: _Passing) -> None:
        passing.state = _SCANNED
        self._latest = passing.uid
        self._outputs.append(("card_scanned", passing.uid))

    def _doubt(self, uids: "list[bytes]", reason: str) -> None:
        self._outputs.append(("card_doubtful", tuple(sorted(uids)[:DOUBT_SIZE]), reason))

    def _find(self, uid: bytes) -> "_Passing | None":
        for passing in self._present:
            if passing.uid == uid:
                return passing
        return None
