"""ISO/IEC 15693-3 inventory with 16 slots: requests, answers, and the tree of masks that sorts collisions out.

Source: ISO/IEC 15693-3 sections 7.3 (flags), 8 (anticollision), 9.3.1 (inventory): request flags 06 (high data
rate, inventory, 16 slots), command 01, mask length in bits, mask value, least significant byte first; a tag whose
low UID bits equal the mask answers in the slot that equals its next four bits; the answer is flags, DSFID, UID
(least significant byte first, E0 last). The CRC is the reader chip's business.
An inventory begins with one request to all tags in a single slot (flags 26): silence means an empty antenna, at a
fifth of the time. An answer to it is never taken for the only tag: the strongest of several can drown the others.
A slot with a collision, or with an answer damaged by one, puts mask + slot on a stack; each entry of the stack
is one more round of 16 slots. A lone tag in noise so gets a second chance; mere noise costs one empty round.
Pure, and allocates nothing but the UIDs it finds. Bounds: ROUNDS and TAGS, so that noise for ever ends.
"""

from sabot_firmware.hal.errors import ReaderError

SLOTS = 16
ANSWER = 10
# The PN5180 with a table antenna reads 10 to 14 tags; a rack of the largest bet Sabot foresees has 40 chips.
TAGS = 48
# One round finds up to 16; 48 random tags need 17 + about 9 rounds. Beyond this there is noise, not chips.
ROUNDS = 64
_PENDING = 32
_DEEPEST = 60  # mask bits; with the slot's four bits that is the whole UID
_FAMILY = 0xE0
_SIXTEEN_SLOTS = 0x06
_ONE_SLOT = 0x26
_INVENTORY = 0x01


class Inventory:
    """One inventory: `request` and `request_size` of the round under way, `slot`, and the UIDs so far.

    While `is_probe`, only whether something answers counts, not what."""

    def __init__(self) -> None:
        self.request = bytearray(3 + 8)
        self.request_size = 0
        self.slot = 0
        self.refused = 0
        self._uids: "list[bytes]" = []
        self._mask = bytearray(8)
        self._uid = bytearray(8)
        self._bits = 0
        self._stack = bytearray(_PENDING * 8)
        self._stack_bits = bytearray(_PENDING)
        self._pending = 0
        self._rounds = 0
        self.is_probe = False
        self._is_heard = False

    def start(self) -> None:
        """Forget everything and prepare the probe, which asks all tags at once."""
        self.is_probe = True
        self._is_heard = False
        self._uids = []
        self._pending = 0
        self._rounds = 0
        self._bits = 0
        for at in range(8):
            self._mask[at] = 0
        self._prepare()

    def uids(self) -> "tuple[bytes, ...]":
        """The UIDs found, most significant byte first."""
        return tuple(self._uids)

    def next_slot(self) -> bool:
        """Go to the next slot of this round; False when the round is over."""
        self.slot += 1
        return self.slot < SLOTS and not self.is_probe

    def next_round(self) -> bool:
        """Take the next mask from the stack; False when nothing is left to sort out."""
        if self.is_probe:
            self.is_probe = False
            if self._is_heard:
                self._prepare()
            return self._is_heard
        if self._pending == 0:
            return False
        self._pending -= 1
        start = self._pending * 8
        self._mask[:] = self._stack[start : start + 8]
        self._bits = self._stack_bits[self._pending]
        self._prepare()
        return True

    def collided(self) -> None:
        """This slot held more than one answer, or a damaged one: look closer later."""
        if self.is_probe:
            self._is_heard = True
            return
        if self._bits > _DEEPEST - 4:
            # Two tags with one UID, or noise that hits the same slot fifteen times: nothing left to tell apart.
            self.refused += 1
            return
        if self._pending == _PENDING:
            raise ReaderError("too_many")
        start = self._pending * 8
        self._stack[start : start + 8] = self._mask
        self._stack[start + (self._bits >> 3)] |= self.slot << (self._bits & 4)
        self._stack_bits[self._pending] = self._bits + 4
        self._pending += 1

    def answered(self, answer: "bytes | bytearray | memoryview", size: int) -> None:
        """This slot held one whole answer; nonsense is counted and left out."""
        if self.is_probe:
            self._is_heard = True
            return
        if size != ANSWER or answer[0] & 1 or answer[9] != _FAMILY or not self._belongs(answer):
            self.refused += 1
            return
        for at in range(8):
            self._uid[at] = answer[9 - at]
        uid = bytes(self._uid)
        if uid in self._uids:
            return
        if len(self._uids) == TAGS:
            raise ReaderError("too_many")
        self._uids.append(uid)

    def _prepare(self) -> None:
        self._rounds += 1
        if self._rounds > ROUNDS:
            raise ReaderError("too_many")
        self.slot = 0
        request = self.request
        request[0] = _ONE_SLOT if self.is_probe else _SIXTEEN_SLOTS
        request[1] = _INVENTORY
        request[2] = self._bits
        size = (self._bits + 7) >> 3
        for at in range(size):
            request[3 + at] = self._mask[at]
        self.request_size = 3 + size

    def _belongs(self, answer: "bytes | bytearray | memoryview") -> bool:
        # A UID that contradicts the mask or the slot was not asked for: a stale buffer or a tag out of order.
        for bit in range(0, self._bits, 4):
            if answer[2 + (bit >> 3)] >> (bit & 4) & 15 != self._mask[bit >> 3] >> (bit & 4) & 15:
                return False
        return answer[2 + (self._bits >> 3)] >> (self._bits & 4) & 15 == self.slot
