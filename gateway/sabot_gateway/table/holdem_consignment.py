"""Chips put aside for players who stayed away too long (THE-29, THE-30), until they come or the séance ends."""

from sabot_gateway.model.event import ConsignmentClaimed, StakeConsigned
from sabot_gateway.table.alerts import party as alerts
from sabot_gateway.table.change import replace
from sabot_gateway.table.holdem_party import is_late, leave_seat, party_of
from sabot_gateway.table.state import SeatState
from sabot_gateway.table.turn import Turn


def consign(turn: Turn) -> None:
    """THE-29: beyond the longest absence of the house, not before; the seat can be given away."""
    event = turn.event
    assert isinstance(event, StakeConsigned)
    seat, amount = event.seat, event.amount_cents
    if not 1 <= seat <= turn.setup.seats_total or amount < 0:
        return
    known = turn.seats.get(seat, SeatState())
    if not known.player and not known.taken:
        return  # nobody has left anything there
    if not known.absent or not is_late(turn, seat):
        turn.alert(alerts.consigned_early(seat, amount))
    party = party_of(turn)
    player = known.player or f"seat {seat}"
    turn.party = replace(party, consigned=(*party.consigned, (player, amount)))
    turn.note("stake_consigned", seat=seat, player=player, amount_cents=amount, by=event.by)
    leave_seat(turn, seat)


def claim_consigned(turn: Turn) -> None:
    """Everything that was put aside in one name."""
    event = turn.event
    assert isinstance(event, ConsignmentClaimed)
    kept = tuple(each for each in turn.party.consigned if each[0] != event.player)
    amount = sum(cents for player, cents in turn.party.consigned if player == event.player)
    if kept == turn.party.consigned:
        return
    turn.party = replace(turn.party, consigned=kept)
    turn.note("consignment_claimed", player=event.player, amount_cents=amount, by=event.by)


def orphan_unclaimed(turn: Turn) -> None:
    """THE-30: what nobody claimed before the end of the séance goes to the register of orphans."""
    unclaimed = turn.party.consigned
    if not unclaimed:
        return
    for player, cents in unclaimed:
        turn.note("stake_orphaned", player=player, amount_cents=cents)
    turn.alert(alerts.stake_orphaned(len(unclaimed), sum(cents for _, cents in unclaimed)))
    turn.party = replace(turn.party, consigned=())
