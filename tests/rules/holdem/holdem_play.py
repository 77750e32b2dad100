"""Players who act at random but by the rules: a table and a list of whims become a finished coup."""

from collections.abc import Iterator, Sequence

from sabot_gateway.model.card import Card
from sabot_gateway.model.holdem import Act, Action, HoldemCoup, HoldemSeat
from sabot_gateway.rules.betting import advance, apply, legal_actions
from sabot_gateway.rules.betting_state import Betting, Legal
from sabot_gateway.rules.games.texas_holdem import BOARD_CARDS, HoldemConfig, open_betting


def dealt(stacks: dict[int, int], button: int, deck: Sequence[Card]) -> HoldemCoup:
    """A coup before its first action: two cards each and the whole board from the top of `deck`."""
    cards = iter(deck)
    seats = tuple(HoldemSeat(seat, stack, (next(cards), next(cards))) for seat, stack in sorted(stacks.items()))
    return HoldemCoup(button, seats, tuple(next(cards) for _ in range(5)), actions=())


def choices(state: Betting, legal: Legal, unit: int) -> list[Action]:
    """Every kind of action open to the player in turn, with amounts from end to end."""
    seat, street = legal.seat, state.street
    found = [Action(street, seat, act) for act in sorted(legal.acts - {Act.BET, Act.RAISE})]
    for act in sorted(legal.acts & {Act.BET, Act.RAISE}):
        least, most = legal.least_to, legal.most_to
        assert least is not None
        assert most is not None
        middle = (least + (most - least) // 3) // unit * unit
        amounts = {least, most, max(least, middle), min(most, least + unit)}
        found += [Action(street, seat, act, to) for to in sorted(amounts)]
    return found


def states(start: HoldemCoup, config: HoldemConfig, whims: Sequence[int]) -> Iterator[tuple[Betting, Action | None]]:
    """Each moment of a coup and the action taken there; once the whims are spent everybody checks or calls."""
    opened = open_betting(start, config)
    assert isinstance(opened, Betting), opened
    state = advance(opened)
    turn = 0
    while (legal := legal_actions(state)) is not None:
        if turn < len(whims):
            open_to_him = choices(state, legal, config.chip_unit)
            action = open_to_him[whims[turn] % len(open_to_him)]
        else:
            quiet = Act.CHECK if Act.CHECK in legal.acts else Act.CALL
            action = Action(state.street, legal.seat, quiet)
        yield state, action
        after = apply(state, action)
        assert isinstance(after, Betting), (action, after)
        state = advance(after)
        turn += 1
    yield state, None


def finished(start: HoldemCoup, config: HoldemConfig, whims: Sequence[int]) -> tuple[HoldemCoup, Betting]:
    """The whole coup with its actions, the board cut to the cards that were dealt, and the betting it ended in."""
    log = []
    final = None
    for state, action in states(start, config, whims):
        final = state
        if action is not None:
            log.append(action)
    assert final is not None
    board = start.board if len(final.live) > 1 else start.board[: BOARD_CARDS[final.street]]
    return HoldemCoup(start.button, start.seats, board, tuple(log), start.option), final
