"""What a page is: a path, the right it needs, a function from request to data, and a template.

From one `Page` come the HTML route, its `.json` twin and its entry in the OpenAPI document, so the three cannot
differ. An `Action` is a POST: it is journaled by whoever it calls, and ends in a redirect (or 204 for programs).
"""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from starlette.requests import Request

from sabot_gateway.web.accounts.role import Right

Data = Mapping[str, object]


class In(StrEnum):
    PATH = "path"
    QUERY = "query"
    FORM = "form"


@dataclass(frozen=True, slots=True)
class Field:
    """One value that a page or action takes, as the OpenAPI document describes it."""

    name: str
    place: In
    schema: Mapping[str, object]
    is_required: bool = False
    description: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """`load` gives plain data for both template and JSON; `shape` is a TypedDict that describes it."""

    path: str  # "/tables/{table}"
    name: str
    right: Right
    load: Callable[[Request], Awaitable[Data]]
    template: str
    shape: type
    summary: str
    fields: tuple[Field, ...] = ()
    part: str = ""  # the template of what changes while somebody looks, asked for by `?part=1`


@dataclass(frozen=True, slots=True)
class Action:
    """`act` does it and returns the address to go to next."""

    path: str
    name: str
    right: Right
    act: Callable[[Request, Mapping[str, str]], Awaitable[str]]
    summary: str
    fields: tuple[Field, ...] = field(default=())


class PageError(Exception):
    """Why a page or action cannot be given: an HTTP status and a key of the pages' words."""

    def __init__(self, status: int, key: str, **values: object) -> None:
        super().__init__(key)
        self.status = status
        self.key = key
        self.values = values


NOT_FOUND = 404
REFUSED = 403
WRONG = 422
BUSY = 503
