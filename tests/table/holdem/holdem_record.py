"""A hold'em coup as a line for `sabot settle`, written out here so that nothing is shared with the table."""

from sabot_gateway.model.card import text_from_card
from sabot_gateway.model.holdem import HoldemCoup, HoldemSeat


def record_of(coup: HoldemCoup) -> dict[str, object]:
    record: dict[str, object] = {
        "id": "live",
        "game": "THE",
        "button": coup.button,
        "seats": [_seat_record(seat) for seat in coup.seats],
        "board": [text_from_card(card) for card in coup.board],
        "burned": [text_from_card(card) for card in coup.burned],
    }
    if coup.actions is not None:
        record["actions"] = [
            {"street": str(action.street), "seat": action.seat, "act": str(action.act)}
            | ({} if action.to is None else {"to": action.to})
            for action in coup.actions
        ]
    if coup.option is not None:
        record["option"] = {"seat": coup.option.seat, "amount": coup.option.amount}
    if coup.void is not None:
        record["coup"] = {"void": str(coup.void)}
    return record


def _seat_record(seat: HoldemSeat) -> dict[str, object]:
    record: dict[str, object] = {"seat": seat.seat}
    if seat.absent:
        return record | {"absent": True}
    if seat.stack is not None:
        record["stack"] = seat.stack
    if seat.cards is not None:
        record["cards"] = [text_from_card(card) for card in seat.cards]
    if seat.contributed is not None:
        record |= {"contributed": seat.contributed, "folded": seat.folded}
    return record
