"""Forms as they come in: bounded, of one kind, texts only."""

from collections.abc import Mapping
from typing import Final
from urllib.parse import parse_qsl

from starlette.requests import Request

from sabot_gateway.web.page import WRONG, PageError

MOST_BYTES: Final = 16_384  # a reason is a few sentences
_MOST_FIELDS: Final = 50


async def read_form(request: Request) -> Mapping[str, str]:
    """The form's texts; one that is too long or no form is an error of the sender's."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip()
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > MOST_BYTES:
            raise PageError(413, "error.too_long")
    if not body:
        return {}
    if kind != "application/x-www-form-urlencoded":
        raise PageError(415, "error.form_kind")
    try:
        pairs = parse_qsl(body.decode(), keep_blank_values=True, strict_parsing=True, max_num_fields=_MOST_FIELDS)
    except ValueError as error:
        raise PageError(WRONG, "error.form_kind") from error
    return dict(pairs)
