"""What the dealer and the pages are told of a hold'em coup: the word, the amount to match, the pots as they form.

A function of the state. No card is named here: what is shown of hands is decided
in `exposure` alone.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache

from sabot_gateway.model.effect import Line
from sabot_gateway.model.felt import FeltSpot
from sabot_gateway.model.game import Game
from sabot_gateway.model.holdem import HoldemSettlement
from sabot_gateway.model.settlement import Status
from sabot_gateway.rules.announcement import coup_void, last_hands, spoken_action
from sabot_gateway.rules.betting import asked_of
from sabot_gateway.rules.blinds import posts
from sabot_gateway.rules.deal import seats_from_button
from sabot_gateway.rules.games.texas_holdem import HoldemConfig
from sabot_gateway.rules.last_hands import hands_left
from sabot_gateway.rules.ruleset import Ruleset
from sabot_gateway.table.alerts.kind import text_from_cents
from sabot_gateway.table.holdem_party import is_button_placed
from sabot_gateway.table.holdem_pot import BOARD_PLACES, amounts_of, layers_of, uncalled_of
from sabot_gateway.table.holdem_seats import entitled
from sabot_gateway.table.holdem_showdown import still_to_show
from sabot_gateway.table.holdem_state import HoldemHand
from sabot_gateway.table.state import CoupPhase, DueStatus, SeancePhase, ShoePhase, Table


def lines(table: Table) -> tuple[Line, ...]:
    """The lines of this phase, most urgent first; empty where hold'em has nothing to add."""
    hand = table.coup.holdem
    if hand is not None and table.coup.phase is CoupPhase.DECIDING:
        return _betting(table, hand)  # told after every action
    return tuple(_lines(table))


def facts(table: Table) -> Mapping[str, object]:
    """Button, betting and pots in plain data, for pages."""
    hand = table.coup.holdem
    told: dict[str, object] = {"button": table.button, "waiting": list(table.seance.waiting)}
    if hand is None:
        return told
    betting = hand.betting
    layers = layers_of(table, hand)
    seat, amount = uncalled_of(table, hand)
    told.update(
        button=hand.button,
        street=str(betting.street),
        turn=hand.seat_in_turn,
        to_match=betting.bet_to,
        players=[
            {
                "seat": each.seat,
                "stack": None if each.seat in hand.unknown else each.stack,
                "bet": each.street_bet,
                "staked": each.total,
                "folded": each.folded,
                "all_in": not each.folded and each.stack == 0,
            }
            for each in betting.players
        ],
        pots=[{"amount": pot.amount, "eligible": list(pot.eligible)} for pot in layers.pots],
        uncalled={"seat": seat, "amount": amount} if seat else None,
        showdown=list(still_to_show(table)),
        mucked=list(hand.mucked),
    )
    return told


def _lines(table: Table) -> Iterator[Line]:
    hand = table.coup.holdem
    match table.coup.phase:
        case CoupPhase.IDLE | CoupPhase.BETTING:
            yield from _before_deal(table)
        case CoupPhase.DEALING if hand is not None and table.coup.round:
            due = 2 * len(hand.stacks) + BOARD_PLACES[min(table.coup.round, len(BOARD_PLACES) - 1)]
            yield Line(f"Donne {table.coup.served}/{due}", f"Deal {table.coup.served}/{due}")
            yield _pots(table, hand)
        case CoupPhase.REVEALING if hand is not None:
            left = " ".join(str(seat) for seat in still_to_show(table))
            yield Line(f"Montrer : {left}", f"To show: {left}")
            yield _pots(table, hand)
        case CoupPhase.PAYING:
            yield from _paying(table)
        case _:
            return


