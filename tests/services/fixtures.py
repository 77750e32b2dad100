"""Pytest fixtures: one real server of each kind per test run, started when first asked for."""

from collections.abc import Iterator

import pytest

from services.chromium import Chromium
from services.mosquitto import Mosquitto
from services.postgres import Postgres


@pytest.fixture(scope="session")
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
