"""The servers that later rooms rely on start here, on loopback, and do their job."""

from pathlib import Path

import pytest

from services.chromium import Chromium
from services.mosquitto import Mosquitto
from services.postgres import Postgres
from services.process import Service, ServiceError


def test_postgres_runs_from_a_temporary_folder_and_keeps_what_it_is_told(postgres: Postgres) -> None:
    postgres.query("create table fact (position bigint primary key, bytes bytea not null)")
    postgres.query("insert into fact values (1, '\\x0102')")
    assert postgres.query("select encode(bytes, 'hex') from fact") == "0102"
    assert postgres.query("show listen_addresses") == "127.0.0.1"
    assert postgres.port != 5432


def test_chromium_runs_scripts_and_takes_a_picture(chromium: Chromium, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("<p id=x>no</p><script>document.getElementById('x').textContent = 6 * 7</script>")
    assert '<p id="x">42</p>' in chromium.dom(page.as_uri())
    picture = tmp_path / "page.png"
    chromium.screenshot(page.as_uri(), picture, 320, 200)
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_mosquitto_listens_on_loopback_and_not_on_the_standard_port(mosquitto: Mosquitto) -> None:
    assert mosquitto.host == "127.0.0.1"
    assert mosquitto.port not in (1883, 8883)


def test_a_server_that_dies_at_once_is_an_error_with_its_last_words(tmp_path: Path) -> None:
    service = Service(["sh", "-c", "echo no such option; exit 3"], tmp_path / "log")
    with pytest.raises(ServiceError, match="no such option"):
        service.wait_until(lambda: False)
