"""`sabot broker-config`: a hardened broker for the house, from the gateway's registry.

Owns the command line and the folder it writes: settings for Mosquitto and for nats-server, the revocation list, and the
certificates of the broker, the gateway, the technician and the bridges. Written whole, file by file: a broker that
reads while it runs sees the old or the new. Run it again whenever controllers came or went.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

from sabot_gateway.mqtt.port import MQTT_TLS_PORT, BrokerSettings
from sabot_gateway.settings.shape import Address
from sabot_protocol.topics import is_name
from sabot_tools.field import broker_files
from sabot_tools.field.authority import SERVER_DAYS, Authority, Known, Purpose
from sabot_tools.field.broker_files import TECHNICIAN, Files, Member
from sabot_tools.field.house import House, configure_house, open_house
from sabot_tools.field.private_file import private_folder, write_whole
from sabot_tools.field.trouble import FieldError, StartError

NAME: Final = "broker-config"
SUMMARY: Final = "write the settings of a hardened broker, Mosquitto or nats-server, from the registry of controllers"

_RENEW: Final = timedelta(days=90)  # a server's certificate that ends sooner is made anew
_SERVER: Final = "broker"


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--out", metavar="FOLDER", type=Path, required=True, help="where the files go (mode 0700)")
    parser.add_argument(
        "--host",
        metavar="NAME",
        action="append",
        required=True,
        help="a name or address under which clients reach the broker; may be given often",
    )
    parser.add_argument(
        "--listen",
        metavar="ADDRESS",
        default=f"0.0.0.0:{MQTT_TLS_PORT}",
        help=f"where it listens (default: 0.0.0.0:{MQTT_TLS_PORT})",
    )
    parser.add_argument(
        "--bridge",
        metavar="NAME[=DEVICE,…]",
        action="append",
        default=[],
        help="a `sabot bridge` and the controllers it carries (all, if none is named); may be given often",
    )
    configure_house(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object for programs")
    parser.epilog = (
        "example: sabot broker-config --out /etc/sabot/broker --host broker.pit\n\n"
        "Run it again when controllers came or went, then send the broker SIGHUP. Mosquitto reads the list of revoked\n"
        "certificates only when it starts: start it anew after a key was stolen."
    )


def run(args: argparse.Namespace) -> int:
    """0 written, 1 refused, 2 could not start."""
    try:
        house = open_house(args.config)
        told = write_broker(house, args.out, args.host, _address(args.listen), _bridges(args.bridge, house))
    except FieldError as error:
        print(f"sabot broker-config: {error}", file=sys.stderr)
        return error.code
    print(json.dumps(told) if args.json else _text(told))
    return 0


def write_broker(
    house: House, folder: Path, hosts: Sequence[str], listen: Address, bridges: dict[str, list[str]]
) -> dict[str, object]:
    """Writes every file; what was written, for people and programs."""
    now = datetime.now(UTC)
    authority = house.authority()
    private_folder(folder)
    folder = folder.absolute()
    site = house.settings.site
    settings = house.settings.broker or BrokerSettings(site, house.settings.gateway, hosts[0])
    _keep_certificate(authority, folder, _SERVER, _SERVER, hosts, now)
    for file, name in (("gateway", settings.client_id), (TECHNICIAN, TECHNICIAN), *((each, each) for each in bridges)):
        _keep_certificate(authority, folder, file, name, (), now)
    good: dict[str, list[str]] = {}
    for known in authority.known():
        if known.is_good(now):
            good.setdefault(known.name, []).append(known.subject)
    members = _members(house, settings, bridges, good)
    files = Files(
        folder / "ca.pem",
        folder / "broker.pem",
        folder / "broker.key",
        folder / "revoked.pem",
        folder / "members.acl",
        folder / "store",
    )
    private_folder(files.store)
    write_whole(files.authority, authority.file.read_bytes(), 0o644)
    write_whole(files.revoked, authority.revocation_list(now), 0o644)
    # The access list before the settings that name it.
    write_whole(files.members, broker_files.mosquitto_members(members).encode())
    write_whole(folder / "mosquitto.conf", broker_files.mosquitto_settings(files, listen, len(members)).encode())
    write_whole(folder / "nats.conf", broker_files.nats_settings(files, listen, site, members).encode())
    without = [device.id for device in house.settings.devices if not good.get(device.id)]
    return {
        "folder": str(folder),
        "listen": str(listen),
        "members": [member.name for member in members],
        "without_certificate": without,
    }


def _members(
    house: House, settings: BrokerSettings, bridges: dict[str, list[str]], good: dict[str, list[str]]
) -> list[Member]:
    site = house.settings.site
    devices = [device.id for device in house.settings.devices]
    members = [
        broker_files.gateway(settings, good.get(settings.client_id, ())),
        broker_files.technician(site, good.get(TECHNICIAN, ())),
    ]
    members += [
        broker_files.bridge(site, name, carried or devices, good.get(name, ())) for name, carried in bridges.items()
    ]
    members += [broker_files.controller(site, device, good.get(device, ())) for device in devices]
    return members


def _keep_certificate(
    authority: Authority, folder: Path, file: str, name: str, hosts: Sequence[str], now: datetime
) -> None:
    """Makes a certificate and its key unless a good one of the same hosts lies there; the one before is withdrawn."""
    target = folder / f"{file}.pem"
    record = folder / f"{file}.hosts"
    wanted = "\n".join(hosts).encode()
    if target.exists() and (folder / f"{file}.key").exists() and (not hosts or _content(record) == wanted):
        lying = target.read_bytes()
        for known in authority.known():
            if known.name == name and known.is_good(now + _RENEW) and _is_same(known, lying):
                return
    purpose = Purpose.SERVER if hosts else Purpose.CLIENT
    issued = authority.issue(name, purpose, hosts, SERVER_DAYS)
    # The key before the certificate: an interruption in between is repaired by the next run, which makes both anew.
    write_whole(folder / f"{file}.key", issued.key_pem)
    if hosts:
        write_whole(record, wanted, 0o644)
    write_whole(target, issued.pem, 0o644)


def _is_same(known: Known, pem: bytes) -> bool:
    from cryptography.hazmat.primitives.serialization import Encoding

    return known.certificate.public_bytes(Encoding.PEM) == pem


def _content(file: Path) -> bytes:
    return file.read_bytes() if file.exists() else b""


def _address(text: str) -> Address:
    host, _, port = text.rpartition(":")
    if not host or not port.isdigit() or not 0 < int(port) < 65536:
        raise StartError(f"--listen must be an address and a port, such as 0.0.0.0:{MQTT_TLS_PORT}.")
    return Address(host.strip("[]"), int(port))


def _bridges(texts: Sequence[str], house: House) -> dict[str, list[str]]:
    known = {device.id for device in house.settings.devices}
    bridges: dict[str, list[str]] = {}
    for text in texts:
        name, _, devices = text.partition("=")
        carried = [device for device in devices.split(",") if device]
        if not is_name(name) or name in known or name == TECHNICIAN or name in bridges:
            raise StartError(f"{name!r} cannot be a bridge's name: small letters, digits and inner hyphens, used once.")
        for device in carried:
            if device not in known:
                raise StartError(f"There is no controller {device} in {house.devices}.")
        bridges[name] = carried
    return bridges


def _text(told: dict[str, object]) -> str:
    members, without = told["members"], told["without_certificate"]
    assert isinstance(members, list)
    assert isinstance(without, list)
    lines = [
        f"{told['folder']} is written: {len(members)} members, listening on {told['listen']}.",
        f"  mosquitto -c {told['folder']}/mosquitto.conf",
        f"  nats-server -c {told['folder']}/nats.conf",
        "The gateway's own: gateway.pem and gateway.key, with ca.pem, in its [broker] section.",
    ]
    if without:
        lines.append(f"Without a certificate, so shut out until they are provisioned: {', '.join(without)}.")
    return "\n".join(lines)
