"""What holds for every hold'em table, whatever happens at it."""

import json
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sabot_gateway.model.card import DECK, text_from_card
from sabot_gateway.model.event import Recaved
from sabot_gateway.model.game import Game
from sabot_gateway.model.holdem import HoldemCoup, HoldemSeat, HoldemSettlement
from sabot_gateway.rules.betting import follow
from sabot_gateway.rules.betting_state import Betting
from sabot_gateway.rules.games.texas_holdem import HoldemConfig, open_betting, settle
from sabot_gateway.table.display import MOST_BYTES, MOST_LINES, display_of
from sabot_gateway.table.lamps import picture_of
from sabot_gateway.table.machine import fold, new_table, step
from sabot_gateway.table.sealed import SealedCard
from sabot_gateway.table.setup import Fitted
from sabot_gateway.table.snapshot import snapshot_of, state_from_snapshot
from sabot_gateway.table.state import TableState
from sabot_gateway.table.view import view_of
from sabot_tools.settle.line import settle_line
from table.holdem.holdem_crowd import HoldemCrowd
from table.holdem.holdem_record import record_of

STORIES = settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])
seeds = st.integers(0, 2**32)
TEXTS = frozenset(text_from_card(card) for card in DECK)
MOVES = 120


def crowd(seed: int, mischief: float) -> HoldemCrowd:
    random = Random(seed)
    fitted = Fitted(pot=random.random() < 0.7, slot=random.random() < 0.3)
    version = random.choice(("no_limit", "pot_limit", "limit"))
    return HoldemCrowd(random, mischief, fitted, version=version, rake_bp=random.choice((0, 400)))


def check(state: TableState) -> None:
    """Lamps follow from the state, snapshots restore it, and the betting is what the actions make it."""
    assert state.lamps.picture == picture_of(state)
    assert state.lamps.display == display_of(state)
    assert len(state.lamps.display) <= MOST_LINES
    assert all(len(text.encode()) <= MOST_BYTES for line in state.lamps.display for text in (line.fr, line.en))
    book = {state.setup.ruleset.sha256: state.setup.ruleset}
    data = json.loads(json.dumps(snapshot_of(state)))
    assert state_from_snapshot(data, book.__getitem__) == state


@STORIES
@given(seeds, st.sampled_from((0.02, 0.2, 0.6)))
def test_no_story_raises_and_every_state_can_be_stored(seed: int, mischief: float) -> None:
    table = crowd(seed, mischief)
    for move in range(MOVES):
        table.act()
        if move % 20 == 0:
            check(table.stage.state)
    for event in [event for event in table.stage.events[-5:] if event.seq]:
        again = step(table.stage.state, event)
        assert again.state is table.stage.state
        assert again.effects == ()


@STORIES
@given(seeds)
def test_every_settlement_is_the_rules_own_and_conserves_every_chip(seed: int) -> None:
    table = crowd(seed, 0.05)
    for _ in range(2 * MOVES):
        table.act()
    config = HoldemConfig.from_ruleset(table.stage.state.setup.ruleset.values)
    for made in table.stage.settlements():
        assert isinstance(made.coup, HoldemCoup)
        assert isinstance(made.settlement, HoldemSettlement)
        staked = sum(seat.stake for seat in made.settlement.seats)
        assert staked == sum(seat.returned for seat in made.settlement.seats) + made.settlement.rake_total
        if made.coup.seats:
            assert settle(made.coup, config) == made.settlement
            said = settle_line(record_of(made.coup), {Game.THE: table.stage.state.setup.ruleset})
            assert said["status"] == made.settlement.status, said
            assert said["ruleset"] == {"id": made.ruleset, "sha256": made.ruleset_sha256}
            told = {seat["seat"]: seat["total"]["net"] for seat in said["seats"]}  # type: ignore[attr-defined] # JSON
            assert told == {seat.seat: seat.net for seat in made.settlement.seats}
            assert said.get("rake_total", 0) == made.settlement.rake_total


