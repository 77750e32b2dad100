"""Signatures of releases: the published examples pass, everything else does not."""

from binascii import unhexlify
from hashlib import sha256

from sabot_firmware.core.p256 import Check, is_key

# RFC 6979, appendix A.2.5: key, and the signatures of "sample" and "test" with SHA-256.
KEY = unhexlify(
    "60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6"
    "7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299"
)
SAMPLE = unhexlify(
    "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716"
    "F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8"
)
TEST = unhexlify(
    "F1ABB023518351CD71D881567B1EA663ED3EFCF6C5132B354F28D3B0B7D38367"
    "019F4113742A2B14BD25926B49C649155F267E60D3814B4C0CC84250E46F0083"
)
# SP 800-186: the order of the curve and its generator.
N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
G = unhexlify(
    "6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296"
    "4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5"
)


def is_valid(key: bytes, message: bytes, signature: bytes) -> bool:
    check = Check(key, sha256(message).digest(), signature)
    steps = 0
    while not check.step():
        steps += 1
        assert steps < 256
    return check.is_valid


def number(value: int) -> bytes:
    return value.to_bytes(32, "big")


def test_the_published_signatures_are_valid() -> None:
    assert is_valid(KEY, b"sample", SAMPLE)
    assert is_valid(KEY, b"test", TEST)


def test_another_message_key_or_signature_is_not() -> None:
    assert not is_valid(KEY, b"Sample", SAMPLE)
    assert not is_valid(G, b"sample", SAMPLE)
    assert not is_valid(KEY, b"sample", TEST)
    for at in (0, 31, 32, 63):
        broken = bytearray(SAMPLE)
        broken[at] ^= 1
        assert not is_valid(KEY, b"sample", bytes(broken))


def test_numbers_out_of_range_are_refused() -> None:
    for r in (0, N, N + 1, (1 << 256) - 1):
        assert not is_valid(KEY, b"sample", number(r) + SAMPLE[32:])
        assert not is_valid(KEY, b"sample", SAMPLE[:32] + number(r))
    assert not is_valid(KEY, b"sample", SAMPLE[:63])
    assert not is_valid(KEY, b"sample", SAMPLE + b"\x00")


def test_a_key_that_is_no_point_of_the_curve_is_refused() -> None:
    assert is_key(KEY)
    assert is_key(G)
    for key in (b"", KEY[:63], KEY[:63] + b"\x98", bytes(64), b"\xff" * 64):
        assert not is_key(key)
        assert not is_valid(key, b"sample", SAMPLE)


def test_the_key_that_equals_the_generator_or_its_opposite_works() -> None:
    # Private key 1, nonce 1: r = x of G, s = e + r. Private key n - 1: the opposite point, s = e - r.
    message = b"edge"
    e = int.from_bytes(sha256(message).digest(), "big")
    r = int.from_bytes(G[:32], "big") % N
    assert is_valid(G, message, number(r) + number((e + r) % N))
    p = 0xFFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF
    opposite = G[:32] + number(p - int.from_bytes(G[32:], "big"))
    assert is_valid(opposite, message, number(r) + number((e - r) % N))
    assert not is_valid(opposite, message, number(r) + number((e + r) % N))
