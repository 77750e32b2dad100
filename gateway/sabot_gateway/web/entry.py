"""Coming in and going out: login, logout, and the choice of language and theme."""

from typing import Final
from urllib.parse import quote, urlsplit

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from sabot_gateway.settings.shape import Language
from sabot_gateway.web.accounts.door import Entered, Refused
from sabot_gateway.web.forms import read_form
from sabot_gateway.web.gate import cookie_name
from sabot_gateway.web.page import REFUSED, PageError
from sabot_gateway.web.rendering import THEMES, render, site_of

_YEAR_S: Final = 31_536_000


def to_login(request: Request) -> Response:
    """Where somebody goes who has not come in; afterwards he comes back here."""
    wanted = request.url.path + (f"?{request.url.query}" if request.url.query else "")
    return RedirectResponse(f"/login?next={quote(wanted)}", status_code=303)


async def show_login(request: Request) -> Response:
    return _login_page(request, _own_path(request.query_params.get("next", "")), "", 200)


async def log_in(request: Request) -> Response:
    if not request.state.is_own_origin:
        raise PageError(REFUSED, "error.form")
    form = await read_form(request)
    there = _own_path(form.get("next", ""))
    site = site_of(request)
    address = request.client.host if request.client else ""
    name = form.get("name", "").strip().lower()
    answer = await run_in_threadpool(
        site.door.enter, name, form.get("password", ""), form.get("code", "").strip(), address
    )
    if not isinstance(answer, Entered):
        status = 429 if answer.why is Refused.LOCKED else 401
        return _login_page(request, there, f"login.{answer.why}", status, name)
    response = RedirectResponse(there, status_code=303)
    response.set_cookie(cookie_name(site), answer.token, httponly=True, samesite="lax", secure=site.is_tls, path="/")
    return response


async def log_out(request: Request) -> Response:
    visitor, site = request.state.visitor, site_of(request)
    form = await read_form(request)
    if visitor is not None:
        if not request.state.is_own_origin or not visitor.is_own_form(form.get("csrf", "")):
            raise PageError(REFUSED, "error.form")
        site.door.leave(request.cookies[cookie_name(site)])
    response = RedirectResponse("/login", status_code=303)
    response.delete_cookie(cookie_name(site), path="/", secure=site.is_tls, httponly=True, samesite="lax")
    return response


async def choose(request: Request) -> Response:
    """Language and theme are the browser's own: a plain cookie, no account needed."""
    if not request.state.is_own_origin:
        raise PageError(REFUSED, "error.form")
    form = await read_form(request)
    response = RedirectResponse(_own_path(form.get("next", "")), status_code=303)
    if form.get("language") in set(Language):
        response.set_cookie(
            "language", form["language"], max_age=_YEAR_S, samesite="lax", secure=site_of(request).is_tls
        )
    if form.get("theme") in THEMES:
        response.set_cookie("theme", form["theme"], max_age=_YEAR_S, samesite="lax", secure=site_of(request).is_tls)
    return response


def _login_page(request: Request, there: str, error: str, status: int, name: str = "") -> Response:
    data = {"next": there, "error": error, "name": name, "wants_code": error == f"login.{Refused.CODE_WANTED}"}
    return render(request, "login.html", data, status)


def _own_path(path: str) -> str:
    """A path of this site, whatever was asked for: no page sends anybody elsewhere."""
    parts = urlsplit(path)
    is_own = path.startswith("/") and not path.startswith(("//", "/\\")) and not parts.scheme and not parts.netloc
    return path if is_own and "\\" not in path and path.isprintable() else "/"


ROUTES: Final = (
    Route("/login", show_login, methods=["GET"], name="login"),
    Route("/login", log_in, methods=["POST"], name="log_in"),
    Route("/logout", log_out, methods=["POST"], name="log_out"),
    Route("/choose", choose, methods=["POST"], name="choose"),
)
