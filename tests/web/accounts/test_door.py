"""Who comes in, who is turned away, and how long a session stands."""

from collections.abc import Callable
from pathlib import Path

import pytest

from sabot_gateway.web.accounts.door import Door, Entered, Refused, TurnedAway
from sabot_gateway.web.accounts.password import digest_of
from sabot_gateway.web.accounts.role import RIGHTS, Right, Role
from sabot_gateway.web.accounts.totp import STEP_MS, code_at, new_secret
from sabot_gateway.web.accounts.vault import Vault, VaultError

MINUTE = 60_000
PASSWORD = "seven green chips"
HOME = "127.0.0.1"


class Clock:
    def __init__(self) -> None:
        self.ms = 1_700_000_000_000

    def __call__(self) -> int:
        return self.ms


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    vault = Vault(tmp_path / "accounts.db")
    vault.add("ada", Role.SURVEILLANCE, digest_of(PASSWORD, "ada"), "root", 1)
    return vault


@pytest.fixture
def door(vault: Vault, clock: Clock) -> Door:
    return Door(vault, clock, idle_ms=30 * MINUTE, longest_ms=12 * 60 * MINUTE)


def _enter(door: Door, password: str = PASSWORD, code: str = "", name: str = "ada", address: str = HOME) -> Entered:
    answer = door.enter(name, password, code, address)
    assert isinstance(answer, Entered), answer
    return answer


def _turned_away(
    door: Door, password: str = "wrong", code: str = "", name: str = "ada", address: str = HOME
) -> TurnedAway:
    answer = door.enter(name, password, code, address)
    assert isinstance(answer, TurnedAway), answer
    return answer


def test_the_right_password_opens_a_session_with_the_rights_of_the_role(door: Door) -> None:
    entered = _enter(door)
    visitor = door.visitor(entered.token)
    assert visitor == entered.visitor
    assert visitor is not None
    assert visitor.may(Right.CLEAR_ALERTS)
    assert not visitor.may(Right.MANAGE_PEOPLE)


def test_a_form_of_another_session_is_not_ones_own(door: Door) -> None:
    one, other = _enter(door).visitor, _enter(door).visitor
    assert one.is_own_form(one.csrf)
    assert not one.is_own_form(other.csrf)
    assert not one.is_own_form("é")


def test_an_unknown_name_and_a_wrong_password_get_the_same_answer(door: Door) -> None:
    assert _turned_away(door, name="nobody") == _turned_away(door) == TurnedAway(Refused.WRONG)


def test_a_name_is_locked_longer_each_time_and_freed_by_time(door: Door, clock: Clock) -> None:
    for _ in range(4):
        assert _turned_away(door).why is Refused.WRONG
    assert _turned_away(door) == TurnedAway(Refused.LOCKED, clock.ms + MINUTE)
    assert _turned_away(door, PASSWORD).why is Refused.LOCKED, "not even the right password opens a locked name"
    clock.ms += MINUTE
    assert _turned_away(door) == TurnedAway(Refused.LOCKED, clock.ms + 2 * MINUTE)
    clock.ms += 2 * MINUTE
    _enter(door)
    assert _turned_away(door).why is Refused.WRONG, "a success wipes the slate"


def test_one_address_cannot_try_every_name(door: Door) -> None:
    answers = [_turned_away(door, name=f"guess{number}") for number in range(30)]
    assert [answer.why for answer in answers] == [Refused.WRONG] * 29 + [Refused.LOCKED]
    assert _turned_away(door, PASSWORD).why is Refused.LOCKED
    _enter(door, address="10.0.0.7")


def test_the_lock_outlives_a_restart(door: Door, vault: Vault, clock: Clock, tmp_path: Path) -> None:
    for _ in range(5):
        _turned_away(door)
    vault.close()
    again = Door(Vault(tmp_path / "accounts.db"), clock, idle_ms=MINUTE, longest_ms=MINUTE)
    assert _turned_away(again, PASSWORD).why is Refused.LOCKED


