"""The settings files of the embedded brokers.

Owns their text; writes nothing. What the gateway needs of any broker stands here: sessions that survive a restart, as
many messages under way as the gateway asks for, no waiting of small packets for more (Nagle).
"""

import json
from pathlib import Path
from typing import Final

from sabot_gateway.settings.shape import Address

MAX_UNDER_WAY: Final = 2_000  # messages to the gateway ahead of its acknowledgements
_ACK_WAIT: Final = (
    "5s"  # nats-server sends again after this, reconnected or not; the client keeps copies from the gateway
)


def nats_settings(folder: Path, listen: Address, password: str) -> str:
    """`password` shuts the listener of NATS's own protocol, which cannot be turned off; MQTT goes on without one."""
    return "\n".join(
        (
            "server_name: sabot",
            'listen: "127.0.0.1:-1"  # its own protocol: any free port of loopback, and a password nobody has',
            f"authorization {{ users: [ {{ user: sabot, password: {json.dumps(password)} }} ] }}",
            f"jetstream {{ store_dir: {json.dumps(str(folder))}, max_memory_store: 64MB }}",
            "mqtt {",
            f"  listen: {json.dumps(str(listen))}",
            "  no_auth_user: sabot",
            f'  ack_wait: "{_ACK_WAIT}"',
            f"  max_ack_pending: {MAX_UNDER_WAY}",
            "}",
            "",
        )
    )


def mosquitto_settings(folder: Path, listen: Address, *, is_root: bool) -> str:
    """Run by root, Mosquitto would become another user, who cannot write our folder."""
    return "\n".join(
        (
            f"listener {listen.port} {listen.host}",
            "allow_anonymous true",
            *(("user root",) if is_root else ()),
            "persistence true",
            f"persistence_location {folder}/",
            "autosave_interval 30",
            f"max_inflight_messages {MAX_UNDER_WAY}",
            "max_queued_messages 0",
            "set_tcp_nodelay true",
            "log_dest stderr",
            "log_type error",
            "log_type warning",
            "",
        )
    )
