"""The house of the demonstration on disk: made once, found again at the next start, taken away on request.

Owns the folder and what is in it besides the gateway's own data: the settings, the registers and keys of a simulated
house, an account to look with, and a mark that says that all of it may be deleted.
"""

import re
import secrets
import shutil
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from sabot_gateway.web.accounts.password import digest_of
from sabot_gateway.web.accounts.role import Role
from sabot_gateway.web.accounts.vault import ACCOUNTS, Vault
from sabot_tools.twin.house import GAMES, digests_line, write_house
from sabot_tools.twin.software import digest

SITE: Final = "demo"
MARK: Final = "this-folder-is-a-sabot-demo"
_LOGIN: Final = "login.txt"
# One who may do nearly everything, and one who may open folded hands: law 7 lets nobody do both.
ACCOUNTS_MADE: Final = (("demo", Role.ADMIN), ("detective", Role.INVESTIGATOR))


class PremisesError(Exception):
    """The folder cannot be used, in one sentence."""


@dataclass(frozen=True, slots=True)
class Premises:
    folder: Path
    settings: Path
    password: str
    is_new: bool


def prepare(folder: Path, web: str, broker: str, *, fresh: bool) -> Premises:
    """The house in `folder`, made if there is none; `web` and `broker` are addresses to listen on."""
    mark, settings = folder / MARK, folder / "sabot.toml"
    try:
        if folder.exists() and any(folder.iterdir()) and not mark.exists():
            raise PremisesError(f"{folder} holds something else than a demonstration: choose another folder.")
        if fresh and mark.exists():
            shutil.rmtree(folder)
        is_new = not settings.exists()
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        mark.touch()
        if is_new:
            write_house(folder, GAMES, SITE, broker, web, digests=[digest()])
        else:
            text = _listening(settings.read_text("utf-8"), web, broker)
            settings.write_text(_knowing(text, digests_line([digest()])), "utf-8")
        password = _password(folder)
    except OSError as error:
        raise PremisesError(f"{folder} cannot be written ({error.strerror or error}).") from error
    return Premises(folder, settings, password, is_new)


def _listening(text: str, web: str, broker: str) -> str:
    """The same settings at other addresses."""
    text = re.sub(r'(?m)(^\[embedded\]\nlisten = )"[^"]*"', rf'\g<1>"{broker}"', text)
    return re.sub(r'(?m)(^\[web\]\nlisten = )"[^"]*"', rf'\g<1>"{web}"', text)


def _knowing(text: str, digests: str) -> str:
    """The same settings with the software of today: the folder may be older than the controllers' code."""
    known, count = re.subn(r"(?m)(^\[firmware\]\n)digests = .*", rf"\g<1>{digests}", text)
    return known if count else f"{text}\n[firmware]\n{digests}\n"


def _password(folder: Path) -> str:
    """Made once, and kept where only its owner reads it: a second start prints the same."""
    file = folder / _LOGIN
    if not file.exists():
        file.touch(0o600)
        file.write_text(secrets.token_urlsafe(12), "utf-8")
    password = file.read_text("utf-8").strip()
    vault = Vault(folder / "data" / ACCOUNTS)
    try:
        known = {account.name for account in vault.accounts()}
        for name, role in ACCOUNTS_MADE:
            if name not in known:
                vault.add(name, role, digest_of(password, name), "demo", time.time_ns() // 1_000_000)
    finally:
        vault.close()
    return password
