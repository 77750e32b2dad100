"""THE-12: the hours in which a table may be open, by the house's own clock."""

import pytest

from sabot_gateway.rulebook import ruleset_from_bytes
from sabot_gateway.rules.hours import is_within
from sabot_gateway.rules.ruleset import RulesetError

HOUR = 3_600_000
DAY = 24 * HOUR


@pytest.mark.rules("THE-12")
@pytest.mark.parametrize(
    ("hours", "at", "within"),
    [
        ("14:00-23:00", 14 * HOUR, True),
        ("14:00-23:00", 14 * HOUR - 1, False),
        ("14:00-23:00", 23 * HOUR, False),
        ("14:00-04:00", 2 * HOUR, True),
        ("14:00-04:00", 4 * HOUR, False),
        ("14:00-04:00", 400 * DAY + 23 * HOUR, True),
        ("00:00-00:00", 5 * HOUR, True),
        ("from two to four", 15 * HOUR, False),
        ("25:00-26:00", 15 * HOUR, False),
    ],
)
def test_hours_may_pass_midnight_and_end_before_their_last_minute(hours: str, at: int, within: bool) -> None:
    assert is_within(hours, at) is within


def test_the_clock_of_the_house_may_be_ahead_of_utc() -> None:
    assert is_within("20:00-04:00", 19 * HOUR, ahead_min=60)
    assert not is_within("20:00-04:00", 3 * HOUR, ahead_min=60)


@pytest.mark.rules("THE-12")
@pytest.mark.parametrize("written", ["20:00", "20-04", "8pm-4am", "20:00-24:00", "25:00-04:00", "", "20:00–04:00"])
def test_a_house_that_writes_no_hours_is_told_at_the_start(written: str) -> None:
    content = f'extends = "the"\nid = "house"\nsession_hours = "{written}"\n'.encode()
    with pytest.raises(RulesetError, match="session_hours"):
        ruleset_from_bytes(content, "house.toml")
