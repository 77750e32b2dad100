"""PN5180: every ISO/IEC 15693 tag on an antenna, by a 16-slot inventory with anticollision. Interface: reader.py.

Source: NXP "PN5180A0xx/C3" data sheet: host interface (11.4; SEND_DATA wants the transceiver in WaitTransmit: idle,
transceive, send), tables of registers (addresses and bits below) and RF configurations (0D/8D: ISO 15693, 26 kbit/s,
100 % ASK, single subcarrier). A slot ends with an EOF alone: TX_CONFIG without start symbol (7:6) and data (10).
Limits
- 10 to 14 tags per antenna in practice, whatever TAGS says: the field's power is shared (measured by others, see
  firmware/README.md). Tags flat on one another detune; a stack needs its antenna around it, not under it.
- An empty antenna takes 10 ms; a round of 16 slots about 30 ms and 4 ms for each tag in it; each collision one
  round more: 14 chips took 240 ms on the model, polled every millisecond. The field is off outside inventories and
  whenever the antenna is switched.
- The host interface has no checksum: each UID is fetched twice and compared. A flipped status bit can still hide a tag
  for one inventory; core/spots.py waits for several that agree.
- RST must be wired: it is the only way out of a hung chip.
"""

from sabot_firmware.core.ticks import ticks_diff
from sabot_firmware.hal.chip_reader import BOOTING, HELD, READY, SETTLING, UNKNOWN, ChipReader
from sabot_firmware.hal.errors import ReaderError
from sabot_firmware.hal.iso15693 import ANSWER, TAGS, Inventory
from sabot_firmware.hal.pn5180_host import (
    AND_REGISTER,
    LOAD_RF_CONFIG,
    OR_REGISTER,
    READ_DATA,
    READ_EEPROM,
    RF_OFF,
    RF_ON,
    WRITE_REGISTER,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot_firmware.hal.bus import Antennas, Pin
    from sabot_firmware.hal.pn5180_host import Pn5180Host

_SYSTEM_CONFIG = 0x00
_IRQ_STATUS = 0x02
_IRQ_CLEAR = 0x03
_TIMER1_RELOAD = 0x0C
_TIMER1_CONFIG = 0x0F
_RX_STATUS = 0x13
_TX_CONFIG = 0x18
_PRODUCT_VERSION = 0x10  # EEPROM; two bytes

_ALL_IRQS = 0x000FFFFF
_NOT_COMMAND = 0xFFFFFFF8
_TRANSCEIVE = 0x3
_START_AND_DATA = 0x000004C0
_RX_IRQ, _TIMER_IRQ, _SOF_IRQ, _ERROR_IRQ = 1 << 0, 1 << 12, 1 << 14, 1 << 17
# A tag begins within 0.33 ms (ISO/IEC 15693-3, t1) and its SOF takes 0.15 ms: 0.7 ms of silence is an empty slot.
# The chip's timer 1 measures it: enabled, started when sending ends, stopped when receiving begins. It counts at
# 6.78 MHz, where this is 1.4 ms; a timer that ran at the carrier's 13.56 MHz would still not end a slot too early.
_SILENCE = 9492
_SILENCE_TIMER = 1 << 0 | 1 << 11 | 1 << 20
# RX_STATUS: bits 8:0 count the bytes, 16 integrity, 17 protocol, 18 collision.
_DAMAGED = 0x7

_RESET_MS = 2  # RST low; the data sheet asks for 10 µs
_BOOT_MS = 5  # start-up takes about 2.5 ms
_GUARD_MS = 3  # tags are ready 1 ms after the field is on (ISO/IEC 15693-2); ticks are whole, and the ramp counts
_SLOT_MS = 20  # the longest request takes 4.2 ms, an answer 4.3 ms: past this the chip has lost its thread
# Instructions begun in one poll: about 0.2 ms each in MicroPython, so a poll stays near 3 ms.
_PER_POLL = 16

# What was done last, beside the states of chip_reader.py.
_VERSION = 3
(
    _CONFIGURED, _FIELD_ON, _LOADED, _TIMED, _GUARDED, _WHOLE, _EOF_ONLY, _CLEARED, _IDLED, _ARMED, _SENT, _LOOKED,
    _WEIGHED, _TAKEN, _COMPARED, _FIELD_OFF,
) = range(SETTLING + 1, SETTLING + 17)  # fmt: skip
_WAITS = (HELD, BOOTING, SETTLING, _GUARDED)


class Pn5180(ChipReader):
    """A reader for many ISO 15693 tags."""

    def __init__(self, host: "Pn5180Host", reset: "Pin", antennas: "Antennas | None" = None) -> None:
        super().__init__(reset, antennas)
        self.limit = TAGS
        self._host = host
        self._inventory = Inventory()
        self._taken = bytearray(ANSWER)

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
            if state == UNKNOWN:
                self._reset_pin(0)
                self._host.clear()
                self._wait(HELD, now_ms, _RESET_MS)
            if state == READY:
                if not self._wanted:
                    return None
                self._select(now_ms)
            elif self._state in _WAITS:
                if ticks_diff(now_ms, self._until) < 0:
                    return None
                self._after_wait(now_ms)
            elif not self._host.step(now_ms):
                return None
            elif self._state == _VERSION:
                if self._know():
                    return ()
            elif self._state == _FIELD_OFF:
                return self._finish()
            elif self._after(now_ms):
                return None
        return None

    def _after_wait(self, now_ms: int) -> None:
        state = self._state
        if state == HELD:
            self._reset_pin(1)
            self._wait(BOOTING, now_ms, _BOOT_MS)
        elif state == BOOTING:
            self._host.instruct(READ_EEPROM, _PRODUCT_VERSION, 2, 2)
            self._state = _VERSION
        elif state == SETTLING:
            self._host.instruct(LOAD_RF_CONFIG, 0x0D, 0x8D, 0)
            self._state = _CONFIGURED
        else:
            self._inventory.start()
            self._begin_round()

    def _know(self) -> bool:
        # An absent chip reads as all ones, a dead one as zeros.
        if self._host.value(0, 16) in (0x0000, 0xFFFF):
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
        self._host.write(OR_REGISTER, _TX_CONFIG, _START_AND_DATA)
        self._state = _WHOLE

    def _after(self, now_ms: int) -> bool:
        """Begin what follows the instruction just done; True when there is nothing to do before time passes."""
        state = self._state
        host = self._host
        if state == _CONFIGURED:
            host.instruct(RF_ON, 0, -1, 0)
            self._state = _FIELD_ON
        elif state == _FIELD_ON:
            host.write(WRITE_REGISTER, _TIMER1_RELOAD, _SILENCE)
            self._state = _LOADED
        elif state == _LOADED:
            host.write(WRITE_REGISTER, _TIMER1_CONFIG, _SILENCE_TIMER)
            self._state = _TIMED
        elif state == _TIMED:
            self._wait(_GUARDED, now_ms, _GUARD_MS)
        elif state in (_WHOLE, _EOF_ONLY):
            host.write(WRITE_REGISTER, _IRQ_CLEAR, _ALL_IRQS)
            self._state = _CLEARED
        elif state == _CLEARED:
            host.write(AND_REGISTER, _SYSTEM_CONFIG, _NOT_COMMAND)
            self._state = _IDLED
        elif state == _IDLED:
            host.write(OR_REGISTER, _SYSTEM_CONFIG, _TRANSCEIVE)
            self._state = _ARMED
        elif state == _ARMED:
            host.send(self._inventory.request, 0 if self._inventory.slot else self._inventory.request_size)
            self._wait(_SENT, now_ms, _SLOT_MS)
        elif state == _SENT:
            host.read(_IRQ_STATUS)
            self._state = _LOOKED
        elif state == _LOOKED:
            return self._look(now_ms)
        elif state == _WEIGHED:
            self._weigh()
        elif state == _TAKEN:
            self._taken[:] = host.answer[:ANSWER]
            host.instruct(READ_DATA, 0, -1, ANSWER)
            self._state = _COMPARED
        else:
            if host.answer[:ANSWER] == self._taken:
                self._inventory.answered(self._taken, ANSWER)
            else:
                self._inventory.collided()
            self._next_slot()
        return False

    def _look(self, now_ms: int) -> bool:
        irqs = self._host.value(0, 18)
        if irqs & _ERROR_IRQ:
            raise ReaderError("chip_error")
        if irqs & _RX_IRQ:
            self._host.read(_RX_STATUS)
            self._state = _WEIGHED
            return False
        if irqs & _TIMER_IRQ:
            self._next_slot()
            return False
        if ticks_diff(now_ms, self._until) < 0:
            # Silence is short and worth looking again at once; an answer takes milliseconds.
            self._state = _SENT
            return irqs & _SOF_IRQ == _SOF_IRQ
        if not irqs & _SOF_IRQ:
            raise ReaderError("no_answer")
        # An answer began and never ended: two tags, or noise.
        self._inventory.collided()
        self._next_slot()
        return False

    def _weigh(self) -> None:
        size = self._host.value(0, 9)
        if self._host.value(16, 3) & _DAMAGED:
            self._inventory.collided()
        elif size == ANSWER and not self._inventory.is_probe:
            self._host.instruct(READ_DATA, 0, -1, ANSWER)
            self._state = _TAKEN
            return
        else:
            self._inventory.answered(b"", 0)
        self._next_slot()

    def _next_slot(self) -> None:
        inventory = self._inventory
        if inventory.next_slot():
            if inventory.slot == 1:
                self._host.write(AND_REGISTER, _TX_CONFIG, 0xFFFFFFFF ^ _START_AND_DATA)
                self._state = _EOF_ONLY
            else:
                self._host.write(WRITE_REGISTER, _IRQ_CLEAR, _ALL_IRQS)
                self._state = _CLEARED
        elif inventory.next_round():
            self._begin_round()
        else:
            self._host.instruct(RF_OFF, 0, -1, 0)
            self._state = _FIELD_OFF

    def _finish(self) -> "tuple[bytes, ...]":
        self._state = READY
        self.is_busy = self._wanted
        if self._antennas is not None:
            self._antennas.off()
        return self._inventory.uids()
