"""The pages of the table are drawn from its own tables, and the bench plays a whole coup."""

import pytest

from sabot_gateway.model.game import Game
from sabot_gateway.runtime.alarm import KINDS as SERVICE_KINDS
from sabot_gateway.table.alerts import KINDS
from sabot_gateway.table.machine import fold
from sabot_gateway.table.state import CoupPhase
from sabot_tools.bench.night import coup, opened
from sabot_tools.bench.table import played
from sabot_tools.table_docs import pages, sentence_shown


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
    for kind in (*KINDS, *SERVICE_KINDS):
        assert f"## {kind.code}\n\n- fr: {sentence_shown(kind.fr)}\n- en: {sentence_shown(kind.en)}" in page


def test_a_page_shows_both_forms_of_a_noun() -> None:
    assert sentence_shown("Il manque {n} {n:carte|cartes}.") == "Il manque {n} carte/cartes."


@pytest.mark.parametrize("game", tuple(Game))
def test_the_coups_of_the_bench_come_to_their_end_without_an_alert(game: Game) -> None:
    state = opened(game)
    for number in (1, 2, 3):
        state = fold(state, coup(state))
        assert (state.coup.phase, state.coup.number) == ("idle", number)
        assert not {alert.code for alert in state.alerts.values()}


@pytest.mark.parametrize("game", tuple(Game))
def test_a_night_is_measured_step_by_step(game: Game) -> None:
    night = played(game, coups=2)
    assert [len(one) for one in night.steps] == [len(one) for one in night.decodings]
    assert len(night.steps) == 2
    assert all(each > 0 for one in night.steps for each in one)
