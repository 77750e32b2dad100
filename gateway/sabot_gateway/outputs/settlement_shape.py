"""A settled coup as JSON fields. Owns their names (docs/integrations.md): they are added to, never renamed.

The words are those of `sabot settle`. Law 7: no card and no rank is ever in it. A hand is named by its category, and
only where the table turned and compared it; of a folded hand, and of a dealer's hand that nobody played against,
there is nothing.
"""

from typing import Final

from sabot_gateway.model.effect import RecordSettlement
from sabot_gateway.model.holdem import HoldemSeatResult, HoldemSettlement
from sabot_gateway.model.settlement import BetResult, Comparison, SeatResult, Settlement

_COMPARED: Final = frozenset({Comparison.WIN, Comparison.LOSE, Comparison.TIE})
_DEALER_TURNED: Final = _COMPARED | {Comparison.DEALER_NOT_QUALIFIED}


def settlement_fields(effect: RecordSettlement) -> dict[str, object]:
    fields: dict[str, object] = {
        "coup": effect.number,
        "game": effect.game.value,
        "status": effect.settlement.status.value,
        "rule": effect.settlement.rule,
        "rules": list(effect.rules),
        "by": effect.by,
        "ruleset": {"id": effect.ruleset, "sha256": effect.ruleset_sha256},
    }
    match effect.settlement:
        case Settlement() as bank:
            return fields | _bank(bank)
        case HoldemSettlement() as party:
            return fields | _party(party)


def _bank(settlement: Settlement) -> dict[str, object]:
    dealer = settlement.dealer
    is_turned = any(seat.comparison in _DEALER_TURNED for seat in settlement.seats)
    return {
        "bank_net": settlement.bank_net,
        "dealer": {"category": dealer.hand.category, "qualified": dealer.qualified, "rule": dealer.rule}
        if dealer and is_turned
        else None,
        "seats": [_bank_seat(seat) for seat in settlement.seats],
    }


def _bank_seat(seat: SeatResult) -> dict[str, object]:
    return {
        "seat": seat.seat,
        "comparison": seat.comparison.value if seat.comparison else None,
        "category": seat.hand.category if seat.hand and seat.comparison in _COMPARED else None,
        "bets": {bet.spot: _bet(bet) for bet in seat.bets},
        "stake": seat.stake,
        "returned": seat.stake + seat.net,
        "net": seat.net,
    }


def _bet(bet: BetResult) -> dict[str, object]:
    return {
        "outcome": bet.outcome.value,
        "stake": bet.stake,
        "returned": bet.returned,
        "net": bet.net,
        "rule": bet.rule,
        "pay": f"{bet.odds.win}:{bet.odds.per}" if bet.odds else None,
    }


def _party(settlement: HoldemSettlement) -> dict[str, object]:
    uncalled = settlement.uncalled
    return {
        "bank_net": settlement.rake_total,
        "uncalled": {"seat": uncalled.seat, "amount": uncalled.amount} if uncalled else None,
        "pots": [
            {
                "amount": result.pot.amount,
                "rake": result.rake,
                "eligible": list(result.pot.eligible),
                "winners": list(result.winners),
                "shares": list(result.shares),
                "rule": result.rule,
            }
            for result in settlement.pots
        ],
        "seats": [_party_seat(seat) for seat in settlement.seats],
    }


def _party_seat(seat: HoldemSeatResult) -> dict[str, object]:
    return {
        "seat": seat.seat,
        "comparison": seat.comparison.value if seat.comparison else None,
        "category": seat.hand.category if seat.hand and seat.comparison in _COMPARED else None,
        "outcome": seat.outcome.value,
        "stake": seat.stake,
        "returned": seat.returned,
        "net": seat.net,
        "rule": seat.rule,
    }
