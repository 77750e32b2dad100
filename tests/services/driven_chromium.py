"""A real Chromium that a test drives: one process for the run, a clean profile, cookies wiped between tests."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.common.exceptions import NoSuchElementException, StaleElementReferenceException
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import WebDriverWait

PATIENCE_S = 60  # the machine may be busy; a condition that never comes true fails all the same
REDRAWN = (NoSuchElementException, StaleElementReferenceException)  # a live page drew it anew: look again


class DrivenChromium:
    """The driver, and the few things that every test of a page does with it."""

    def __init__(self, folder: Path) -> None:
        program, driver = shutil.which("chromium"), shutil.which("chromedriver")
        assert program, "Chromium is missing: run setup/system.sh."
        assert driver, "chromedriver is missing: run setup/system.sh."
        options = webdriver.ChromeOptions()
        options.binary_location = program
        for flag in (
            "--headless=new",
            "--no-sandbox",  # the tests may run as root, where Chromium's sandbox cannot start
            "--disable-gpu",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            "--no-first-run",
            "--hide-scrollbars",
            "--window-size=1500,1000",
            "--autoplay-policy=no-user-gesture-required",
            f"--user-data-dir={folder / 'profile'}",
        ):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))

    def visit(self, url: str, cookies: dict[str, str], path: str) -> None:
        """The page at `path` as somebody with these cookies sees it."""
        self.driver.get(f"{url}/login")
        self.driver.delete_all_cookies()
        self.complaints()  # of whatever page it left, whose server may be gone
        for name, value in cookies.items():
            self.driver.add_cookie({"name": name, "value": value, "path": "/"})
        self.driver.get(f"{url}{path}")

    def one(self, selector: str) -> WebElement:
        found: WebElement = self.driver.find_element("css selector", selector)
        return found

    def all(self, selector: str) -> list[WebElement]:
        return list(self.driver.find_elements("css selector", selector))

    def until(self, condition: Callable[[], object]) -> None:
        """Waits for a condition, looking often; what a page is just drawing anew is looked at once more."""
        wait = WebDriverWait(self.driver, PATIENCE_S, poll_frequency=0.05, ignored_exceptions=REDRAWN)
        wait.until(lambda _: condition())

    def text(self, selector: str) -> str:
        """What is to be read there, in one look: a live page may draw it anew at any moment."""
        found: str = self.driver.execute_script(
            "return document.querySelector(arguments[0])?.innerText ?? ''", selector
        )
        return found

    def complaints(self) -> list[str]:
        """What the browser complained about since it was last asked: errors of scripts, refusals of the policy."""
        driver: Any = self.driver  # Selenium gives this method no types
        return [str(entry["message"]) for entry in driver.get_log("browser") if entry["level"] == "SEVERE"]

    def stop(self) -> None:
        self.driver.quit()
