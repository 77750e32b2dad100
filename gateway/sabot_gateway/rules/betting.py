"""The four betting rounds of hold'em as a small machine: a frozen state, `apply` one action, get a state or a fault.

Owns turn order, the legality of every action and who has staked what (THE-56 to
THE-92). Knows no cards, pots or rake. The live table feeds it action by action;
the settlement of a finished coup folds a whole log with `follow`.

Invariants: an illegal action yields a fault and no state; chips never appear or
vanish (stack + total is constant for each player); players that an action does
not touch are shared between the old state and the new one.
"""

from collections.abc import Iterable

from sabot_gateway.model.holdem import Act, Action, Street, Version
from sabot_gateway.rules.betting_state import STREETS, Asked, Better, Betting, Legal, Voice
from sabot_gateway.rules.blinds import Posts
from sabot_gateway.rules.raise_limits import Structure, Window, window
from sabot_gateway.rules.rejection import Fault


def start(structure: Structure, stacks: Iterable[tuple[int, int]], posts: Posts) -> Betting:
    """The first round after the posts; `stacks` are (seat, stack) in order from the button's left."""
    due = dict(posts.due)
    players = []
    for seat, stack in stacks:
        # THE-128: short of his blind, a player posts what he has and is all-in.
        paid = min(stack, due.get(seat, 0))
        players.append(Better(seat, stack - paid, paid, paid))
    first = next(index for index, player in enumerate(players) if player.seat == posts.first_to_speak)
    bets = posts.blind_bets if structure.limit_cap_counts_blind else posts.blind_bets - 1
    return _moment(structure, tuple(players), Street.PREFLOP, posts.bet_to, posts.full_raise, bets, None, first)


def next_street(state: Betting) -> Betting:
    """The round that follows a finished one: everything staked lies in the pot, the first player still in speaks."""
    assert state.turn is None
    assert not state.is_over
    street = STREETS[STREETS.index(state.street) + 1]
    players = tuple([_gathered(player) if player.acted or player.street_bet else player for player in state.players])
    # THE-73: the first player still in, immediately left of the button.
    return _moment(state.structure, players, street, 0, state.structure.big_blind, 0, state.voice, begin=0)


def advance(state: Betting) -> Betting:
    """Past every finished round to the next decision, or to the end of the coup."""
    while state.turn is None and not state.is_over:
        state = next_street(state)
    return state


def legal_actions(state: Betting) -> Legal | None:
    """What the player in turn may do, or None when nobody has to decide."""
    if state.turn is None:
        return None
    player = state.players[state.turn]
    acts = {Act.FOLD}  # THE-76: folding is always open
    acts.add(Act.CHECK if player.street_bet == state.bet_to else Act.CALL)
    call_to = min(state.bet_to, player.reach)
    if player.reach <= state.bet_to:
        return Legal(player.seat, frozenset(acts | {Act.ALLIN}), call_to)
    if _raise_fault(state, player) is not None:
        return Legal(player.seat, frozenset(acts), call_to)
    open_window = _window(state, player)
    most = player.reach if open_window.most is None else min(open_window.most, player.reach)
    acts.add(Act.RAISE if state.bet_to else Act.BET)
    if most == player.reach:
        acts.add(Act.ALLIN)
    return Legal(player.seat, frozenset(acts), call_to, min(open_window.least, player.reach), most)


def asked_of(state: Betting) -> Asked | None:
    """The amounts of `legal_actions` alone; None when nobody has to decide."""
    if state.turn is None:
        return None
    player = state.players[state.turn]
    call = min(state.bet_to, player.reach) - player.street_bet
    if player.reach <= state.bet_to or _raise_fault(state, player) is not None:
        return Asked(player.seat, call, None)
    return Asked(player.seat, call, min(_window(state, player).least, player.reach))


def idle_seat(state: Betting) -> int | None:
    """The player who has the word by the letter (THE-65, THE-68) though nothing hangs on it.

    All others are out or all-in and he has nothing to match, so the round is over without him; should
    he say so all the same, a check or a fold is taken down.
    """
    if state.turn is not None or state.is_uncontested:
        return None
    able = [player for player in state.players if not player.folded and player.stack]
    return able[0].seat if len(able) == 1 and not able[0].acted else None


