"""Links into the house's video system: its own address with {camera}, {from} and {to} filled in, times in UTC. Pure."""

from collections.abc import Sequence
from typing import Final, TypedDict
from urllib.parse import quote

from sabot_gateway.web.language import machine_time

BEFORE_MS: Final = 5_000  # what led to a moment is as telling as the moment
AFTER_MS: Final = 10_000


class VideoLink(TypedDict):
    camera: str
    address: str


def video_links(
    template: str, cameras: Sequence[str], at_ms: int, spread_ms: int = 0, until_ms: int | None = None
) -> list[VideoLink]:
    """One per camera, from a little before `at_ms` to a little after it or `until_ms`; none without a template."""
    if not template:
        return []
    begin = machine_time(at_ms - BEFORE_MS - spread_ms)
    end = machine_time((at_ms if until_ms is None else until_ms) + AFTER_MS + spread_ms)
    return [{"camera": camera, "address": _filled(template, camera, begin, end)} for camera in cameras]


def _filled(template: str, camera: str, begin: str, end: str) -> str:
    """Only the three names mean something: whatever else stands in braces is the video system's own."""
    address = template
    for name, value in (("{camera}", camera), ("{from}", begin), ("{to}", end)):
        address = address.replace(name, quote(value, safe=""))
    return address
