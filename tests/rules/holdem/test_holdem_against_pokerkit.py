"""Random hands played at once by Sabot and by PokerKit, which must agree on every turn and to the chip.

Both engines are asked before each action who speaks, what a call costs and how
far a raise may go. Deliberate differences, all by rule and none of them about
who wins what:

- A player short of his blind leaves the amount to match at the full big blind
  (THE-128, A-THE-06); PokerKit takes the largest posted bet. Every stack here
  covers a blind.
- A short all-in raise never reopens the betting for those who spoke, nor do
  several in a row, nor is it a bet toward the cap of limit (THE-120, THE-121);
  PokerKit adds them up, lets a first short raise over the blinds reopen, and
  counts it. In a round that saw one, hands go on with what both engines allow.
- Raising is allowed (and comes back uncalled) when all others are all-in
  (THE-60 knows no exception); PokerKit refuses it.
- A player with nothing to match is not asked once all others are out or all-in
  (THE-83), though his check is taken (THE-68); PokerKit waits for it.
- Folding is allowed where checking is (THE-76); PokerKit refuses it.
- Each pot is raked and shared by itself (THE-115, THE-124). PokerKit first drops
  the beaten hands and then joins pots that the same players are left in. Its
  pots before that step must be ours, rake included; its final stacks must be
  ours too unless it joined pots, and only the other hands are counted.
- PokerKit gives all odd chips to the first winner: the hands use `all_to_first`,
  or `left_of_button` (THE-115) where no more than two players share a pot.
- When all others fold, PokerKit hands the last bettor his whole bet of the street
  back before the rake; by THE-109 and THE-114 only the unmatched part is free.
  The rake given to PokerKit adds the matched part to its basis.

Ordinary runs compare 2,100 hands, `SABOT_LONG=1` 21,000. A failure names the seed
of its hand: `play(Version.…, seed, Counter())` repeats it.
"""

import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Final

import pytest
from pokerkit import Automation, BetCollection, BettingStructure, Deck, Opening, StandardHighHand, State, Street

from rules.holdem.holdem_play import dealt
from rules.holdem.holdem_script import config
from sabot_gateway.model.card import DECK, text_from_cards
from sabot_gateway.model.holdem import Act, Action, HoldemCoup, HoldemSettlement, OptionPost, Version
from sabot_gateway.rules.betting import advance, apply, idle_seat, legal_actions
from sabot_gateway.rules.betting_state import Betting, Legal
from sabot_gateway.rules.games.texas_holdem import BOARD_CARDS, HoldemConfig, open_betting, settle

HANDS: Final = 7_000 if os.environ.get("SABOT_LONG") else 700  # for each of three versions
CAP: Final = 4
STRUCTURES: Final = {
    Version.NO_LIMIT: BettingStructure.NO_LIMIT,
    Version.POT_LIMIT: BettingStructure.POT_LIMIT,
    Version.LIMIT: BettingStructure.FIXED_LIMIT,
}
AUTOMATIONS: Final = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.CHIPS_PULLING,
)


@dataclass(frozen=True)
class Hand:
    """One table as both engines see it; PokerKit counts players from the button's left."""

    coup: HoldemCoup
    config: HoldemConfig
    order: tuple[int, ...]
    rake_bp: int
    counts_blind: bool


