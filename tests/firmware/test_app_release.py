"""A release is complete, within its budget, readable by the controller that gets it, and the same every time."""

from pathlib import Path

import pytest

from conftest import ROOT
from sabot_firmware.core.manifest import Manifest
from sabot_tools.firmware_build import BOARDS, Board, build, compiled, package_json
from sabot_tools.firmware_source import manifest, sources


@pytest.fixture(scope="module")
def release() -> dict[str, bytes]:
    return compiled(sources(), "armv6m")


def test_a_controller_reads_the_manifest_of_its_release(release: dict[str, bytes]) -> None:
    read = Manifest(manifest(release, "rpi_pico_w", "0.1.0", 1))
    assert read.count == len(release)
    assert read.total == sum(map(len, release.values()))


def test_the_same_sources_make_the_same_bytes(release: dict[str, bytes]) -> None:
    assert compiled(sources(), "armv6m") == release


def test_nothing_of_cpython_or_of_the_fake_table_is_on_a_board(release: dict[str, bytes]) -> None:
    assert not [
        path
        for path in release
        if "fake" in path or "cryptography" in path or (path.endswith("_host.mpy") and "net" in path)
    ]
    assert all(b"tempfile" not in data for data in release.values())


def test_every_board_is_within_its_budget_and_its_files_are_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert build(BOARDS, tmp_path, "0.1.0", 1) == 0
    printed = capsys.readouterr().out
    for board in BOARDS:
        assert f"{board.name} ({board.architecture})" in printed
        assert (tmp_path / board.name / "release.romfs").stat().st_size < 2 * board.budget
        assert (tmp_path / board.name / "sabot_firmware" / "app.mpy").exists()


def test_a_release_over_its_budget_is_refused() -> None:
    assert build([Board("tiny", "armv6m", 1000)], None, "0.1.0", 1) == 1


def test_the_package_for_mip_lists_every_module() -> None:
    assert (ROOT / "firmware" / "package.json").read_text() == package_json()
