"""The web application: every page, its JSON twin, every action, the live stream and the static files, behind the gate.

Owns how a `Page` or an `Action` becomes a route, and what a visitor without the right to it gets. Pages themselves
live in `pages/`.
"""

from functools import partial
from importlib.resources import as_file, files
from typing import Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from sabot_gateway.runtime.desk import DeskError, DeskErrorCode
from sabot_gateway.web import entry, health, live
from sabot_gateway.web.forms import read_form
from sabot_gateway.web.gate import Gate
from sabot_gateway.web.openapi import document
from sabot_gateway.web.page import BUSY, NOT_FOUND, REFUSED, WRONG, Action, Page, PageError
from sabot_gateway.web.pages import ACTIONS, PAGES, statistics
from sabot_gateway.web.rendering import language_of, render
from sabot_gateway.web.site import Site
from sabot_gateway.web.wording import words_in

_DESK_STATUS: Final = {
    DeskErrorCode.UNKNOWN_TABLE: NOT_FOUND,
    DeskErrorCode.UNKNOWN_DEVICE: NOT_FOUND,
    DeskErrorCode.NOT_OWNED: BUSY,
    DeskErrorCode.INVALID: WRONG,
    DeskErrorCode.NOT_WRITTEN: BUSY,
    DeskErrorCode.STOPPING: BUSY,
}


def build_application(site: Site) -> Starlette:
    """The application for one gateway."""
    with as_file(files("sabot_gateway.web").joinpath("static")) as static:
        routes: list[BaseRoute] = [
            *health.routes(site.desk, site.metrics),
            *entry.ROUTES,
            *live.ROUTES,
            *statistics.ROUTES,
            Route("/openapi.json", _openapi, name="openapi"),
            *(route for page in PAGES for route in _page_routes(page)),
            *(Route(action.path, partial(_act, action), methods=["POST"], name=action.name) for action in ACTIONS),
            Mount("/static", StaticFiles(directory=static), name="static"),
        ]
        return Starlette(
            routes=routes,
            middleware=[Middleware(Gate, site=site)],
            exception_handlers={PageError: _page_error, HTTPException: _http_error, DeskError: _desk_error},
            lifespan=live.lifespan(site),
        )


def _page_routes(page: Page) -> tuple[Route, Route]:
    """The `.json` twin first: its suffix must not be taken for part of a name."""
    twin = "/floor.json" if page.path == "/" else f"{page.path}.json"
    return (
        Route(twin, partial(_show, page, True), name=f"{page.name}.json"),
        Route(page.path, partial(_show, page, False), name=page.name),
    )


async def _show(page: Page, is_json: bool, request: Request) -> Response:
    refused = _refusal(request, page.right, is_json)
    if refused is not None:
        return refused
    request.state.is_json = is_json
    data = await page.load(request)
    if is_json:
        return JSONResponse(data)
    is_part = page.part and "part" in request.query_params
    return render(request, page.part if is_part else page.template, data)


async def _act(action: Action, request: Request) -> Response:
    is_json = _wants_json(request)
    request.state.is_json = is_json
    refused = _refusal(request, action.right, is_json)
    if refused is not None:
        return refused
    form = await read_form(request)
    token = request.headers.get("x-csrf") or form.get("csrf", "")
    if not request.state.is_own_origin or not request.state.visitor.is_own_form(token):
        raise PageError(REFUSED, "error.form")
    there = await action.act(request, form)
    return JSONResponse({"next": there}) if is_json else RedirectResponse(there, status_code=303)


def _refusal(request: Request, right: str, is_json: bool) -> Response | None:
    visitor = request.state.visitor
    if visitor is None:
        if is_json:
            return JSONResponse({"error": words_in(language_of(request))("error.login")}, status_code=401)
        return entry.to_login(request)
    if not visitor.may(right):
        raise PageError(REFUSED, "error.right")
    return None


def _wants_json(request: Request) -> bool:
    return "application/json" in request.headers.get("accept", "")


async def _openapi(request: Request) -> Response:
    return JSONResponse(document(PAGES, ACTIONS, request.state.site.name))


# What goes wrong, as a page or as JSON.


def _error(request: Request, status: int, text: str) -> Response:
    path = request.url.path
    if getattr(request.state, "is_json", False) or path.endswith(".json") or _wants_json(request):
        return JSONResponse({"error": text}, status_code=status)
    return render(request, "error.html", {"status": status, "text": text}, status)


async def _page_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, PageError)
    return _error(request, error.status, words_in(language_of(request))(error.key, **error.values))


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    words = words_in(language_of(request))
    key = f"error.http_{error.status_code}"
    return _error(request, error.status_code, words(key) if key in words else words("error.http"))


async def _desk_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, DeskError)
    text = words_in(language_of(request))(f"error.desk_{error.code}")
    return _error(request, _DESK_STATUS[error.code], text)
