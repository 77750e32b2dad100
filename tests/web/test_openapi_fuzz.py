"""The JSON twins and actions, asked by a machine that tries everything: no 5xx, and answers as the document says."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from sabot_gateway.journal.quarantine import Refusal
from sabot_gateway.journal.record import Owner
from sabot_gateway.runtime.desk import DeviceStatus
from sabot_gateway.web.accounts.role import Role
from sabot_gateway.web.openapi import document
from sabot_gateway.web.pages import ACTIONS, PAGES
from web.web_stage import Stage, now_ms, played, stage

SCHEMA = schemathesis.openapi.from_dict(json.loads(json.dumps(document(PAGES, ACTIONS, "cannes"))))
OPERATIONS = {each.ok().label: each.ok() for each in SCHEMA.get_all_operations() if isinstance(each, Ok)}
# Ends the session, or one's own account: it has tests of its own.
LEFT_OUT = {"POST /account/password", "POST /account/code"}


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with stage(tmp_path_factory.mktemp("house")) as running:
        running.desk.record("t1", "tcf-overpaid")
        running.desk.put("t2", played("the-two-side-pots", 6))
        running.desk.known.append(DeviceStatus("d1", "t1", "table", "online", firmware="0.1.0", digest="ab" * 32))
        running.site.journal.quarantine(Owner("g"), 1, [Refusal("topic", "x", b"\x00", now_ms())]).result(60)
        running.site.views.catch_up(running.site.journal)
        yield running


KNOWN = {"table": "t1", "device": "d1", "number": 1, "id": 1, "name": "viewer"}
CHECKS = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]


def test_nothing_is_left_out_of_the_document_but_what_has_tests_of_its_own() -> None:
    assert len(OPERATIONS) == len(PAGES) + len(ACTIONS)
    assert set(OPERATIONS) >= LEFT_OUT


@pytest.mark.slow
@pytest.mark.parametrize("label", sorted(set(OPERATIONS) - LEFT_OUT))
def test_whatever_is_asked_is_answered_as_the_document_says(house: Stage, label: str) -> None:
    admin = house.browser(Role.ADMIN)
    headers = {"accept": "application/json", "x-csrf": admin.csrf()}

    @settings(
        max_examples=15,
        deadline=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
        database=None,
    )
    @given(case=OPERATIONS[label].as_strategy(), is_known=st.booleans())
    def ask(case: schemathesis.Case[Any], is_known: bool) -> None:
        if is_known:  # a name that is there reaches further than a name that is not
            case.path_parameters = {name: KNOWN[name] for name in case.path_parameters or {}}
        answer = case.call(base_url=house.url, cookies=admin.cookies, headers=headers, allow_redirects=False)
        case.validate_response(answer, checks=CHECKS)

    ask()


def test_a_stranger_learns_nothing_from_any_of_them(house: Stage) -> None:
    stranger = house.browser()
    for page in PAGES:
        twin = "/floor.json" if page.path == "/" else f"{page.path}.json"
        assert stranger.get(twin.format(**KNOWN)).status == 401
    for action in ACTIONS:
        path = action.path.format(**KNOWN)
        assert stranger.post(path, {"csrf": "x"}, accept="application/json").status == 401
