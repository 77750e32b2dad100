"""Waiting times, and the two network interfaces, against fakes of MicroPython's drivers."""

from sabot_firmware.net.backoff import CEILING_MS, FLOOR_MS, Backoff
from sabot_firmware.net.ethernet import Ethernet
from sabot_firmware.net.wifi import ATTEMPT_MS, Wifi

NETWORK = ("10.0.0.7", "255.255.255.0", "10.0.0.1", "10.0.0.53")


class Wlan:
    """network.WLAN as its documentation describes it."""

    def __init__(self) -> None:
        self.calls: list[str] = []
        self.is_there = False
        self.fails = False
        self.strength = -60

    def _call(self, name: str) -> None:
        self.calls.append(name)
        if self.fails:
            raise OSError(5)

    def active(self, _is_active: bool) -> None:
        self._call("active")

    def config(self, *, pm: int) -> None:
        self._call("pm" + str(pm))

    def connect(self, ssid: str, password: str) -> None:
        self._call(ssid + "/" + password)

    def disconnect(self) -> None:
        self._call("disconnect")

    def isconnected(self) -> bool:
        return self.is_there

    def ifconfig(self, address: "tuple[str, str, str, str] | None" = None) -> "tuple[str, str, str, str] | None":
        if address is None:
            return ("0.0.0.0", "0.0.0.0", "0.0.0.0", "0.0.0.0") if self.fails else NETWORK
        self._call("/".join(address))
        return None

    def status(self, _what: str) -> int:
        if self.fails:
            raise OSError(5)
        return self.strength


class Lan:
    """network.WIZNET5K as its documentation describes it."""

    def __init__(self) -> None:
        self.is_there = False
        self.fails = False
        self.calls: list[object] = []

    def active(self, _is_active: bool) -> None:
        if self.fails:
            raise OSError(19)
        self.calls.append("active")

    def ifconfig(self, address: "tuple[str, str, str, str] | None" = None) -> "tuple[str, str, str, str] | None":
        if address is None:
            return NETWORK
        self.calls.append(address)
        return None

    def isconnected(self) -> bool:
        if self.fails:
            raise OSError(19)
        return self.is_there


def test_waits_double_up_to_a_ceiling_and_never_fall_below_the_floor() -> None:
    for _ in range(50):
        backoff = Backoff()
        span = FLOOR_MS
        for _ in range(12):
            assert FLOOR_MS <= backoff.next_ms() < FLOOR_MS + span
            span = min(2 * span, CEILING_MS)
        backoff.succeeded()
        assert FLOOR_MS <= backoff.next_ms() < 2 * FLOOR_MS


def test_waits_are_spread() -> None:
    backoff = Backoff()
    for _ in range(10):
        backoff.next_ms()
    seen = {backoff.next_ms() // 3000 for _ in range(200)}
    assert len(seen) >= 4, "five hundred tables would come back together"


def test_wifi_associates_once_and_again_only_after_an_attempt_failed() -> None:
    for start in (0, (1 << 30) - 100):
        wlan = Wlan()
        wifi = Wifi(wlan, "house", "secret")
        assert not wifi.poll(start)
        assert wlan.calls == ["active", "pm0", "house/secret"]
        assert not wifi.poll((start + ATTEMPT_MS - 1) & ((1 << 30) - 1))
        assert len(wlan.calls) == 3
        assert not wifi.poll((start + ATTEMPT_MS) & ((1 << 30) - 1))
        assert wlan.calls[3:] == ["disconnect", "house/secret"]
        wlan.is_there = True
        assert wifi.poll((start + ATTEMPT_MS + 5) & ((1 << 30) - 1))


def test_a_broken_wifi_driver_stops_nothing() -> None:
    wlan = Wlan()
    wlan.fails = True
    wifi = Wifi(wlan, "house", "secret")
    assert not wifi.poll(0)
    assert wifi.rssi() is None
    wlan.fails = False
    wlan.strength = -140
    assert wifi.rssi() == -127


def test_ethernet_starts_with_its_fixed_address_and_survives_a_missing_chip() -> None:
    lan = Lan()
    address = ("10.0.0.7", "255.255.255.0", "10.0.0.1", "10.0.0.1")
    ethernet = Ethernet(lan, address)
    lan.fails = True
    assert not ethernet.poll(0)
    lan.fails = False
    assert not ethernet.poll(1)
    assert lan.calls == ["active", address]
    lan.is_there = True
    assert ethernet.poll(2)
    assert len(lan.calls) == 2


def test_wifi_takes_its_fixed_address_before_it_associates() -> None:
    wlan = Wlan()
    Wifi(wlan, "house", "secret", NETWORK).poll(0)
    assert wlan.calls == ["active", "pm0", "10.0.0.7/255.255.255.0/10.0.0.1/10.0.0.53", "house/secret"]


def test_the_name_server_is_the_networks_or_none() -> None:
    wlan = Wlan()
    assert Wifi(wlan, "house", "secret").name_server() == Ethernet(Lan()).name_server() == "10.0.0.53"
    wlan.fails = True
    assert Wifi(wlan, "house", "secret").name_server() == ""