def apply(state: Betting, action: Action) -> Betting | Fault:
    """The state after `action`, or why the rules refuse it."""
    structure, players, street, bet_to, full_raise, bets, turn, voice = state
    if turn is None or players[turn].seat != action.seat or action.street is not street:
        speaker = _speaker(state, action)
        if isinstance(speaker, Fault):
            return speaker
        turn = speaker
    player = players[turn]
    seat, stack, street_bet, total, _, _ = player
    target = _target(state, player, action)
    if isinstance(target, Fault):
        return target
    if voice is None or voice.street is not street:
        voice = Voice(street, seat)
    # THE-58, THE-62, THE-65: what a folded player staked stays in the pot.
    added = target - street_bet
    after = Better(seat, stack - added, target, total + added, action.act is Act.FOLD, True)
    if target > bet_to:
        return _raised(state, turn, after, voice)
    players = _with_player(players, turn, after)
    return Betting(structure, players, street, bet_to, full_raise, bets, _turn(players, bet_to, turn + 1), voice)


def follow(state: Betting, actions: Iterable[Action]) -> Betting | Fault:
    """A whole log of actions, street after street; the result may still wait for a decision."""
    for action in actions:
        if state.turn is None and (action.street is not state.street or idle_seat(state) is None):
            state = advance(state)
        result = apply(state, action)
        if isinstance(result, Fault):
            return result
        state = result
    return advance(state)


def missing_action(state: Betting) -> Fault | None:
    """THE-83: a finished coup leaves nobody to speak."""
    if state.turn is None:
        return None
    return Fault("ACTION_MISSING", "THE-83", str(state.street), state.players[state.turn].seat)


def _speaker(state: Betting, action: Action) -> int | Fault:
    """Who acts, as an index, if it is his turn."""
    if state.turn is None:
        if action.street is state.street and action.seat == idle_seat(state) and action.act in (Act.CHECK, Act.FOLD):
            return next(index for index, player in enumerate(state.players) if player.seat == action.seat)
        return Fault("ACTION_AFTER_END", "THE-83", str(action.street), action.seat)
    due = state.players[state.turn].seat
    if action.street is not state.street:
        if STREETS.index(action.street) < STREETS.index(state.street):
            return Fault("ACTION_AFTER_END", "THE-83", str(action.street), action.seat)
        return Fault("ACTION_MISSING", "THE-83", str(state.street), due)
    if action.seat != due:
        rule = "THE-57" if state.street is Street.PREFLOP else "THE-73"
        return Fault("OUT_OF_TURN", rule, due, action.seat)
    return state.turn


def _target(state: Betting, player: Better, action: Action) -> int | Fault:
    """The player's total on the street after a legal action."""
    facing = player.street_bet < state.bet_to
    if action.act is Act.CHECK and not facing and action.to is None:
        return player.street_bet  # the commonest action by far
    match action.act:
        case Act.FOLD:
            return _stated(action, player.street_bet, player)
        case Act.CHECK:
            if facing:  # THE-68, THE-77
                return Fault("CHECK_FACING_BET", "THE-77", state.bet_to, player.seat)
            return _stated(action, player.street_bet, player)
        case Act.CALL:
            if not facing:
                return Fault("NOTHING_TO_CALL", "THE-79", seat=player.seat)
            # A-THE-10: the highest stake of the round, or the whole stack where it is less.
            return _stated(action, min(state.bet_to, player.reach), player, "CALL_AMOUNT")
        case Act.BET:
            if state.bet_to:
                return Fault("ALREADY_OPENED", "THE-78", state.bet_to, player.seat)
        case Act.RAISE:
            if not state.bet_to:
                return Fault("NOTHING_TO_RAISE", "THE-80", seat=player.seat)
        case Act.ALLIN:
            stated = _stated(action, player.reach, player)
            if isinstance(stated, Fault) or stated <= state.bet_to:
                return stated
            return _raise_fault(state, player) or _amount_fault(state, player, stated) or stated
    if action.to is None:
        return Fault("BAD_AMOUNT", "THE-33", seat=player.seat)
    return _raise_fault(state, player) or _amount_fault(state, player, action.to) or action.to


def _stated(action: Action, due: int, player: Better, code: str = "BAD_AMOUNT") -> int | Fault:
    """`due`, unless the action states another amount."""
    if action.to is not None and action.to != due:
        return Fault(code, "THE-59" if code == "CALL_AMOUNT" else "THE-33", due, player.seat)
    return due


