"""What a message of events says to the link itself, before any table hears of it.

Owns which events the link looks into. One pass over the events, for this is done for every message there is.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from sabot_gateway.link.line import Line
from sabot_gateway.link.order import finished, is_played
from sabot_gateway.mqtt.refusal_reason import told_of


class Glance(NamedTuple):
    """`played`: what the controller was played in the gateway's name, in the words of the alarm; empty for nothing."""

    times: list[int]
    hello: Mapping[str, Any] | None
    lost: tuple[int, int] | None
    played: str


def glance(line: Line, events: Sequence[tuple[str, Mapping[str, Any]]], now_ms: int) -> Glance:
    """The times of all events, and what some of them mean for the line, which notes applied lamps and orders."""
    times = []
    hello = lost = None
    played = ""
    for name, fields in events:
        times.append(fields["device_ms"])
        if name in _LOOKED_AT:
            if name == "hello":
                hello = fields
            elif name == "outbox_overflow":
                lost = fields["from"], fields["to"]
            elif name == "lamps_applied":
                line.applied = max(line.applied, fields["revision"])
            elif name == "message_refused":
                played = told_of(fields["channel"], fields["code"], len(line.device.keys))
            else:
                if is_played(fields["number"], fields["outcome"], now_ms):
                    played = "command stale"
                line.number = finished(line.number, fields["number"], fields["outcome"])
    return Glance(times, hello, lost, played)


_LOOKED_AT: Final = frozenset({"hello", "outbox_overflow", "lamps_applied", "command_finished", "message_refused"})
