"""`sabot users`: accounts on the console of the gateway's machine; the first administrator is made here.

Owns the command line. A password is asked for without echo or read from standard input, never from the command line,
where every process of the machine could read it. Changes wait in the accounts for the journal, under the name of the
system's own user.
"""

import argparse
import getpass
import json
import sys
import time
from pathlib import Path
from typing import Final

from sabot_gateway.config import FILE, SettingsError, load
from sabot_gateway.web.accounts.password import PasswordError, digest_of
from sabot_gateway.web.accounts.role import Role
from sabot_gateway.web.accounts.vault import ACCOUNTS, Vault, VaultError

NAME: Final = "users"
SUMMARY: Final = "list, add, change and close the accounts of the surveillance pages"

_WHOSE: Final = "of the account"
_EXAMPLES: Final = {
    "list": "--json",
    "add": "ada --role admin",
    "password": "ada",
    "close": "ada",
    "reopen": "ada",
    "code-off": "ada",
    "role": "ada investigator",
}


def configure(parser: argparse.ArgumentParser) -> None:
    where = argparse.ArgumentParser(add_help=False)
    where.add_argument(
        "--config", metavar="FILE", type=Path, default=Path(FILE), help=f"the settings (default: {FILE})"
    )
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    listing = actions.add_parser("list", parents=[where], help="every account")
    listing.add_argument("--json", action="store_true", help="print one JSON object for programs")
    roles = [str(role) for role in Role]
    add = actions.add_parser("add", parents=[where], help="make an account")
    add.add_argument("name", help=_WHOSE)
    add.add_argument("--role", required=True, choices=roles, help="what the account may do")
    for name, text in (
        ("password", "set a new password"),
        ("close", "close an account"),
        ("reopen", "open an account again"),
    ):
        actions.add_parser(name, parents=[where], help=text).add_argument("name", help=_WHOSE)
    code_off = actions.add_parser("code-off", parents=[where], help="turn one-time codes off, when a telephone is lost")
    code_off.add_argument("name", help=_WHOSE)
    role = actions.add_parser("role", parents=[where], help="give another role")
    role.add_argument("name", help=_WHOSE)
    role.add_argument("role", choices=roles, help="what the account may do from now on")
    for action, example in _EXAMPLES.items():
        actions.choices[action].epilog = f"example: sabot users {action} {example}".rstrip()
    parser.epilog = "example: sabot users add ada --role admin --config sabot.toml\n\n" + (
        "The password is asked for; a program may write it to standard input."
    )


def run(args: argparse.Namespace) -> int:
    """0 when it is done, 1 when the account or password is refused, 2 when the accounts cannot be opened."""
    try:
        folder = load(args.config).data
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        vault = Vault(folder / ACCOUNTS)
    except (SettingsError, VaultError, OSError) as error:
        print(f"sabot users: {error}", file=sys.stderr)
        return 2
    try:
        return _act(args, vault)
    except (VaultError, PasswordError) as error:
        print(f"sabot users: {error}", file=sys.stderr)
        return 1
    finally:
        vault.close()


def _act(args: argparse.Namespace, vault: Vault) -> int:
    now = time.time_ns() // 1_000_000
    by = f"console:{getpass.getuser()}"
    match args.action:
        case "list":
            _list(vault, is_json=args.json)
            return 0
        case "add":
            vault.add(args.name, Role(args.role), digest_of(_password(args.name), args.name), by, now)
        case "password":
            vault.set_password(args.name, digest_of(_password(args.name), args.name), by, now)
        case "role":
            vault.set_role(args.name, Role(args.role), by, now)
        case "close" | "reopen":
            vault.set_disabled(args.name, args.action == "close", by, now)
        case "code-off":
            vault.set_totp(args.name, None, by, now)
    print(f"{args.name}: done.")
    return 0


def _password(name: str) -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\n")
    first = getpass.getpass(f"New password for {name}: ")
    if getpass.getpass("The same again: ") != first:
        raise PasswordError("The two passwords differ.")
    return first


def _list(vault: Vault, *, is_json: bool) -> None:
    accounts = vault.accounts()
    if is_json:
        people = [
            {"name": each.name, "role": each.role, "closed": each.is_disabled, "code": each.totp is not None}
            for each in accounts
        ]
        print(json.dumps({"people": people}))
        return
    if not accounts:
        print("There is no account yet: make the first with `sabot users add NAME --role admin`.")
    for each in accounts:
        marks = [mark for mark, holds in (("closed", each.is_disabled), ("one-time codes", each.totp)) if holds]
        print(f"{each.name:<32} {each.role:<14} {', '.join(marks)}".rstrip())
