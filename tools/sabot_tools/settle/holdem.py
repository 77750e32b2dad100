"""Hold'em records: JSON in, settlement out.

Reads a coup in either form (with actions, or with what each seat contributed),
lets the rules decide it, and writes the decision under the public keys. Judges
nothing itself.
"""

from functools import lru_cache
from typing import Final

from sabot_gateway.model.coup import Void
from sabot_gateway.model.game import Game
from sabot_gateway.model.holdem import (
    Act,
    Action,
    HoldemCoup,
    HoldemSeat,
    HoldemSeatResult,
    HoldemSettlement,
    OptionPost,
    PotResult,
    Street,
)
from sabot_gateway.model.settlement import Status
from sabot_gateway.rules.announcement import coup_void
from sabot_gateway.rules.deal import plan_deal
from sabot_gateway.rules.games.texas_holdem import HoldemConfig, settle
from sabot_gateway.rules.holdem_seating import players_of
from sabot_gateway.rules.rejection import Refusal
from sabot_gateway.rules.ruleset import Ruleset
from sabot_tools.settle.observation import OBSERVATION_KEYS, deal_check, window_check
from sabot_tools.settle.refusal import rejected
from sabot_tools.settle.shape import (
    MOST_NUMBER,
    Record,
    ShapeError,
    read_cards,
    read_choice,
    read_flag,
    read_int,
    read_optional_int,
    read_optional_record,
    read_optional_text,
    read_records,
    read_text,
    read_void,
    refuse_unknown,
)

_COUP_KEYS: Final = frozenset({"button", "option", "seats", "board", "actions", "coup", "burned"}) | OBSERVATION_KEYS
_SEAT_KEYS: Final = frozenset(
    {"seat", "stack", "cards", "contributed", "folded", "absent", "vacant", "standing", "new", "player"}
)
_ACTION_KEYS: Final = frozenset({"street", "seat", "act", "to"})


def settle_holdem(record: Record, ruleset: Ruleset) -> dict[str, object]:
    """The body of the answer to one hold'em coup; ShapeError when it cannot be read."""
    coup = coup_from_record(record)
    seats = [seat.seat for seat in players_of(coup)]
    plan = plan_deal(Game.THE, ruleset.values, seats, button=coup.button, board=len(coup.board))
    # Read before the coup is judged, so that an unreadable log is never passed over.
    checks = {**deal_check(record, plan), **window_check(record, ruleset)}
    decided = settle(coup, _config_of(ruleset))
    if isinstance(decided, Refusal):
        return rejected(decided.faults)
    return {**record_from_settlement(decided, coup.void), **checks}


@lru_cache(maxsize=256)
def _config_of(ruleset: Ruleset) -> HoldemConfig:
    return HoldemConfig.from_ruleset(ruleset.values)


def coup_from_record(record: Record) -> HoldemCoup:
    """The coup as written; ShapeError where it cannot be read."""
    refuse_unknown(record, _COUP_KEYS)
    actions = None
    if record.get("actions") is not None:
        items = read_records(record, "actions")
        actions = tuple(_action(item, f"actions[{index}]") for index, item in enumerate(items))
    return HoldemCoup(
        button=read_int(record, "button"),
        seats=tuple(
            _seat(item, f"seats[{index}]") for index, item in enumerate(read_records(record, "seats", required=True))
        ),
        board=read_cards(record, "board"),
        actions=actions,
        option=_option(record),
        void=read_void(record),
        burned=read_cards(record, "burned"),
    )


