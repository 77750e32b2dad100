"""The ribbon of a recalled coup: one mark per step, bands for its phases. Pure, from the steps' views alone."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sabot_gateway.projections.recall import RecallStep

WIDTH: Final = 1000  # the drawing's own units; the page stretches it
_GRAVEST: Final = ("alarm", "warning", "notice")


@dataclass(frozen=True, slots=True)
class Mark:
    """`kind` is a severity that came up, `settled`, `declared`, `quiet` where nothing followed, else empty."""

    number: int
    x: int
    kind: str


@dataclass(frozen=True, slots=True)
class Band:
    phase: str
    x: int
    width: int
    start_ms: int


@dataclass(frozen=True, slots=True)
class Ribbon:
    marks: tuple[Mark, ...]
    bands: tuple[Band, ...]


def ribbon_of(steps: Sequence[RecallStep]) -> Ribbon:
    marks: list[Mark] = []
    spans: list[list[Any]] = []  # phase, first step, last step, when
    before: Mapping[str, Any] = {}
    for index, step in enumerate(steps):
        view: Mapping[str, Any] = step.view
        marks.append(Mark(index + 1, _x(index, len(steps)), _kind(step, before, view)))
        phase = view["coup"]["phase"] if "coup" in view else ""
        if spans and spans[-1][0] == phase:
            spans[-1][2] = index
        else:
            spans.append([phase, index, index, step.at_ms])
        before = view
    half = WIDTH // (2 * len(steps)) if steps else 0
    bands: list[Band] = []
    for phase, first, last, start_ms in spans:
        left = max(_x(first, len(steps)) - half, 0)
        bands.append(Band(phase, left, min(_x(last, len(steps)) + half, WIDTH) - left, start_ms))
    return Ribbon(tuple(marks), tuple(bands))


def is_settled(step: RecallStep) -> bool:
    return step.view.get("settlement") is not None


def _x(index: int, count: int) -> int:
    return WIDTH * (2 * index + 1) // (2 * count)


def _kind(step: RecallStep, before: Mapping[str, Any], view: Mapping[str, Any]) -> str:
    known = {(alert["id"], alert["count"]) for alert in before.get("alerts", ())}
    came = {
        alert["severity"] for alert in view.get("alerts", ()) if (alert["id"], alert["count"]) not in known and before
    }
    for severity in _GRAVEST:
        if severity in came:
            return severity
    if before and is_settled(step) and before.get("settlement") is None:
        return "settled"
    if step.kind == "operator":
        return "declared"
    return "" if step.concluded else "quiet"
