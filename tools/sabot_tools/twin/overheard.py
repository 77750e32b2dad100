"""What the gateway decided, heard at the broker: settlements and alerts as it tells them to other systems.

Owns the translation of those messages (docs/integrations.md) into the words of the twin's book. For a gateway whose
journal is not a file on this machine; it must tell by MQTT (`[outputs] mqtt = true`). Sees what is said from `skip` on.
"""

import json
import queue
import threading
import time
from collections.abc import Mapping
from typing import Any, Final

from paho.mqtt.client import Client, MQTTMessage
from paho.mqtt.enums import CallbackAPIVersion

from sabot_tools.twin.book import Expected, Line
from sabot_tools.twin.rig import StuckError

ANSWER_S: Final = 10
QOS: Final = 1
QUIET_S: Final = 0.5


class Overheard:
    """The same face as `Ledger`; a message that comes twice counts once."""

    def __init__(self, site: str, broker: tuple[str, int]) -> None:
        self.settled: dict[str, list[Line]] = {}
        self.raised: list[Expected] = []
        self._broker = broker
        self._heard: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._known: set[str] = set()
        self._ready = threading.Event()
        self._client = Client(CallbackAPIVersion.VERSION2)
        self._client.on_connect = lambda client, *_: client.subscribe(f"sabot/out/v1/{site}/+/+", QOS)
        self._client.on_subscribe = lambda *_: self._ready.set()
        self._client.on_message = self._hear

    @property
    def count(self) -> int:
        return sum(map(len, self.settled.values()))

    def skip(self) -> None:
        """Listen from now on; StuckError where no broker answers."""
        host, port = self._broker
        try:
            self._client.connect(host, port)
        except OSError as error:
            raise StuckError(f"no broker answers at {host}:{port} ({error.strerror or error}).") from error
        self._client.loop_start()
        if not self._ready.wait(ANSWER_S):
            raise StuckError(f"the broker at {host}:{port} lets nobody listen to the gateway's outputs.")

    def read(self) -> None:
        """Take everything that has been said by now."""
        while not self._heard.empty():
            told: dict[str, Any] = json.loads(self._heard.get())
            if told["id"] in self._known:
                continue
            self._known.add(told["id"])
            if told["schema"] == "sabot.settlement.v1":
                self.settled.setdefault(told["table"], []).append(line_of(told))
            elif told["schema"] == "sabot.alert.v1" and told["event"] == "raised" and told["count"] == 1:
                self.raised.append(Expected(told["table"], told["code"], told["seat"], told["spot"]))

    def begin(self, table: str) -> None:
        """What was decided at this table before now is not of this night."""
        self._read_to_the_end()
        self.settled.pop(table, None)
        self.raised = [alert for alert in self.raised if alert.table != table]

    def close(self) -> None:
        """Take what is still on its way, and stop listening."""
        self._read_to_the_end()
        self._client.disconnect()
        self._client.loop_stop()

    def _read_to_the_end(self) -> None:
        """The gateway tells a little after it has decided: until nothing more comes."""
        self.read()
        known = -1
        while known != len(self._known):
            known = len(self._known)
            time.sleep(QUIET_S)
            self.read()

    def _hear(self, _client: Client, _data: object, message: MQTTMessage) -> None:
        self._heard.put(bytes(message.payload))


def line_of(told: Mapping[str, Any]) -> Line:
    """A settlement as a line of the book; at hold'em a seat has one stake, and the house its rake."""
    is_holdem = told["game"] == "THE"
    gains = {
        (seat["seat"], spot): bet["net"]
        for seat in told["seats"]
        for spot, bet in ({"bet": seat} if is_holdem else seat["bets"]).items()
    }
    rake = told["bank_net"] if is_holdem else 0
    return Line(told["table"], told["coup"], gains, rake, told["status"] == "void")
