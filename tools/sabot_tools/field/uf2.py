"""A UF2 file: the bytes that it puts into a board's flash, or why it is none for that board.

Owns the format and what is asked of a MicroPython image: one chip's family, whole, and without a hole from the first
byte of the flash on, so that what lies on the board afterwards is these bytes and no others. Touches no file.
Source: UF2 specification (github.com/microsoft/uf2). A block of another family at the end of the address space is what
makers add for erratum RP2350-E10; the board's loader leaves it out, and so does this.
"""

import struct
from typing import Final

BLOCK: Final = 512
PAYLOAD: Final = 256
FLASH: Final = 0x10000000  # where the flash of an RP2040 and an RP2350 begins
RP2040: Final = 0xE48BFF56
RP2350: Final = 0xE48BFF59  # its Arm cores

_SHAPE: Final = struct.Struct("<8I476sI")
_FIRST, _SECOND, _LAST = 0x0A324655, 0x9E5D5157, 0x0AB16F30
_NOT_FLASHED: Final = 0x00000001
_HAS_FAMILY: Final = 0x00002000
_ABSOLUTE: Final = (0xE48BFF57, 0x10FFFF00)  # family and address of the block for RP2350-E10


class Uf2Error(ValueError):
    """What is wrong with the file, to stand behind its name."""


def flash_from_uf2(data: bytes, family: int) -> bytes:
    """What lies in flash, from its first byte on, once a board has taken this file."""
    family_of(data)
    blocks = [_block(data[at : at + BLOCK], at // BLOCK) for at in range(0, len(data), BLOCK)]
    main = [each for each in blocks if each is not None]
    out = bytearray()
    for at, (found, target, number, count, payload) in enumerate(main):
        if found != family:
            raise Uf2Error(f"is for another chip (family {found:08x}).")
        if (number, count) != (at, len(main)):
            raise Uf2Error(f"is torn: it has {len(main)} of {count} blocks, or not in their order.")
        if target != FLASH + len(out):
            raise Uf2Error(f"leaves a hole in the flash: {target:08x} follows {FLASH + len(out):08x}.")
        out += payload
    return bytes(out)


def family_of(data: bytes) -> int:
    """The chip that a file's first block is for."""
    for at in range(0, len(data), BLOCK):
        block = _block(data[at : at + BLOCK], at // BLOCK)
        if block is not None:
            return block[0]
    raise Uf2Error("puts nothing into the flash." if data else "is empty.")


def _block(data: bytes, at: int) -> tuple[int, int, int, int, bytes] | None:
    """(family, address, number, count, payload) of a block; None for one that no loader puts into the flash."""
    if len(data) < BLOCK:
        raise Uf2Error("is torn: it ends in the middle of a block." if at else "is no UF2 file.")
    first, second, flags, target, size, number, count, family, room, last = _SHAPE.unpack(data)
    if (first, second, last) != (_FIRST, _SECOND, _LAST):
        raise Uf2Error(f"is damaged in block {at}." if at else "is no UF2 file.")
    if flags & _NOT_FLASHED or (flags & _HAS_FAMILY and (family, target) == _ABSOLUTE):
        return None
    if not flags & _HAS_FAMILY:
        raise Uf2Error("does not say which chip it is for.")
    if size != PAYLOAD:
        raise Uf2Error(f"has {size} bytes in block {at}, where an image has {PAYLOAD}.")
    return family, target, number, count, room[:PAYLOAD]
