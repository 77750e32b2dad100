"""JSON twins held against the OpenAPI document that promises them: nothing missing, nothing else, nothing more."""

from typing import Any

import jsonschema_rs

from sabot_gateway.web.accounts.role import Role
from web.web_stage import Stage


def wrong_in_twin(house: Stage, path: str, operation: str) -> list[str]:
    """What differs between the twin at `path` and its schema, with unpromised names counted as differences."""
    browser = house.browser(Role.INVESTIGATOR)
    document: Any = browser.get("/openapi.json").json()
    promised = next(
        entry["get"]["responses"]["200"]["content"]["application/json"]["schema"]
        for entry in document["paths"].values()
        if entry.get("get", {}).get("operationId") == operation
    )
    answer = browser.get(path)
    assert answer.status == 200, answer.body[:300]
    validator = jsonschema_rs.Draft202012Validator(_closed(promised))
    return [str(error) for error in validator.iter_errors(answer.json())]


def _closed(schema: Any) -> Any:
    """The schema with every described object closed."""
    if isinstance(schema, list):
        return [_closed(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    closed = {key: _closed(value) for key, value in schema.items()}
    if "properties" in closed:
        closed["additionalProperties"] = False
    return closed
