"""The gate: who comes in, what a form must carry, what a browser is told to refuse."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sabot_gateway.web.accounts.role import RIGHTS, Role
from sabot_gateway.web.pages import ACTIONS, PAGES
from web.web_stage import Browser, Stage, played, stage


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with stage(tmp_path_factory.mktemp("gate")) as running:
        running.desk.put("t1", played("tcf-seven-players"))
        yield running


def test_a_stranger_is_sent_to_the_login_and_back_to_where_he_wanted(house: Stage) -> None:
    browser = house.browser()
    answer = browser.get("/tables/t1?x=1")
    assert (answer.status, answer.headers["location"]) == (303, "/login?next=/tables/t1%3Fx%3D1")
    entered = browser.post("/login", {"name": "viewer", "password": "seven green chips", "next": "/tables/t1?x=1"})
    assert (entered.status, entered.headers["location"]) == (303, "/tables/t1?x=1")
    assert browser.get("/tables/t1").status == 200


@pytest.mark.parametrize(
    "there", ["https://elsewhere.example/", "//elsewhere.example", "/\\elsewhere.example", "javascript:x", ""]
)
def test_nobody_is_sent_elsewhere_after_the_login(house: Stage, there: str) -> None:
    answer = house.browser().post("/login", {"name": "viewer", "password": "seven green chips", "next": there})
    assert answer.headers["location"] == "/"


def test_programs_get_a_status_and_a_sentence(house: Stage) -> None:
    answer = house.browser().get("/tables/t1.json")
    assert (answer.status, answer.json()) == (401, {"error": "Log in first."})


def test_the_cookie_is_for_the_server_alone(house: Stage) -> None:
    cookie = house.browser().log_in("viewer").headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie


def test_under_tls_the_cookie_never_leaves_the_encrypted_line(tmp_path: Path) -> None:
    with stage(tmp_path, is_tls=True) as running:
        answer = running.browser().log_in("viewer")
        cookie = answer.headers["set-cookie"]
        assert cookie.startswith("__Host-sabot=")
        assert "Secure" in cookie
        assert answer.headers["strict-transport-security"].startswith("max-age=")


def test_every_answer_tells_the_browser_what_to_refuse(house: Stage) -> None:
    for path in ("/login", "/tables/t1.json", "/nothing", "/healthz", "/openapi.json"):
        headers = house.browser(Role.VIEWER).get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"], path
        assert "unsafe" not in headers["content-security-policy"], path
        assert headers["x-content-type-options"] == "nosniff", path
        assert headers["x-frame-options"] == "DENY", path
        assert headers["cache-control"] == "no-store", path


def test_a_form_without_the_sessions_token_or_from_another_origin_does_nothing(house: Stage) -> None:
    admin = house.browser(Role.ADMIN)
    form = {"name": "mallory", "role": "admin", "password": "seven green chips"}
    host = str(house.address)
    refused = (
        admin.post("/people", form),
        admin.post("/people", form | {"csrf": house.browser(Role.ADMIN).csrf()}),
        admin.post("/people", form | {"csrf": admin.csrf()}, origin="https://elsewhere.example"),
        admin.post("/people", form | {"csrf": admin.csrf()}, sec_fetch_site="cross-site"),
    )
    assert [answer.status for answer in refused] == [403] * 4
    assert house.site.vault.account("mallory") is None
    done = admin.post("/people", form | {"csrf": admin.csrf()}, origin=f"http://{host}", sec_fetch_site="same-origin")
    assert done.status == 303
    assert house.site.vault.account("mallory") is not None


@pytest.mark.parametrize("role", Role)
def test_each_role_sees_the_pages_of_its_rights_and_no_other(house: Stage, role: Role) -> None:
    browser = house.browser(role)
    for page in PAGES:
        path = page.path.replace("{table}", "t1") if page.path != "/" else "/floor"
        if "{" in path:
            continue
        status = browser.get(f"{path}.json").status
        assert (status != 403) == (page.right in RIGHTS[role]), (role, page.path, status)


@pytest.mark.parametrize("role", Role)
def test_each_role_may_do_the_actions_of_its_rights_and_no_other(house: Stage, role: Role) -> None:
    """Without the session's token nothing is done; whose role forbids it hears that first."""
    browser = house.browser(role)
    for action in ACTIONS:
        path = (
            action.path.replace("{table}", "t1")
            .replace("{name}", "nobody")
            .replace("{number}", "1")
            .replace("{device}", "d1")
        )
        said = browser.post(path, {"csrf": "wrong"}, accept="application/json").json()
        expected = (
            "This form is not from your session" if action.right in RIGHTS[role] else "Your role does not allow this"
        )
        assert isinstance(said, dict)
        assert said["error"].startswith(expected), (role, action.path, said)


def test_a_form_that_is_too_long_or_no_form_is_refused_in_a_sentence(house: Stage) -> None:
    browser = house.browser(Role.ADMIN)
    assert browser.post("/people", {"name": "x" * 20_000}).status == 413
    assert browser.post("/people", {"name": "x"}, content_type="application/json").status == 415
    assert browser.post("/login", {"name": "x" * 20_000}).status == 413


def test_language_and_theme_are_chosen_by_cookie_or_browser(house: Stage) -> None:
    browser = house.browser()
    assert 'lang="fr"' in browser.get("/login", accept_language="de, fr;q=0.8, en;q=0.5").body
    assert 'lang="en"' in browser.get("/login", accept_language="xx").body
    chosen = browser.post("/choose", {"language": "fr", "theme": "light", "next": "/login"})
    assert chosen.headers["location"] == "/login"
    browser.cookies |= {"language": "fr", "theme": "light"}
    page = browser.get("/login").body
    assert 'lang="fr" data-theme="light"' in page
    assert "Connexion" in page


def test_a_logout_ends_the_session_at_once(house: Stage) -> None:
    browser = house.browser(Role.VIEWER)
    kept = dict(browser.cookies)
    assert browser.post("/logout", {"csrf": "wrong"}).status == 403
    assert browser.post("/logout", {"csrf": browser.csrf()}).status == 303
    browser.cookies = kept
    assert browser.get("/account").status == 303


def test_wrong_passwords_lock_the_name(house: Stage) -> None:
    browser = Browser(house.address)
    assert [browser.log_in("technician", "wrong").status for _ in range(5)] == [401, 401, 401, 401, 429]
    assert browser.log_in("technician").status == 429


def test_an_unknown_table_is_a_sentence_in_both_forms(house: Stage) -> None:
    browser = house.browser(Role.VIEWER)
    page = browser.get("/tables/none")
    assert page.status == 404
    assert "Table none is not, or no longer, in this gateway" in page.body
    answer = browser.get("/tables/none.json").json()
    assert isinstance(answer, dict)
    assert answer["error"].startswith("Table none is not, or no longer, in this gateway's settings.")
