"""One house for all tests of this room, a watcher who reads everything it shows, and a browser with a recorder."""

from collections.abc import Iterator

import pytest

from house_browser.live_house import LiveHouse
from house_browser.watcher import Watcher
from house_browser.windows import Windows
from services.driven_chromium import DrivenChromium


@pytest.fixture(scope="package")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveHouse]:
    running = LiveHouse(tmp_path_factory.mktemp("live"))
    yield running
    running.stop()


@pytest.fixture(scope="package")
def watcher(house: LiveHouse) -> Iterator[Watcher]:
    watching = Watcher(house)
    yield watching
    watching.stop()


@pytest.fixture(scope="package")
def windows(house: LiveHouse, driven_chromium: DrivenChromium) -> Iterator[Windows]:
    opened = Windows(house, driven_chromium)
    yield opened
    opened.leave()
