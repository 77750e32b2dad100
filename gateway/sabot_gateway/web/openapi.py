"""The OpenAPI document of the JSON twins and actions, made from the same declarations as the routes.

A page's `shape` is a TypedDict; its fields become the schema, so the document cannot promise what the type does not.
"""

import types
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

from sabot_gateway.web.page import Action, Field, In, Page

_ERROR: Final = {"type": "object", "properties": {"error": {"type": "string"}}, "required": ["error"]}
_PLAIN: Final = {int: "integer", str: "string", bool: "boolean", float: "number", type(None): "null"}


def document(pages: Sequence[Page], actions: Sequence[Action], site: str) -> dict[str, object]:
    paths: dict[str, object] = {}
    for page in pages:
        twin = "/floor.json" if page.path == "/" else f"{page.path}.json"
        paths[twin] = {"get": _operation(page.name, page.summary, page.right, page.fields, schema_of(page.shape))}
    for action in actions:
        done = {"type": "object", "properties": {"next": {"type": "string"}}, "required": ["next"]}
        paths[action.path] = {"post": _operation(action.name, action.summary, action.right, action.fields, done)}
    return {
        "openapi": "3.1.0",
        "info": {
            "title": f"Sabot, {site}",
            "version": "1",
            "description": "What the surveillance pages show, for programs.",
        },
        "components": {"securitySchemes": {"session": {"type": "apiKey", "in": "cookie", "name": "sabot"}}},
        "security": [{"session": []}],
        "paths": paths,
    }


def _operation(
    name: str, summary: str, right: str, fields: Sequence[Field], schema: Mapping[str, object]
) -> dict[str, object]:
    operation: dict[str, object] = {
        "operationId": name,
        "summary": summary,
        "description": f"Needs the right `{right}`.",
        "parameters": [
            {
                "name": field.name,
                "in": str(field.place),
                "required": field.is_required or field.place is In.PATH,
                "schema": dict(field.schema),
                "description": field.description,
            }
            for field in fields
            if field.place is not In.FORM
        ],
        "responses": {
            "200": {"description": summary, "content": {"application/json": {"schema": dict(schema)}}},
            **{
                status: {"description": text, "content": {"application/json": {"schema": _ERROR}}}
                for status, text in _REFUSALS.items()
            },
        },
    }
    form = [field for field in fields if field.place is In.FORM]
    if form:
        body = {
            "type": "object",
            "properties": {field.name: dict(field.schema) for field in form},
            "required": [field.name for field in form if field.is_required],
        }
        operation["requestBody"] = {"content": {"application/x-www-form-urlencoded": {"schema": body}}}
    return operation


_REFUSALS: Final = {
    "401": "Nobody has logged in.",
    "403": "The role does not allow it, or the form does not belong to this login.",
    "404": "There is no such thing.",
    "413": "The form is too long.",
    "415": "It is no form.",
    "422": "A value is missing or wrong.",
    "503": "The gateway cannot do it now.",
}


def schema_of(shape: Any) -> dict[str, object]:
    """A type of the pages' vocabulary as JSON Schema: TypedDict, list, dict, Literal, union, plain values."""
    origin, inner = get_origin(shape), get_args(shape)
    if is_typeddict(shape):
        hints = get_type_hints(shape)
        return {
            "type": "object",
            "properties": {name: schema_of(hint) for name, hint in hints.items()},
            "required": sorted(shape.__required_keys__),
        }
    if origin in (list, Sequence):
        return {"type": "array", "items": schema_of(inner[0])}
    if origin in (dict, Mapping):
        return {"type": "object", "additionalProperties": schema_of(inner[1])}
    if origin is Literal:
        return {"enum": list(inner)}
    if origin in (Union, types.UnionType):
        return {"anyOf": [schema_of(each) for each in inner]}
    if shape in _PLAIN:
        return {"type": _PLAIN[shape]}
    if shape in (object, Any):
        return {}
    raise TypeError(f"{shape!r} has no place in a page's data")
