"""Incidents at hold'em: blinds, words and stakes out of place, the pot, the stacks, the showdown.

Each lays or takes chips, or presses a key too many, waits for the alert where one holds the coup up, and puts the felt
back as it was. Seat in turn means as the twin's own betting has it.
"""

import re
from typing import Final

from sabot_tools.twin.bank_coup import draw
from sabot_tools.twin.holdem_coup import HoldemCoup, lay
from sabot_tools.twin.incident import Act, Incident, lay_and_take, see_alert, see_quiet, void
from sabot_tools.twin.layout import POT, Place
from sabot_tools.twin.rig import see
from sabot_tools.twin.table import Stage, Table

EURO: Final = 100
_TO_SHOW: Final = re.compile(r"To show: ((?:\d+ ?)+)")


async def _take_and_lay(table: Table, code: str, place: Place, cents: int, is_closing: bool = False) -> bool:
    if table.felt.cents(place) < cents:
        return False
    table.expect(code, *place)
    held = table.felt.lift_exactly(place, cents, table.bank)
    await table.rig.settle()
    if is_closing:
        await table.rig.press("bets_closed")
    await see_alert(table, code)
    table.felt.add(place, held)
    await table.rig.settle()
    await see_quiet(table)
    return True


def _free_seat(table: Table) -> int:
    taken = {player.seat for player in table.players}
    return next((seat for seat, spot in table.rig.layout.places if spot == "bet" and seat not in taken), 0)


def _in_turn(coup: HoldemCoup) -> int:
    better = coup.betting.in_turn()
    return better.seat if better is not None else 0


async def _wrong_blind(table: Table, coup: HoldemCoup) -> bool:
    return await _take_and_lay(table, "WRONG_BLIND", (coup.order[1], "bet"), EURO, is_closing=True)


async def _wrong_option(table: Table, coup: HoldemCoup) -> bool:
    if len(coup.order) < 3:
        return False
    return await lay_and_take(table, "WRONG_OPTION", (coup.order[2], "bet"), EURO, is_closing=True)


async def _vacant_seat(table: Table, _coup: HoldemCoup) -> bool:
    seat = _free_seat(table)
    return bool(seat) and await lay_and_take(table, "BET_ON_VACANT_SEAT", (seat, "bet"), 500, is_closing=True)


async def _no_hand(table: Table, _coup: HoldemCoup) -> bool:
    seat = _free_seat(table)
    return bool(seat) and await lay_and_take(table, "BET_BEFORE_NO_HAND", (seat, "bet"), 500)


async def _out_of_turn(table: Table, coup: HoldemCoup) -> bool:
    others = [seat for seat in coup.order if seat != _in_turn(coup)]
    return await lay_and_take(table, "OUT_OF_TURN", (others[0], "bet"), 2000)


async def _taken_back(table: Table, coup: HoldemCoup) -> bool:
    big_blind = coup.order[1]
    if _in_turn(coup) == big_blind:
        return False
    return await _take_and_lay(table, "STAKE_TAKEN_BACK", (big_blind, "bet"), EURO)


async def _incomplete_call(table: Table, coup: HoldemCoup) -> bool:
    return await lay_and_take(table, "INCOMPLETE_CALL", (_in_turn(coup), "bet"), EURO)


async def _below_minimum(table: Table, coup: HoldemCoup) -> bool:
    better = coup.betting.in_turn()
    if better is None or better.stack < 4 * coup.betting.big_blind:
        return False
    cents = coup.betting.bet_to - better.street + EURO
    return await lay_and_take(table, "BET_BELOW_MINIMUM", (better.seat, "bet"), cents)


async def _more_than_stack(table: Table, coup: HoldemCoup) -> bool:
    """Chips that were never in his stack: out of a pocket, or a neighbour's."""
    better = coup.betting.in_turn()
    if better is None:
        return False
    return await lay_and_take(table, "MORE_THAN_STACK", (better.seat, "bet"), better.stack + 1000)


async def _string_bet(table: Table, coup: HoldemCoup) -> bool:
    """He has called, and then reaches for more."""
    better = coup.betting.in_turn()
    if better is None or better.stack < 4 * coup.betting.big_blind:
        return False
    to = coup.betting.call_to(better)
    await lay(table, {better.seat: to - better.street})
    coup.betting.stake_to(better, to)
    if not _in_turn(coup):
        return False
    return await lay_and_take(table, "STRING_BET", (better.seat, "bet"), 2 * coup.betting.big_blind)


async def _not_gathered(table: Table, coup: HoldemCoup) -> bool:
    """THE-70: the dealer lays the flop while the stakes still lie before the players."""
    table.expect("STAKES_NOT_GATHERED")
    coup.is_in_haste = True
    return True


async def _card_while_pending(table: Table, coup: HoldemCoup) -> bool:
    """THE-83: the dealer burns a card while somebody has the word: the table head voids the coup."""
    seat = _in_turn(coup)
    if not seat:
        return False
    table.expect("CARD_WHILE_PENDING", seat)
    coup.burned.append(await draw(table))
    await see_alert(table, "CARD_WHILE_PENDING")
    await void(table)
    return True