def test_an_idle_session_ends_and_a_used_one_goes_on_to_its_longest(door: Door, clock: Clock) -> None:
    idle, used = _enter(door).token, _enter(door).token
    for _ in range(24):
        clock.ms += 29 * MINUTE
        assert door.visitor(used) is not None
    assert door.visitor(idle) is None
    clock.ms += 29 * MINUTE
    assert door.visitor(used) is None, "twelve hours are over"


def test_a_session_ends_with_logout_disabling_a_new_role_and_a_new_password(door: Door, vault: Vault) -> None:
    endings: dict[str, Callable[[str], None]] = {
        "logout": door.leave,
        "disabled": lambda _: vault.set_disabled("ada", True, "root", 2),
        "role": lambda _: vault.set_role("ada", Role.VIEWER, "root", 2),
        "password": lambda _: vault.set_password("ada", digest_of("another pair of aces", "ada"), "root", 2),
    }
    for name, end in endings.items():
        vault.set_disabled("ada", False, "root", 2)
        vault.set_password("ada", digest_of(PASSWORD, "ada"), "root", 2)
        token = _enter(door).token
        end(token)
        assert door.visitor(token) is None, name


def test_every_change_of_an_account_waits_for_the_journal(vault: Vault) -> None:
    vault.set_role("ada", Role.ADMIN, "grace", 5)
    vault.set_totp("ada", new_secret(), "grace", 6)
    heard = vault.changes()
    assert [(change.at_ms, change.by, change.name, change.what) for change in heard] == [
        (1, "root", "ada", "added as surveillance"),
        (5, "grace", "ada", "made admin"),
        (6, "grace", "ada", "one-time codes on"),
    ]
    vault.strike_out(heard[1].number)
    assert [change.what for change in vault.changes()] == ["one-time codes on"]


def test_a_disabled_person_is_turned_away(door: Door, vault: Vault) -> None:
    vault.set_disabled("ada", True, "root", 2)
    assert _turned_away(door, PASSWORD).why is Refused.WRONG


def test_a_one_time_code_is_wanted_and_good_once(door: Door, vault: Vault, clock: Clock) -> None:
    secret = new_secret()
    vault.set_totp("ada", secret, "root", 2)
    assert _turned_away(door, PASSWORD).why is Refused.CODE_WANTED
    assert _turned_away(door, PASSWORD, "000000x").why is Refused.WRONG
    code = code_at(secret, clock.ms // STEP_MS)
    _enter(door, code=code)
    assert _turned_away(door, PASSWORD, code).why is Refused.WRONG
    clock.ms += STEP_MS
    _enter(door, code=code_at(secret, clock.ms // STEP_MS))


def test_the_file_holds_no_token_and_no_password(door: Door, vault: Vault, tmp_path: Path) -> None:
    token = _enter(door).token
    vault.close()
    content = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert token.encode() not in content
    assert PASSWORD.encode() not in content
    assert b"$argon2id$" in content


def test_accounts_that_others_can_read_are_refused(vault: Vault, tmp_path: Path) -> None:
    vault.close()
    (tmp_path / "accounts.db").chmod(0o644)
    with pytest.raises(VaultError, match="read by others"):
        Vault(tmp_path / "accounts.db")


@pytest.mark.parametrize("name", ["", "a", "Ada", "1st", "a b", "a/b", "x" * 33, "é"])
def test_a_name_that_could_be_mistaken_is_refused(vault: Vault, name: str) -> None:
    with pytest.raises(VaultError, match="cannot be a name"):
        vault.add(name, Role.VIEWER, "digest", "root", 1)


def test_a_name_is_given_once(vault: Vault) -> None:
    with pytest.raises(VaultError, match="already"):
        vault.add("ada", Role.ADMIN, "digest", "root", 1)


def test_only_the_investigator_unseals_and_every_role_may_look() -> None:
    assert {role for role in Role if Right.UNSEAL in RIGHTS[role]} == {Role.INVESTIGATOR}
    assert all(Right.LOOK in RIGHTS[role] for role in Role)
    assert {role for role in Role if Right.MANAGE_PEOPLE in RIGHTS[role]} == {Role.ADMIN}