def record_from_settlement(decided: HoldemSettlement, cause: Void | None = None) -> dict[str, object]:
    """The public keys of a decided coup."""
    said = []
    if decided.status is Status.VOID:
        words = coup_void(Game.THE, str(cause or Void.CARD_COUNT))
        said.append({"say": words.say, "english": words.english, "rule": words.rule})
    body: dict[str, object] = {
        "status": str(decided.status),
        "errors": [],
        "announcements": said,
        "bank_net": decided.rake_total,
        "seats": [_seat_record(seat) for seat in decided.seats],
        "pots": [_pot_record(number, result) for number, result in enumerate(decided.pots)],
        "pot_amounts": [result.pot.amount for result in decided.pots],
        "pot_rakes": [result.rake for result in decided.pots],
        "pot_winners": [list(result.winners) for result in decided.pots],
        "uncalled": None,
        "rake_total": decided.rake_total,
        "contributions": {str(seat.seat): seat.stake for seat in decided.seats},
        "showdown_order": list(decided.showdown.order),
        "showdown_rule": decided.showdown.rule or None,
    }
    if decided.uncalled is not None:
        body["uncalled"] = {"seat": decided.uncalled.seat, "amount": decided.uncalled.amount, "rule": "THE-114"}
    if decided.rule:
        body["rule"] = decided.rule
    return body


def _option(record: Record) -> OptionPost | None:
    option = read_optional_record(record, "option")
    if option is None:
        return None
    refuse_unknown(option, ("seat", "amount"), "option")
    return OptionPost(read_int(option, "seat", "option"), read_optional_int(option, "amount", "option"))


def _seat(item: Record, path: str) -> HoldemSeat:
    number = read_int(item, "seat", path)
    refuse_unknown(item, _SEAT_KEYS, path, number)
    return HoldemSeat(
        seat=number,
        stack=_amount(item, "stack", path, number, "BAD_STACK"),
        cards=None if item.get("cards") is None else read_cards(item, "cards", path, number),
        contributed=_amount(item, "contributed", path, number, "BAD_CONTRIBUTION"),
        folded=read_flag(item, "folded", path, seat=number),
        absent=read_flag(item, "absent", path, seat=number),
        vacant=read_flag(item, "vacant", path, seat=number),
        standing=read_flag(item, "standing", path, seat=number),
        new=read_flag(item, "new", path, seat=number),
        player=read_optional_text(item, "player", path, number),
    )


def _action(item: Record, path: str) -> Action:
    number = read_int(item, "seat", path)
    refuse_unknown(item, _ACTION_KEYS, path, number)
    street = read_choice(item, "street", tuple(Street), path)
    if street is None:
        raise ShapeError("MISSING_KEY", detail=f"{path}.street", seat=number)
    act = read_text(item, "act", path, number)
    if act not in tuple(Act):
        # THE-33: what is not one of the game's actions is no stake.
        raise ShapeError("UNKNOWN_ACTION", "THE-33", act[:40], number)
    return Action(Street(street), number, Act(act), _amount(item, "to", path, number, "MORE_THAN_STACK"))


def _amount(item: Record, key: str, path: str, seat: int, code: str) -> int | None:
    """An optional amount; one beyond all reason is refused as what it claims to be, not for its digits."""
    value = item.get(key)
    if isinstance(value, int) and abs(value) >= MOST_NUMBER:
        raise ShapeError(code, "THE-37", seat=seat)
    return read_optional_int(item, key, path, seat)


def _seat_record(seat: HoldemSeatResult) -> dict[str, object]:
    amounts = {"stake": seat.stake, "returned": seat.returned, "net": seat.net}
    body: dict[str, object] = {"seat": seat.seat}
    if seat.hand is not None:
        body["category"], body["tiebreak"] = str(seat.hand.category), list(seat.hand.tiebreak)
    if seat.comparison is not None:
        body["comparison"] = str(seat.comparison)
    body["bets"] = {"pot": {"outcome": str(seat.outcome), **amounts, "rule": seat.rule}}
    body["total"] = amounts
    return body


def _pot_record(number: int, result: PotResult) -> dict[str, object]:
    return {
        "pot": number,
        "amount": result.pot.amount,
        "rake": result.rake,
        "net": result.net,
        "eligible": list(result.pot.eligible),
        "winners": list(result.winners),
        "shares": {str(seat): share for seat, share in zip(result.winners, result.shares, strict=True)},
        "rule": result.rule,
    }
