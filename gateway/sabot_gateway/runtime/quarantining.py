"""Refused bytes on their way into this gateway's quarantine, and who is told of them.

Owns the requests that the journal could not take yet, and when the messages behind them may be settled. Runs in the
pump's turns; nothing here waits.
"""

from collections.abc import Callable
from typing import Final

from sabot_gateway.journal.error import JournalError
from sabot_gateway.journal.port import Journal
from sabot_gateway.journal.quarantine import Refusal, quarantine_stream
from sabot_gateway.journal.record import Owner
from sabot_gateway.link.allowance import Unkept
from sabot_gateway.runtime.alarm import messages_refused, quarantine_full
from sabot_gateway.runtime.consignment import Consignment
from sabot_gateway.runtime.house_runner import HouseRunner
from sabot_gateway.runtime.item import Quarantined
from sabot_gateway.runtime.refused import not_written
from sabot_protocol.messages import REFUSAL


class Quarantining:
    def __init__(
        self, owner: Owner, fence: int, journal: Journal, house: HouseRunner, post: Callable[[object], None]
    ) -> None:
        """`post` takes the journal's answers, on the journal's thread."""
        self._owner = owner
        self._fence = fence
        self._journal = journal
        self._house = house
        self._post = post
        self._waiting: list[Quarantined] = []  # what the journal could not take yet

    @property
    def has_waiting(self) -> bool:
        return bool(self._waiting)

    def write(self, refusals: list[Refusal], consignment: Consignment) -> None:
        future = self._journal.quarantine(self._owner, self._fence, refusals)
        future.add_done_callback(lambda done: self._post(Quarantined(refusals, consignment, done)))

    def answered(self, item: Quarantined) -> list[object]:
        """The tokens that may be settled now."""
        if item.future.exception() is None:
            return item.consignment.arrived()
        self._waiting.append(item)
        return []

    def retry(self) -> list[object]:
        """What the journal could not take while it was not well; what it took after all is not written twice."""
        stream = quarantine_stream(self._owner)
        try:
            missing = set(not_written(self._journal, stream, [each.refusals for each in self._waiting]))
        except JournalError:
            return []  # it is asked again
        safe: list[object] = []
        waiting, self._waiting = self._waiting, []
        for place, each in enumerate(waiting):
            if place in missing:
                self.write(each.refusals, each.consignment)
            else:
                safe += each.consignment.arrived()
        return safe

    def tell(self, refusals: list[Refusal], sender: Callable[[str], str], now_ms: int) -> None:
        """Somebody speaks in a controller's name, or in nobody's; what the ingest tells by itself is not told twice."""
        for device, reason in dict.fromkeys((sender(refusal.source), refusal.reason) for refusal in refusals):
            if reason not in _TOLD_OTHERWISE:
                self._house.raise_alarm(messages_refused(device, reason, now_ms), now_ms)

    def count(self, unkept: list[Unkept], now_ms: int) -> None:
        """Refused bytes that are not kept leave their number at least (law 5)."""
        for sender, messages, size in unkept:
            self._house.raise_alarm(quarantine_full(sender, now_ms), now_ms)
            self._house.note("refused_unkept", {"sender": sender, "messages": messages, "bytes": size}, "", now_ms)


# Reasons that come with an alarm of their own (alarm.device_trouble).
_TOLD_OTHERWISE: Final = frozenset({"twin_device", "events_late", *REFUSAL[1]})
