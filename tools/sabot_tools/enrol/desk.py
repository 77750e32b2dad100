"""The desk where a person enrols: the reader and the keyboard on one side, a dialogue on the other.

Owns the loop and what is said. First it listens until the controller has told what it saw before, then the dialogue
begins. Ctrl-C ends it at any moment: nothing is registered here.
"""

import queue
import sys
import time
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Final, Self

from sabot_gateway.link.device import Device
from sabot_gateway.model.event import DeviceEvent
from sabot_protocol.envelope import unseal
from sabot_protocol.errors import WireError
from sabot_protocol.topics import build_topic
from sabot_tools.enrol.arrival import Arrival, Line, Lost, Message, Note, Typed
from sabot_tools.enrol.dialogue import Dialogue
from sabot_tools.enrol.hearing import Hearing
from sabot_tools.enrol.keyboard import listen_to_keyboard
from sabot_tools.field.trouble import FieldError, StartError

QUIET_MS: Final = 1_000  # without anything new: what was seen before has been told
LONGEST_MS: Final = 60_000  # of waiting for that; a backlog of an hour is gone in seconds
BIRTH_MS: Final = 65_000  # a controller on a cable announces itself every 30 seconds
_TURN_S: Final = 0.1


class Desk:
    """`devices` are the controllers that may be heard: the one that was named, or any of the house on a cable."""

    def __init__(self, site: str, devices: Iterable[Device], line: Line) -> None:
        self._site = site
        self._devices = tuple(devices)
        self._line = line
        self._arrivals: queue.SimpleQueue[Arrival] = queue.SimpleQueue()
        self._hearing = Hearing(site, self._devices[0]) if len(self._devices) == 1 else None
        self._is_strange = False

    def __enter__(self) -> Self:
        self._line.open(self._arrivals.put)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._line.close()

    def find(self) -> Device:
        """The controller on the line, as soon as that is known; StartError when nobody of the house is heard."""
        if self._hearing is None:
            _say(["Waiting for the controller; it speaks at least every 30 seconds."])
        limit = _now_ms() + BIRTH_MS
        while self._hearing is None:
            match self._next():
                case Message() as message:
                    self._hearing = self._recognised(message)
                    if self._hearing and message.channel == "event":
                        self._hearing.take(message.data, _now_ms())
                case Lost(error=error):
                    raise error
                case _:
                    pass
            if _now_ms() > limit:
                raise StartError("No controller of this house is heard there.")
        return self._hearing.device

    def converse(self, dialogue: Dialogue) -> None:
        """Until the dialogue is done; FieldError when it ends without."""
        self.find()
        hearing = self._hearing
        assert hearing is not None
        self._settle(hearing)
        listen_to_keyboard(self._arrivals.put)
        _say(dialogue.opening())
        while not dialogue.is_done:
            self._turn(hearing, dialogue)

    def _settle(self, hearing: Hearing) -> None:
        began = hearing.new_ms = _now_ms()
        self._nudge(hearing)
        while _now_ms() - hearing.new_ms < QUIET_MS and _now_ms() - began < LONGEST_MS:
            self._hear(hearing, self._next())
        if hearing.late:
            _say([f"What {hearing.device.id} saw before now is left out."])
        hearing.begin()
        hearing.late = 0

    def _turn(self, hearing: Hearing, dialogue: Dialogue) -> None:
        arrival = self._next()
        if isinstance(arrival, Typed):
            if arrival.word is None:
                dialogue.ended()
            else:
                _say(dialogue.typed(arrival.word))
            return
        events = self._hear(hearing, arrival)
        if hearing.is_misled:
            raise FieldError(
                f"{hearing.device.id} told what it saw before as if it were new: nobody acknowledges it. "
                "Nothing was registered; begin again when the gateway runs."
            )
        for event in events:
            _say(dialogue.heard(event))
        if hearing.late:
            hearing.late = 0
            _say([f"{hearing.device.id} told something late, from before: left out."])

    def _hear(self, hearing: Hearing, arrival: Arrival | None) -> list[DeviceEvent]:
        match arrival:
            case Message(channel="event", data=data):
                events = hearing.take(data, _now_ms())
                if hearing.wrong and not self._is_strange:
                    self._is_strange = True
                    _say([f"A message that is not taken: {hearing.wrong}"])
                self._nudge(hearing)
                return events
            case Note(sentence=sentence):
                _say([sentence])
            case Lost(error=error):
                raise error
            case _:
                pass
        return []

    def _nudge(self, hearing: Hearing) -> None:
        if not self._line.is_acknowledged and (order := hearing.nudge(time.time_ns() // 1_000_000)):
            self._line.send("command", order)

    def _recognised(self, message: Message) -> Hearing | None:
        for device in self._devices:
            topic = build_topic(self._site, device.id, message.channel)
            for key in device.keys:
                try:
                    unseal(key, topic, message.data)
                except WireError:
                    continue
                return Hearing(self._site, device)
        return None

    def _next(self) -> Arrival | None:
        try:
            return self._arrivals.get(timeout=_TURN_S)
        except queue.Empty:
            return None


def _say(sentences: Sequence[str]) -> None:
    for sentence in sentences:
        print(sentence, file=sys.stderr, flush=True)


def _now_ms() -> int:
    return time.monotonic_ns() // 1_000_000