def _before_deal(table: Table) -> Iterator[Line]:
    """Nothing of its own while the table opens or counts its deck."""
    if table.seance.phase not in (SeancePhase.OPEN, SeancePhase.LAST_HANDS):
        return
    if table.shoe.phase in (ShoePhase.EMPTY, ShoePhase.COUNTING) and table.party.draw is None:
        return
    if table.seance.phase is SeancePhase.LAST_HANDS and hands_left(table.seance.hands_since):
        said = last_hands(Game.THE, hands_left(table.seance.hands_since))
        yield Line(said.say, said.english)
    draw = table.party.draw
    if draw is not None:
        yield Line(f"Tirage du bouton : {draw.waiting[0]}", f"Button draw: {draw.waiting[0]}")
        return
    if table.shoe.phase is ShoePhase.COUNTED:
        yield Line("Mélanger", "Shuffle")
    players = entitled(table)
    if not is_button_placed(table):
        yield Line("Placer le bouton", "Place the button")
    elif len(players) >= 2:
        yield _blinds(table.setup.ruleset, players, table.button)


@lru_cache(maxsize=1024)
def _blinds(ruleset: Ruleset, players: tuple[int, ...], button: int) -> Line:
    config = HoldemConfig.from_ruleset(ruleset.values)
    order = tuple(seats_from_button(players, button))
    due = posts(order, config.structure, config.heads_up, None, config.option_action).due
    said = " ".join(f"{seat}={text_from_cents(cents, ',')}" for seat, cents in due)
    return Line(f"Bouton {button}, blinds {said}", f"Button {button}, blinds {_english(said)}")


def _betting(table: Table, hand: HoldemHand) -> tuple[Line, ...]:
    found = []
    asked = asked_of(hand.betting)
    if asked is not None:
        found.append(_to_call(asked.seat, asked.call))
        if asked.least_to is not None:
            found.append(_to_raise(asked.least_to))
    if hand.actions:
        last = hand.actions[-1]
        found.append(_spoken(last.act, last.seat))
    found.append(_pots(table, hand))
    return tuple(found)


def _pots(table: Table, hand: HoldemHand) -> Line:
    """THE-100: every pot by itself, the main pot first."""
    return _pot_line(amounts_of(table, hand))


# Every action changes these lines, and a night repeats the same few amounts.


@lru_cache(maxsize=1024)
def _to_call(seat: int, cents: int) -> Line:
    fr, en = text_from_cents(cents, ","), text_from_cents(cents, ".")
    return Line(f"Place {seat} : {fr} à suivre", f"Seat {seat}: {en} to call")


@lru_cache(maxsize=1024)
def _to_raise(cents: int) -> Line:
    return Line(f"Relance à {text_from_cents(cents, ',')} au moins", f"Raise to {text_from_cents(cents, '.')} at least")


@lru_cache(maxsize=128)
def _spoken(act: str, seat: int) -> Line:
    said = spoken_action(act, seat)
    return Line(f"{seat} {said.say}", f"{seat} {said.english}")


@lru_cache(maxsize=1024)
def _pot_line(amounts: tuple[int, ...]) -> Line:
    pots = " + ".join(text_from_cents(amount, ",") for amount in amounts)
    return Line(f"Pot {pots}", f"Pot {_english(pots)}")


def _paying(table: Table) -> Iterator[Line]:
    settlement = table.coup.settlement
    if not isinstance(settlement, HoldemSettlement):
        return
    if settlement.status is Status.VOID:
        said = coup_void(Game.THE)
        yield Line(said.say, said.english)
    elif settlement.rake_total:
        cents = settlement.rake_total
        yield Line(f"Cagnotte {text_from_cents(cents, ',')}", f"Rake {text_from_cents(cents, '.')}")
    hand = table.coup.holdem
    for due in table.coup.dues:
        seat, spot = due.place
        if seat and due.target and due.status is DueStatus.PENDING:
            better = hand.better(seat) if hand is not None and spot is FeltSpot.STACK else None
            cents = due.target - (better.stack if better is not None else 0)
            yield Line(f"Place {seat} : {text_from_cents(cents, ',')}", f"Seat {seat}: {text_from_cents(cents, '.')}")


def _english(text: str) -> str:
    return text.replace(",", ".")