async def _check_facing_bet(table: Table, coup: HoldemCoup) -> bool:
    table.expect("CHECK_FACING_BET", _in_turn(coup))
    await table.rig.press("check", _in_turn(coup))
    return True


async def _verbal_bet(table: Table, coup: HoldemCoup) -> bool:
    table.expect("VERBAL_BET", _in_turn(coup))
    await table.rig.press("call", _in_turn(coup))
    return True


async def _after_fold(table: Table, coup: HoldemCoup) -> bool:
    folded = [better.seat for better in coup.betting.betters if better.has_folded]
    if not folded or not _in_turn(coup):
        return False
    return await lay_and_take(table, "BET_AFTER_FOLD", (folded[0], "bet"), 1000)


async def _after_round(table: Table, coup: HoldemCoup) -> bool:
    if len(coup.betting.live) < 2:
        return False
    return await lay_and_take(table, "BET_AFTER_ROUND", (coup.betting.live[0].seat, "bet"), 1000)


async def _pot_short(table: Table, coup: HoldemCoup) -> bool:
    cents = table.felt.smallest(POT)
    return bool(_in_turn(coup) and cents) and await _take_and_lay(table, "POT_SHORT", POT, cents)


async def _pot_over(table: Table, coup: HoldemCoup) -> bool:
    return bool(_in_turn(coup)) and await lay_and_take(table, "POT_OVER", POT, EURO)


async def _stack_grew(table: Table, coup: HoldemCoup) -> bool:
    """Chips come to a stack during a coup; nothing waits for them, and they go again."""
    place = (coup.order[0], "stack")
    table.expect("STACK_GREW", *place)
    chips = table.bank.take(1000)
    table.felt.add(place, chips)
    await table.rig.settle()
    table.felt.take_off(place, chips)
    table.bank.put(chips)
    await table.rig.settle()
    return True


async def _rebuy(table: Table, coup: HoldemCoup) -> bool:
    table.expect("RECAVE_DURING_COUP", coup.order[0])
    await table.rig.press("rebuy", coup.order[0])
    return True


async def _mucked(table: Table, coup: HoldemCoup) -> bool:
    """A hand is thrown away unseen: it wins nothing."""
    if len(coup.betting.live) < 2:
        return False
    better = coup.betting.live[-1]
    table.expect("HAND_MUCKED", better.seat)
    await see(table.rig, lambda sight: "To show" in sight.text, "the showdown")
    await table.rig.press("fold", better.seat)
    better.has_folded = True
    return True


async def _showdown_order(table: Table, coup: HoldemCoup) -> bool:
    """Whoever should show last shows first."""
    if len(coup.betting.live) < 2:
        return False
    sight = await see(table.rig, lambda sight: _TO_SHOW.search(sight.text) is not None, "the showdown")
    found = _TO_SHOW.search(sight.text)
    assert found is not None
    last = int(found[1].split()[-1])
    table.expect("SHOWDOWN_ORDER", last)
    await table.rig.press("reveal", last)
    return True


def _of(name: str, stage: Stage, act: Act, code: str = "", *, dealer: bool = False) -> Incident:
    return Incident(name, (code or name.replace("-", "_").upper(),), stage, ("THE",), act, dealer)


HOLDEM_INCIDENTS: Final = (
    _of("wrong-blind", Stage.STAKED, _wrong_blind),
    _of("wrong-option", Stage.STAKED, _wrong_option),
    _of("bet-on-vacant-seat", Stage.STAKED, _vacant_seat),
    _of("holdem-bet-before-no-hand", Stage.DEALT, _no_hand, "BET_BEFORE_NO_HAND"),
    _of("out-of-turn", Stage.DEALT, _out_of_turn),
    _of("stake-taken-back", Stage.DEALT, _taken_back),
    _of("incomplete-call", Stage.DEALT, _incomplete_call),
    _of("bet-below-minimum", Stage.DEALT, _below_minimum),
    _of("more-than-stack", Stage.DEALT, _more_than_stack),
    _of("string-bet", Stage.DEALT, _string_bet),
    _of("stakes-not-gathered", Stage.CLOSED, _not_gathered, dealer=True),
    _of("card-while-pending", Stage.DEALT, _card_while_pending, dealer=True),
    _of("check-facing-bet", Stage.DEALT, _check_facing_bet),
    _of("verbal-bet", Stage.DEALT, _verbal_bet),
    _of("bet-after-fold", Stage.DEALING, _after_fold),
    _of("bet-after-round", Stage.DECIDED, _after_round),
    _of("pot-short", Stage.DEALING, _pot_short),
    _of("pot-over", Stage.DEALING, _pot_over),
    _of("stack-grew", Stage.DEALT, _stack_grew),
    _of("recave-during-coup", Stage.DEALT, _rebuy),
    _of("hand-mucked", Stage.DECIDED, _mucked),
    _of("showdown-order", Stage.DECIDED, _showdown_order),
)
