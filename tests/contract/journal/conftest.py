"""One suite, every adapter: the fixtures open journals of each kind."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from contract.journal.house import House, postgres_house, sqlite_house
from sabot_gateway.journal.stored import StoredJournal


@pytest.fixture(params=["sqlite", "postgres"])
def house(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[House]:
    if request.param == "sqlite":
        place = sqlite_house(tmp_path)
    else:
        place = postgres_house(request.getfixturevalue("postgres"), tmp_path)
    yield place
    place.close()


@pytest.fixture
def journal(house: House) -> StoredJournal:
    return house.open()
