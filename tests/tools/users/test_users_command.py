"""`sabot users` on a console: the first administrator, and everything that may go wrong."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from sabot_gateway.web.accounts.password import is_password
from sabot_gateway.web.accounts.role import Role
from sabot_gateway.web.accounts.vault import ACCOUNTS, Vault

SETTINGS = """
site = "cannes"
gateway = "pit-1"
"""
PASSWORD = "seven green chips"


@pytest.fixture
def config(tmp_path: Path) -> Path:
    (tmp_path / "sabot.toml").write_text(SETTINGS)
    (tmp_path / "devices").mkdir(mode=0o700)
    return tmp_path / "sabot.toml"


def users(config: Path, *words: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "sabot_tools.cli", "users", *words, "--config", str(config)]
    return subprocess.run(command, input=stdin, capture_output=True, text=True, check=False)


def test_the_first_administrator_is_made_on_the_console(config: Path) -> None:
    empty = users(config, "list")
    assert "no account yet" in empty.stdout
    done = users(config, "add", "ada", "--role", "admin", stdin=PASSWORD + "\n")
    assert (done.returncode, done.stderr) == (0, "")
    listed = json.loads(users(config, "list", "--json").stdout)
    assert listed == {"people": [{"name": "ada", "role": "admin", "closed": False, "code": False}]}
    vault = Vault(config.parent / "data" / ACCOUNTS)
    account = vault.account("ada")
    assert account is not None
    assert is_password(account.password, PASSWORD)
    (change,) = vault.changes()
    assert change.by.startswith("console:"), "the journal hears who sat at the console"
    vault.close()


def test_an_account_is_closed_reopened_and_given_another_role(config: Path) -> None:
    users(config, "add", "ada", "--role", "viewer", stdin=PASSWORD)
    assert users(config, "close", "ada").returncode == 0
    assert "closed" in users(config, "list").stdout
    assert users(config, "reopen", "ada").returncode == 0
    assert users(config, "role", "ada", "technician").returncode == 0
    vault = Vault(config.parent / "data" / ACCOUNTS)
    account = vault.account("ada")
    vault.close()
    assert account is not None
    assert (account.role, account.is_disabled) == (Role.TECHNICIAN, False)


@pytest.mark.parametrize(
    ("words", "stdin", "code", "says"),
    [
        (("add", "ada", "--role", "admin"), "short", 1, "at least 12 characters"),
        (("add", "Ada", "--role", "admin"), PASSWORD, 1, "cannot be a name"),
        (("close", "nobody"), "", 1, "There is no account nobody."),
        (("password", "nobody"), PASSWORD, 1, "There is no account nobody."),
    ],
)
def test_what_is_refused_is_one_sentence(
    config: Path, words: tuple[str, ...], stdin: str, code: int, says: str
) -> None:
    done = users(config, *words, stdin=stdin)
    assert done.returncode == code
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


def test_missing_settings_are_one_sentence(tmp_path: Path) -> None:
    done = users(tmp_path / "none.toml", "list")
    assert done.returncode == 2
    assert "none.toml" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_person_types_the_password_twice_without_seeing_it(config: Path) -> None:
    seen = _at_a_terminal(config, [PASSWORD, "another one entirely"])
    assert "The two passwords differ." in seen
    seen = _at_a_terminal(config, [PASSWORD, PASSWORD])
    assert "ada: done." in seen
    assert PASSWORD not in seen


def _at_a_terminal(config: Path, answers: list[str]) -> str:
    ours, theirs = pty.openpty()
    command = [
        sys.executable,
        "-m",
        "sabot_tools.cli",
        "users",
        "add",
        "ada",
        "--role",
        "admin",
        "--config",
        str(config),
    ]
    child = subprocess.Popen(
        command,
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        close_fds=True,
        start_new_session=True,
        preexec_fn=_own_terminal,
    )
    os.close(theirs)
    seen = b""
    while True:
        try:
            piece = os.read(ours, 1024)
        except OSError:
            break
        if not piece:
            break
        seen += piece
        if answers and seen.endswith(b": "):  # a prompt, and nothing echoed behind it
            os.write(ours, answers.pop(0).encode() + b"\n")
    child.wait()
    os.close(ours)
    return seen.decode()


def _own_terminal() -> None:
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
