"""The link that the config names, made from a board's ports: Wi-Fi, Ethernet or the serial line.

Owns that choice and the reading of certificates. `network` is imported here and nowhere else; so is each link,
when it is the one: none costs heap for another.
"""

from sabot_firmware.config import ConfigError
from sabot_firmware.file import read_file

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from sabot_firmware.config import Config
    from sabot_firmware.net.ethernet import Ethernet
    from sabot_firmware.net.link import Link
    from sabot_firmware.net.stream import Certificates
    from sabot_firmware.net.wifi import Wifi

# A certificate of P-256 has some 500 bytes; a chain of RSA ones is not for a board.
MAX_CERTIFICATE = 2048


def link_from_config(config: "Config", ports: "Any", root: str, may_pause: "Callable[[], bool]") -> "Link":
    """The way to the gateway; raises ConfigError when a file that it needs is missing."""
    kind = config.text("link")
    if kind == "serial":
        from sabot_firmware.net.serial_link import SerialLink

        if config.text("serial_port") == "usb":
            return SerialLink(ports.usb())
        return SerialLink(ports.uart("serial"), ports.serial_drive())
    from sabot_firmware.net.mqtt_link import MqttLink

    host = config.text("broker_host")
    bearer = _bearer(config, kind, ports)
    return MqttLink(
        config.text("site"),
        config.text("device"),
        (host, config.number("broker_port")),
        bearer,
        _certificates(config, root) if config.flag("tls") else None,
        may_pause=may_pause,
        name_server=None if host.replace(".", "").isdigit() else bearer.name_server,
    )


def _bearer(config: "Config", kind: str, ports: "Any") -> "Wifi | Ethernet":
    words = config.text("address").split()
    if words and len(words) != 4:
        raise ConfigError("Config: 'address' is empty, or ADDRESS MASK ROUTER DNS.")
    address = (words[0], words[1], words[2], words[3]) if words else None
    if kind == "wifi":
        from sabot_firmware.net.wifi import Wifi

        network: "Any" = __import__("network")
        wlan = network.WLAN(network.STA_IF)
        return Wifi(wlan, config.text("wifi_ssid"), config.text("wifi_password"), address)
    if not hasattr(ports, "ethernet"):
        raise ConfigError("Config: this board has no Ethernet.")
    from sabot_firmware.net.ethernet import Ethernet

    return Ethernet(ports.ethernet(), address)


def _certificates(config: "Config", root: str) -> "Certificates":
    from sabot_firmware.net.stream import Certificates

    files = []
    for name in ("ca_file", "cert_file", "cert_key_file"):
        path = config.text(name)
        data = read_file(root + path, MAX_CERTIFICATE) if path else b""
        if data is None:
            raise ConfigError(f"Config: the file '{path}' of {name} is missing or too long.")
        files.append(data)
    if not files[0]:
        raise ConfigError("Config: tls = yes needs ca_file.")
    return Certificates(files[0], files[1], files[2], config.text("server_name") or config.text("broker_host"))
