"""Accounts: who may come in and as what; and one's own password and one-time codes.

Every change is made in the vault, which keeps it for the journal under the name of whoever asked for it.
"""

from collections.abc import Callable, Mapping
from typing import Final, TypedDict

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request

from sabot_gateway.web.accounts.password import PasswordError, digest_of, is_password
from sabot_gateway.web.accounts.role import Right, Role
from sabot_gateway.web.accounts.totp import address_of, matching_step, new_secret
from sabot_gateway.web.accounts.vault import Vault, VaultError
from sabot_gateway.web.page import REFUSED, WRONG, Action, Data, Field, In, Page, PageError
from sabot_gateway.web.rendering import site_of

Change = Callable[[Vault, str, int], None]  # of the vault, by whom, when


class Person(TypedDict):
    name: str
    role: str
    is_disabled: bool
    has_code: bool
    made_ms: int


class People(TypedDict):
    people: list[Person]
    roles: list[str]


class OwnAccount(TypedDict):
    name: str
    role: str
    has_code: bool
    new_secret: str
    secret_address: str


async def load_people(request: Request) -> Data:
    accounts = await run_in_threadpool(site_of(request).vault.accounts)
    people: list[Person] = [
        {
            "name": each.name,
            "role": str(each.role),
            "is_disabled": each.is_disabled,
            "has_code": each.totp is not None,
            "made_ms": each.made_ms,
        }
        for each in accounts
    ]
    return {"people": people, "roles": [str(role) for role in Role]}


async def load_account(request: Request) -> Data:
    """Offers a fresh secret for an authenticator app; it counts only once a code of it comes back."""
    site, visitor = site_of(request), request.state.visitor
    account = await run_in_threadpool(site.vault.account, visitor.name)
    secret = new_secret()
    return {
        "name": visitor.name,
        "role": str(visitor.role),
        "has_code": account is not None and account.totp is not None,
        "new_secret": secret,
        "secret_address": address_of(secret, visitor.name, site.name),
    }


async def add_person(request: Request, form: Mapping[str, str]) -> str:
    name, role = form.get("name", "").strip(), _role(form)
    await _change(request, lambda vault, by, now: vault.add(name, role, digest_of(_password(form), name), by, now))
    return "/people"


async def change_role(request: Request, form: Mapping[str, str]) -> str:
    name, role = _other(request), _role(form)
    await _change(request, lambda vault, by, now: vault.set_role(name, role, by, now))
    return "/people"


async def reset_password(request: Request, form: Mapping[str, str]) -> str:
    """A new password and no one-time code: both may be lost with one telephone."""
    name = _other(request)

    def reset(vault: Vault, by: str, now: int) -> None:
        vault.set_password(name, digest_of(_password(form), name), by, now)
        vault.set_totp(name, None, by, now)

    await _change(request, reset)
    return "/people"


async def disable(request: Request, form: Mapping[str, str]) -> str:
    name = _other(request)
    is_disabled = form.get("disabled") == "yes"
    await _change(request, lambda vault, by, now: vault.set_disabled(name, is_disabled, by, now))
    return "/people"


async def change_own_password(request: Request, form: Mapping[str, str]) -> str:
    name = request.state.visitor.name

    def change(vault: Vault, by: str, now: int) -> None:
        account = vault.account(name)
        if account is None or not is_password(account.password, form.get("old", "")):
            raise PageError(REFUSED, "people.old_wrong")
        vault.set_password(name, digest_of(_password(form), name), by, now)

    await _change(request, change)
    return "/login"


async def change_own_code(request: Request, form: Mapping[str, str]) -> str:
    """On with a secret and a code of it; off with an empty secret. Either way with the password."""
    name, secret = request.state.visitor.name, form.get("secret", "")

    def change(vault: Vault, by: str, now: int) -> None:
        account = vault.account(name)
        if account is None or not is_password(account.password, form.get("old", "")):
            raise PageError(REFUSED, "people.old_wrong")
        if secret and _step(secret, form.get("code", ""), now) is None:
            raise PageError(WRONG, "people.code_wrong")
        vault.set_totp(name, secret or None, by, now)

    await _change(request, change)
    return "/login"


def _step(secret: str, code: str, now_ms: int) -> int | None:
    try:
        return matching_step(secret, code.strip(), now_ms, after=0)
    except ValueError:
        return None


async def _change(request: Request, change: Change) -> None:
    site = site_of(request)
    try:
        await run_in_threadpool(change, site.vault, request.state.visitor.name, site.clock_ms())
    except VaultError as error:
        raise PageError(WRONG, "people.vault", why=error) from error
    except PasswordError as error:
        raise PageError(WRONG, "people.password_weak") from error


def _other(request: Request) -> str:
    """The person the address names. Nobody takes away his own rights: one administrator always remains."""
    name: str = request.path_params["name"]
    if name == request.state.visitor.name:
        raise PageError(WRONG, "people.self")
    return name


def _role(form: Mapping[str, str]) -> Role:
    try:
        return Role(form.get("role", ""))
    except ValueError as error:
        raise PageError(WRONG, "people.role_unknown") from error


def _password(form: Mapping[str, str]) -> str:
    return form.get("password", "")


_NAME: Final = Field("name", In.PATH, {"type": "string", "maxLength": 64})
_NEW: Final = Field("password", In.FORM, {"type": "string", "maxLength": 256}, is_required=True)
_OLD: Final = Field("old", In.FORM, {"type": "string", "maxLength": 256}, is_required=True)
_ROLE: Final = Field("role", In.FORM, {"enum": [str(role) for role in Role]}, is_required=True)

PAGES: Final = (
    Page("/people", "people", Right.MANAGE_PEOPLE, load_people, "people.html", People, "Every account."),
    Page("/account", "account", Right.LOOK, load_account, "account.html", OwnAccount, "One's own account."),
)
ACTIONS: Final = (
    Action(
        "/people",
        "add_person",
        Right.MANAGE_PEOPLE,
        add_person,
        "Makes an account.",
        (Field("name", In.FORM, {"type": "string", "maxLength": 32}, is_required=True), _ROLE, _NEW),
    ),
    Action(
        "/people/{name}/role", "change_role", Right.MANAGE_PEOPLE, change_role, "Gives another role.", (_NAME, _ROLE)
    ),
    Action(
        "/people/{name}/password",
        "reset_password",
        Right.MANAGE_PEOPLE,
        reset_password,
        "Sets a new password and turns one-time codes off.",
        (_NAME, _NEW),
    ),
    Action(
        "/people/{name}/disabled",
        "disable_person",
        Right.MANAGE_PEOPLE,
        disable,
        "Closes or reopens an account.",
        (_NAME, Field("disabled", In.FORM, {"enum": ["yes", "no"]}, is_required=True)),
    ),
    Action(
        "/account/password",
        "own_password",
        Right.LOOK,
        change_own_password,
        "Changes one's own password.",
        (_OLD, _NEW),
    ),
    Action(
        "/account/code",
        "own_code",
        Right.LOOK,
        change_own_code,
        "Turns one's own one-time codes on or off.",
        (
            _OLD,
            Field("secret", In.FORM, {"type": "string", "maxLength": 64}),
            Field("code", In.FORM, {"type": "string", "maxLength": 6}),
        ),
    ),
)