@settings(deadline=None, max_examples=15, suppress_health_check=[HealthCheck.too_slow])
@given(seeds)
def test_stacks_and_rake_are_what_was_brought_coup_after_coup(seed: int) -> None:
    table = crowd(seed, 0.0)
    for _ in range(2 * MOVES):
        table.act()
    while table.stage.phase != "idle":
        table.act()
    stage = table.stage
    brought = sum(event.amount_cents for event in stage.events if isinstance(event, Recaved))
    settlements = [made.settlement for made in stage.settlements()]
    raked = sum(each.rake_total for each in settlements if isinstance(each, HoldemSettlement))
    assert sum(seat.stack_cents for seat in stage.state.seats.values()) + raked == brought


@STORIES
@given(seeds)
def test_the_betting_is_always_its_actions_followed_by_the_rules(seed: int) -> None:
    table = crowd(seed, 0.3)
    config = HoldemConfig.from_ruleset(table.stage.state.setup.ruleset.values)
    for _ in range(MOVES):
        table.act()
        hand = table.stage.state.coup.holdem
        if hand is None:
            continue
        seats = (*(HoldemSeat(*each) for each in hand.stacks), *(HoldemSeat(n, absent=True) for n in hand.absent))
        opened = open_betting(HoldemCoup(hand.button, seats, actions=(), option=hand.option), config)
        assert isinstance(opened, Betting)
        final = follow(opened, hand.actions)
        assert isinstance(final, Betting)
        assert {each.seat: each.total for each in final.players} == {
            each.seat: each.total for each in hand.betting.players
        }


@STORIES
@given(seeds)
def test_every_prefix_of_a_story_folds_to_the_state_it_had(seed: int) -> None:
    table = crowd(seed, 0.2)
    start = new_table(table.stage.state.setup)
    seen: list[tuple[int, TableState]] = []
    for _ in range(60):
        table.act()
        seen.append((len(table.stage.events), table.stage.state))
    cut, state = Random(seed).choice(seen)
    assert fold(start, table.stage.events[:cut]) == state


def words(value: object) -> set[str]:
    if isinstance(value, str):
        return set("".join(char if char.isalnum() else " " for char in value).split())
    if isinstance(value, dict):
        return set().union(*(words(each) for pair in value.items() for each in pair))
    if isinstance(value, list | tuple):
        return set().union(*map(words, value))
    return set()


def open_cards(state: TableState) -> set[str]:
    """THE-72, THE-101: the board, and the hands that were shown; nothing else is open."""
    coup = state.coup
    shown: list[SealedCard] = list(coup.board)
    for seat in coup.holdem.shown if coup.holdem is not None else ():
        shown.extend(coup.hands.get(seat, ()))
    faces = {tag: known.card for tag, known in state.setup.cards.items()}
    return {text_from_card(face) for tag, face in faces.items() if any(card.has_tag((tag,)) for card in shown)}


@settings(deadline=None, max_examples=10, suppress_health_check=[HealthCheck.too_slow])
@given(seeds)
def test_no_view_lamp_or_alert_names_a_card_that_was_not_shown(seed: int) -> None:
    watch(crowd(seed, 0.03), 150)


@pytest.mark.slow
def test_no_view_lamp_or_alert_of_hundreds_of_coups_names_a_card_that_was_not_shown() -> None:
    coups = 0
    seed = 0
    while coups < 400:
        table = crowd(seed, 0.03)
        watch(table, 400)
        coups += table.stage.state.coup.number
        seed += 1


def watch(table: HoldemCrowd, moves: int) -> None:
    for _ in range(moves):
        before = len(table.stage.effects)
        table.act()
        state = table.stage.state
        if state.party.draw is not None:
            continue  # THE-42: clubs of a draw lie open
        made = [repr(effect) for effect in table.stage.effects[before:]]
        found = (words(view_of(state)) | words([repr(state.lamps), made])) & TEXTS
        assert not found or found <= open_cards(state)
