"""Why messages are refused: the gateway's own reasons for quarantine, and what a controller says that it refused.

Owns these words, beside the wire's codes and the refusals of a hello.
"""

from typing import Final

REASONS: Final = {
    "other_site": "The message is for another site.",
    "wrong_direction": "The message is one that only the gateway sends.",
    "unknown_device": "No such controller is registered.",
    "twin_device": "Two devices speak under one name.",
    "events_late": "The events came after they had been given up.",
    "replayed": "The events were taken long ago; no controller sends them again.",
    "digest_unknown": "The controller runs software that the house does not know.",
}


class RefusedError(Exception):
    """A message that is not taken, for one of REASONS."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def told_of(channel: str, code: str, keys: int) -> str:
    """What is told of a message that a controller with so many keys refused; empty where nothing is wrong with that."""
    # While its key changes, a broker may still keep a picture that is sealed with the earlier one.
    return "" if code == "not_authentic" and keys > 1 else f"{channel} {code}"
