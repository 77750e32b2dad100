"""A UF2 file is taken whole and for its own chip, or refused in one sentence: torn, garbage, another board's."""

import random
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.image_build import block, uf2
from sabot_tools.field.uf2 import BLOCK, FLASH, RP2040, RP2350, Uf2Error, family_of, flash_from_uf2

CODE = bytes(range(256)) * 7 + b"the end of the code".ljust(256, b"\xff")
WHOLE = uf2(CODE, RP2040)
E10 = block(0x10FFFF00, 0, 2, 0xE48BFF57, b"\xef" * 256)


def refusal(data: bytes, family: int = RP2040) -> str:
    with pytest.raises(Uf2Error) as refused:
        flash_from_uf2(data, family)
    return str(refused.value)


def test_a_whole_file_is_the_flash_that_it_makes() -> None:
    assert flash_from_uf2(WHOLE, RP2040) == CODE
    assert family_of(WHOLE) == RP2040


def test_a_block_by_the_format_in_its_specification() -> None:
    """The fields at the places that the specification names, written out by hand."""
    raw = bytearray(512)
    words = ((0, 0x0A324655), (4, 0x9E5D5157), (8, 0x2000), (12, 0x10000000), (16, 256), (20, 0), (24, 1))
    for at, value in (*words, (28, 0xE48BFF56), (508, 0x0AB16F30)):
        struct.pack_into("<I", raw, at, value)
    raw[32:288] = b"x" * 256
    assert raw.startswith(b"UF2\n")
    assert flash_from_uf2(bytes(raw), RP2040) == b"x" * 256


@pytest.mark.parametrize("data", [E10 + uf2(CODE, RP2350), uf2(CODE, RP2350) + E10])
def test_the_block_that_makers_add_for_an_erratum_is_left_out(data: bytes) -> None:
    assert flash_from_uf2(data, RP2350) == CODE
    assert family_of(data) == RP2350


def test_blocks_that_no_loader_writes_are_left_out() -> None:
    assert flash_from_uf2(WHOLE + block(0x20000000, 0, 1, RP2040, bytes(256), 0x2001), RP2040) == CODE


@pytest.mark.parametrize("cut", [1, 100, 511])
def test_a_file_that_ends_in_a_block_is_torn(cut: int) -> None:
    assert refusal(WHOLE[:-cut]) == "is torn: it ends in the middle of a block."


def test_a_file_that_ends_between_two_blocks_is_torn() -> None:
    assert refusal(WHOLE[:-BLOCK]) == "is torn: it has 7 of 8 blocks, or not in their order."
    assert refusal(WHOLE[BLOCK:]) == "is torn: it has 7 of 8 blocks, or not in their order."


@pytest.mark.parametrize("data", [b"", bytes(64), bytes(512), b"\x7fELF" + bytes(2044), CODE])
def test_something_else_is_no_uf2(data: bytes) -> None:
    assert refusal(data) == ("is no UF2 file." if data else "is empty.")


@pytest.mark.parametrize("at", [0, 4, 508])
def test_a_damaged_mark_names_its_block(at: int) -> None:
    data = bytearray(WHOLE)
    data[3 * BLOCK + at] ^= 1
    assert refusal(bytes(data)) == "is damaged in block 3."


def test_another_chips_file_is_refused() -> None:
    assert refusal(WHOLE, RP2350) == "is for another chip (family e48bff56)."
    assert refusal(WHOLE[:BLOCK] + uf2(CODE, RP2350)[BLOCK:]) == "is for another chip (family e48bff59)."
    assert refusal(block(FLASH, 0, 1, RP2040, bytes(256), 0)) == "does not say which chip it is for."


def test_a_hole_is_refused_since_what_lay_there_before_would_stay() -> None:
    holed = block(FLASH, 0, 2, RP2040, bytes(256)) + block(FLASH + 512, 1, 2, RP2040, bytes(256))
    assert refusal(holed) == "leaves a hole in the flash: 10000200 follows 10000100."
    assert refusal(block(FLASH + 256, 0, 1, RP2040, bytes(256))).startswith("leaves a hole")


def test_a_block_of_another_size_is_refused() -> None:
    assert refusal(block(FLASH, 0, 1, RP2040, bytes(476))) == "has 476 bytes in block 0, where an image has 256."


def test_a_file_that_flashes_nothing_is_refused() -> None:
    assert refusal(E10) == "puts nothing into the flash."


@given(st.binary(max_size=1200))
def test_garbage_is_refused_and_never_taken(data: bytes) -> None:
    assert refusal(data).endswith(".")


@given(st.integers(0, len(WHOLE) - 1), st.integers(1, 255))
def test_an_altered_byte_is_refused_or_is_in_the_flash_or_is_padding(at: int, change: int) -> None:
    data = bytearray(WHOLE)
    data[at] ^= change
    try:
        code = flash_from_uf2(bytes(data), RP2040)
    except Uf2Error:
        return
    if 32 <= at % BLOCK < 32 + 256:
        assert code != CODE
    else:
        assert code == CODE


def test_blocks_in_another_order_are_refused() -> None:
    blocks = [WHOLE[at : at + BLOCK] for at in range(0, len(WHOLE), BLOCK)]
    random.Random(3).shuffle(blocks)
    assert refusal(b"".join(blocks)) == "is torn: it has 8 of 8 blocks, or not in their order."
