"""Law 7: no page, twin, live message or log line shows a card before the table does; the twin knows which lay open."""

import re
import sys

import pytest

from house_browser.live_house import LiveHouse
from house_browser.watcher import Seen, Watcher, face_of
from house_browser.windows import Windows
from sabot_gateway.model.card import DECK
from sabot_gateway.web.accounts.role import Role

COUPS = 2


@pytest.mark.slow
def test_nobody_learns_a_card_before_the_table_shows_it(
    house: LiveHouse, windows: Windows, watcher: Watcher, capsys: pytest.CaptureFixture[str]
) -> None:
    windows.come_in(Role.SURVEILLANCE)
    opened = {house.tables[game]: windows.open(f"/tables/{house.tables[game]}") for game in ("STU", "UTH", "THE")}
    try:
        house.wait_for_coups(COUPS)
        drawn = {table: windows.value(handle, "cardsSeen") for table, handle in opened.items()}
    finally:
        windows.close_others()
    seen = list(watcher.seen)
    for table, cards in drawn.items():
        assert cards, f"the browser drew no card at {table}"
        for key, at_ms in cards.items():
            coup, card = key.split(" ")
            seen.append(Seen(at_ms, "browser", table, int(coup), face_of(card[:-1], card[-1])))
    # The totals of the chi-square watch name every card, always, and say nothing before they hold a hundred coups.
    general: dict[str, set[str]] = {}
    for each in seen:
        if not each.table:
            general.setdefault(each.where, set()).add(each.face)
    assert set(general) <= {"/statistics.json"}
    assert all(len(faces) == len(DECK) for faces in general.values())
    sights = [each for each in seen if each.table]
    early = [each for each in sights if not house.cards.is_open(each.table, each.coup, each.face, each.at_ms)]
    assert not early, f"{len(early)} of {len(sights)} sights were too early: {early[:5]}"
    assert not watcher.tags_shown, "a tag is a card to whoever has the register"
    # The watch was worth something: cards were seen in every way, and there was something that nobody may see.
    assert {each.where for each in sights} == {"live", "table.json", "table", "recall.json", "recall", "browser"}
    assert {each.table for each in sights} == set(house.tables.values())
    sealed = sum(len(house.cards.sealed(table, coup)) for table, coups in house.settled().items() for coup in coups)
    assert sealed > 0, "nobody folded: nothing was sealed"
    with capsys.disabled():
        sys.stdout.write(
            f"\n{len(sights)} sights of open cards, no other; {sealed} cards sealed for good; read: {watcher.texts}\n"
        )


@pytest.mark.slow
def test_the_log_names_no_card_and_no_tag(house: LiveHouse) -> None:
    log = house.log.read_text("utf-8")
    assert not re.findall(r"(?<![\w-])[2-9TJQKA][cdhs](?![\w-])", log)
    assert not [tag for tag in house.settings.registers.cards if tag in log.lower()]
