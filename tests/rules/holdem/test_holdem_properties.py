"""What holds for every hold'em coup, whoever sits where and whatever is held."""

from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.holdem.holdem_play import dealt, finished, states
from rules.holdem.holdem_script import config
from sabot_gateway.model.card import DECK, Card
from sabot_gateway.model.holdem import Act, Action, HoldemCoup, HoldemSettlement, Street
from sabot_gateway.rules.betting import apply, idle_seat, legal_actions
from sabot_gateway.rules.betting_state import Betting
from sabot_gateway.rules.games.texas_holdem import HoldemConfig, settle
from sabot_gateway.rules.rejection import Fault, Refusal

SEATS = 10


@dataclass(frozen=True)
class Played:
    coup: HoldemCoup
    betting: Betting
    config: HoldemConfig
    whims: tuple[int, ...]


@st.composite
def table_settings(draw: st.DrawFn) -> dict[str, Any]:
    return {
        "version": draw(st.sampled_from(["no_limit", "pot_limit", "limit"])),
        "chip_unit": draw(st.sampled_from([1, 100])),
        "big_blind": draw(st.sampled_from([None, 500, 700])),
        "min_raise": draw(st.sampled_from(["last_raise", "double"])),
        "limit_cap_counts_blind": draw(st.booleans()),
        "short_allin_reopens": draw(st.booleans()),
        "heads_up": draw(st.sampled_from(["literal", "standard"])),
        "rake_bp": draw(st.sampled_from([0, 400, 777, 10_000])),
        "rake_cap": draw(st.sampled_from([None, 300])),
        "rake_basis": draw(st.sampled_from(["each_pot", "total"])),
        "no_flop_no_drop": draw(st.booleans()),
        "rounding": draw(st.sampled_from(["floor", "ceil", "half_up"])),
        "return_uncalled": draw(st.booleans()),
        "odd_chip": draw(st.sampled_from(["left_of_button", "all_to_first"])),
        "showdown_first": draw(st.sampled_from(["first_raiser", "first_aggressor", "last_aggressor"])),
    }


@st.composite
def played_coups(draw: st.DrawFn) -> Played:
    chosen = config(**draw(table_settings()))
    seats = draw(st.lists(st.integers(1, SEATS), min_size=2, max_size=6, unique=True))
    # Stacks on few levels, some below a blind, so that all-ins, ties and side pots are common.
    stacks = {seat: draw(st.sampled_from([100, 400, 800, 1500, 2500, 2600, 7000, 30_000])) for seat in seats}
    deck = draw(st.permutations(DECK[-28:]))
    whims = tuple(draw(st.lists(st.integers(0, 9), max_size=24)))
    coup, betting = finished(dealt(stacks, draw(st.sampled_from(seats)), deck), chosen, whims)
    return Played(coup, betting, chosen, whims)


def decided(coup: HoldemCoup, chosen: HoldemConfig) -> HoldemSettlement:
    result = settle(coup, chosen)
    assert isinstance(result, HoldemSettlement), result
    return result


@pytest.mark.rules("THE-111", "THE-114", "THE-124")
@given(played_coups())
@settings(deadline=None)
def test_chips_are_conserved(played: Played) -> None:
    result = decided(played.coup, played.config)
    stakes = {player.seat: player.total for player in played.betting.players}
    assert {seat.seat: seat.stake for seat in result.seats} == stakes
    assert sum(seat.returned for seat in result.seats) + result.rake_total == sum(stakes.values())
    back = result.uncalled.amount if result.uncalled else 0
    assert sum(pot.pot.amount for pot in result.pots) + back == sum(stakes.values())
    for pot in result.pots:
        assert sum(pot.shares) + pot.rake == pot.pot.amount
        assert set(pot.winners) <= set(pot.pot.eligible)
    for player in played.betting.players:
        before = next(seat.stack for seat in played.coup.seats if seat.seat == player.seat)
        assert player.stack + player.total == before
        assert player.stack >= 0


@pytest.mark.rules("THE-83")
@given(played_coups())
@settings(deadline=None)
def test_whole_coup_equals_its_contributions(played: Played) -> None:
    """The two forms of a record agree on everything but the order of showing, which only actions tell."""
    whole = decided(played.coup, played.config)
    totals = {player.seat: player for player in played.betting.players}
    seats = tuple(
        replace(seat, stack=None, contributed=totals[seat.seat].total, folded=totals[seat.seat].folded)
        for seat in played.coup.seats
    )
    summed = decided(replace(played.coup, seats=seats, actions=None), played.config)
    assert (summed.seats, summed.pots, summed.uncalled) == (whole.seats, whole.pots, whole.uncalled)
    assert sorted(summed.showdown.order) == sorted(whole.showdown.order)


