"""`LoggedBroker`: a broker whose ups and downs also stand in the log. Owns nothing else; everything passes through."""

from typing import Final

from sabot_gateway.logs import logger
from sabot_gateway.mqtt.port import Broker, Link, OnArrival, OnLink, OnRead

_LOG: Final = logger("broker")


class LoggedBroker:
    """Fulfils the port `Broker`; what is called for every message is the other broker's own method."""

    def __init__(self, broker: Broker) -> None:
        self._broker = broker
        self.publish = broker.publish
        self.deliver = broker.deliver
        self.settle = broker.settle
        self.hold = broker.hold
        self.release = broker.release
        self.stop = broker.stop

    @property
    def is_connected(self) -> bool:
        return self._broker.is_connected

    def start(self, on_arrival: OnArrival, on_link: OnLink, on_read: OnRead = lambda: None) -> None:
        def told(link: Link) -> None:
            (_LOG.info if link.is_up else _LOG.warning)("%s", link.sentence)
            on_link(link)

        self._broker.start(on_arrival, told, on_read)
