"""A board that runs the code in its image proves it: the image in flash, what starts it, and that nothing hides it."""

# MicroPython has no pathlib.
# ruff: noqa: PTH102, PTH123

import os
from binascii import hexlify
from hashlib import sha256

from sabot_firmware.core.selfcheck import BLOCK, digest_of
from sabot_firmware.file import remove_tree
from sabot_firmware.inspection import SLICE, Inspection
from sabot_firmware.release import Release

MAIN = b"import starting\n"
SOURCE = b"the source of app.py"


def hexadecimal(data: bytes) -> str:
    return hexlify(sha256(data).digest()).decode()


LIST = f"sabot-image-list 1\n{hexadecimal(SOURCE)} sabot_firmware/app.py\nend\n".encode()
IMAGE = bytes(range(256)) * 21 + LIST + b"to the last byte"  # no multiple of a block


class Flash:
    """The flash that code runs from, and behind the image what is no part of it."""

    def __init__(self) -> None:
        self.cells = bytearray(IMAGE + b"remains of an older image")
        self.largest = 0

    def read_image(self, offset: int, room: "bytearray | memoryview") -> None:
        if offset + len(room) > len(self.cells):
            raise OSError(22)
        self.largest = max(self.largest, len(room))
        room[:] = self.cells[offset : offset + len(room)]


class Board:
    """The files of a board as `sabot flash` leaves them, in a folder of their own."""

    def __init__(self) -> None:
        # MicroPython has no tempfile; the name need only differ from run to run.
        self.root = "/tmp/sabot-image-" + str(int.from_bytes(os.urandom(6), "big"))
        os.mkdir(self.root)
        self.flash = Flash()
        self.write("main.py", MAIN)
        head = "sabot-image 1\nboard rpi_pico_w\nrelease 0.2.0\nserial 3\n"
        image = f"image {hexadecimal(IMAGE)} {len(IMAGE)}\n"
        self.write("manifest", (head + image + f"file {hexadecimal(MAIN)} {len(MAIN)} main.py\n").encode())
        self.write("sabot.conf", b"end\n")
        self.steps = 0

    def write(self, path: str, data: bytes) -> None:
        folder = path.rpartition("/")[0]
        if folder:
            os.mkdir(self.root + "/" + folder)
        with open(self.root + "/" + path, "wb") as file:
            file.write(data)

    def release(self) -> Release:
        return Release(self.root, self.root + "/slot0", LIST)

    def look(self) -> Inspection:
        check = Inspection(self.release(), self.flash.read_image)
        while not check.step():
            self.steps += 1
        remove_tree(self.root)
        return check


WHOLE = [
    (".frozen/sabot_firmware/app.py", sha256(SOURCE).digest()),
    ("image", sha256(IMAGE).digest()),
    ("main.py", sha256(MAIN).digest()),
]


def test_a_whole_image_is_listed_with_what_it_holds_and_what_starts_it() -> None:
    board = Board()
    release = board.release()
    assert (release.name, release.board, release.serial) == ("0.2.0", "rpi_pico_w", 3)
    assert list(release.modules()) == WHOLE
    check = board.look()
    assert (check.wrong, check.count, check.digest) == ({}, 3, digest_of(WHOLE))


def test_the_image_is_read_in_slices_that_hold_nothing_up() -> None:
    board = Board()
    board.look()
    assert board.flash.largest == BLOCK
    assert board.steps >= len(IMAGE) // (SLICE * BLOCK)


def test_every_byte_of_the_image_counts() -> None:
    for at in (0, 1, 511, 512, len(IMAGE) - 1):
        board = Board()
        board.flash.cells[at] ^= 1
        check = board.look()
        assert check.wrong == {"image": sha256(bytes(board.flash.cells[: len(IMAGE)])).digest()}
        assert check.digest != digest_of(WHOLE)


def test_what_lies_behind_the_image_does_not_count() -> None:
    board = Board()
    board.flash.cells[len(IMAGE)] ^= 1
    assert board.look().digest == digest_of(WHOLE)


def test_an_image_that_cannot_be_read_is_wrong() -> None:
    board = Board()
    board.flash.cells = board.flash.cells[: len(IMAGE) - 1]
    assert board.look().wrong == {"image": b""}
    board = Board()
    check = Inspection(board.release())
    while not check.step():
        pass
    remove_tree(board.root)
    assert check.wrong == {"image": b""}


def test_an_altered_file_that_starts_it_is_wrong() -> None:
    board = Board()
    board.write("main.py", b"import nothing\n")
    assert board.look().wrong == {"main.py": sha256(b"import nothing\n").digest()}


def test_a_module_that_would_be_found_before_the_images_is_wrong_wherever_it_lies() -> None:
    for path in ("asyncio.py", "sabot_firmware/app.mpy", "lib/x.py", "slot0/pins.py"):
        board = Board()
        board.write(path, b"hides another")
        check = board.look()
        hidden = [(path, sha256(b"hides another").digest())]
        assert check.wrong == {path: sha256(b"hides another").digest()}
        assert check.digest == digest_of(WHOLE + hidden)
        assert check.count == 4


def test_an_update_on_its_way_into_the_other_slot_hides_nothing() -> None:
    board = Board()
    board.write("slot1/app.mpy", b"not started")
    assert board.look().wrong == {}


def test_names_that_no_message_could_carry_are_told_by_their_end() -> None:
    board = Board()
    board.write("x" * 60 + ".py", b"long")
    for at in range(20):
        board.write(f"y{at}.py", b"many")
    names = [name for name, _ in board.release().modules()]
    check = board.look()
    assert max(len(name.encode()) for name in names) <= 48
    assert check.count == len(names) == 11
    assert len(check.wrong) == 8


def test_a_damaged_line_of_the_manifest_names_an_image_that_no_flash_holds() -> None:
    for line in (b"image", b"image zz 12", b"image 00 many", b"image  12"):
        board = Board()
        board.write("manifest", b"sabot-image 1\nboard rpi_pico_w\nrelease 0.2.0\nserial 3\n" + line + b"\n")
        check = board.look()
        assert "image" in check.wrong, line


def test_a_list_that_lies_in_worn_flash_stops_nothing() -> None:
    board = Board()
    for worn in (
        LIST.replace(b" sabot", b"  sabot"),
        LIST.replace(b"sabot_", b"\xff\xff"),
        LIST[:60] + b"!" + LIST[61:],
        b"",
    ):
        names = [name for name, _ in Release(board.root, board.root + "/slot0", worn).modules()]
        assert names == ["image", "main.py"], worn
    remove_tree(board.root)


def test_a_slot_with_a_manifest_comes_before_the_image() -> None:
    board = Board()
    board.write("slot0/manifest", b"sabot-firmware 1\nboard rpi_pico_w\nrelease 0.3.0\nserial 4\n")
    release = board.release()
    assert (release.name, release.folder) == ("0.3.0", board.root + "/slot0")
    assert list(release.modules()) == []
    remove_tree(board.root)
