"""What the same settings mean at different moments: the house's clocks, and which keys are good."""

from pathlib import Path

from gateway_config.house_files import House
from sabot_gateway.app import moment_of, plan_from_settings
from sabot_gateway.config import load

# 2027-03-28T01:00:00Z, when France goes from one hour ahead to two (directive 2000/84/EC, last Sunday of March).
SUMMER_MS = 1_806_195_600_000
KEY_END_MS = 1_801_375_200_000  # 2027-01-31T06:00:00Z by GNU date


def test_the_house_keeps_its_own_hours_over_the_change_of_clocks(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.replace("sabot.toml", 'site = "riviera"', 'site = "riviera"\nzone = "Europe/Paris"')
    settings = load(house.file)
    winter, summer = (plan_from_settings(settings, SUMMER_MS + late).tables["t1"].setup for late in (-1, 0))
    assert (winter.timing.ahead_min, summer.timing.ahead_min) == (60, 120)
    assert winter.timing.lamps_ms == summer.timing.lamps_ms == 3000
    assert moment_of(settings, SUMMER_MS - 1) != moment_of(settings, SUMMER_MS)
    assert moment_of(settings, SUMMER_MS) == moment_of(settings, SUMMER_MS + 1)


def test_an_earlier_key_leaves_the_plan_at_its_end(tmp_path: Path) -> None:
    house = House(tmp_path)
    house.secret("devices/t1-b.old", bytes(range(16)))
    house.add_device("t1-b", "t1", 'previous_key = "t1-b.old"\nprevious_until = 2027-01-31T06:00:00Z\n')
    settings = load(house.file)
    before, after = (plan_from_settings(settings, KEY_END_MS + late).devices.find("t1-b") for late in (-1, 0))
    assert before is not None
    assert after is not None
    assert (len(before.keys), len(after.keys)) == (2, 1)
    assert moment_of(settings, KEY_END_MS - 1) != moment_of(settings, KEY_END_MS)


def test_the_plan_holds_tables_in_the_order_of_the_settings_with_what_pages_show(tmp_path: Path) -> None:
    plan = plan_from_settings(load(House(tmp_path).file), 0)
    assert (plan.site, plan.gateway, list(plan.tables)) == ("riviera", "pit-1", ["t1", "t2"])
    assert (plan.tables["t1"].pit, plan.tables["t1"].cameras) == ("salle 1", ("cam-11", "cam-12"))
    assert plan.tables["t2"].setup.cards == plan.registers.cards
