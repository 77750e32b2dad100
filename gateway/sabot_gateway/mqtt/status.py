"""What the gateway says of itself at its broker: a birth, a farewell, and the will that the broker speaks for it.

Owns the JSON on the gateway's status topic (docs/integrations.md); retained, so that whoever looks sees how it is now.
"""

import json
from enum import StrEnum

from sabot_gateway.mqtt.port import BrokerSettings


class State(StrEnum):
    ONLINE = "online"
    STOPPED = "stopped"  # on purpose
    LOST = "lost"  # the broker says so: the connection ended without a farewell


def status_message(settings: BrokerSettings, state: State, since_ms: int) -> bytes:
    """`since_ms`: UTC of this state; for the will, which is written beforehand, of the connection it ends."""
    fields = {"site": settings.site, "gateway": settings.gateway, "state": state.value, "since_ms": since_ms}
    return json.dumps(fields, separators=(",", ":")).encode()
