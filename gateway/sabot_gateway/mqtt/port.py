"""The port `Broker`: what the gateway may ask of its MQTT broker, whichever client library is behind it.

Owns the contract and the settings of a connection. Knows no library, no table and no message. Law 2 rests on it:
a message is acknowledged to the broker only by `settle`, which the gateway calls after the message is durable. What is
not settled comes again after the next connection, and a broker sends only so many messages ahead of what was settled
(MQTT 5: `receive_maximum`; 3.1.1: the broker's own setting): that is the gateway's bounded queue, and nothing is ever
dropped from it.
"""

from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Final, NamedTuple, Protocol

from sabot_gateway.errors import StartError
from sabot_protocol.topics import is_name, subscriptions

MQTT_PORT: Final = 1883  # IANA: mqtt
MAX_RECEIVE: Final = 65_535  # MQTT 5, 3.1.2.11.3: as many as there are packet ids
MQTT_TLS_PORT: Final = 8883  # IANA: secure-mqtt


class Arrival(NamedTuple):
    """One message as it came. `token` goes back to `settle` once the message is durable or known to be worthless."""

    topic: str
    payload: bytes
    received_ms: int  # UTC, when the network thread had it
    retained: bool  # an old message that the broker kept, not one that was sent just now
    token: object
    is_again: bool = False  # the broker's own word that it gave this message before, and never heard that it came


class Link(NamedTuple):
    """The connection to the broker came up or went down; `sentence` says so to the person who runs the gateway.

    `is_resumed`: the broker kept the session, so nothing sent in between was lost. When it is False after a
    connection, messages may have been missed (controllers send again what was not acknowledged).
    """

    is_up: bool
    sentence: str
    is_resumed: bool = False


class Version(StrEnum):
    V311 = "3.1.1"
    V5 = "5"


@dataclass(frozen=True, slots=True)
class Tls:
    """TLS to the broker: the authority that signed its certificate (None: the system's), and our own certificate."""

    ca: Path | None = None
    certificate: Path | None = None
    key: Path | None = None


@dataclass(frozen=True, slots=True)
class BrokerSettings:
    """Where the broker is and how the gateway presents itself there; `site` and `gateway` are names of the wire."""

    site: str
    gateway: str
    host: str
    port: int = MQTT_PORT
    version: Version = Version.V311  # every broker speaks it; only MQTT 5 lets the gateway choose `receive_maximum`
    tls: Tls | None = None
    username: str = ""
    password: str = field(default="", repr=False)
    keepalive_s: int = 15  # a dead peer is seen within two of these
    session_expiry_s: int = 7 * 24 * 3600  # MQTT 5: how long the broker keeps what it could not deliver
    receive_maximum: int = 4_096  # messages ahead of `settle`; 1 KiB each at most, so a few megabytes
    connect_timeout_s: float = 10.0
    first_retry_ms: int = 250
    longest_retry_ms: int = 15_000

    def __post_init__(self) -> None:
        if not (is_name(self.site) and is_name(self.gateway)):
            raise ValueError("A site and a gateway are named by small letters, digits and inner hyphens.")
        if not 1 <= self.receive_maximum <= MAX_RECEIVE:
            raise ValueError(f"A receive maximum is between 1 and {MAX_RECEIVE}.")
        if self.tls and (self.tls.certificate is None) != (self.tls.key is None):
            raise ValueError("A client certificate and its key are given together or not at all.")

    @property
    def client_id(self) -> str:
        """One per gateway: the broker keeps the session under it."""
        return f"gateway-{self.gateway}"

    @property
    def status_topic(self) -> str:
        """Where birth and last will are kept; outside the controllers' branches, so that no gateway ingests it."""
        return f"sabot/gateway/v1/{self.site}/{self.gateway}/status"

    @property
    def filters(self) -> tuple[str, ...]:
        """What the gateway subscribes to: everything that the site's controllers send up."""
        return tuple(subscriptions(self.site))


OnArrival = Callable[[Arrival], None]
OnLink = Callable[[Link], None]
OnRead = Callable[[], None]


class BrokerError(StartError):
    """The broker cannot be used as the settings say; the message is one sentence for the person who wrote them."""


class Broker(Protocol):
    """A connection that keeps itself up. Every method may be called from any thread, and none waits for the network."""

    def start(self, on_arrival: OnArrival, on_link: OnLink, on_read: OnRead = lambda: None) -> None:
        """Begins to connect. The callbacks run on the network thread: the first two must hand over and return.

        `on_read` is called behind them, once for all that came together, and is given its time.

        BrokerError for settings that can never work (a certificate file that is missing, unreadable or wrong).
        An unreachable broker or a refused password is no error: `on_link` says so, and it is tried again.
        """

    def publish(self, topic: str, payload: bytes, *, retain: bool = False, qos: int = 0) -> bool:
        """Sends if connected; if not, False, and nothing is kept: who publishes sends the whole picture when the link
        is up again (law 6). With QoS 1, what was taken is sent again over new connections until the broker has it.
        """

    def deliver(self, topic: str, payload: bytes, *, retain: bool = False) -> Future[None]:
        """Sends with QoS 1, waiting for a connection if there is none; done when the broker has it.

        Cancelled by `stop`. Who delivers bounds how much it has under way.
        """

    def settle(self, tokens: Iterable[object]) -> None:
        """Acknowledges these arrivals to the broker; cheapest with many tokens in one call.

        A token of an earlier connection is ignored: its message comes again.
        """

    def hold(self) -> None:
        """Until `release`, what is published and settled only gathers; for one thread that has much to say at once."""

    def release(self) -> None:
        """Everything that gathered goes out together."""

    @property
    def is_connected(self) -> bool: ...

    def stop(self) -> None:
        """Says goodbye and ends the network thread; messages not settled stay with the broker."""
