"""Somebody who reads everything the gateway shows, all the time, and notes each card with the moment he saw it.

Owns the reading: live lines, JSON twins, pages as the browser gets them. What is allowed is `open_cards`' to say. He
may do what an administrator may; nobody but an investigator may open what is sealed.
"""

import json
import re
import threading
from collections.abc import Iterator
from http.client import HTTPException
from typing import Any, NamedTuple

from house_browser.live_house import LiveHouse
from house_browser.open_cards import now_ms
from sabot_gateway.web.accounts.role import Role
from web.web_stage import Browser

PAUSE_S = 0.2
_FACE = re.compile(r"[2-9TJQKA][cdhs]")
_DRAWN = re.compile(r'<text [^>]*>(10|[2-9JQKA])</text><text class="suit"[^>]*>(.)</text>')
_SUITS = {"♣": "c", "♦": "d", "♥": "h", "♠": "s"}
GENERAL = ("/floor.json", "/alerts.json", "/coups.json", "/statistics.json", "/devices.json", "/audit.json", "/metrics")


class Seen(NamedTuple):
    """A card, where it was shown, and when."""

    at_ms: int
    where: str
    table: str
    coup: int
    face: str


def face_of(rank: str, suit: str) -> str:
    return ("T" if rank == "10" else rank) + _SUITS[suit]


class Watcher:
    def __init__(self, house: LiveHouse) -> None:
        self._house = house
        self._browser = Browser(house.web)
        self._browser.cookies = dict(house.browser(Role.ADMIN).cookies)
        self._tags = {card.hex() for card in _tags(house)}
        self._is_over = False
        self.seen: list[Seen] = []
        self._known: set[tuple[str, str, int, str]] = set()
        self.texts: dict[str, int] = {}  # how often each place was read
        self.tags_shown: set[str] = set()
        self._threads = [threading.Thread(target=self._ask, daemon=True)]
        for name in house.tables.values():
            self._threads.append(threading.Thread(target=self._follow, args=(name,), daemon=True))
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        self._is_over = True
        for thread in self._threads:
            thread.join(60)

    def _follow(self, table: str) -> None:
        """One table's live line."""
        try:
            with self._browser.stream(f"/live?table={table}") as answer:
                while not self._is_over:
                    line = answer.readline()
                    at_ms = now_ms()
                    if not line:
                        return
                    if line.startswith(b'data: {"view"'):
                        text = line[6:].decode()
                        view = json.loads(text)["view"]
                        self._note("live", text, table, _number(view), _faces(view), at_ms)
        except (OSError, HTTPException):
            return  # the gateway was killed: that is another test's business

    def _ask(self) -> None:
        while not self._is_over:
            for table in self._house.tables.values():
                if self._is_over:
                    return
                try:
                    self._look_at(table)
                except (OSError, HTTPException):
                    return
                threading.Event().wait(PAUSE_S)
            for path in GENERAL:
                try:
                    self._read_general(path)
                except (OSError, HTTPException):
                    return

    def _look_at(self, table: str) -> None:
        number = 0
        answer = self._browser.get(f"/tables/{table}.json")
        at_ms = now_ms()
        if answer.status == 200:
            data: Any = answer.json()
            number = _number(data["view"])
            self._note("table.json", answer.body, table, number, _faces(data), at_ms)
        page = self._browser.get(f"/tables/{table}?part=1")
        at_ms = now_ms()
        found = re.search(r"<span>Coup (\d+):", page.body)
        if page.status == 200 and found:
            self._note("table", page.body, table, int(found[1]), _drawn(page.body), at_ms)
        for coup in {number, max(number - 1, 1)}:
            for path in (f"/tables/{table}/coups/{coup}.json", f"/tables/{table}/coups/{coup}"):
                recall = self._browser.get(path)
                at_ms = now_ms()
                if recall.status == 200:
                    faces = _faces(recall.json()) if path.endswith("json") else _drawn(recall.body)
                    where = "recall.json" if path.endswith("json") else "recall"
                    self._note(where, recall.body, table, coup, faces, at_ms)

    def _read_general(self, path: str) -> None:
        answer = self._browser.get(path)
        at_ms = now_ms()
        if answer.status == 200:
            faces = _faces(answer.json()) if path.endswith(".json") else iter(())
            self._note(path, answer.body, "", 0, faces, at_ms)

    def _note(self, where: str, text: str, table: str, coup: int, faces: Iterator[str], at_ms: int) -> None:
        self.texts[where] = self.texts.get(where, 0) + 1
        for face in faces:
            if (where, table, coup, face) not in self._known:
                self._known.add((where, table, coup, face))
                self.seen.append(Seen(at_ms, where, table, coup, face))
        lower = text.lower()
        self.tags_shown |= {tag for tag in self._tags if tag in lower}


def _tags(house: LiveHouse) -> Iterator[bytes]:
    return (bytes.fromhex(tag) for tag in house.settings.registers.cards)


def _number(view: Any) -> int:
    return int(view["coup"]["number"]) if "coup" in view else 0


def _faces(data: Any) -> Iterator[str]:
    """Every card in plain data, wherever it stands, as a value or as a key."""
    if isinstance(data, str):
        if _FACE.fullmatch(data):
            yield data
    elif isinstance(data, dict):
        for key, value in data.items():
            yield from _faces(key)
            yield from _faces(value)
    elif isinstance(data, list):
        for value in data:
            yield from _faces(value)


def _drawn(page: str) -> Iterator[str]:
    return (face_of(rank, suit) for rank, suit in _DRAWN.findall(page))
