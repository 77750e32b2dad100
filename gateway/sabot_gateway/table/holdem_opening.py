"""Before the deal of hold'em: who plays, who posts what, and whether the chips on the spots say so (THE-41 to THE-50).

Blinds are read from each seat's bet spot. Everybody entitled to a hand is a
player whatever lies before him: an improper post holds the deal, and if the
dealer deals all the same, it holds the settlement.
"""

from collections.abc import Iterator

from sabot_gateway.model.alert import Alert
from sabot_gateway.model.felt import FeltSpot
from sabot_gateway.model.game import Game
from sabot_gateway.model.holdem import HoldemCoup, HoldemSeat, OptionPost
from sabot_gateway.rules.betting_state import Betting
from sabot_gateway.rules.blinds import Posts, blind_faults, option_faults, posts
from sabot_gateway.rules.deal import seats_from_button
from sabot_gateway.rules.games.texas_holdem import HoldemConfig, open_betting
from sabot_gateway.rules.rejection import Refusal
from sabot_gateway.table.alerts import blinds
from sabot_gateway.table.alerts.stakes import improper_opening
from sabot_gateway.table.change import replace
from sabot_gateway.table.game_course import Opening
from sabot_gateway.table.holdem_party import is_button_placed
from sabot_gateway.table.holdem_seats import boundless, chips_of, config_of, entitled, is_occupied, occupied, stack_of
from sabot_gateway.table.holdem_state import HoldemHand
from sabot_gateway.table.state import Table, amount_at
from sabot_gateway.table.turn import Turn


def holdem_opening(table: Table) -> Opening:
    """Everybody who gets a hand, and an alert for every stake before the deal that is not as it must be."""
    config = config_of(table)
    players = entitled(table)
    alerts = [blinds.blinds_impossible(fault) for fault in blind_faults(config.table_min, config.structure)]
    if not is_button_placed(table):
        alerts.append(blinds.button_not_placed())
    if len(players) < 2:
        alerts.append(blinds.too_few_players(len(players)))
    if alerts:
        return Opening((), (*alerts, *_vacant(table)))
    alerts.extend(_people(table, players))
    alerts.extend(_posts(table, config, players))
    alerts.extend(_vacant(table))
    return Opening(players, tuple(alerts))


def open_hand(turn: Turn, players: tuple[int, ...]) -> None:
    """The betting begins with the posts that are due; what lies there instead is an alert that holds the settlement."""
    config = config_of(turn)
    turn.coup = replace(turn.coup, players=players)
    if len(players) < 2:
        return
    known = {seat: stack_of(turn, seat) for seat in players}
    stacks = tuple((seat, boundless(config) if stack is None else stack) for seat, stack in known.items())
    absent = tuple(seat for seat in occupied(turn) if seat not in players)
    option = _option(turn, config, players)
    betting = betting_of(turn.button, stacks, absent, option, config)
    if betting is None:
        return
    unknown = frozenset(seat for seat, stack in known.items() if stack is None)
    hand = HoldemHand(turn.button, stacks, betting, absent, unknown, option)
    turn.coup = replace(turn.coup, holdem=hand)
    for each in betting.players:
        amount = amount_at(turn, (each.seat, FeltSpot.BET))
        if amount != each.street_bet:
            turn.state_alert(blinds.dealt_on_wrong_blind(each.seat, amount, each.street_bet))
    for seat in sorted(unknown):
        turn.state_alert(blinds.stack_unknown(seat))


def betting_of(
    button: int,
    stacks: tuple[tuple[int, int], ...],
    absent: tuple[int, ...],
    option: OptionPost | None,
    config: HoldemConfig,
) -> Betting | None:
    """The first betting round of these players, by the rules; None where they refuse to open it."""
    seats = (*(HoldemSeat(seat, stack) for seat, stack in stacks), *(HoldemSeat(seat, absent=True) for seat in absent))
    opened = open_betting(HoldemCoup(button, seats, actions=(), option=option), config)
    return None if isinstance(opened, Refusal) else opened


def _people(table: Table, players: tuple[int, ...]) -> Iterator[Alert]:
    """THE-19: one hand per player; THE-32: stacks of whole chips."""
    unit = config_of(table).chip_unit
    seen: dict[str, int] = {}
    for seat in players:
        name = table.seats[seat].player
        if name and name in seen:
            yield blinds.player_two_hands(seat, seen[name])
        seen.setdefault(name, seat)
        chips = chips_of(table, seat)
        if chips is not None and chips % unit:
            yield blinds.stack_not_whole(seat, chips)


def _posts(table: Table, config: HoldemConfig, players: tuple[int, ...]) -> Iterator[Alert]:
    """THE-45 to THE-49, THE-128: each post as due, short only where it is the whole stack."""
    order = tuple(seats_from_button(players, table.button))
    due = dict(_due(config, order).due)
    small = config.structure.small_blind
    for seat in order:
        amount = amount_at(table, (seat, FeltSpot.BET))
        if seat in due:
            stack = stack_of(table, seat)
            post = due[seat] if stack is None else min(due[seat], stack)
            if amount != post:
                yield blinds.wrong_blind(seat, amount, post, "THE-46" if due[seat] == small else "THE-47")
        elif amount:
            yield from _extra_post(table, config, order, seat, amount)


def _extra_post(table: Table, config: HoldemConfig, order: tuple[int, ...], seat: int, amount: int) -> Iterator[Alert]:
    """A third stake is a proper option, an improper one, or none at all."""
    if len(order) < 3 or seat != order[2]:
        yield blinds.stake_before_deal(seat, amount)
        return
    option = OptionPost(seat, amount)
    for fault in option_faults(option, order, stack_of(table, seat), config.option_allowed, config.structure.big_blind):
        yield blinds.wrong_option(seat, amount, fault.rule)


def _option(table: Table, config: HoldemConfig, players: tuple[int, ...]) -> OptionPost | None:
    """THE-49: the option, where a proper one lies."""
    order = tuple(seats_from_button(players, table.button))
    if len(order) < 3 or not amount_at(table, (order[2], FeltSpot.BET)):
        return None
    option = OptionPost(order[2], amount_at(table, (order[2], FeltSpot.BET)))
    stack = stack_of(table, order[2])
    faults = option_faults(option, order, stack, config.option_allowed, config.structure.big_blind)
    return None if faults else option


def _vacant(table: Table) -> Iterator[Alert]:
    """THE-20: no stake before a vacant seat; an absent player has none either."""
    for seat in range(1, table.setup.seats_total + 1):
        amount = amount_at(table, (seat, FeltSpot.BET))
        if not amount or seat in table.coup.excluded:
            continue
        if not is_occupied(table, seat):
            yield improper_opening(Game.THE, "BET_ON_VACANT_SPOT", "THE-20", seat, FeltSpot.BET, amount)
        elif table.seats[seat].absent:
            yield blinds.stake_before_deal(seat, amount)


def _due(config: HoldemConfig, order: tuple[int, ...]) -> Posts:
    return posts(order, config.structure, config.heads_up, None, config.option_action)
