"""A table as pages and programs may see it: plain data, with only the cards that the table itself shows.

Built from `exposure` alone where cards are concerned; tags never appear, for a
tag is a card to whoever has the register.
"""

from typing import Final

from sabot_gateway.model.card import text_from_card
from sabot_gateway.model.holdem import HoldemSettlement
from sabot_gateway.model.settlement import Settlement
from sabot_gateway.table import exposure
from sabot_gateway.table.courses import course_of
from sabot_gateway.table.sealed import BLANK
from sabot_gateway.table.state import TableState

FACE_DOWN: Final = BLANK


def view_of(state: TableState) -> dict[str, object]:
    """Everything about a table that is no secret."""
    coup, seance = state.coup, state.seance
    return {
        "table": state.setup.table,
        "game": str(state.setup.game),
        "ruleset": {"id": state.setup.ruleset.id, "sha256": state.setup.ruleset.sha256},
        "seance": {"phase": str(seance.phase), "number": seance.number, "waiting": list(seance.waiting)},
        "shoe": {"phase": str(state.shoe.phase), "deck": state.shoe.deck, "rack": len(state.shoe.rack)},
        "coup": {
            "number": coup.number,
            "phase": str(coup.phase),
            "since_ms": coup.phase_ms,
            "round": coup.round,
            "players": list(coup.players),
            "dealer": _cards(exposure.shown_dealer(state)),
            "board": _cards(exposure.shown_board(state)),
            "burned": len(coup.burned),
        },
        "review": _review(state),
        "seats": [_seat(state, seat) for seat in range(1, state.setup.seats_total + 1)],
        "staff": {"dealer": state.staff.dealer, "head": state.staff.head},
        "dues": [
            {"seat": due.place[0], "spot": str(due.place[1]), "status": str(due.status)}
            | ({} if due.is_quiet else {"outcome": str(due.outcome), "target": due.target, "rule": due.rule})
            for due in coup.dues
        ],
        "settlement": _settlement(state),
        "alerts": [
            {
                "id": alert.id,
                "code": alert.code,
                "severity": str(alert.severity),
                "rule": alert.rule,
                "seat": alert.seat,
                "spot": alert.spot,
                "fr": alert.fr,
                "en": alert.en,
                "count": alert.count,
                "holds": str(alert.holds),
                "first_ms": alert.first_ms,
                "last_ms": alert.last_ms,
            }
            for alert in state.alerts.values()
        ],
        "lamps": {
            "revision": state.lamps.revision,
            "applied": state.lamps.applied,
            "picture": [
                {
                    "seat": lamp.seat,
                    "spot": str(lamp.spot),
                    "colour": str(lamp.colour),
                    "pattern": str(lamp.pattern),
                    "amount": lamp.amount_cents,
                }
                for lamp in state.lamps.picture
            ],
            "display": [{"fr": line.fr, "en": line.en} for line in state.lamps.display],
        },
        "game_facts": dict(course_of(state).facts(state)),
        "links": {device: str(link.phase) for device, link in state.links.items()},
    }


def _review(state: TableState) -> dict[str, object] | None:
    """`awaiting`: the hands that nobody has confirmed yet; seats, 0 for the dealer, -1 for the board."""
    review = state.review
    if review is None:
        return None
    awaiting = [place for place in course_of(state).confirmable(state) if place not in review.confirmed]
    return {"cause": review.cause, "since_ms": review.since_ms, "awaiting": awaiting}


def _seat(state: TableState, seat: int) -> dict[str, object]:
    coup = state.coup
    known = state.seats.get(seat)
    decision = coup.decisions.get(seat)
    return {
        "seat": seat,
        "taken": known is not None and known.taken,
        "absent": known is not None and known.absent,
        "chips": {
            str(spot): pile.cents for (number, spot), pile in state.felt.items() if number == seat and pile.cents
        },
        "bets": {str(spot): amount for (number, spot), amount in coup.bets.items() if number == seat},
        "decision": None if decision is None else str(decision),
        "cards": _cards(exposure.shown_hand(state, seat)),
        "bought": _cards(exposure.shown_purchase(state, seat)),
    }


def _settlement(state: TableState) -> dict[str, object] | None:
    """Only what concerns everybody; what each spot gets is in the dues."""
    settlement = state.coup.settlement
    match settlement:
        case None:
            return None
        case Settlement(dealer=dealer):
            body: dict[str, object] = {"status": str(settlement.status), "rule": settlement.rule}
            if dealer is not None:
                body |= {"category": str(dealer.hand.category), "qualified": dealer.qualified}
            return body
        case HoldemSettlement():
            return {"status": str(settlement.status), "rule": settlement.rule, "rake": settlement.rake_total}


def _cards(shown: exposure.Shown) -> list[str]:
    return [FACE_DOWN if card is None else text_from_card(card) for card in shown]
