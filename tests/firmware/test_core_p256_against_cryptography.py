"""Our check of P-256 signatures agrees with an independent library on keys and messages of all kinds."""

from hashlib import sha256

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from hypothesis import given, settings
from hypothesis import strategies as st

from sabot_firmware.core.p256 import Check

ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551


@settings(deadline=None, max_examples=60)
@given(secret=st.integers(1, ORDER - 1), message=st.binary(max_size=200), flip=st.integers(-1, 511))
def test_what_the_library_signs_is_valid_and_one_bit_off_is_not(secret: int, message: bytes, flip: int) -> None:
    private = ec.derive_private_key(secret, ec.SECP256R1())
    public = private.public_key().public_numbers()
    key = public.x.to_bytes(32, "big") + public.y.to_bytes(32, "big")
    r, s = decode_dss_signature(private.sign(message, ec.ECDSA(hashes.SHA256())))
    signature = bytearray(r.to_bytes(32, "big") + s.to_bytes(32, "big"))
    if flip >= 0:
        signature[flip // 8] ^= 1 << flip % 8
    check = Check(key, sha256(message).digest(), bytes(signature))
    while not check.step():
        pass
    assert check.is_valid == (flip < 0)