def _raise_fault(state: Betting, player: Better) -> Fault | None:
    """Why this player may not raise at all, whatever the amount."""
    cap = state.structure.limit_cap
    if state.structure.version is Version.LIMIT and cap is not None and state.bets >= cap:
        return Fault("RAISE_NOT_ALLOWED", "THE-120", cap, player.seat)
    if player.acted and not state.structure.short_allin_reopens:
        # THE-121: he has spoken, and since then only all-ins of less than a full raise came.
        return Fault("RAISE_NOT_ALLOWED", "THE-121", seat=player.seat)
    return None


def _amount_fault(state: Betting, player: Better, to: int) -> Fault | None:
    if to > player.reach:
        return Fault("MORE_THAN_STACK", "THE-37", player.reach, player.seat)
    if state.bet_to and to <= state.bet_to:
        return Fault("RAISE_NOT_HIGHER", "THE-60", state.bet_to, player.seat)
    limits = _window(state, player)
    if limits.most is not None and to > limits.most:
        # THE-92: an all-in does not lift the maximum.
        return Fault("ABOVE_MAXIMUM", limits.most_rule, limits.most, player.seat)
    if to < limits.least and to != player.reach:
        return Fault("BELOW_MINIMUM", limits.least_rule, limits.least, player.seat)
    if to % state.structure.chip_unit and to != player.reach:
        return Fault("NOT_CHIP_MULTIPLE", "THE-32", to, player.seat)
    return None


def _window(state: Betting, player: Better) -> Window:
    call = state.bet_to - player.street_bet
    # Only pot limit asks for the pot, and adding it up costs more than the rest.
    pot = state.pot if state.structure.version is Version.POT_LIMIT else 0
    return window(state.structure, state.street, state.bet_to, state.full_raise, pot, call)


def _raised(state: Betting, index: int, after: Better, voice: Voice) -> Betting:
    """The state after a bet or raise: a full one reopens the round for everybody, a short all-in raise does not."""
    to = after.street_bet
    is_full = to >= _window(state, state.players[index]).least
    # A-THE-17: the text tells opening from raising; THE-121 limits a short raise, not a short opening.
    is_opening = state.bet_to == 0
    players = state.players
    if is_full or is_opening:
        players = tuple(_heard_again(player) if player.acted else player for player in players)
    seen = Voice(
        voice.street,
        voice.first,
        voice.raisers if is_opening else (*voice.raisers, after.seat),
        (*voice.aggressors, after.seat),
    )
    full_raise = to - state.bet_to if is_full else state.full_raise
    players = _with_player(players, index, after)
    bets = state.bets + is_full
    return _moment(state.structure, players, state.street, to, full_raise, bets, seen, begin=index + 1)


def _gathered(player: Better) -> Better:
    """THE-70: his stakes of the street lie in the pot, and he has not spoken yet."""
    return Better(player.seat, player.stack, 0, player.total, player.folded)


def _heard_again(player: Better) -> Better:
    return Better(player.seat, player.stack, player.street_bet, player.total, player.folded)


def _with_player(players: tuple[Better, ...], index: int, after: Better) -> tuple[Better, ...]:
    changed = list(players)
    changed[index] = after
    return tuple(changed)


def _moment(
    structure: Structure,
    players: tuple[Better, ...],
    street: Street,
    bet_to: int,
    full_raise: int,
    bets: int,
    voice: Voice | None,
    begin: int,
) -> Betting:
    """A moment in which the word is with the first player from `begin`, clockwise, who owes a decision."""
    return Betting(structure, players, street, bet_to, full_raise, bets, _turn(players, bet_to, begin), voice)


def _turn(players: tuple[Better, ...], bet_to: int, begin: int) -> int | None:
    """The first player from `begin`, clockwise, who owes a decision."""
    # In plain steps, as few as it takes: this is asked after every action of every coup.
    count = len(players)
    for step in range(begin, begin + count):
        index = step % count
        player = players[index]
        _, stack, street_bet, _, folded, acted = player
        if folded or not stack:
            continue
        if street_bet < bet_to:
            return index if _has_rival(players, player, with_chips=False) else None
        if not acted:
            # THE-83: one player alone against all-ins decides only while he has something to match.
            return index if _has_rival(players, player, with_chips=True) else None
    return None


def _has_rival(players: tuple[Better, ...], player: Better, with_chips: bool) -> bool:
    """Is anybody else still in, or still in with chips to bet?"""
    for other in players:  # noqa: SIM110 - asked after every action, and a generator costs more than the answer
        if other is not player and not other.folded and (other.stack or not with_chips):
            return True
    return False
