"""What simulated controllers say they run is what runs: the modules of a release, read where they lie."""

from hashlib import sha256
from pathlib import Path

import pytest

from sabot_firmware.inspection import Inspection
from sabot_firmware.release import Release
from sabot_gateway.config import load
from sabot_tools.cli import main
from sabot_tools.firmware_source import sources
from sabot_tools.twin import software
from sabot_tools.twin.board.bench import RELEASE
from sabot_tools.twin.house import write_house


def _inspected(home: Path) -> tuple[Release, Inspection]:
    """A look at everything, as a controller takes it before its hello."""
    found = Release(str(home), str(home / RELEASE))
    look = Inspection(found)
    while not look.step():
        pass
    return found, look


def test_a_controller_finds_every_module_of_the_release_and_the_digest_that_its_house_knows(tmp_path: Path) -> None:
    for _ in range(2):  # the second start finds what the first has left
        software.install(tmp_path)
    found, look = _inspected(tmp_path)
    assert found.name == software.release() not in ("", "unknown")
    assert dict(found.modules()) == {name: sha256(path.read_bytes()).digest() for name, path in sources().items()}
    assert (look.count, look.wrong) == (len(sources()), {})
    assert look.digest == software.digest() != sha256().digest()


def test_on_a_disk_without_links_it_checks_copies_and_an_altered_one_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refused(*_: object, **__: object) -> None:
        raise OSError(1, "Operation not permitted")

    monkeypatch.setattr(Path, "symlink_to", refused)
    for _ in range(2):
        software.install(tmp_path)
    assert _inspected(tmp_path)[1].digest == software.digest()
    altered = tmp_path / RELEASE / "sabot_firmware" / "app.py"
    assert not altered.is_symlink()
    altered.write_bytes(altered.read_bytes() + b"\n")
    assert list(_inspected(tmp_path)[1].wrong) == ["sabot_firmware/app.py"]


def test_a_new_house_knows_the_whole_controllers_and_those_of_the_wire(tmp_path: Path) -> None:
    assert main(["simulate", "--new-house", str(tmp_path / "house"), "--games", "TCF"]) == 0
    known = load(tmp_path / "house" / "sabot.toml").digests
    assert known == frozenset({software.digest(), software.digest(is_wire_only=True)})
    assert len(known) == 2


@pytest.mark.parametrize("way", [[], ["--wire-only"]])
def test_a_house_that_does_not_know_them_is_told_before_a_table_is_opened(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], way: list[str]
) -> None:
    other = software.digest(is_wire_only=not way)
    file = write_house(tmp_path, ["TCF"], "riviera", "127.0.0.1:1", digests=[other])
    assert main(["simulate", "--config", str(file), *way]) == 2
    said = capsys.readouterr().err
    assert f"add {software.digest(is_wire_only=bool(way)).hex()} to digests in [firmware]" in said
    assert said.count("\n") == 1
