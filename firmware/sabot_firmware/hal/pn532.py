"""PN532: ISO/IEC 14443 type A cards (4-, 7- and 10-byte UIDs), up to two in one field. Interface: reader.py.

Source: NXP UM0701-02 "PN532 User Manual" rev. 02: GetFirmwareVersion 02 (7.2.2), Diagnose 00 (7.2.1),
SetParameters 12 (7.2.9), SAMConfiguration 14 (7.2.10), RFConfiguration 32 (7.3.1), InListPassiveTarget 4A (7.3.5).
Limits
- The chip lists at most two targets: `limit` is 2, and two may mean more. Meant for the shoe and the badge, where
  one card passes at a time; not for stacks of chips.
- One inventory takes 10 to 40 ms in the chip. The field is switched off after each: cards forget that they
  were halted (ISO/IEC 14443-3: a reset needs 5.1 ms without field, which a poll cycle exceeds), and neighbours rest.
- MIFARE and DESFire cards set to random IDs give another UID each time; no driver can help that.
A damaged answer is asked for once more with NACK (6.2.1.4). A command is never sent twice: a second list in the
same field finds its cards halted and says that nothing is there. Every other failure ends in a reset.
"""

from sabot_firmware.core.ticks import ticks_diff
from sabot_firmware.hal.chip_reader import BOOTING, HELD, READY, SETTLING, UNKNOWN, ChipReader
from sabot_firmware.hal.errors import ReaderError
from sabot_firmware.hal.pn532_frame import ACK, BAD, GOT_ACK, GOT_DATA, GOT_ERROR, NACK, NOTHING, Deframer, build
from sabot_firmware.hal.pn532_target import MAX_TARGETS, is_plausible, uids_from_list

TYPE_CHECKING = False
if TYPE_CHECKING:
    from sabot_firmware.hal.bus import Antennas, Pin
    from sabot_firmware.hal.pn532_link import Pn532Spi, Pn532Uart

_VERSION = b"\x02"
_NORMAL_MODE = b"\x14\x01\x14\x00"  # no SAM; its time-out (1 s) is unused; no IRQ pin
_NO_RATS = b"\x12\x04"  # automatic ATR_RES only: an ATS would cost 5 ms and is not needed for a UID
_RETRIES = b"\x32\x05\xff\x01\x01"  # MxRtyPassiveActivation 1: two tries, then "no target" instead of waiting for ever
_FIELD_OFF = b"\x32\x01\x00"
_ECHO = b"\x00\x00Sabot"
_LIST = b"\x4a\x02\x00"  # up to two targets, 106 kbit/s type A

_SET_UP = (_VERSION, _NORMAL_MODE, _NO_RATS, _RETRIES, _FIELD_OFF)
_PROVE = _SET_UP + (_ECHO,)
_INVENTORY = (_LIST, _FIELD_OFF)

_IC = 0x32
_RESET_MS = 2  # RSTPDN low; the data sheet (PN532/C1, section on reset) asks for 20 ns
_BOOT_MS = 10  # from reset to a listening host interface; typically 2 ms
_WAKE_MS = 3  # oscillator start, at most 2 ms
_ACK_MS = 20  # the chip acknowledges within 1 ms; a host that polls each 5 ms still sees it
_ANSWER_MS = 150  # two tries over two full cascades take under 40 ms

_WAKING, _UNACKNOWLEDGED, _UNANSWERED = 3, 6, 7  # states beside those of chip_reader.py


