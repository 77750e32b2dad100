"""The table's senses: every reader, key and switch of this controller, and the events that they make.

Owns which sensor feeds which part of core. Knows no wire: `record(name, *fields)` stores an event, and
`report(code, part, is_active)` raises or clears a fault. turn() is the scan loop's body; it allocates only for what
changed, and never waits.
"""

from sabot_firmware.core.badge import Badge
from sabot_firmware.core.keypad import Keypad, SeatKeys
from sabot_firmware.core.shoe import Shoe
from sabot_firmware.core.spots import Spots
from sabot_firmware.core.ticks import ticks_diff
from sabot_firmware.core.uid import parts_of
from sabot_firmware.hal.errors import BusError
from sabot_firmware.station import Station

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from sabot_firmware.config import Config
    from sabot_firmware.hal.assembly import Hardware

    Record = Callable[..., int]
    Report = Callable[[str, int, bool], None]

# After one of these keys every card may leave the shoe again.
REFILLING = ("new_deck", "shuffle")

# A card that was in a field so recently may still be on its way: no moment for a pause of the loop.
QUIET_MS = 400

DISCARD = (0, "discard")

# The part of a keypad fault that means all of it: no matrix has so many keys.
WHOLE_KEYPAD = 64


class Table:
    """All sensors of one controller."""

    def __init__(self, config: "Config", parts: "Hardware", now_ms: int, record: "Record", report: "Report") -> None:
        self._record = record
        self._report = report
        self._parts = parts
        self._seen_ms = now_ms
        self._spots = Spots([(spot[2], spot[3]) for spot in config.spots], now_ms)
        self._rack = Spots([DISCARD], now_ms)
        self._rack_doubts = 0
        self._now_ms = now_ms
        self._shoes: "list[Shoe]" = []
        self._seats: "list[Shoe]" = []  # readers of seats: a card that lies there may bleed into the shoe's mouth
        self.stuck_keys = 0  # mask of keys that are held for too long
        rows, columns = config.number("keypad_rows"), config.number("keypad_columns")
        self._keypad = Keypad(rows, columns) if rows and columns and parts.keypad is not None else None
        self._keys = SeatKeys(config.legend()) if self._keypad is not None else None
        self.stations = [self._station(config, row[0], row[1]) for row in config.readers if row[0] in parts.readers]

    @property
    def reader_errors(self) -> int:
        """Failed reads since the start, and times that the discard rack was in doubt."""
        return sum([station.errors for station in self.stations]) + self._rack_doubts

    def is_quiet(self, now_ms: int) -> bool:
        """Say whether the loop may pause for a moment: no tag came or went just now."""
        return ticks_diff(now_ms, self._seen_ms) >= QUIET_MS

    def adapt(self, config: "Config") -> None:
        """Take over what the gateway may change while the controller runs."""
        for station in self.stations:
            station.scan_ms = config.number("scan_ms")

    def turn(self, now_ms: int) -> None:
        """Take one step with every sensor."""
        self._now_ms = now_ms
        for station in self.stations:
            station.turn(now_ms)
        if self._keypad is not None:
            self._scan_keys(now_ms)
        if self._parts.door is not None:
            self._look_at_door(now_ms)

    def _station(self, config: "Config", number: int, role: str) -> Station:
        antennas: "tuple[int, ...]" = (0,)
        if role == "spots":
            antennas = tuple([spot[1] for spot in config.spots if spot[0] == number]) or (0,)
        feed = self._feeder(config, number, role)
        return Station(number, self._parts.readers[number], antennas, config.number("scan_ms"), feed, self._report)

    def _feeder(self, config: "Config", number: int, role: str) -> "Callable[[int, int, tuple[bytes, ...]], None]":
        if role == "spots":
            places = {config.spots[at][1]: at for at in range(len(config.spots)) if config.spots[at][0] == number}
            return lambda now_ms, antenna, uids: self._feed_spot(now_ms, places.get(antenna, -1), uids)
        if role == "badge":
            badge = Badge()

            def feed_badge(now_ms: int, _antenna: int, uids: "tuple[bytes, ...]") -> None:
                uid = badge.feed(now_ms, uids)
                if uid is not None:
                    self._record("badge_read", uid)

            return feed_badge
        if role == "discard":
            return self._feed_rack
        shoe = Shoe(self._is_elsewhere if role == "shoe" else self._spots.has)
        self._shoes.append(shoe)
        if role == "seat":
            self._seats.append(shoe)
        blanks = config.cut_cards if role == "shoe" else []

        def feed_shoe(now_ms: int, _antenna: int, uids: "tuple[bytes, ...]") -> None:
            if uids:
                self._seen_ms = now_ms
            for output in shoe.feed(now_ms, uids):
                if output[0] == "card_scanned" and output[1] in blanks:
                    self._record("cut_card")
                else:
                    self._record(output[0], number, *output[1:])

        return feed_shoe

    def _is_elsewhere(self, uid: bytes) -> bool:
        # Not asked the other way round: a card that was dealt quickly comes to a seat straight from the shoe.
        if self._spots.has(uid) or self._rack.has(uid):
            return True
        return any(seat.holds(self._now_ms, uid) for seat in self._seats)

    def _feed_spot(self, now_ms: int, place: int, uids: "tuple[bytes, ...]") -> None:
        if place < 0:
            return  # a reader without a spot in the config
        self._spots.feed(now_ms, place, uids)
        for seat, spot, content in self._spots.due(now_ms):
            for part, of, piece in parts_of(content):
                self._record("chips_read", seat, spot, part, of, piece)
        for seat, spot, doubtful, reason in self._spots.doubts(now_ms):
            self._record("chips_doubtful", seat, spot, doubtful, reason)

    def _feed_rack(self, now_ms: int, _antenna: int, uids: "tuple[bytes, ...]") -> None:
        self._rack.feed(now_ms, 0, uids)
        for _, _, content in self._rack.due(now_ms):
            for part, of, piece in parts_of(content):
                self._record("discard_read", part, of, piece)
        # No event: a rack that cannot be read holds up no coup, its cards are missed when they are counted.
        self._rack_doubts += len(self._rack.doubts(now_ms))

    def _scan_keys(self, now_ms: int) -> None:
        pad: "Any" = self._parts.keypad
        try:
            mask = pad.poll()
        except BusError:
            self._tell_keypad(True)
        else:
            if mask is not None:
                self._tell_keypad(False)
                self._take_keys(now_ms, mask)

    def _tell_keypad(self, is_missing: bool) -> None:
        self._report("keypad", WHOLE_KEYPAD, is_missing)

    def _take_keys(self, now_ms: int, mask: int) -> None:
        keypad: "Any" = self._keypad
        pressed = keypad.scan(now_ms, mask)
        if pressed:
            self._press(now_ms, pressed)
        if keypad.stuck != self.stuck_keys:
            self._tell_stuck(keypad.stuck)

    def _press(self, now_ms: int, pressed: "tuple[int, ...]") -> None:
        keys: "Any" = self._keys
        for number in pressed:
            key = keys.press(now_ms, number)
            if key is not None:
                if key[0] in REFILLING:
                    for shoe in self._shoes:
                        shoe.refill()
                self._record("key_pressed", key[0], key[1])

    def _tell_stuck(self, stuck: int) -> None:
        changed = stuck ^ self.stuck_keys
        self.stuck_keys = stuck
        for key in range(WHOLE_KEYPAD):
            if changed >> key & 1:
                self._report("keypad", key, bool(stuck >> key & 1))

    def _look_at_door(self, now_ms: int) -> None:
        door: "Any" = self._parts.door
        is_open = door.poll(now_ms)
        if is_open is not None:
            self._record("door", is_open)
