"""`/healthz`, `/readyz` and `/metrics`: whether the gateway lives, whether it can follow the tables, and its figures.

Owns the three answers, for supervisors and Prometheus, without a login. They hold no card and no person; what goes
beyond yes or no is for those whom the house lets read its metrics.
"""

from collections.abc import Iterable
from ipaddress import ip_address
from typing import Final

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from sabot_gateway.runtime.desk import Desk, Figure
from sabot_gateway.settings.shape import MetricsReader
from sabot_gateway.web.figure_help import HELP

CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"  # Prometheus' text form
_PREFIX: Final = "sabot_"
_ESCAPES: Final = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\n"})


def routes(desk: Desk, readers: MetricsReader = MetricsReader.LOOPBACK) -> list[Route]:
    """The three addresses."""

    async def healthz(request: Request) -> Response:
        del request
        desk.health()  # the desk answers: the process is more than a socket
        return JSONResponse({"alive": True})

    async def readyz(request: Request) -> Response:
        health = desk.health()
        answer: dict[str, object] = {"ready": health.is_ready}
        if _may_read(request, readers):
            answer |= {
                "reasons": list(health.reasons),
                "connected": health.is_connected,
                "journal": health.journal_fault or "well",
                "tables_faulted": list(health.tables_faulted),
                "waiting": health.waiting,
                "last_id": health.last_id,
            }
        return JSONResponse(answer, 200 if health.is_ready else 503)

    async def metrics(request: Request) -> Response:
        if not _may_read(request, readers):
            return PlainTextResponse("These figures are not for you.\n", 403)
        return Response(text_from_figures(desk.figures()), media_type=CONTENT_TYPE)

    return [Route("/healthz", healthz), Route("/readyz", readyz), Route("/metrics", metrics)]


def text_from_figures(figures: Iterable[Figure]) -> str:
    """Prometheus' text form: figures of one name together, each name with its meaning and type once."""
    by_name: dict[str, list[Figure]] = {}
    for figure in figures:
        name = figure.name if figure.name.startswith(_PREFIX) else _PREFIX + figure.name
        by_name.setdefault(name, []).append(figure)
    lines: list[str] = []
    for name, group in by_name.items():
        if name in HELP:
            lines.append(f"# HELP {name} {HELP[name]}")
        lines.append(f"# TYPE {name} {'counter' if name.endswith('_total') else 'gauge'}")
        lines += [f"{name}{_labels(figure)} {figure.value}" for figure in group]
    return "\n".join(lines) + "\n"


def _labels(figure: Figure) -> str:
    if not figure.labels:
        return ""
    return "{" + ",".join(f'{name}="{value.translate(_ESCAPES)}"' for name, value in figure.labels) + "}"


def _may_read(request: Request, readers: MetricsReader) -> bool:
    if readers is not MetricsReader.LOOPBACK:
        return readers is MetricsReader.EVERYONE
    try:
        return request.client is not None and ip_address(request.client.host).is_loopback
    except ValueError:
        return False
