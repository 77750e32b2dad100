"""How a test moves about in the browser: who comes in, in which language and theme, and what it waits for."""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from selenium.webdriver import Chrome

from sabot_gateway.web.accounts.role import Role
from services.driven_chromium import REDRAWN
from web.web_stage import Stage

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "build" / "screenshots"
AXE = ROOT / ".tools" / "axe" / "node_modules" / "axe-core" / "axe.min.js"
PATIENCE_S = 60.0
_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


def come_in(browser: Chrome, house: Stage, role: Role, url: str = "") -> None:
    """As somebody of this role; the browser forgets whoever was there before."""
    browser.get(f"{url or house.url}/login")
    browser.delete_all_cookies()
    for name, value in house.browser(role).cookies.items():
        browser.add_cookie({"name": name, "value": value})


def choose(browser: Chrome, language: str, theme: str) -> None:
    browser.add_cookie({"name": "language", "value": language})
    browser.add_cookie({"name": "theme", "value": theme})


def violations(browser: Chrome) -> list[str]:
    """What axe finds against WCAG 2.2 A and AA on the page as it stands, one line each."""
    browser.execute_script(AXE.read_text("utf-8"))
    found: list[dict[str, Any]] = browser.execute_async_script(
        "const done = arguments[arguments.length - 1];"
        "axe.run(document, {runOnly: {type: 'tag', values: arguments[0]}}).then(r => done(r.violations));",
        _RULES,
    )
    return [
        f"{each['impact']} {each['id']}: {node['html'][:120]} ({node.get('failureSummary', '')[:200]})"
        for each in found
        for node in each["nodes"][:3]
    ]


def complaints(browser: Chrome) -> list[str]:
    """What the browser itself complained of since the last look: errors of scripts, and breaches of the policy."""
    said: list[dict[str, str]] = browser.execute("getLog", {"type": "browser"})["value"]
    return [each["message"] for each in said if each["level"] == "SEVERE"]


def eventually(is_so: Callable[[], object], what: str) -> None:
    """Looks until it is so; an element that the page just draws anew is looked for once more."""
    until = time.monotonic() + PATIENCE_S
    while not _is(is_so):
        assert time.monotonic() < until, f"it never came about that {what}"
        time.sleep(0.02)


def _is(is_so: Callable[[], object]) -> bool:
    try:
        return bool(is_so())
    except REDRAWN:
        return False
