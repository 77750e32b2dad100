"""Data into HTML: the templates, and what every one of them may use."""

from collections.abc import Mapping
from typing import Final
from urllib.parse import urlencode

from jinja2 import Environment, PackageLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse

from sabot_gateway.settings.shape import Language
from sabot_gateway.web.accounts.role import Right
from sabot_gateway.web.evidence_word import evidence_word, name_of_spot
from sabot_gateway.web.language import chosen_language, clock_time, date_time, machine_time, money
from sabot_gateway.web.site import Site
from sabot_gateway.web.wording import words_in

THEMES: Final = ("dark", "light")
# Name (a key of the words), address, the right it needs, and the letter that goes there.
MENU: Final = (
    ("floor", "/", Right.LOOK, "f"),
    ("alerts", "/alerts", Right.LOOK, "a"),
    ("coups", "/coups", Right.LOOK, "c"),
    ("statistics", "/statistics", Right.LOOK, "s"),
    ("audit", "/audit", Right.AUDIT, "p"),
    ("devices", "/devices", Right.LOOK, "d"),
    ("people", "/people", Right.MANAGE_PEOPLE, "u"),
)

_TEMPLATES: Final = Environment(
    loader=PackageLoader("sabot_gateway.web"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


def site_of(request: Request) -> Site:
    site: Site = request.state.site
    return site


def language_of(request: Request) -> Language:
    accepted = request.headers.get("accept-language", "")
    return chosen_language(request.cookies.get("language", ""), accepted, site_of(request).language)


def theme_of(request: Request) -> str:
    """Dark unless chosen: the room is dark."""
    chosen = request.cookies.get("theme", "")
    return chosen if chosen in THEMES else THEMES[0]


def _here(request: Request) -> str:
    """Where somebody stands, filters and all, so that a choice of language or theme brings him back there."""
    if request.method != "GET":
        return "/"  # what answers a form is no place to come back to
    query = urlencode([pair for pair in request.query_params.multi_items() if pair[0] != "part"])
    return request.url.path + (f"?{query}" if query else "")


def render(request: Request, template: str, data: Mapping[str, object], status: int = 200) -> HTMLResponse:
    """The page in the language and theme of whoever asked."""
    site, language = site_of(request), language_of(request)
    visitor = request.state.visitor
    body = _TEMPLATES.get_template(template).render(
        data,
        words=words_in(language),
        language=str(language),
        spot_name=lambda spot, game="": name_of_spot(spot, game, language),
        evidence_word=lambda code, name, value, game="": evidence_word(code, name, value, game, language),
        theme=theme_of(request),
        site=site.name,
        menu=MENU,
        visitor=visitor,
        csrf="" if visitor is None else visitor.csrf,
        path=request.url.path,
        here=_here(request),
        may=lambda right: visitor is not None and visitor.may(Right(right)),
        money=lambda cents, game="": money(cents, game, language),
        clock_time=lambda ms: clock_time(ms, site.zone),
        date_time=lambda ms: date_time(ms, site.zone, language),
        machine_time=machine_time,
    )
    return HTMLResponse(body, status_code=status)
