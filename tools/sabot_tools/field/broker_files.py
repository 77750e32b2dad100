"""The settings of the house's broker, made from the registry: who may connect, and what each may say and hear.

Owns the text of Mosquitto's and nats-server's files; writes nothing. Every client shows a certificate of the house's
authority and is known by its CN; nobody else gets in. A controller speaks and hears only in its own branch; who is not
in the registry has no branch at all. `Member` is one client with its topics.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sabot_gateway.mqtt.port import BrokerSettings
from sabot_gateway.settings.shape import Address
from sabot_protocol.topics import DOWN, PREFIX, UP

TECHNICIAN: Final = "technician"
MAX_UNDER_WAY: Final = 2_000  # messages to one client ahead of its acknowledgements (docs/integrations.md)
MAX_MESSAGE: Final = 65_536  # bytes; sealed messages have 1,024, a settlement told to other systems some thousands
MAX_KEEPALIVE_S: Final = 300  # a client that is gone is noticed within this, and half as much again
SPARE_CONNECTIONS: Final = 50  # beside one for each member: reconnections whose earlier self is not noticed yet
STORE_BYTES: Final = 4 << 30
# What boards and every current library have: forward secrecy, P-256, AES-GCM.
CIPHERS: Final = ("ECDHE-ECDSA-AES128-GCM-SHA256", "ECDHE-ECDSA-AES256-GCM-SHA384")


@dataclass(frozen=True, slots=True)
class Member:
    """One client: its name, and the topics that it may write and read. `subjects` are its certificates' subjects."""

    name: str
    writes: tuple[str, ...]
    reads: tuple[str, ...]
    subjects: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Files:
    """Where the broker finds what its settings name."""

    authority: Path
    certificate: Path
    key: Path
    revoked: Path
    members: Path
    store: Path


def controller(site: str, device: str, subjects: Iterable[str] = ()) -> Member:
    """A controller: up in its branch, down in its branch, and nothing else."""
    branch = f"{PREFIX}/{site}/{device}"
    up, down = (tuple(f"{branch}/{channel}" for channel in channels) for channels in (UP, DOWN))
    return Member(device, up, down, tuple(subjects))


def bridge(site: str, name: str, devices: Sequence[str], subjects: Iterable[str] = ()) -> Member:
    """A bridge: what the controllers that it carries may do, and no more."""
    carried = [controller(site, device) for device in devices]
    writes = tuple(topic for each in carried for topic in each.writes)
    return Member(name, writes, tuple(topic for each in carried for topic in each.reads), tuple(subjects))


def gateway(settings: BrokerSettings, subjects: Iterable[str] = ()) -> Member:
    """The gateway: down to every controller, up from every controller, and what it tells other systems."""
    down = tuple(f"{PREFIX}/{settings.site}/+/{channel}" for channel in DOWN)
    writes = (*down, f"sabot/out/v1/{settings.site}/#", settings.status_topic)
    return Member(settings.client_id, writes, settings.filters, tuple(subjects))


def technician(site: str, subjects: Iterable[str] = ()) -> Member:
    """`sabot monitor` and `sabot selftest`: hears all branches of the site, and may order a controller."""
    return Member(TECHNICIAN, (f"{PREFIX}/{site}/+/command",), (f"{PREFIX}/{site}/+/+",), tuple(subjects))


def mosquitto_settings(files: Files, listen: Address, members: int) -> str:
    """`mosquitto.conf`. Names come from certificates alone: a client cannot choose its id."""
    return _lines(
        "# Written by `sabot broker-config`; changes are lost when it is written again.",
        f"listener {listen.port} {listen.host}",
        f"cafile {files.authority}",
        f"certfile {files.certificate}",
        f"keyfile {files.key}",
        f"crlfile {files.revoked}",
        "require_certificate true",
        "use_identity_as_username true",
        "use_username_as_clientid true",
        "allow_anonymous false",
        "tls_version tlsv1.2",
        f"ciphers {':'.join(CIPHERS)}",
        f"acl_file {files.members}",
        f"max_connections {2 * members + SPARE_CONNECTIONS}",
        f"max_keepalive {MAX_KEEPALIVE_S}",
        f"max_packet_size {MAX_MESSAGE}",
        f"max_inflight_messages {MAX_UNDER_WAY}",
        "max_queued_messages 0",
        "persistent_client_expiration 30d",
        "allow_zero_length_clientid false",
        "set_tcp_nodelay true",
        "persistence true",
        f"persistence_location {files.store}/",
        "autosave_interval 30",
        "log_dest stderr",
        "log_type error",
        "log_type warning",
        "log_type notice",
    )


def mosquitto_members(members: Iterable[Member]) -> str:
    """The access list. Mosquitto reads it again on SIGHUP."""
    blocks = ["# Written by `sabot broker-config`; changes are lost when it is written again."]
    for member in members:
        lines = [f"user {member.name}"]
        lines += [f"topic write {topic}" for topic in member.writes]
        lines += [f"topic read {topic}" for topic in member.reads]
        blocks.append("\n".join(lines))
    return "\n\n".join(blocks) + "\n"


def nats_settings(files: Files, listen: Address, site: str, members: Iterable[Member]) -> str:
    """`nats.conf`, members included. nats-server keeps no revocation list: only subjects that are named get in."""
    known = list(members)
    users = ",\n".join(_nats_user(member, subject) for member in known for subject in member.subjects)
    return _lines(
        "# Written by `sabot broker-config`; changes are lost when it is written again.",
        f"server_name: {json.dumps('sabot-' + site)}",
        'listen: "127.0.0.1:-1"  # its own protocol: any free port of loopback, and nobody may use it',
        f"max_connections: {2 * len(known) + SPARE_CONNECTIONS}",
        f"max_payload: {MAX_MESSAGE}",
        f"jetstream {{ store_dir: {json.dumps(str(files.store))}, max_file_store: {STORE_BYTES} }}",
        "mqtt {",
        f"  listen: {json.dumps(str(listen))}",
        '  ack_wait: "5s"',
        f"  max_ack_pending: {MAX_UNDER_WAY}",
        "  tls {",
        f"    ca_file: {json.dumps(str(files.authority))}",
        f"    cert_file: {json.dumps(str(files.certificate))}",
        f"    key_file: {json.dumps(str(files.key))}",
        "    verify_and_map: true",
        '    min_version: "1.2"',
        "    timeout: 10",
        "  }",
        "}",
        "authorization {",
        "  users: [",
        users,
        "  ]",
        "}",
    )


def _nats_user(member: Member, subject: str) -> str:
    writes, reads = ([_subject(topic) for topic in topics] for topics in (member.writes, member.reads))
    # Messages of QoS 1 reach a client of nats-server through an inbox of its own under this prefix.
    return (
        f"    {{ user: {json.dumps(subject)}, allowed_connection_types: [MQTT], permissions: {{\n"
        f"        publish: {json.dumps(writes)}, subscribe: {json.dumps([*reads, '$MQTT.sub.>'])} }} }}"
    )


def _subject(topic: str) -> str:
    """A topic as nats-server knows it."""
    return topic.replace("/", ".").replace("+", "*").replace("#", ">")


def _lines(*lines: str) -> str:
    return "\n".join(lines) + "\n"
