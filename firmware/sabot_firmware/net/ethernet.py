"""Wired Ethernet as a bearer: a W5500 (network.WIZNET5K on rp2, network.LAN on esp32). Interface: link.py.

Both drivers give the same calls: active, isconnected, ifconfig. DHCP runs in the network stack once the cable is in;
a fixed address is set if configured.
Limit: `lan` comes in ready-made with its SPI and pins; a fake can stand for it.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Protocol

    class Lan(Protocol):
        """network.WIZNET5K or network.LAN."""

        def active(self, is_active: bool) -> object: ...
        def isconnected(self) -> bool: ...
        def ifconfig(self, address: tuple[str, str, str, str] = ...) -> tuple[str, str, str, str] | None: ...


class Ethernet:
    """A cable."""

    name = "ethernet"

    def __init__(self, lan: "Lan", address: "tuple[str, str, str, str] | None" = None) -> None:
        """`address` is (address, mask, router, DNS), or None for DHCP."""
        self._lan = lan
        self._address = address
        self._is_started = False

    def poll(self, now_ms: int) -> bool:  # noqa: ARG002 - the interface of bearers; a cable needs no clock
        """Say whether the network is there."""
        try:
            if not self._is_started:
                self._lan.active(True)
                if self._address is not None:
                    self._lan.ifconfig(self._address)
                self._is_started = True
            return self._lan.isconnected()
        except OSError:
            return False  # the chip does not answer: asked again at the next poll

    def name_server(self) -> str:
        """Where names are asked for."""
        return name_server_of(self._lan)

    def rssi(self) -> "int | None":
        """A cable has no radio."""
        return None


def name_server_of(interface: "Any") -> str:
    """The name server that the network, or the config, gave an interface; "" when there is none."""
    try:
        server = str(interface.ifconfig()[3])
    except (OSError, IndexError, TypeError):
        return ""
    return "" if server == "0.0.0.0" else server  # noqa: S104 - no server, and nothing is bound
