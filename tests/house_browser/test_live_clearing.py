"""An alert is cleared in the browser by whoever may, with a reason; the journal has who, why and when."""

from typing import Any

import pytest
from paho.mqtt.client import Client
from paho.mqtt.enums import CallbackAPIVersion

from house_browser.live_house import LiveHouse, until
from house_browser.open_cards import now_ms
from house_browser.windows import Windows
from sabot_gateway.journal.record import Kind
from sabot_gateway.model.event import AlertCleared
from sabot_gateway.transcript.fact import Said, read_fact
from sabot_gateway.web.accounts.role import RIGHTS, Right, Role

POSTED = """
const done = arguments[arguments.length - 1];
const csrf = document.querySelector('input[name="csrf"]').value;
fetch(arguments[0], {method: "POST", body: new URLSearchParams({csrf, reason: "because"})}).then((a) => done(a.status));
"""


def open_alerts(house: LiveHouse) -> list[dict[str, Any]]:
    """Those that nothing but a person's word keeps open."""
    return [each for each in house.alerts("code=CAPPED_BET") if each["ended_how"]]


@pytest.mark.slow
def test_an_alert_is_cleared_by_whoever_may_and_by_nobody_else(house: LiveHouse, windows: Windows) -> None:
    began_ms = now_ms()
    games = ("TCF", "STU", "TCP", "UTH")
    for game in games:
        house.cause("capped-bet", house.tables[game])
    until(lambda: len(open_alerts(house)) >= len(games), "four capped bets that were put right")
    alerts = open_alerts(house)
    said: set[tuple[str, str, str]] = set()
    for role in Role:
        windows.come_in(role)
        alert = alerts[0]
        windows.visit(f"/alerts/{alert['id']}")
        form = windows.chromium.all('form[action$="/clear"]')
        if Right.CLEAR_ALERTS not in RIGHTS[role]:
            assert not form, f"{role} is offered what he may not do"
            assert windows.driver.execute_async_script(POSTED, f"/alerts/{alert['id']}/clear") == 403
            windows.chromium.complaints()  # the browser tells of the 403, as it should
            continue
        reason = f"Seen on camera 3 by the {role}"
        windows.chromium.one("#clear").send_keys(reason)
        windows.chromium.one('form[action$="/clear"] button').click()
        windows.chromium.until(lambda: windows.chromium.all(".alert-card .good"))
        assert house.people[role] in windows.text(".alert-card .good")
        assert windows.text(".alert-card .reason") == reason
        assert not windows.chromium.all('form[action$="/clear"]')
        assert windows.chromium.complaints() == []
        alerts.pop(0)
        said.add((house.people[role], reason, alert["table"]))
    assert cleared_in_journal(house, began_ms) == said


@pytest.mark.slow
def test_an_alarm_of_the_house_itself_is_cleared_too(house: LiveHouse, windows: Windows) -> None:
    """Somebody on the network sends rubbish under a name that no controller has."""
    rubbish(house, f"sabot/v1/{house.settings.site}/stranger/event")
    until(lambda: house.alerts("code=MESSAGES_REFUSED"), "an alarm about the rubbish")
    (alert,) = house.alerts("code=MESSAGES_REFUSED")
    assert alert["table"].startswith("house/")
    windows.come_in(Role.SURVEILLANCE, "fr")
    windows.visit(f"/alerts/{alert['id']}")
    windows.chromium.one("#clear").send_keys("Essai du technicien")
    windows.chromium.one('form[action$="/clear"] button').click()
    windows.chromium.until(lambda: windows.chromium.all(".alert-card .good"))
    assert house.people[Role.SURVEILLANCE] in windows.text(".alert-card .good")
    assert windows.text(".alert-card .reason") == "Essai du technicien"
    assert windows.chromium.complaints() == []
    assert house.alerts("code=MESSAGES_REFUSED") == []


def rubbish(house: LiveHouse, topic: str) -> None:
    client = Client(CallbackAPIVersion.VERSION2, client_id="stranger")
    client.connect(house.broker.host, house.broker.port)
    client.loop_start()
    try:
        client.publish(topic, b"rubbish", qos=1).wait_for_publish(60)
    finally:
        client.disconnect()
        client.loop_stop()


def cleared_in_journal(house: LiveHouse, began_ms: int) -> set[tuple[str, str, str]]:
    """Who, why, where; each at a time between the beginning of the test and now."""
    found = set()
    for record in house.records():
        if record.kind is Kind.OPERATOR and record.stream in house.tables.values():
            fact = read_fact(record.kind, record.body)
            if isinstance(fact, Said) and isinstance(fact.event, AlertCleared):
                assert fact.by == fact.event.by
                assert began_ms <= fact.event.at_ms <= record.received_ms <= now_ms()
                found.add((fact.by, fact.event.reason, str(record.stream)))
    return found
