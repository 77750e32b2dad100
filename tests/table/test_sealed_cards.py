"""Law 7: nobody learns a card before the table shows it."""

import copy
import json
import pickle
import re
from dataclasses import replace
from random import Random

import pytest

from sabot_gateway.model.card import DECK, Card, text_from_card
from sabot_gateway.model.effect import RecordDecision
from sabot_gateway.model.felt import Key
from sabot_gateway.model.game import Game
from sabot_gateway.model.settlement import Settlement
from sabot_gateway.model.tag import CardTag, Tag
from sabot_gateway.table.machine import new_table, step
from sabot_gateway.table.sealed import SealedCard
from sabot_gateway.table.state import TableState
from sabot_gateway.table.view import view_of
from table.table_crowd import BANK_GAMES, Crowd
from table.table_stage import Stage

CARD = re.compile(r"\b[2-9TJQKA][cdhs]\b")


def test_a_sealed_card_has_no_text() -> None:
    card = SealedCard(Card(51), Tag("04aa"))
    shown = f"{card}{card!r}{card:>4}{[card]}{ {1: card} }"
    assert "As" not in shown
    assert "04aa" not in shown


def test_a_sealed_card_is_not_serialised() -> None:
    card = SealedCard(Card(51), Tag("04aa"))
    with pytest.raises(TypeError):
        json.dumps(card)
    with pytest.raises(TypeError):
        pickle.dumps(card)
    assert copy.deepcopy(card) is card


def words(text: str) -> set[str]:
    """Every card that a text names."""
    return set(CARD.findall(text))


def allowed(state: TableState) -> set[str]:
    """The cards that the rule book has turned by now, read off the state without the code under test."""
    coup, game = state.coup, state.setup.game
    turned = len(coup.board)
    if not coup.is_revealed:
        turned = 0 if turned < 3 else 3 if turned < 5 else 5  # UTH-21, UTH-23: street by street
    shown: list[SealedCard] = list(coup.board[:turned])
    for bought in coup.bought.values():
        shown.extend(bought)  # STU-61
    if game is Game.STU:
        shown.extend(coup.dealer[4:5])  # STU-29
    if coup.is_revealed:
        shown.extend(coup.dealer)  # TCF-44, STU-44, TCP-12, UTH-27
    if isinstance(coup.settlement, Settlement) and coup.settlement.dealer is not None:
        # TCF-50, STU-50: where the dealer does not qualify, only a hand whose bonus was claimed is turned.
        is_compared = game in (Game.TCP, Game.UTH) or coup.settlement.dealer.qualified
        claimed = {seat for seat, _ in coup.claims}
        for seat, hand in coup.hands.items():
            if coup.decisions.get(seat) not in (None, "fold") and (is_compared or seat in claimed):
                shown.extend(hand)
    faces = {tag: known.card for tag, known in state.setup.cards.items()}
    return {text_from_card(face) for tag, face in faces.items() if any(card.has_tag((tag,)) for card in shown)}


def watched(game: Game, seed: int, coups: int) -> int:
    """Look at every view, lamp picture and alert of some coups; the number of states seen."""
    crowd = Crowd(game, Random(seed), mischief=0.03).open()
    seen = 0
    for _ in range(coups):
        for _ in range(400):
            effects = len(crowd.stage.effects)
            crowd.act()
            state = crowd.stage.state
            text = json.dumps(view_of(state), ensure_ascii=False)
            found = words(text)
            assert not found or found <= allowed(state), (game, seed, found)
            assert "red-" not in text
            assert "blue-" not in text
            for effect in crowd.stage.effects[effects:]:
                # The cards of a settlement are for the journal: even its own text does not name them.
                assert not words(repr(effect))
            seen += 1
            if any(isinstance(new, RecordDecision) and new.kind == "coup_finished" for new in crowd.stage.effects):
                break
        crowd.stage.effects.clear()
    return seen


@pytest.mark.rules("A-GEN-02")
@pytest.mark.parametrize("game", BANK_GAMES)
def test_no_view_or_lamp_shows_a_sealed_card(game: Game) -> None:
    assert watched(game, seed=1, coups=12) > 200


@pytest.mark.slow
@pytest.mark.parametrize("game", BANK_GAMES)
def test_no_view_or_lamp_of_thousands_of_coups_shows_a_sealed_card(game: Game) -> None:
    for seed in range(30):
        assert watched(game, seed=1000 + seed, coups=25)


def other_faces(state: TableState, random: Random) -> TableState:
    """The same table with the faces of all cards exchanged behind the same tags."""
    faces = list(DECK)
    random.shuffle(faces)
    cards = {tag: CardTag(faces[known.card], known.deck) for tag, known in state.setup.cards.items()}
    return replace(state, setup=replace(state.setup, cards=cards))


@pytest.mark.rules("A-GEN-02", "TCF-44", "TCP-12")
@pytest.mark.parametrize("game", [Game.TCF, Game.TCP])
@pytest.mark.parametrize("seed", range(25))
def test_before_the_reveal_nothing_depends_on_any_card(game: Game, seed: int) -> None:
    """Two tables with different cards and the same events look and sound the same until the dealer shows his hand."""
    crowd = Crowd(game, Random(seed), mischief=0.05)
    twin = other_faces(crowd.stage.state, Random(seed + 1))
    crowd.open()
    for _ in range(60):
        crowd.act()
    state = new_table(crowd.stage.state.setup)
    for event in crowd.stage.events:
        one, two = step(state, event), step(twin, event)
        if one.state.coup.is_revealed:
            break
        assert one.effects == two.effects
        assert view_of(one.state) == view_of(two.state)
        state, twin = one.state, two.state


@pytest.mark.rules("A-GEN-02", "A-TCF-09", "TCF-50", "STU-50")
@pytest.mark.parametrize(
    ("game", "winning", "losing", "spot"),
    [
        (Game.TCF, "7d Jh 7s 9c 2c 4d", "7d Jh 5s 9c 2c 4d", "pair_plus"),
        (Game.TCF, "5d Jh 6s 9c 7c 4d", "5d Jh 6s 9c 8c 4d", "bonus"),
        (Game.STU, "2d Jh 4d 9c 6d 4c 8d 3s Td 7s", "2d Jh 4d 9c 6d 4c 8d 3s Tc 7s", "bonus"),
    ],
)
def test_an_unclaimed_bonus_looks_the_same_whether_it_wins_or_not(
    game: Game, winning: str, losing: str, spot: str
) -> None:
    """The dealer does not qualify: until the player claims, nothing but the head's alert tells the hands apart."""

    def shown(cards: str) -> tuple[object, ...]:
        stage = Stage(game).open().lay(3, "ante", 1000).lay(3, spot, 100 if game is Game.STU else 500)
        stage.key(Key.BETS_CLOSED).deal(cards)
        stage.lay(3, *(("raise", 2000) if game is Game.STU else ("play", 1000))).key(Key.REVEAL)
        view = view_of(stage.state)
        alerts = view.pop("alerts")
        return stage.state.lamps.picture, stage.state.lamps.display, view, alerts

    won, lost = shown(winning), shown(losing)
    assert won[:3] == lost[:3]
    assert won[3] != lost[3]