def random_hand(version: Version, rng: Random) -> Hand:
    unit = rng.choice([1, 5, 50])
    players = rng.choice([2, 3, 3, 4, 4, 5, 6])
    # THE-47 lets both blinds be equal; of two such players PokerKit cannot tell which one posted the big blind.
    big_blind = rng.choice([750, 1000] if players == 2 else [500, 750, 1000])
    seats = sorted(rng.sample(range(1, 11), players))
    button = rng.choice(seats)
    # Two blinds cover an option; stacks on few levels give equal all-ins as well as side pots.
    deepest = 7_000 if version is Version.LIMIT else 14_000
    levels = [rng.randrange(2 * big_blind, deepest) // unit * unit for _ in range(3)]
    stacks = {seat: rng.choice([*levels, 40_000]) for seat in seats}
    # A deck of ten and up makes equal hands common.
    deck = list(DECK[32:] if rng.random() < 0.35 else DECK)
    rng.shuffle(deck)
    order = tuple(seat for seat in seats if seat > button) + tuple(seat for seat in seats if seat <= button)
    coup = dealt(stacks, button, deck)
    if players > 2 and rng.random() < 0.2:
        coup = replace(coup, option=OptionPost(order[2]))
    rake_bp = rng.choice([0, 250, 400, 999])
    counts_blind = rng.random() < 0.5
    chosen = config(
        version=str(version),
        big_blind=big_blind,
        chip_unit=unit,
        rake_bp=rake_bp,
        heads_up="standard",
        option_allowed=True,
        odd_chip="all_to_first",
        limit_cap=CAP,
        limit_cap_counts_blind=counts_blind,
    )
    return Hand(coup, chosen, order, rake_bp, counts_blind)


def peer_of(hand: Hand) -> State:
    """The same table in PokerKit."""
    structure, unit = hand.config.structure, hand.config.chip_unit
    is_limit = structure.version is Version.LIMIT
    blinds = [structure.small_blind, structure.big_blind]
    has_option = hand.coup.option is not None
    if has_option:
        blinds.append(2 * structure.big_blind)
    first_bet = 2 * structure.big_blind if has_option and not is_limit else structure.big_blind
    late_bet = 2 * structure.big_blind if is_limit else structure.big_blind
    early_cap = CAP - has_option - hand.counts_blind
    streets = (
        Street(False, (False, False), 0, False, Opening.POSITION, first_bet, early_cap if is_limit else None),
        Street(False, (), 3, False, Opening.POSITION, structure.big_blind, CAP if is_limit else None),
        Street(False, (), 1, False, Opening.POSITION, late_bet, CAP if is_limit else None),
        Street(False, (), 1, False, Opening.POSITION, late_bet, CAP if is_limit else None),
    )
    held = {seat.seat: seat for seat in hand.coup.seats}

    def raked(amount: int, state: State) -> tuple[int, int]:
        basis = amount + matched_by_the_last_player(state)
        # PokerKit asks layer by layer before it joins them; a layer by itself may be smaller than its levy.
        levy = min(amount, basis * hand.rake_bp // (10_000 * unit) * unit)
        return levy, amount - levy

    def chips(amount: int, ways: int) -> tuple[int, int]:
        each = amount // (ways * unit) * unit
        return each, amount - each * ways

    state = State(
        AUTOMATIONS,
        Deck.STANDARD,
        (StandardHighHand,),
        streets,
        STRUCTURES[structure.version],
        True,
        0,
        blinds,
        0,
        [held[seat].stack or 0 for seat in hand.order],
        len(hand.order),
        divmod=chips,
        rake=raked,
    )
    for seat in hand.order:
        state.deal_hole(text_from_cards(held[seat].cards or ()).replace(" ", ""))
    return state


def matched_by_the_last_player(state: State) -> int:
    """Where all others folded: the part of the last player's bet, still before him, that somebody had matched."""
    if sum(state.statuses) > 1:
        return 0
    collected = next(step for step in reversed(state.operations) if isinstance(step, BetCollection))
    return min(max(state.bets), max(collected.bets))


def peer_range(peer: State) -> tuple[int, int] | None:
    least = peer.min_completion_betting_or_raising_to_amount
    most = peer.max_completion_betting_or_raising_to_amount
    return None if least is None or most is None else (least, most)


def own_range(state: Betting, legal: Legal) -> tuple[int, int] | None:
    """Sabot's range, but for the raise that PokerKit refuses because nobody could answer it."""
    others = [player for player in state.live if player.seat != legal.seat]
    if legal.least_to is None or legal.most_to is None or all(player.reach <= state.bet_to for player in others):
        return None
    return legal.least_to, legal.most_to


def chosen_action(state: Betting, legal: Legal, open_range: tuple[int, int] | None, rng: Random, unit: int) -> Action:
    """Mostly quiet, often bold, sometimes out; bold amounts lie at both ends and between."""
    facing = Act.CALL in legal.acts
    if open_range and rng.random() < 0.4:
        least, most = open_range
        between = (least + rng.randrange(most - least + 1)) // unit * unit
        to = rng.choice([least, most, max(least, between), min(most, 2 * least)])
        return Action(state.street, legal.seat, Act.RAISE if state.bet_to else Act.BET, to)
    if facing and rng.random() < 0.25:
        return Action(state.street, legal.seat, Act.FOLD)
    return Action(state.street, legal.seat, Act.CALL if facing else Act.CHECK)


def deal_and_show(peer: State, hand: Hand, cards_seen: int) -> int:
    """Let PokerKit deal the board and show hands as far as it is ready to; the number of board cards out."""
    while True:
        if peer.can_show_or_muck_hole_cards():
            peer.show_or_muck_hole_cards(True)
        elif peer.can_deal_board():
            count = 3 if cards_seen == 0 else 1
            peer.deal_board(text_from_cards(hand.coup.board[cards_seen : cards_seen + count]).replace(" ", ""))
            cards_seen += count
        else:
            return cards_seen


PeerPots = list[tuple[int, int, tuple[int, ...]]]


def pots_of(peer: State) -> PeerPots:
    return [(pot.amount, pot.raked_amount, tuple(pot.player_indices)) for pot in peer.pots]


def pay_out(peer: State) -> tuple[PeerPots, bool]:
    """PokerKit's pots before it drops beaten hands, and whether it joined any of them afterwards."""
    before = pots_of(peer)
    while peer.can_kill_hand():
        peer.kill_hand()
    joined = len(pots_of(peer)) < len(before)
    while peer.can_push_chips():
        peer.push_chips()
    return before, joined


def is_short(state: Betting, action: Action) -> bool:
    """A raise below the least full one (only an all-in can be); a short opening counts too, toward the cap."""
    if action.act not in (Act.BET, Act.RAISE):
        return False
    assert action.to is not None
    if state.structure.version is Version.LIMIT:
        return action.to < state.bet_to + state.structure.limit_size(state.street)
    return action.to < state.bet_to + state.full_raise


def play(version: Version, seed: int, seen: Counter[str]) -> None:
    """One hand in both engines, compared move by move and in the end by every stack."""
    rng = Random(seed)
    hand = random_hand(version, rng)
    play_hand(hand, peer_of(hand), rng, seen)


def play_hand(hand: Hand, peer: State, rng: Random, seen: Counter[str]) -> None:
    opened = open_betting(hand.coup, hand.config)
    assert isinstance(opened, Betting), opened
    state = advance(opened)
    log: list[Action] = []
    short_street = None
    cards_seen = deal_and_show(peer, hand, 0)
    while (legal := legal_actions(state)) is not None:
        assert peer.actor_index == hand.order.index(legal.seat)
        assert state.turn is not None
        owed = legal.call_to - state.players[state.turn].street_bet
        assert peer.checking_or_calling_amount == owed
        ours, theirs = own_range(state, legal), peer_range(peer)
        if short_street is state.street:
            seen["short all-ins"] += 1
            both = None if ours is None or theirs is None else (max(ours[0], theirs[0]), min(ours[1], theirs[1]))
            open_range = None if both is None or both[0] > both[1] else both
        else:
            assert ours == theirs
            open_range = ours
        action = chosen_action(state, legal, open_range, rng, hand.config.chip_unit)
        if is_short(state, action):
            short_street = state.street
        after = apply(state, action)
        assert isinstance(after, Betting), after
        log.append(action)
        match action.act:
            case Act.FOLD:
                peer.fold()
            case Act.BET | Act.RAISE:
                peer.complete_bet_or_raise_to(action.to)
            case _:
                peer.check_or_call()
        if idle_seat(after) is not None and peer.actor_index is not None:
            assert hand.order[peer.actor_index] == idle_seat(after)
            assert peer.checking_or_calling_amount == 0
            peer.check_or_call()
        cards_seen = deal_and_show(peer, hand, cards_seen)
        state = advance(after)
    assert peer.actor_index is None
    board = hand.coup.board if len(state.live) > 1 else hand.coup.board[: BOARD_CARDS[state.street]]
    compare(hand, peer, replace(hand.coup, actions=tuple(log), board=board), seen)


def compare(hand: Hand, peer: State, coup: HoldemCoup, seen: Counter[str]) -> None:
    decided = settle(coup, hand.config)
    assert isinstance(decided, HoldemSettlement), decided
    peer_pots, joined = pay_out(peer)
    assert not peer.status
    if len(decided.pots[0].pot.eligible) > 1:
        index = {seat: n for n, seat in enumerate(hand.order)}
        ours = [
            (result.pot.amount, result.rake, tuple(sorted(index[seat] for seat in result.pot.eligible)))
            for result in decided.pots
        ]
        assert ours == peer_pots
    seen["three pots or more"] += len(decided.pots) > 2
    gains = {seat.seat: seat.net for seat in decided.seats}
    ways = max(len(pot.winners) for pot in decided.pots)
    if joined:
        # One rounding of the rake and one set of odd chips instead of one per pot.
        seen["joined by PokerKit"] += 1
        loose = len(decided.pots) * ways * hand.config.chip_unit
        assert all(abs(gains[seat] - peer.payoffs[n]) <= loose for n, seat in enumerate(hand.order))
        return
    assert [gains[seat] for seat in hand.order] == list(peer.payoffs)
    assert decided.rake_total == -sum(peer.payoffs)
    if ways <= 2:
        # With two to share, one odd chip at most: both rules of A-THE-14 give it to the same player.
        by_turns = settle(coup, replace(hand.config, odd_chip=type(hand.config.odd_chip)("left_of_button")))
        assert by_turns == decided
    seen["hands"] += 1
    seen["side pots"] += len(decided.pots) > 1
    seen["shared"] += ways > 1
    seen["shared by three or more"] += ways > 2
    seen["raked"] += decided.rake_total > 0
    seen["uncalled"] += decided.uncalled is not None
    seen["options"] += coup.option is not None


def run(version: Version, first_seed: int, hands: int, player: Callable[..., None] = play) -> Counter[str]:
    """Play from `first_seed` on until `hands` hands have been compared to the last stack."""
    seen: Counter[str] = Counter()
    seed = first_seed
    while seen["hands"] < hands:
        try:
            player(version, seed, seen)
        except Exception as error:
            error.add_note(f"The hand was {version} with seed {seed}.")
            raise
        seed += 1
    return seen


@pytest.mark.rules("THE-59", "THE-94", "THE-97", "THE-107", "THE-111", "THE-114", "THE-118", "THE-119", "THE-120")
@pytest.mark.parametrize("version", Version)
def test_random_hands_agree_to_the_chip(version: Version) -> None:
    seen = run(version, 10**6 * (1 + tuple(Version).index(version)), HANDS)
    # The comparison is worth something only if the hard hands came up: at least one in so many.
    rarest = {"raked": 3, "uncalled": 10, "shared": 20, "side pots": 20, "options": 15, "three pots or more": 50}
    for kind, share in rarest.items():
        assert seen[kind] * share >= HANDS, (kind, seen)


def test_comparison_notices_a_chip_gone_astray() -> None:
    def crooked(version: Version, seed: int, seen: Counter[str]) -> None:
        rng = Random(seed)
        hand = random_hand(version, rng)
        stolen = replace(
            hand.coup, seats=tuple(replace(seat, stack=(seat.stack or 0) + 50) for seat in hand.coup.seats)
        )
        play_hand(replace(hand, coup=stolen), peer_of(hand), rng, seen)

    with pytest.raises(AssertionError) as caught:
        run(Version.NO_LIMIT, 7, 1, crooked)
    assert caught.value.__notes__ == ["The hand was no_limit with seed 7."]
