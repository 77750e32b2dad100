"""What a built image amounts to: its modules, the manifest that its board measures itself by, and its digest."""

import json
from hashlib import sha256
from pathlib import Path

import pytest

from firmware.image_build import FAMILIES, code_of, image_file, uf2
from sabot_firmware.core.selfcheck import digest_of
from sabot_firmware.release import Release
from sabot_tools.cli import main
from sabot_tools.field.board_type import BOARD_TYPES, type_named
from sabot_tools.field.image_release import read_image
from sabot_tools.firmware_source import sources

PICO_W = type_named("rpi_pico_w")


@pytest.mark.parametrize("board", FAMILIES)
def test_the_board_reads_of_the_manifest_what_the_tool_counts_on(tmp_path: Path, board: str) -> None:
    image = read_image(image_file(tmp_path, board), type_named(board), "0.2.0", 3)
    for name, data in image.files.items():
        (tmp_path / name).write_bytes(data)
    code = code_of(board)
    release = Release(str(tmp_path), str(tmp_path / "slot0"), code[code.index(b"sabot-image-list") :])
    assert (release.name, release.board, release.serial, release.image_size) == ("0.2.0", board, 3, len(code))
    told = list(release.modules())
    assert told == sorted(told)
    assert digest_of(told) == image.digest
    named = dict(told)
    assert named["image"] == sha256(code).digest()
    assert named["main.py"] == sha256((tmp_path / "main.py").read_bytes()).digest()
    for name, path in sources().items():
        assert named[".frozen/" + name] == sha256(path.read_bytes()).digest()
    assert max(len(name.encode()) for name in named) <= 48
    assert len(named) <= 120


def test_the_board_measures_before_it_is_started_by_what_it_lists(tmp_path: Path) -> None:
    files = list(read_image(image_file(tmp_path, "rpi_pico_w"), PICO_W, "0.2.0", 3).files)
    assert files[0] == "manifest"
    assert files[-1] == "boot.py"


def test_another_byte_in_the_image_is_another_digest(tmp_path: Path) -> None:
    one = read_image(image_file(tmp_path, "rpi_pico_w"), PICO_W, "0.2.0", 3)
    other = read_image(image_file(tmp_path, "rpi_pico_w", b"!"), PICO_W, "0.2.0", 3)
    assert one.modules == other.modules
    assert one.digest != other.digest


def refused(capsys: pytest.CaptureFixture[str], file: Path) -> str:
    assert main(["release", "image", str(file)]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    return said.removeprefix(f"sabot release: {file} ").strip()


def test_a_file_that_is_no_image_of_ours_is_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "firmware.uf2"
    assert "cannot be read" in refused(capsys, file)
    whole = uf2(code_of("rpi_pico_w"), FAMILIES["rpi_pico_w"])
    for data, sentence in (
        (b"", "is empty."),
        (b"garbage" * 300, "is no UF2 file."),
        (whole[:-7], "is torn: it ends in the middle of a block."),
        (uf2(bytes(512), 0x1C5F21B0), "is for no board that Sabot knows (family 1c5f21b0)."),
        (
            uf2(bytes(512), FAMILIES["rpi_pico_w"]),
            "names no module that it holds: build it with firmware/boards/rpi_pico_w/manifest.py.",
        ),
        (
            uf2(bytes(PICO_W.code_bytes + 256), FAMILIES["rpi_pico_w"]),
            "is larger than the flash that a Raspberry Pi Pico W has for code: 1,229,056 bytes.",
        ),
    ):
        file.write_bytes(data)
        assert refused(capsys, file) == sentence


def test_the_command_tells_the_digest_and_every_module(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = image_file(tmp_path, "rpi_pico_w")
    image = read_image(file, PICO_W, "0.2.0", 3)
    assert main(["release", "image", str(file)]) == 0
    said = capsys.readouterr()
    assert f"digest {image.digest.hex()}\n" in said.out
    assert said.err == "", "built from the sources that are installed here"
    assert main(["release", "image", str(file), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["board"] == "rpi_pico_w"
    app = sources()["sabot_firmware/app.py"].read_bytes()
    assert told["modules"]["sabot_firmware/app.py"] == sha256(app).hexdigest()


def test_an_image_of_other_sources_is_named_as_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = code_of("rpi_pico_w")
    digest = sha256(sources()["sabot_firmware/app.py"].read_bytes()).hexdigest().encode()
    file = tmp_path / "firmware.uf2"
    file.write_bytes(uf2(code.replace(digest, b"0" * 64), FAMILIES["rpi_pico_w"]))
    assert main(["release", "image", str(file)]) == 0
    assert capsys.readouterr().err == "Built from other sources than are installed here: sabot_firmware/app.py.\n"


def test_every_board_that_freezes_its_code_takes_an_image() -> None:
    for kind in BOARD_TYPES:
        assert bool(kind.uf2_family) == (kind.name in FAMILIES)
        assert kind.uf2_family or not kind.is_frozen
