"""Passwords by policy, and one-time codes as RFC 6238 has them."""

import base64

import pytest

from sabot_gateway.web.accounts.password import PasswordError, digest_of, is_outdated, is_password
from sabot_gateway.web.accounts.totp import address_of, code_at, matching_step


def test_a_digest_is_argon2id_salted_and_opens_for_its_password_only() -> None:
    one, other = digest_of("a long enough one", "ada"), digest_of("a long enough one", "ada")
    assert one != other
    assert one.startswith("$argon2id$")
    assert is_password(one, "a long enough one")
    assert not is_password(one, "a long enough two")
    assert not is_password("not a digest", "a long enough one")
    assert not is_password(one, "x" * 10_000)
    assert not is_outdated(one)


@pytest.mark.parametrize(
    ("password", "why"),
    [
        ("short", "at least 12"),
        ("x" * 257, "at most 256"),
        ("my name is Ada, hello", "contain the name"),
        ("abababababab", "different"),
    ],
)
def test_a_weak_password_is_refused_in_a_sentence(password: str, why: str) -> None:
    with pytest.raises(PasswordError, match=why):
        digest_of(password, "ada")


# RFC 6238, appendix B: the rows for SHA-1, shortened to six digits.
@pytest.mark.parametrize(
    ("seconds", "code"),
    [
        (59, "287082"),
        (1_111_111_109, "081804"),
        (1_111_111_111, "050471"),
        (1_234_567_890, "005924"),
        (2_000_000_000, "279037"),
    ],
)
def test_codes_agree_with_the_published_vectors(seconds: int, code: str) -> None:
    secret = base64.b32encode(b"12345678901234567890").decode()
    assert code_at(secret, seconds // 30) == code
    assert matching_step(secret, code, seconds * 1000, after=0) == seconds // 30


def test_a_clock_may_be_one_step_off_and_no_more() -> None:
    secret = base64.b32encode(b"12345678901234567890").decode()
    now = 1_000 * 30_000
    near = [matching_step(secret, code_at(secret, 1_000 + drift), now, after=0) for drift in (-2, -1, 0, 1, 2)]
    assert near == [None, 999, 1_000, 1_001, None]


def test_the_address_for_an_app_names_the_house() -> None:
    assert address_of("ABC", "ada", "cannes") == "otpauth://totp/Sabot%20cannes:ada?secret=ABC&issuer=Sabot%20cannes"
