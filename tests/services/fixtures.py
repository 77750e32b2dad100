"""Pytest fixtures: real servers, started when first asked for.

A broker belongs to one test: what an earlier one left retained there would be news to the next. The others serve the
whole run; their tests make databases and profiles of their own.
"""

from collections.abc import Iterator

import pytest

from services.chromium import Chromium
from services.driven_chromium import DrivenChromium
from services.mosquitto import Mosquitto
from services.postgres import Postgres


@pytest.fixture
def mosquitto(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    broker = Mosquitto(tmp_path_factory.mktemp("mosquitto"))
    yield broker
    broker.stop()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    server = Postgres()
    yield server
    server.stop()


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Chromium:
    return Chromium(tmp_path_factory.mktemp("chromium"))


@pytest.fixture(scope="session")
def driven_chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[DrivenChromium]:
    chromium = DrivenChromium(tmp_path_factory.mktemp("driven"))
    yield chromium
    chromium.stop()
