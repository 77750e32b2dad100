"""A nonce is used once under a key, or the seal is worth nothing."""

from sabot_gateway.runtime.nonce import Nonces
from sabot_protocol.envelope import NONCE


def test_no_nonce_is_handed_out_twice_also_past_the_end_of_the_store() -> None:
    nonces = Nonces()
    drawn = [nonces.next() for _ in range(2_000)]
    assert {len(nonce) for nonce in drawn} == {NONCE}
    assert len(set(drawn)) == len(drawn)
