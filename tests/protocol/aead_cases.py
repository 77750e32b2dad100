"""Seals each line of FILE (key nonce aad plain, in hex) with the cryptolib back end; MicroPython runs this file.

Prints the sealed bytes, after it has opened them again and has refused them with each byte altered.
"""

import binascii
import sys

from sabot_protocol.aead_cryptolib import Aead


def unhex(text: str) -> bytes:
    return b"" if text == "-" else binascii.unhexlify(text)


def main(path: str) -> None:
    with open(path) as lines:  # noqa: PTH123 - MicroPython has no pathlib
        for line in lines:
            key, nonce, aad, plain = [unhex(word) for word in line.split()]
            aead = Aead(key)
            sealed = bytes(aead.seal(nonce, aad, plain))
            assert aead.open(nonce, aad, sealed) == plain
            for at in range(len(sealed)):
                damaged = bytearray(sealed)
                damaged[at] ^= 0x80
                assert aead.open(nonce, aad, bytes(damaged)) is None
            print(binascii.hexlify(sealed).decode())  # noqa: T201 - the output is what the test compares


main(sys.argv[1])
