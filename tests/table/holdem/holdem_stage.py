"""A hold'em table for tests: players with caves, a button, and a dealer who plays whole coups from sensors alone."""

from collections.abc import Iterator, Sequence
from typing import Any

from sabot_gateway.model.card import DECK, Card, cards_from_text
from sabot_gateway.model.event import ButtonPlaced, PlayerSeated, Recaved
from sabot_gateway.model.felt import Key
from sabot_gateway.model.game import Game
from sabot_gateway.model.holdem import Act, Action, HoldemCoup, HoldemSettlement
from sabot_gateway.rules.betting import advance, apply
from sabot_gateway.rules.betting_state import Betting
from sabot_gateway.rules.deal import BOARD, BURN, plan_deal
from sabot_gateway.rules.games.texas_holdem import HoldemConfig, open_betting
from sabot_gateway.table.setup import Fitted
from table.table_stage import Stage

# Blinds of 5 and 10 in chips of 50 cents, no rake unless a test wants one.
VALUES: dict[str, object] = {"table_min": 1000, "chip_unit": 50, "version": "no_limit", "rake_bp": 0}
HANDS = ("AsAd", "KsKd", "QsQd", "JsJd", "TsTd", "7s7d", "6s6d", "4s4d", "AhKh", "QhJh")
BOARD_TEXT = "2c 5h 8s 9d 3h"


def seated(stacks: dict[int, int], button: int, fitted: Fitted | None = None, **values: Any) -> Stage:
    """An open table, players with their caves, the button placed and the deck in the shoe."""
    stage = Stage(Game.THE, fitted=fitted or Fitted(pot=True), **{**VALUES, **values}).open()
    for seat, cents in stacks.items():
        stage.tell(PlayerSeated(seat, f"p{seat}")).tell(Recaved(seat, cents))
        if stage.state.setup.fitted.stacks:
            stage.lay(seat, "stack", cents)
    return stage.tell(ButtonPlaced(button))


def four(stack: int = 100_000, **values: Any) -> Stage:
    """Four players, button on seat 4: blinds on 1 and 2, seat 3 speaks first."""
    return seated(dict.fromkeys((1, 2, 3, 4), stack), 4, **values)


def blinds(stage: Stage, small: int = 1, big: int = 2) -> Stage:
    return stage.lay(small, "bet", 500).lay(big, "bet", 1000)


def dealt(stage: Stage, hands: Sequence[str] = HANDS) -> Stage:
    """Two cards each: seats in ascending order hold `hands`; also the cards that follow are laid ready."""
    players = sorted(seat for seat, state in stage.state.seats.items() if state.taken and not state.absent)
    return deal_holes(stage, dict(zip(players, hands, strict=False)))


def deal_holes(stage: Stage, hands: dict[int, str]) -> Stage:
    cards = {seat: cards_from_text(text) for seat, text in hands.items()}
    plan = plan_deal(Game.THE, stage.state.setup.ruleset.values, cards, button=stage.state.button, board=0)
    return stage.deal([cards[int(place.to)][place.nth - 1] for place in plan.places])


def street(stage: Stage, cards: str) -> Stage:
    """A burned card, then the cards of a street."""
    known = set(cards_from_text(BOARD_TEXT)) | set(cards_from_text(cards)) | set(cards_from_text("".join(HANDS)))
    out = set(stage.state.coup.drawn)
    burn = next(card for card in DECK if card not in known and f"red-{card}" not in out)
    return stage.deal([burn, *cards_from_text(cards)])


def gather(stage: Stage, pot: int) -> Stage:
    """THE-70: the stakes of the round into the pot."""
    for seat in sorted({place[0] for place in stage.lying if place[1] == "bet" and stage.lying[place]}):
        stage.lay(seat, "bet", 0)
    return stage.lay(0, "pot", pot)


def play(stage: Stage, coup: HoldemCoup, config: HoldemConfig, with_stacks: bool = False) -> Stage:
    """A whole coup: posts, cards, actions by chips and keys, gathering, showdown; up to its settlement."""
    hands = {seat.seat: seat.cards or () for seat in coup.seats if not seat.absent}
    opened = open_betting(coup, config)
    assert isinstance(opened, Betting)
    _put(stage, opened, with_stacks)
    used = {card for cards in hands.values() for card in cards} | set(coup.board)
    spare = iter(card for card in DECK if card not in used)
    plan = plan_deal(Game.THE, stage.state.setup.ruleset.values, hands, button=coup.button, board=5)
    queue = [_card(place.to, place.nth, hands, coup.board, spare) for place in plan.places]
    stage.deal([card for card in queue[: 2 * len(hands)] if card is not None])
    queue = queue[2 * len(hands) :]
    state = advance(opened)
    for action in coup.actions or ():
        state = _reach(stage, state, opened, queue, with_stacks)
        after = apply(state, action)
        assert isinstance(after, Betting), (action, after)
        _do(stage, action, after, with_stacks)
        opened, state = after, advance(after)
    if len(state.live) > 1:
        _reach(stage, state, opened, queue, with_stacks)
        stage.deal([card for card in queue if card is not None])
    return stage


def _reach(stage: Stage, state: Betting, last: Betting, queue: list[Card | None], with_stacks: bool) -> Betting:
    """Gather and deal until the table is on the street of `state`."""
    due = {"preflop": 8, "flop": 4, "turn": 2, "river": 0}[state.street]
    if len(queue) > due or state.turn is None:
        _gather_all(stage, last, with_stacks)
    while len(queue) > due:
        card = queue.pop(0)
        assert card is not None
        stage.deal([card])
    return state


def _gather_all(stage: Stage, betting: Betting, with_stacks: bool) -> None:
    """Everything before the players into the pot, what nobody matched back first."""
    live = [each.total for each in betting.players if not each.folded]
    top = max(live)
    second = sorted((each.total for each in betting.players), reverse=True)[1]
    back = max(0, top - second) if stage.state.setup.ruleset.values["return_uncalled"] else 0
    if with_stacks and back:
        winner = next(each for each in betting.players if each.total == top and not each.folded)
        stage.lay(winner.seat, "bet", 0).lay(winner.seat, "stack", winner.stack + back)
    gather(stage, sum(each.total for each in betting.players) - back)


def _put(stage: Stage, betting: Betting, with_stacks: bool) -> None:
    for each in betting.players:
        if each.street_bet:
            if with_stacks:
                stage.lay(each.seat, "stack", each.stack)
            stage.lay(each.seat, "bet", each.street_bet)


def _do(stage: Stage, action: Action, after: Betting, with_stacks: bool) -> None:
    better = next(each for each in after.players if each.seat == action.seat)
    match action.act:
        case Act.FOLD:
            stage.key(Key.FOLD, action.seat)
        case Act.CHECK:
            stage.key(Key.CHECK, action.seat)
        case _:
            if with_stacks:
                stage.lay(action.seat, "stack", better.stack)
            stage.lay(action.seat, "bet", better.street_bet)


def _card(
    to: int | str, nth: int, hands: dict[int, tuple[Card, ...]], board: tuple[Card, ...], spare: Iterator[Card]
) -> Card | None:
    if to == BURN:
        return next(spare)
    if to == BOARD:
        return board[nth - 1] if nth <= len(board) else None
    return hands[int(to)][nth - 1]


def settled(stage: Stage) -> HoldemSettlement:
    found = stage.settlements()[-1].settlement
    assert isinstance(found, HoldemSettlement)
    return found
