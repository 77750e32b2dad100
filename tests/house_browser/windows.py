"""Windows of one Chromium before the live house, each with a recorder that was there before the page's own scripts.

The recorder notes, with the browser's own clock: every message of the live line (the page's own, or its part of the one
that all tabs share), the first sight of every alert in the queue and every change of a tile's alerts, and every card
drawn with the coup it was drawn for.
"""

from typing import Any

from house_browser.live_house import LiveHouse
from sabot_gateway.web.accounts.role import Role
from services.driven_chromium import DrivenChromium

RECORDER = """
window.heard = []; window.alertsSeen = {}; window.tileAlerts = []; window.cardsSeen = {}; window.breaches = [];
document.addEventListener("securitypolicyviolation", (each) => window.breaches.push(each.violatedDirective));
window.EventSource = class extends EventSource {
  constructor(...given) {
    super(...given);
    this.addEventListener("changed", (event) => window.heard.push(
      {at: Date.now(), id: Number(event.lastEventId), data: JSON.parse(event.data)}));
  }
};
window.SharedWorker = class extends SharedWorker {
  constructor(...given) {
    super(...given);
    this.port.addEventListener("message", ({data: {kind, news}}) => {
      if (kind === "changed") window.heard.push({at: Date.now(), id: news.last_id, data: news});
    });
  }
};
const alertsOf = (tile) => ["alarm", "warning", "notice"].reduce(
  (sum, each) => sum + Number(tile.querySelector(`[data-field="${each}"]`).textContent), 0);
const known = {};
function look() {
  for (const row of document.querySelectorAll(".alert-row")) window.alertsSeen[row.dataset.id] ??= Date.now();
  for (const tile of document.querySelectorAll(".tile")) {
    const count = alertsOf(tile);
    if (known[tile.dataset.table] !== count) {
      known[tile.dataset.table] = count;
      window.tileAlerts.push({at: Date.now(), table: tile.dataset.table, count});
    }
  }
  const coup = document.querySelector(".table-head .facts span:nth-child(2)")?.textContent.match(/\\d+/)?.[0];
  for (const card of document.querySelectorAll("svg .playing-card:not(.back)")) {
    const key = `${coup} ${card.textContent.replace(/\\s/g, "")}`;
    window.cardsSeen[key] ??= Date.now();
  }
}
document.addEventListener("DOMContentLoaded", () => {
  look();
  new MutationObserver(look).observe(document.body, {subtree: true, childList: true, characterData: true});
});
"""


class Windows:
    def __init__(self, house: LiveHouse, chromium: DrivenChromium) -> None:
        self._house = house
        self.chromium = chromium
        self.driver: Any = chromium.driver  # Selenium's windows and logs have no types
        self.driver.execute_cdp_cmd("Page.enable", {})
        self._first = self.driver.current_window_handle
        self.record()

    def record(self) -> None:
        self.driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": RECORDER})

    def come_in(self, role: Role, language: str = "en", theme: str = "dark") -> None:
        """As somebody of this role; the browser forgets whoever was there before."""
        self.driver.get(f"{self._house.url}/login")
        self.driver.delete_all_cookies()
        for name, value in self._house.browser(role).cookies.items():
            self.driver.add_cookie({"name": name, "value": value})
        for name, value in (("language", language), ("theme", theme)):
            self.driver.add_cookie({"name": name, "value": value})
        self.chromium.complaints()

    def visit(self, path: str) -> None:
        self.driver.get(self._house.url + path)

    def open(self, path: str) -> str:
        """Another window at this page; its handle."""
        self.driver.switch_to.new_window("window")
        self.record()
        self.visit(path)
        handle: str = self.driver.current_window_handle
        return handle

    def text(self, selector: str) -> str:
        return self.chromium.text(selector)

    def value(self, handle: str, name: str) -> Any:
        self.driver.switch_to.window(handle)
        return self.driver.execute_script(f"return window.{name}")

    def close_others(self) -> None:
        for handle in self.driver.window_handles:
            if handle != self._first:
                self.driver.switch_to.window(handle)
                self.driver.close()
        self.driver.switch_to.window(self._first)

    def leave(self) -> None:
        """Looks at no page of the house any more."""
        self.close_others()
        self.driver.get("about:blank")
