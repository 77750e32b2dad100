"""The signing key: made once, for its owner's eyes only, with a public half that outsiders can use."""

import stat
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519

from sabot_gateway.journal.error import ErrorCode, JournalError
from sabot_gateway.journal.signing import is_signed, load_or_make_signer, load_public_key

PKCS8 = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())


def test_the_first_start_makes_a_key_and_later_ones_keep_it(tmp_path: Path) -> None:
    first = load_or_make_signer(tmp_path)
    assert stat.S_IMODE((tmp_path / "signing.key").stat().st_mode) == 0o600
    assert load_or_make_signer(tmp_path).public == first.public == load_public_key(tmp_path / "signing.pub")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["signing.key", "signing.pub"]


def test_the_exported_key_checks_signatures_with_another_library_call(tmp_path: Path) -> None:
    signer = load_or_make_signer(tmp_path)
    key = serialization.load_pem_public_key((tmp_path / "signing.pub").read_bytes())
    assert isinstance(key, ed25519.Ed25519PublicKey)
    key.verify(signer.sign(b"statement"), b"statement")
    assert is_signed(signer.public, signer.sign(b"statement"), b"statement")
    assert not is_signed(signer.public, signer.sign(b"statement"), b"Statement")
    assert not is_signed(b"short", signer.sign(b"statement"), b"statement")


def test_an_exported_key_that_was_exchanged_is_written_again(tmp_path: Path) -> None:
    signer = load_or_make_signer(tmp_path)
    (tmp_path / "signing.pub").write_bytes(b"another")
    load_or_make_signer(tmp_path)
    assert load_public_key(tmp_path / "signing.pub") == signer.public


def test_a_key_that_others_may_read_is_refused(tmp_path: Path) -> None:
    load_or_make_signer(tmp_path)
    (tmp_path / "signing.key").chmod(0o640)
    with pytest.raises(JournalError, match="mode must be 0600") as caught:
        load_or_make_signer(tmp_path)
    assert caught.value.code is ErrorCode.KEY


@pytest.mark.parametrize("content", [b"", b"not a key", ec.generate_private_key(ec.SECP256R1()).private_bytes(*PKCS8)])
def test_a_file_that_is_no_ed25519_key_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "signing.key"
    path.write_bytes(content)
    path.chmod(0o600)
    with pytest.raises(JournalError) as caught:
        load_or_make_signer(tmp_path)
    assert caught.value.code is ErrorCode.KEY
    assert path.read_bytes() == content


def test_a_start_that_was_cut_off_while_making_the_key_makes_another(tmp_path: Path) -> None:
    (tmp_path / "signing.new").write_bytes(b"half a k")
    assert len(load_or_make_signer(tmp_path).public) == 32
