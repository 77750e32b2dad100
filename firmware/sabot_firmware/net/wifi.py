"""Wi-Fi as a bearer: keeps the station associated without ever waiting. Interface: link.py.

Source: MicroPython `network.WLAN` (rp2: CYW43, esp32: ESP-IDF). connect() returns at once; isconnected() says when an
address was given. Power saving is switched off (pm=0): it delays each packet by up to 100 ms.
Limits: one network; WPA2 or WPA3 as the driver chooses. `wlan` comes in ready-made, so a fake can stand for it.
"""

from sabot_firmware.core.ticks import ticks_diff
from sabot_firmware.net.ethernet import name_server_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Wlan(Protocol):
        """network.WLAN in station mode."""

        def active(self, is_active: bool) -> object: ...
        def connect(self, ssid: str, password: str) -> object: ...
        def disconnect(self) -> object: ...
        def isconnected(self) -> bool: ...
        def status(self, what: str) -> int: ...
        def config(self, *, pm: int) -> object: ...
        def ifconfig(self, address: tuple[str, str, str, str] = ...) -> tuple[str, str, str, str] | None: ...


# Association and DHCP take 2 to 6 s; after this the driver is told to start over.
ATTEMPT_MS = 20000


class Wifi:
    """A Wi-Fi station."""

    name = "wifi"

    def __init__(
        self, wlan: "Wlan", ssid: str, password: str, address: "tuple[str, str, str, str] | None" = None
    ) -> None:
        """`address` is (address, mask, router, DNS), or None for DHCP."""
        self._wlan = wlan
        self._ssid = ssid
        self._password = password
        self._address = address
        self._since_ms = 0
        self._is_started = False

    def poll(self, now_ms: int) -> bool:
        """Say whether the network is there; begin or repeat the association when it is not."""
        if self._is_started and self._wlan.isconnected():
            self._since_ms = now_ms
            return True
        if not self._is_started or ticks_diff(now_ms, self._since_ms) >= ATTEMPT_MS:
            self._since_ms = now_ms
            self._associate()
        return False

    def rssi(self) -> "int | None":
        """Signal strength in dBm, as the wire takes it."""
        try:
            return max(-127, min(0, self._wlan.status("rssi")))
        except (OSError, ValueError, TypeError):
            return None  # not associated, or a driver that cannot tell

    def name_server(self) -> str:
        """Where names are asked for."""
        return name_server_of(self._wlan)

    def _associate(self) -> None:
        try:
            if self._is_started:
                self._wlan.disconnect()
            else:
                self._wlan.active(True)
                self._wlan.config(pm=0)
                if self._address is not None:
                    self._wlan.ifconfig(self._address)
            self._wlan.connect(self._ssid, self._password)
        except OSError:
            return  # the driver is not ready: the next attempt is ATTEMPT_MS away
        finally:
            self._is_started = True