class Pn532(ChipReader):
    """A reader for one or two ISO 14443A cards."""

    def __init__(self, link: "Pn532Spi | Pn532Uart", reset: "Pin", antennas: "Antennas | None" = None) -> None:
        super().__init__(reset, antennas)
        self.limit = MAX_TARGETS
        self.refused = 0
        self._link = link
        self._frame = bytearray(24)
        self._deframer = Deframer()
        self._script: "tuple[bytes, ...]" = _SET_UP
        self._step = 0
        self._tries = 0
        self._uids: tuple[bytes, ...] = ()

    def poll(self, now_ms: int) -> "tuple[bytes, ...] | None":
        """Take one step."""
        try:
            return self._poll(now_ms)
        except OSError:
            raise self._failed("bus") from None

    def _poll(self, now_ms: int) -> "tuple[bytes, ...] | None":
        state = self._state
        if state == UNKNOWN:
            self._reset_pin(0)
            self._wait(HELD, now_ms, _RESET_MS)
        elif state in (_UNACKNOWLEDGED, _UNANSWERED):
            return self._hear(now_ms)
        elif state == READY:
            if self._wanted:
                self._select(now_ms)
        elif ticks_diff(now_ms, self._until) >= 0:
            self._go_on(state, now_ms)
        return None

    def _is_asked(self) -> bool:
        return self._state >= SETTLING and self._script is _INVENTORY

    def _go_on(self, state: int, now_ms: int) -> None:
        if state == HELD:
            self._reset_pin(1)
            self._wait(BOOTING, now_ms, _BOOT_MS)
        elif state == BOOTING:
            self._link.wake()
            self._wait(_WAKING, now_ms, _WAKE_MS)
        elif state == _WAKING:
            self._run(_PROVE if self._proving else _SET_UP, now_ms)
        else:
            self._run(_INVENTORY, now_ms)

    def _select(self, now_ms: int) -> None:
        # The field is off here: the antenna is never switched under power.
        self._wanted = False
        if self._antennas is None:
            self._run(_INVENTORY, now_ms)
        else:
            self._antennas.select(self._antenna)
            self._wait(SETTLING, now_ms, self._antennas.settle_ms)
            self._script = _INVENTORY

    def _run(self, script: "tuple[bytes, ...]", now_ms: int) -> None:
        self._script = script
        self._step = 0
        self._tries = 0
        self._send(now_ms)

    def _send(self, now_ms: int) -> None:
        self._deframer.clear()
        size = build(self._frame, self._script[self._step])
        self._link.send(self._frame, size)
        self._wait(_UNACKNOWLEDGED, now_ms, _ACK_MS)

    def _hear(self, now_ms: int) -> "tuple[bytes, ...] | None":
        found = self._link.receive(self._deframer)
        if found == GOT_ACK:
            self._wait(_UNANSWERED, now_ms, _ANSWER_MS)
        elif found == GOT_DATA:
            # An answer without its ACK in front is an older question's, or noise that sums up.
            if self._state == _UNANSWERED and self._is_answer():
                return self._take(now_ms)
            raise self._failed("bad_response")
        elif found == GOT_ERROR:
            raise self._failed("chip_error")
        elif found == BAD:
            self._ask_again(now_ms)
        elif found != NOTHING:
            raise self._failed("bad_response")
        elif ticks_diff(now_ms, self._until) >= 0:
            self._give_up()
        return None

    def _is_answer(self) -> bool:
        return self._deframer.size > 0 and self._deframer.payload[0] == self._script[self._step][0] + 1

    def _ask_again(self, now_ms: int) -> None:
        self._tries += 1
        if self._tries > 1 or self._state == _UNACKNOWLEDGED:
            raise self._failed("bad_checksum")
        self._link.send(NACK, len(NACK))
        self._wait(_UNANSWERED, now_ms, _ANSWER_MS)

    def _give_up(self) -> None:
        if self._state == _UNACKNOWLEDGED:
            raise self._failed("no_ack")
        self._link.send(ACK, len(ACK))  # section 6.2.1.3: an ACK from the host ends what the chip is doing
        raise self._failed("no_answer")

    def _take(self, now_ms: int) -> "tuple[bytes, ...] | None":
        command = self._script[self._step]
        payload = self._deframer.payload
        size = self._deframer.size
        if command is _LIST:
            self._uids = self._plausible(payload, size)
        elif command is _VERSION:
            if size != 5 or payload[1] != _IC:
                raise self._failed("wrong_chip")
        elif command is _ECHO:
            if size != len(_ECHO) or payload[1:size] != _ECHO[1:]:
                raise self._failed("bad_response")
        elif size != 1:
            raise self._failed("bad_response")
        self._step += 1
        self._tries = 0
        if self._step < len(self._script):
            self._send(now_ms)
            return None
        return self._finish()

    def _plausible(self, payload: bytearray, size: int) -> "tuple[bytes, ...]":
        try:
            uids = uids_from_list(payload, size)
        except ReaderError as error:
            raise self._failed(error.code) from None
        kept = tuple([uid for uid in uids if is_plausible(uid)])
        self.refused += len(uids) - len(kept)
        return kept

    def _finish(self) -> "tuple[bytes, ...] | None":
        proved = self._script is _PROVE
        asked = self._script is _INVENTORY
        self._state = READY
        self._proving = False
        self.is_busy = self._wanted
        if asked:
            if self._antennas is not None:
                self._antennas.off()
            return self._uids
        return () if proved else None

    def _failed(self, code: str) -> ReaderError:
        self.errors += 1
        self.reset()
        return ReaderError(code)
