"""PN5180: every ISO/IEC 15693 tag on an antenna, by a 16-slot inventory with anticollision. Interface: reader.py.

Source: NXP "PN5180A0xx/C3" data sheet: host interface (11.4; SEND_DATA wants the transceiver in WaitTransmit: idle,
transceive, send), tables of registers (addresses and bits below) and RF configurations (0D/8D: ISO 15693, 26 kbit/s,
100 % ASK, single subcarrier). A slot ends with an EOF alone: TX_CONFIG without start symbol (7:6) and data (10).
Limits
- 10 to 14 tags per antenna in practice, whatever TAGS says: the field's power is shared (measured by others, see
  firmware/README.md). Tags flat on one another detune; a stack needs its antenna around it, not under it.
- An empty antenna takes 11 ms; a round of 16 slots about 45 ms and 4 ms for each tag in it; each collision one
  round more: 14 chips took 310 ms on the model, polled every millisecond, at 0.2 ms for a look at the registers.
  The field is off outside inventories and whenever the antenna is switched.
- The host interface has no checksum: each UID is fetched twice and compared. A flipped status bit can still hide a tag
  for one inventory; core/spots.py waits for several that agree.
- RST must be wired: it is the only way out of a hung chip.
"""

from sabot_firmware.core.ticks import ticks_add, ticks_diff
from sabot_firmware.hal.chip_reader import BOOTING, HELD, READY, SETTLING, UNKNOWN, ChipReader
from sabot_firmware.hal.errors import ReaderError
from sabot_firmware.hal.iso15693 import ANSWER, TAGS, Inventory
from sabot_firmware.hal.pn5180_host import NO_ROOM

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot_firmware.hal.bus import Antennas, Data, Pin, Room
    from sabot_firmware.hal.pn5180_host import Pn5180Host

# Whole instructions as they go over the bus: each costs a handshake with BUSY, so what belongs together goes as one.
# READ_REGISTER_MULTIPLE (05) takes addresses. WRITE_REGISTER_MULTIPLE (03) takes an address, 01 write, 02 or, 03 and,
# and 32 bits with the least significant byte first, again and again, and does them in order.
_READ_VERSION = b"\x07\x10\x02"  # READ_EEPROM: product version, two bytes
_LOAD_RF_CONFIG = b"\x11\x0d\x8d"
_RF_ON = b"\x16\x00"
_RF_OFF = b"\x17\x00"
_READ_DATA = b"\x0a\x00"
_SEND_EOF = b"\x09\x00"
_LOOK = b"\x05\x02\x13"  # IRQ_STATUS and RX_STATUS
# A tag begins within 0.33 ms (ISO/IEC 15693-3, t1) and its SOF takes 0.15 ms: 0.7 ms of silence is an empty slot.
# The chip's timer 1 measures it: enabled (0), started when sending ends (11), stopped when receiving begins (20). It
# counts 9492 at 6.78 MHz, 1.4 ms; a timer that ran at the carrier's 13.56 MHz would still not end a slot too early.
_SET_TIMER = (
    b"\x03"
    b"\x0c\x01\x14\x25\x00\x00"  # TIMER1_RELOAD
    b"\x0f\x01\x01\x08\x10\x00"  # TIMER1_CONFIG
)
_ARM = (
    b"\x03\x01\xff\xff\x0f\x00"  # IRQ_CLEAR: all
    b"\x00\x03\xf8\xff\xff\xff"  # SYSTEM_CONFIG: idle,
    b"\x00\x02\x03\x00\x00\x00"  # then transceive
)
_BEGIN_ROUND = b"\x03\x18\x02\xc0\x04\x00\x00" + _ARM  # TX_CONFIG: with start symbol and data
_BEGIN_EOFS = b"\x03\x18\x03\x3f\xfb\xff\xff" + _ARM  # without
_BEGIN_SLOT = b"\x03" + _ARM

# Bits of IRQ_STATUS, in its first, second and third byte.
_RX_IRQ, _TIMER_IRQ, _SOF_IRQ, _ERROR_IRQ = 1 << 0, 1 << 4, 1 << 6, 1 << 1
# RX_STATUS: bits 8:0 count the bytes, 16 integrity, 17 protocol, 18 collision.
_DAMAGED = 0x7

_RESET_MS = 2  # RST low; the data sheet asks for 10 µs
_BOOT_MS = 5  # start-up takes about 2.5 ms
_GUARD_MS = 3  # tags are ready 1 ms after the field is on (ISO/IEC 15693-2); ticks are whole, and the ramp counts
_SLOT_MS = 20  # the longest request takes 4.2 ms, an answer 4.3 ms: past this the chip has lost its thread
# Instructions begun in one poll: about 0.2 ms each in MicroPython, so a poll stays near 3 ms.
_PER_POLL = 16

# What was done last, beside the states of chip_reader.py. From _CONFIGURED on an instruction is under way.
_VERSION = 3
_GUARDED, _CONFIGURED, _FIELD_ON, _TIMED, _ARMED, _ASKED, _SENT, _LOOKED, _TAKEN, _COMPARED, _FIELD_OFF = range(
    SETTLING + 1, SETTLING + 12
)


