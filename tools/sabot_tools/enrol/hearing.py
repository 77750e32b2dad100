"""What a controller says, as its table's events: opened with its key, each once, only what is seen from now on.

Owns the difference between now and before. A controller repeats what nobody acknowledged, and after an outage tells
what it saw long ago; neither is a tag that somebody holds to a reader now. So nothing counts until `begin`, and
afterwards an event counts if its own time fits the clock as the promptest event so far showed it. Nothing is ever
acknowledged here: that is the gateway's part, after it journaled. Sans I/O; time is told.
"""

from typing import Final

from sabot_gateway.link.device import Device
from sabot_gateway.link.order import next_number
from sabot_gateway.model.event import DeviceEvent
from sabot_gateway.transcript.wire_events import Parts, event_from_parts, event_from_wire, is_in_parts, joined
from sabot_protocol.codec import decode, encode
from sabot_protocol.envelope import seal, unseal
from sabot_protocol.errors import WireError
from sabot_protocol.topics import build_topic

# Prompt events are told within a fraction of a second; a network that holds one for longer is out of order.
LATE_MS: Final = 5_000
# An unacknowledged controller stops after four messages and repeats itself more and more seldom (firmware: drain.py).
NUDGE_AFTER: Final = 3


class Hearing:
    """One controller, as it is heard from one line."""

    def __init__(self, site: str, device: Device) -> None:
        self.device = device
        self.late = 0
        self.new_ms = 0  # when something was last heard for the first time
        self.wrong = ""  # why the last message could not be opened
        self.is_misled = False  # something counted that turned out to be from before
        self._topics = {name: build_topic(site, device.id, name) for name in ("event", "command")}
        self._has_begun = False
        self._seen: set[int] = set()
        self._boot = 0
        self._number = 0  # of the last event
        self._lead_ms: int | None = None  # least difference of our clock and the controller's
        self._has_counted = False
        self._parts: Parts | None = None
        self._messages = 0
        self._order = 0

    def begin(self) -> None:
        """What is heard from here on counts."""
        self._has_begun = True

    def take(self, message: bytes, now_ms: int) -> list[DeviceEvent]:
        """The events of one sealed message that count."""
        try:
            _, values = decode(self._opened(message), "event")
        except WireError as error:
            if error.code != "wrong_device":  # several controllers share a line
                self.wrong = str(error)
            return []
        self._messages += 1
        boot = values["boot"]
        if boot < self._boot:
            return []  # what it saw before it restarted
        if boot > self._boot:
            self._boot, self._lead_ms = boot, None
        self._compare(max(fields["device_ms"] for _, fields in values["events"]), now_ms)
        found = []
        for number, (name, fields) in enumerate(values["events"], values["first"]):
            if number in self._seen:
                continue
            self._seen.add(number)
            self._number = max(self._number, number)
            self.new_ms = now_ms
            is_prompt = now_ms - fields["device_ms"] - (self._lead_ms or 0) <= LATE_MS
            event = self._event(name, fields, number)
            if event is None:
                continue
            if self._has_begun and is_prompt:
                found.append(event)
            else:
                self.late += 1
        self._has_counted = self._has_counted or bool(found)
        return found

    def nudge(self, now_ms: int) -> bytes | None:
        """A sealed order to go on sending, when a controller whom nobody acknowledges is about to fall silent."""
        if self._messages < NUDGE_AFTER and self._boot:
            return None
        self._messages = 0
        self._order = next_number(self._order, now_ms)
        # From the last event on: one event again, and whatever came since. Unheard: whatever there is.
        again = max(1, self._number)
        body = ("resend", {"boot": max(1, self._boot), "from": again, "to": again})
        return seal(
            self.device.keys[0], self._topics["command"], encode("command", {"number": self._order, "body": body})
        )

    def _opened(self, message: bytes) -> bytes:
        for key in self.device.keys[1:]:
            try:
                return unseal(key, self._topics["event"], message)
            except WireError:
                continue  # the present key has the last word
        return unseal(self.device.keys[0], self._topics["event"], message)

    def _compare(self, device_ms: int, now_ms: int) -> None:
        lead_ms = now_ms - device_ms
        if self._lead_ms is None:
            self._lead_ms = lead_ms
        elif lead_ms < self._lead_ms:
            # So much more prompt than what counted: that was a backlog, and looked new only for want of anything newer.
            self.is_misled = self.is_misled or (self._has_counted and self._lead_ms - lead_ms > LATE_MS)
            self._lead_ms = lead_ms

    def _event(self, name: str, fields: dict[str, object], number: int) -> DeviceEvent | None:
        at_ms = fields["device_ms"]
        assert isinstance(at_ms, int)
        lead = (at_ms, self.device.id, self._boot, number)
        if not is_in_parts(name):
            return event_from_wire(name, fields, lead)
        self._parts = joined(self._parts, name, fields, self._boot, number)
        if self._parts is None or self._parts.part < self._parts.of:
            return None
        whole, self._parts = self._parts, None
        return event_from_parts(whole, lead)
