"""network.WLAN on the unix port: associated a moment after it was asked to, on the host's own network."""

STA_IF = 0


class WLAN:
    def __init__(self, interface: int) -> None:
        assert interface == STA_IF
        self._asked = 0

    def active(self, is_active: bool) -> None:
        assert is_active

    def config(self, *, pm: int) -> None:
        assert pm == 0

    def connect(self, ssid: str, password: str) -> None:
        assert (ssid, password) == ("pit", "secret")
        self._asked = 1

    def disconnect(self) -> None:
        self._asked = 0

    def isconnected(self) -> bool:
        self._asked += 1 if self._asked else 0
        return self._asked > 3

    def status(self, what: str) -> int:
        assert what == "rssi"
        return -61

    def ifconfig(self) -> "tuple[str, str, str, str]":
        return ("127.0.0.2", "255.0.0.0", "127.0.0.1", "127.0.0.1")