class Pn5180(ChipReader):
    """A reader for many ISO 15693 tags."""

    def __init__(self, host: "Pn5180Host", reset: "Pin", antennas: "Antennas | None" = None) -> None:
        super().__init__(reset, antennas)
        self.limit = TAGS
        self._host = host
        self._inventory = Inventory()
        self._send = bytearray(2 + len(self._inventory.request))
        self._send[0] = 0x09  # SEND_DATA, of whole bytes
        self._request: "Data" = self._send
        self._version = bytearray(2)
        self._status = bytearray(8)  # IRQ_STATUS, RX_STATUS
        self._taken = bytearray(ANSWER)
        self._again = bytearray(ANSWER)

    @property
    def refused(self) -> int:
        """Tags that answered nonsense and were left out, ever."""
        return self._inventory.refused

    def poll(self, now_ms: int) -> "tuple[bytes, ...] | None":
        """Take a few steps."""
        try:
            return self._poll(now_ms)
        except OSError:
            self._fail()
            raise ReaderError("bus") from None
        except ReaderError:
            self._fail()
            raise

    def _fail(self) -> None:
        self.errors += 1
        self.reset()

    def _poll(self, now_ms: int) -> "tuple[bytes, ...] | None":
        for _ in range(_PER_POLL):
            state = self._state
            if state >= _CONFIGURED:
                if not self._host.step(now_ms):
                    return None
                if state == _FIELD_OFF:
                    return self._finish()
                if self._after(state, now_ms):
                    return None
            elif state == READY:
                if not self._wanted:
                    return None
                self._select(now_ms)
            elif state == _VERSION:
                if not self._host.step(now_ms):
                    return None
                if self._know():
                    return ()
            elif state == UNKNOWN:
                self._reset_pin(0)
                self._host.clear()
                self._wait(HELD, now_ms, _RESET_MS)
            elif ticks_diff(now_ms, self._until) < 0:
                return None
            else:
                self._after_wait(state, now_ms)
        return None

    def _after_wait(self, state: int, now_ms: int) -> None:
        if state == HELD:
            self._reset_pin(1)
            self._wait(BOOTING, now_ms, _BOOT_MS)
        elif state == BOOTING:
            self._begin(_VERSION, _READ_VERSION, self._version)
        elif state == SETTLING:
            self._begin(_CONFIGURED, _LOAD_RF_CONFIG)
        else:
            self._inventory.start()
            self._begin_round()

    def _begin(self, state: int, instruction: "Data", room: "Room" = NO_ROOM) -> None:
        self._host.begin(instruction, room)
        self._state = state

    def _know(self) -> bool:
        # An absent chip reads as all ones, a dead one as zeros.
        if self._version == b"\x00\x00" or self._version == b"\xff\xff":
            raise ReaderError("wrong_chip")
        self._state = READY
        proved = self._proving
        self._proving = False
        self.is_busy = self._wanted
        return proved

    def _select(self, now_ms: int) -> None:
        self._wanted = False
        settle_ms = 0
        if self._antennas is not None:
            self._antennas.select(self._antenna)
            settle_ms = self._antennas.settle_ms
        self._wait(SETTLING, now_ms, settle_ms)

    def _begin_round(self) -> None:
        inventory = self._inventory
        size = inventory.request_size
        self._send[2:] = inventory.request
        self._request = memoryview(self._send)[: 2 + size]
        self._begin(_ARMED, _BEGIN_ROUND)

    def _after(self, state: int, now_ms: int) -> bool:
        """Begin what follows the instruction just done; True when there is nothing to do before time passes."""
        if state == _LOOKED:
            return self._judge(now_ms)
        if state == _SENT:
            self._begin(_LOOKED, _LOOK, self._status)
        elif state == _ARMED:
            self._until = ticks_add(now_ms, _SLOT_MS)
            if self._inventory.slot:
                self._begin(_SENT, _SEND_EOF)
            else:
                self._begin(_ASKED, self._request)
        elif state == _ASKED:
            # A request is on the air for 2 ms: looking again and again would only keep others waiting.
            self._state = _SENT
            return True
        elif state == _TAKEN:
            self._begin(_COMPARED, _READ_DATA, self._again)
        elif state == _COMPARED:
            if self._again == self._taken:
                self._inventory.answered(self._taken, ANSWER)
            else:
                self._inventory.collided()
            self._next_slot()
        elif state == _CONFIGURED:
            self._begin(_FIELD_ON, _RF_ON)
        elif state == _FIELD_ON:
            self._begin(_TIMED, _SET_TIMER)
        else:
            self._wait(_GUARDED, now_ms, _GUARD_MS)
        return False

    def _judge(self, now_ms: int) -> bool:
        """Say what the look at the registers means."""
        status = self._status
        if status[2] & _ERROR_IRQ:
            raise ReaderError("chip_error")
        if status[0] & _RX_IRQ:
            self._weigh(status)
        elif status[1] & _TIMER_IRQ:
            self._next_slot()
        elif ticks_diff(now_ms, self._until) < 0:
            # Silence is short and worth looking again at once; an answer takes milliseconds.
            self._state = _SENT
            return status[1] & _SOF_IRQ != 0
        elif not status[1] & _SOF_IRQ:
            raise ReaderError("no_answer")
        else:
            # An answer began and never ended: two tags, or noise.
            self._inventory.collided()
            self._next_slot()
        return False

    def _weigh(self, status: bytearray) -> None:
        inventory = self._inventory
        if status[6] & _DAMAGED:
            inventory.collided()
        elif status[4] == ANSWER and not status[5] & 1 and not inventory.is_probe:
            self._begin(_TAKEN, _READ_DATA, self._taken)
            return
        else:
            inventory.answered(b"", 0)
        self._next_slot()

    def _next_slot(self) -> None:
        inventory = self._inventory
        if inventory.next_slot():
            self._begin(_ARMED, _BEGIN_EOFS if inventory.slot == 1 else _BEGIN_SLOT)
        elif inventory.next_round():
            self._begin_round()
        else:
            self._begin(_FIELD_OFF, _RF_OFF)

    def _finish(self) -> "tuple[bytes, ...]":
        self._state = READY
        self.is_busy = self._wanted
        if self._antennas is not None:
            self._antennas.off()
        return self._inventory.uids()
