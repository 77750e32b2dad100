"""What goes wrong in the demonstration, and when: something every minute or so, and nothing that ends the show."""

import asyncio
from pathlib import Path

import pytest

from sabot_gateway.model.game import Game
from sabot_tools.demo import trouble
from sabot_tools.demo.trouble import Trouble
from sabot_tools.twin.incident import CoupVoidedError, Incident
from sabot_tools.twin.local_controller import LocalController
from sabot_tools.twin.table import Stage, Table
from twin.small_floor import seat_table

# A table that raises these plays nothing for minutes, or begins anew.
OUT_OF_THE_SHOW = {"COUP_STALLED", "PACE_SLOW", "CONTROLLER_LOST", "CONTROLLER_REBOOTED"}


async def _no_occasion(_table: Table, _coup: object) -> bool:
    return False


async def _happens(_table: Table, _coup: object) -> bool:
    return True


async def _voids(_table: Table, _coup: object) -> bool:
    raise CoupVoidedError


def _incident(name: str, stage: Stage, act: object) -> Incident:
    return Incident(name, (name.upper(),), stage, ("TCF",), act)  # type: ignore[arg-type]


@pytest.mark.parametrize("game", list(Game))
def test_no_table_is_taken_out_of_the_show(game: Game) -> None:
    chosen = [each for stage in Stage for each in trouble.able(str(game), stage)]
    assert len(chosen) > 10, "there is something to see"
    assert [each.name for each in chosen if OUT_OF_THE_SHOW & set(each.codes)] == []


def test_one_thing_at_a_time_and_what_finds_no_occasion_leaves_its_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = [
        _incident("nobody-folded", Stage.STAKED, _no_occasion),
        _incident("slip", Stage.DEALT, _happens),
        _incident("void", Stage.SHOWN, _voids),
    ]
    monkeypatch.setattr(trouble, "INCIDENTS", {each.name: each for each in known})
    now, told = [0.0], []

    async def evening() -> None:
        table, _ = seat_table(Game.TCF, tmp_path)
        happens = Trouble(1, 60, lambda: now[0], lambda name, what: told.append((now[0], name, what)))
        for second, stage in ((29, Stage.DEALT), (30, Stage.STAKED), (31, Stage.DEALT), (90, Stage.SHOWN)):
            now[0] = second
            await happens(table, stage, None)
        now[0] = 91
        with pytest.raises(CoupVoidedError):
            await happens(table, Stage.SHOWN, None)
        assert happens.happened == [("t1", "slip"), ("t1", "void")]
        controller = table.rig.controller  # type: ignore[attr-defined]
        assert isinstance(controller, LocalController)
        await controller.leave()

    asyncio.run(evening())
    assert told == [(31, "t1", "slip"), (91, "t1", "void")]


def test_no_trouble_is_no_trouble(tmp_path: Path) -> None:
    async def evening() -> list[tuple[str, str]]:
        table, _ = seat_table(Game.TCF, tmp_path)
        happens = Trouble(1, 0, lambda: 1e9, lambda _name, _what: None)
        for stage in Stage:
            await happens(table, stage, None)
        controller = table.rig.controller  # type: ignore[attr-defined]
        assert isinstance(controller, LocalController)
        await controller.leave()
        return happens.happened

    assert asyncio.run(evening()) == []