@pytest.mark.rules("THE-115")
@given(played_coups(), st.integers(1, SEATS - 1))
@settings(deadline=None)
def test_rotating_seats_and_button_rotates_the_result(played: Played, by: int) -> None:
    def moved(seat: int) -> int:
        return (seat - 1 + by) % SEATS + 1

    coup = played.coup
    turned = replace(
        coup,
        button=moved(coup.button),
        seats=tuple(replace(seat, seat=moved(seat.seat)) for seat in coup.seats),
        actions=tuple(replace(action, seat=moved(action.seat)) for action in coup.actions or ()),
    )
    before, after = decided(coup, played.config), decided(turned, played.config)
    assert {replace(seat, seat=moved(seat.seat)) for seat in before.seats} == set(after.seats)
    assert tuple(map(moved, before.showdown.order)) == after.showdown.order
    for old, new in zip(before.pots, after.pots, strict=True):
        old_shares = {moved(seat): share for seat, share in zip(old.winners, old.shares, strict=True)}
        assert old_shares == dict(zip(new.winners, new.shares, strict=True))
        assert (old.rake, old.rule) == (new.rake, new.rule)


@pytest.mark.rules("THE-103")
@given(played_coups(), st.permutations(range(4)))
@settings(deadline=None)
def test_relabelling_suits_changes_nothing(played: Played, suits: list[int]) -> None:
    def renamed(cards: tuple[Card, ...] | None) -> tuple[Card, ...]:
        return tuple(Card(card // 4 * 4 + suits[card % 4]) for card in cards or ())

    coup = played.coup
    seats = tuple(replace(seat, cards=renamed(seat.cards)) for seat in coup.seats)
    other = replace(coup, seats=seats, board=renamed(coup.board))
    assert decided(coup, played.config) == decided(other, played.config)


arbitrary_actions = st.builds(
    Action,
    st.sampled_from(Street),
    st.integers(0, SEATS + 1),
    st.sampled_from(Act),
    st.none() | st.integers(-5, 40_000) | st.integers(0, 400).map(lambda chips: chips * 100) | st.just(10**18),
)


def is_legal(state: Betting, action: Action) -> bool:
    """Whether `legal_actions` offers exactly this action, or it is the idle word of the last player with chips."""
    legal = legal_actions(state)
    if legal is None and (action.seat, action.street) == (idle_seat(state), state.street):
        stakes = {player.seat: player.street_bet for player in state.players}
        return action.act in (Act.CHECK, Act.FOLD) and action.to in (None, stakes[action.seat])
    if legal is None or state.turn is None or (action.seat, action.street) != (legal.seat, state.street):
        return False
    player = state.players[state.turn]
    if action.act not in legal.acts:
        return False
    match action.act:
        case Act.FOLD | Act.CHECK:
            return action.to in (None, player.street_bet)
        case Act.CALL:
            return action.to in (None, legal.call_to)
        case Act.ALLIN:
            return action.to in (None, player.reach)
        case Act.BET | Act.RAISE:
            if action.to is None or legal.least_to is None or legal.most_to is None:
                return False
            whole = action.to % state.structure.chip_unit == 0
            return legal.least_to <= action.to <= legal.most_to and (whole or action.to == player.reach)


@pytest.mark.rules("THE-60", "THE-78", "THE-80", "THE-92")
@given(played_coups(), st.lists(arbitrary_actions, min_size=1, max_size=8), st.integers(0, 30), st.booleans())
@settings(deadline=None)
def test_an_action_is_accepted_exactly_when_it_is_offered(
    played: Played, actions: list[Action], moment: int, in_turn: bool
) -> None:
    line = list(states(played.coup, played.config, played.whims))
    state, _ = line[moment % len(line)]
    legal = legal_actions(state)
    for wild in actions:
        action = replace(wild, seat=legal.seat, street=state.street) if in_turn and legal else wild
        after = apply(state, action)
        assert isinstance(after, Betting) == is_legal(state, action), (action, after, legal)
        if isinstance(after, Fault):
            assert after.rule.startswith("THE-")
        else:
            # Nobody but the actor moves chips; whom a full raise gives the word again only forgets that he spoke.
            for old, new in zip(state.players, after.players, strict=True):
                assert old.seat == action.seat or old is new or new == old._replace(acted=False)
            assert sum(p.stack + p.total for p in after.players) == sum(p.stack + p.total for p in state.players)


@given(played_coups(), st.lists(arbitrary_actions, max_size=12))
@settings(deadline=None)
def test_no_log_of_actions_breaks_the_settlement(played: Played, actions: list[Action]) -> None:
    log = (*(played.coup.actions or ())[: len(actions)], *actions)
    result = settle(replace(played.coup, actions=log), played.config)
    match result:
        case Refusal(faults):
            assert faults
            assert all(fault.rule.startswith("THE-") for fault in faults)
        case HoldemSettlement():
            assert sum(seat.net for seat in result.seats) == -result.rake_total
