"""The gate every request passes: who is it, may he, did the form come from us, and what the browser is told to refuse.

Pure ASGI, so that live streams pass through unbuffered. A page that changes something is a POST with the session's own
token; a request from another origin is refused whatever it carries.
"""

from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sabot_gateway.web.accounts.door import Visitor
from sabot_gateway.web.site import Site

# Nothing from elsewhere, nothing inline: a card or a name that found its way into a page stays text.
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; media-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
HEADERS: Final = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",  # with none at all a browser would also hide the origin of our own forms
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=()",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
LIVE: Final = "/live"
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})


class Gate:
    def __init__(self, app: ASGIApp, site: Site) -> None:
        self._app = app
        self._site = site

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        scope["state"] = {
            "cookie": cookie_name(self._site),
            **scope.get("state", {}),
            "site": self._site,
            "visitor": self._visitor(Request(scope)),
            "is_own_origin": scope["method"] in _SAFE or _is_own_origin(Headers(scope=scope)),
        }

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if self._site.is_tls:
                    headers.setdefault("strict-transport-security", "max-age=31536000")
                # Pages show play: no cache keeps them. Static files say otherwise for themselves.
                headers.setdefault("cache-control", "no-store")
            await send(message)

        await self._app(scope, receive, send_with_headers)

    def _visitor(self, request: Request) -> Visitor | None:
        token = request.cookies.get(cookie_name(self._site))
        is_present = request.url.path != LIVE and "part" not in request.query_params  # these a page asks for by itself
        return self._site.door.visitor(token, is_present=is_present) if token else None


def cookie_name(site: Site) -> str:
    """Under TLS the browser itself keeps the cookie to this host and to encrypted connections."""
    return "__Host-sabot" if site.is_tls else "sabot"


def _is_own_origin(headers: Headers) -> bool:
    fetched = headers.get("sec-fetch-site")
    if fetched is not None and fetched not in ("same-origin", "none"):
        return False
    origin = headers.get("origin")
    return origin is None or urlsplit(origin).netloc == headers.get("host")
