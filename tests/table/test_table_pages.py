"""The pages of the table are drawn from its own tables, and the bench plays a whole coup."""

import pytest

from sabot_gateway.model.game import Game
from sabot_gateway.table.alerts import KINDS
from sabot_gateway.table.machine import fold
from sabot_gateway.table.state import CoupPhase
from sabot_tools.bench.table import coup_events, opened
from sabot_tools.table_docs import pages


@pytest.mark.parametrize("game", tuple(Game))
def test_the_diagram_of_a_game_shows_every_phase(game: Game) -> None:
    page = pages()[f"docs/table/{game.lower()}.md"]
    diagram = page.partition("```mermaid")[2].partition("```")[0]
    for phase in CoupPhase:
        assert f"--> {phase}" in diagram


def test_only_the_page_of_holdem_tells_of_a_draw_for_the_button() -> None:
    telling = {path for path, text in pages().items() if "begin draw" in text}
    assert telling == {"docs/table/the.md"}


def test_every_alert_is_on_its_page_in_both_languages() -> None:
    page = pages()["docs/alerts.md"]
    for kind in KINDS:
        assert f"## {kind.code}\n\n- fr: {kind.fr}\n- en: {kind.en}" in page


def test_the_coup_of_the_bench_comes_to_its_end() -> None:
    state = fold(opened(), coup_events())
    assert (state.coup.phase, state.coup.number) == ("idle", 1)
    assert {alert.code for alert in state.alerts.values()} <= {"PACE_FAST"}
