"""What a supervisor such as systemd is told, where one listens: ready, reloading, stopping.

Owns the notification socket's form (sd_notify(3)); without a supervisor it says nothing.
"""

import os
import socket
import time


def say_ready() -> None:
    _say("READY=1")


def say_reloading() -> None:
    _say(f"RELOADING=1\nMONOTONIC_USEC={time.monotonic_ns() // 1000}")


def say_stopping() -> None:
    _say("STOPPING=1")


def _say(text: str) -> None:
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address.startswith(("/", "@")):
        return
    # A name that begins with @ is in the abstract namespace, whose names begin with a zero byte.
    name = "\0" + address[1:] if address.startswith("@") else address
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as channel:
        try:
            channel.sendto(text.encode(), name)
        except OSError:
            return  # a supervisor that does not listen is no reason not to follow the tables
