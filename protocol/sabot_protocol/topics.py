"""Topic names, built and parsed in one place: sabot/v1/<site>/<device>/<channel>.

The channel is the name of the message it carries, and so fixes the direction. Names are strict
(a-z, 0-9 and inner hyphens), so no name can hold a level separator or a wildcard.
"""

from sabot_protocol.errors import WireError
from sabot_protocol.limits import MAX_NAME
from sabot_protocol.messages import MESSAGES

PREFIX = "sabot/v1"
CHANNELS = tuple(message[1] for message in MESSAGES)
UP = tuple(message[1] for message in MESSAGES if message[2] == "up")
DOWN = tuple(message[1] for message in MESSAGES if message[2] == "down")
RETAINED = ("status", "lamps")  # a late subscriber needs the current one

_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789-"


def build_topic(site: str, device: str, channel: str) -> str:
    """Return the topic of a device's channel."""
    if not (is_name(site) and is_name(device) and channel in CHANNELS):
        raise WireError("bad_topic")
    return f"{PREFIX}/{site}/{device}/{channel}"


def parse_topic(topic: str) -> "tuple[str, str, str]":
    """Return (site, device, channel) of a topic."""
    levels = topic.split("/")
    if len(levels) != 5 or levels[0] + "/" + levels[1] != PREFIX:
        raise WireError("bad_topic")
    _, _, site, device, channel = levels
    if not (is_name(site) and is_name(device) and channel in CHANNELS):
        raise WireError("bad_topic")
    return site, device, channel


def subscriptions(site: str) -> "list[str]":
    """Return the filters under which a gateway hears every controller of its site."""
    if not is_name(site):
        raise WireError("bad_topic")
    return [f"{PREFIX}/{site}/+/{channel}" for channel in UP]


def is_name(name: str) -> bool:
    """Say whether this is a legal site or device name."""
    if not 1 <= len(name) <= MAX_NAME or name[0] == "-" or name[-1] == "-":
        return False
    for letter in name:
        if letter not in _LETTERS:
            return False
    return True
