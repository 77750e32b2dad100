"""New software starts between two coups, on the gateway's word, and that word is in the journal."""

from typing import Any

import pytest

from runtime.gated_journal import GatedJournal
from runtime.pit import Pit, Script
from sabot_gateway.journal.record import Kind
from sabot_gateway.runtime.desk import DeskError, DeskErrorCode
from sabot_gateway.runtime.house_runner import house_stream
from sabot_gateway.runtime.live_desk import LiveDesk
from sabot_gateway.runtime.pump import Pump
from sabot_gateway.runtime.tending import TEND_EVERY_MS
from sabot_gateway.runtime.update_grant import AGAIN_MS
from sabot_gateway.transcript.house import take_house

UPDATE = 41
MID_COUP = 30


@pytest.fixture
def pit() -> Pit:
    return Pit({"t1": Script("stu-beaten")})


@pytest.fixture
def pump(pit: Pit, journal: GatedJournal) -> Pump:
    pump = pit.gateway(journal)
    pit.settle(pump)
    return pump


def tell(pit: Pit, pump: Pump, state: str) -> None:
    """The controller says how far its update is."""
    device = pit.devices["t1"]
    last_ms = device._stored[-1][1][1]["device_ms"]
    device.record("update_progressed", last_ms, update=UPDATE, state=state, file=0, offset=0)
    pit.send_all("t1")
    pass_ms(pit, pump, TEND_EVERY_MS)


def pass_ms(pit: Pit, pump: Pump, ms: int) -> None:
    pit.settle(pump)
    pit.clock.pass_ms(ms)
    pit.settle(pump)
    pit.settle(pump)


def granted(pit: Pit) -> list[dict[str, Any]]:
    bodies = [command["body"] for command in pit.devices["t1"].commands]
    return [fields for name, fields in bodies if name == "update_switch"]


def begin_coup(pit: Pit, pump: Pump) -> None:
    pit.play("t1", MID_COUP)
    pit.send_all("t1")
    pit.settle(pump)


def end_coup(pit: Pit, pump: Pump) -> None:
    for fact in pit.scripts["t1"].seen[MID_COUP:]:
        pit.devices["t1"].see(fact, fact.at_ms)
    pit.send_all("t1")
    pass_ms(pit, pump, TEND_EVERY_MS)


def test_a_release_that_waits_is_granted_when_the_coup_is_over(pit: Pit, pump: Pump, journal: GatedJournal) -> None:
    begin_coup(pit, pump)
    tell(pit, pump, "waiting")
    pass_ms(pit, pump, 10 * AGAIN_MS)
    assert granted(pit) == [], "a coup is under way"
    end_coup(pit, pump)
    assert granted(pit) == [{"update": UPDATE}]
    records = [each for each in journal.read(house_stream("g1")) if each.kind is Kind.OPERATOR]
    actions = [take_house(pump.house.house, each.body).action for each in records]
    noted = [(each.by, each.detail["device"], each.detail["value.update"]) for each in actions if each]
    assert noted == [("", "felt-t1", UPDATE)], "the gateway's own word, kept before it was given"


def test_the_word_is_given_again_until_it_is_heard(pit: Pit, pump: Pump) -> None:
    tell(pit, pump, "waiting")
    assert len(granted(pit)) == 1
    pass_ms(pit, pump, AGAIN_MS // 2)
    assert len(granted(pit)) == 1
    pass_ms(pit, pump, AGAIN_MS)
    assert len(granted(pit)) == 2
    tell(pit, pump, "switched")
    pass_ms(pit, pump, 3 * AGAIN_MS)
    assert len(granted(pit)) == 2


@pytest.mark.parametrize("state", ["receiving", "refused", "cancelled", "rolled_back"])
def test_nothing_is_granted_that_does_not_wait(pit: Pit, pump: Pump, state: str) -> None:
    tell(pit, pump, state)
    pass_ms(pit, pump, 3 * AGAIN_MS)
    assert granted(pit) == []


def test_nobody_grants_it_by_hand_in_mid_coup(pit: Pit, pump: Pump) -> None:
    desk = LiveDesk(pump, lambda: True)
    begin_coup(pit, pump)
    with pytest.raises(DeskError) as refused:
        desk.command("felt-t1", "update_switch", {"update": UPDATE}, by="T1")
    assert refused.value.code is DeskErrorCode.INVALID
    end_coup(pit, pump)
    desk.command("felt-t1", "update_switch", {"update": UPDATE}, by="T1")
    pit.settle(pump)
    assert granted(pit) == [{"update": UPDATE}]
