"""A controller whose gateway has fallen silent says so, and nobody at the table pays by its lamps meanwhile."""

import asyncio
import time
from pathlib import Path

import pytest

from sabot_gateway.model.game import Game
from sabot_tools.twin.hand_rig import HandRig
from sabot_tools.twin.layout import COLOURS
from sabot_tools.twin.opening import open_table
from sabot_tools.twin.rig import see
from sabot_tools.twin.sight import is_trusted
from twin.small_floor import seat_table

SILENT_MS = 300
DEADLINE_S = 60
FAULT = next(seen for seen, name in COLOURS.items() if name == "red")


async def fall_silent(folder: Path) -> None:
    table, floor = seat_table(Game.TCF, folder)
    rig = table.rig
    assert isinstance(rig, HandRig)
    await open_table(table)
    assert is_trusted((await rig.look()).text)
    floor.is_up = False
    await rig.move_door(True)  # something happens, and nobody hears of it
    ends = time.monotonic() + DEADLINE_S
    while True:
        seen = await rig.controller.look(100, 20)
        if {pixels[:3] for pixels in seen.pixels} == {bytes(3), FAULT} and not is_trusted(seen.text):
            break
        assert time.monotonic() < ends, f"the pattern of a fault never came: {seen.text}"
    assert seen.text == "No answer from the gateway: stop paying."
    assert (await rig.look()).lamps == {}, "a fault is no outcome"
    floor.is_up = True
    await see(rig, lambda sight: is_trusted(sight.text), "the gateway's own words again")
    await rig.controller.leave()


def test_nobody_pays_by_lamps_that_no_gateway_answers_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sabot_firmware.app.SILENT_MS", SILENT_MS)
    monkeypatch.setattr("sabot_firmware.app.WORDS_FIRST_MS", SILENT_MS)
    asyncio.run(fall_silent(tmp_path))
