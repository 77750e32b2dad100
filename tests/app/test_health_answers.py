"""/healthz, /readyz and /metrics over a real server: status codes, Prometheus' text form, and who may read."""

import json
import re
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import pytest
from starlette.applications import Starlette

from sabot_gateway.errors import StartError
from sabot_gateway.runtime.desk import Figure, Health
from sabot_gateway.settings.shape import Address, MetricsReader
from sabot_gateway.web.figure_help import HELP
from sabot_gateway.web.health import routes, text_from_figures
from sabot_gateway.web.server import WebServer

WELL = Health(True, True, "", (), 0, 42)
ILL = Health(False, True, "There is no space left for the journal.", ("t1",), 3, 42, ("The journal cannot write.",))

# https://prometheus.io/docs/instrumenting/exposition_formats/, text-based format 0.0.4
SAMPLE = re.compile(r'[a-zA-Z_:][a-zA-Z0-9_:]*(\{([a-zA-Z_]\w*="([^"\\\n]|\\["\\n])*",?)*\})? -?[0-9.e+-]+')


class HealthDesk:
    """The part of a desk that these pages ask."""

    def __init__(self, health: Health) -> None:
        self._health = health

    def health(self) -> Health:
        return self._health

    def figures(self) -> Sequence[Figure]:
        return (
            Figure("events_total", 3, (("table", 'a"b\\c\nd'),)),
            Figure("sabot_waiting", 1.5),
            Figure("events_total", 4, (("table", "t2"),)),
        )


@contextmanager
def serving(health: Health, readers: MetricsReader = MetricsReader.LOOPBACK) -> Iterator[str]:
    desk = HealthDesk(health)
    server = WebServer(Starlette(routes=routes(desk, readers)), Address("127.0.0.1", 0))  # type: ignore[arg-type]  # the two methods asked
    server.start()
    try:
        yield f"http://{server.address}"
    finally:
        server.stop()


def ask(address: str) -> tuple[int, str, str]:
    try:
        with urllib.request.urlopen(address, timeout=30) as answer:
            return answer.status, answer.read().decode(), answer.headers["content-type"]
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode(), error.headers["content-type"]


def test_a_gateway_that_is_well() -> None:
    with serving(WELL) as address:
        assert ask(f"{address}/healthz")[:2] == (200, '{"alive":true}')
        status, body, _ = ask(f"{address}/readyz")
        assert (status, json.loads(body)["ready"]) == (200, True)


def test_a_gateway_whose_journal_cannot_write_lives_but_is_not_ready() -> None:
    with serving(ILL) as address:
        assert ask(f"{address}/healthz")[0] == 200
        status, body, _ = ask(f"{address}/readyz")
        assert status == 503
        answer = json.loads(body)
        assert answer["ready"] is False
        assert answer["reasons"] == ["The journal cannot write."]
        assert answer["tables_faulted"] == ["t1"]


def test_metrics_in_the_text_form_of_prometheus() -> None:
    with serving(WELL) as address:
        status, body, content_type = ask(f"{address}/metrics")
    assert (status, content_type) == (200, "text/plain; version=0.0.4; charset=utf-8")
    lines = body.splitlines()
    samples = [line for line in lines if not line.startswith("#")]
    assert all(SAMPLE.fullmatch(line) for line in samples), body
    assert lines == [
        f"# HELP sabot_events_total {HELP['sabot_events_total']}",
        "# TYPE sabot_events_total counter",
        'sabot_events_total{table="a\\"b\\\\c\\nd"} 3',
        'sabot_events_total{table="t2"} 4',
        "# TYPE sabot_waiting gauge",
        "sabot_waiting 1.5",
    ]


def test_every_meaning_is_one_plain_line() -> None:
    assert [text for text in HELP.values() if "\n" in text or "\\" in text or not text.endswith(".")] == []


def test_metrics_that_nobody_may_read() -> None:
    with serving(ILL, MetricsReader.NOBODY) as address:
        assert ask(f"{address}/metrics")[0] == 403
        assert json.loads(ask(f"{address}/readyz")[1]) == {"ready": False}


def test_no_figures_are_an_empty_page() -> None:
    assert text_from_figures(()) == "\n"


def test_an_address_that_is_taken_is_a_sentence() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(StartError, match=rf"cannot listen on 127\.0\.0\.1:{port} \(Address already in use\)"):
            WebServer(Starlette(), Address("127.0.0.1", port))
