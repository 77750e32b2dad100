"""A bank coup as JSON: the record becomes a coup, the settlement becomes a record. No rule is decided here."""

from collections.abc import Mapping
from typing import Final

from sabot_gateway.model.card import Card
from sabot_gateway.model.coup import BankCoup, BankSeat, Decision, Purchase
from sabot_gateway.model.game import Game
from sabot_gateway.model.settlement import BetResult, HandView, SeatResult, Settlement, Spoken
from sabot_gateway.rules.bank_settler import bank_settler
from sabot_gateway.rules.claim import CLAIMED, silent_wins
from sabot_gateway.rules.deal import plan_deal
from sabot_gateway.rules.paytable import text_from_odds
from sabot_gateway.rules.rejection import Refusal
from sabot_gateway.rules.ruleset import Ruleset
from sabot_tools.settle.observation import OBSERVATION_KEYS, deal_check, window_check
from sabot_tools.settle.refusal import rejected
from sabot_tools.settle.shape import (
    Record,
    ShapeError,
    as_card,
    read_cards,
    read_flag,
    read_int,
    read_optional_record,
    read_optional_text,
    read_record,
    read_records,
    read_texts,
    read_void,
    refuse_unknown,
)

_COUP_KEYS: Final = frozenset({"seats", "dealer", "coup", "burned"}) | OBSERVATION_KEYS
_SEAT_KEYS: Final = frozenset({"seat", "cards", "bets", "decision", "player", "standing", "vacant"})
# Only articles 55-21 and 55-16 know an early look and a claim.
_FRENCH_SEAT_KEYS: Final = _SEAT_KEYS | {"early_look", "claims"}
_SEAT_KEYS_OF: Final[Mapping[Game, frozenset[str]]] = {
    Game.TCF: _FRENCH_SEAT_KEYS,
    Game.STU: _FRENCH_SEAT_KEYS | {"buy"},
    Game.TCP: _SEAT_KEYS,
    Game.UTH: _SEAT_KEYS,
}


def settle_bank(record: Record, ruleset: Ruleset) -> dict[str, object]:
    """The body of the answer to one bank coup; ShapeError when it cannot be read."""
    coup = coup_from_record(record, ruleset.game)
    # Read before the coup is judged, so that an unreadable log is never passed over.
    checks = {**_deal_check(record, coup, ruleset), **window_check(record, ruleset)}
    settled = bank_settler(ruleset)(coup)
    if isinstance(settled, Refusal):
        return rejected(settled.faults)
    silent = [
        {"seat": win.seat, "spot": str(win.spot), "rule": win.rule} for win in silent_wins(ruleset.game, coup, settled)
    ]
    return {**record_from_settlement(settled), **({"unclaimed": silent} if silent else {}), **checks}


def coup_from_record(record: Record, game: Game) -> BankCoup:
    """The coup that a record tells; unknown keys and values of the wrong type are refused."""
    refuse_unknown(record, _COUP_KEYS | {"board"} if game is Game.UTH else _COUP_KEYS)
    dealer = read_record(record, "dealer")
    refuse_unknown(dealer, ("cards",), "dealer")
    return BankCoup(
        seats=tuple(_seat(item, f"seats[{n}]", game) for n, item in enumerate(read_records(record, "seats", "", True))),
        dealer=read_cards(dealer, "cards", "dealer"),
        board=read_cards(record, "board"),
        burned=read_cards(record, "burned"),
        void=read_void(record),
    )


def record_from_settlement(settled: Settlement) -> dict[str, object]:
    """The output keys of a settled or void coup."""
    body: dict[str, object] = {"status": str(settled.status), "errors": []}
    if settled.rule:
        body["rule"] = settled.rule
    if settled.dealer is not None:
        dealer = settled.dealer
        body["dealer"] = {**_hand(dealer.hand), "qualified": dealer.qualified, "rule": dealer.rule}
    body["announcements"] = [_spoken(words) for words in settled.announcements]
    body["settlement_order"] = [seat.seat for seat in settled.seats]
    body["bank_net"] = settled.bank_net
    body["seats"] = [_seat_record(seat) for seat in settled.seats]
    return body


def _seat(record: Record, path: str, game: Game) -> BankSeat:
    number = read_int(record, "seat", path)
    refuse_unknown(record, _SEAT_KEYS_OF[game], path, number)
    return BankSeat(
        seat=number,
        cards=read_cards(record, "cards", path, number),
        bets=_bets(record, path, number),
        decision=_decision(record, path, number),
        early_look=read_flag(record, "early_look", path, seat=number),
        claims=_claims(record, path, number, game),
        player=read_optional_text(record, "player", path, number),
        standing=read_flag(record, "standing", path, seat=number),
        vacant=read_flag(record, "vacant", path, seat=number),
        purchase=_purchase(record, path, number),
    )


def _bets(record: Record, path: str, seat: int) -> dict[str, int]:
    """Spots to cents; an amount that is no whole number is a BAD_AMOUNT on its spot."""
    bets: dict[str, int] = {}
    for spot, amount in (read_optional_record(record, "bets", path, seat) or {}).items():
        if isinstance(amount, bool) or not isinstance(amount, int):
            raise ShapeError("BAD_AMOUNT", detail=spot[:40], seat=seat)
        bets[spot[:40]] = amount
    return bets


def _decision(record: Record, path: str, seat: int) -> Decision | None:
    said = read_optional_text(record, "decision", path, seat)
    if said is None:
        return None
    try:
        return Decision(said)
    except ValueError:
        raise ShapeError("NO_DECISION", detail=said[:40], seat=seat) from None


def _claims(record: Record, path: str, seat: int, game: Game) -> frozenset[str]:
    claims = read_texts(record, "claims", path, seat)
    if any(claim not in CLAIMED.get(game, ()) for claim in claims):
        raise ShapeError("BAD_VALUE", detail=f"{path}.claims", seat=seat)
    return frozenset(claims)


def _purchase(record: Record, path: str, seat: int) -> Purchase | None:
    buy = read_optional_record(record, "buy", path, seat)
    if buy is None:
        return None
    refuse_unknown(buy, ("discard", "drawn"), f"{path}.buy", seat)
    return Purchase(_one_or_more(buy, "discard", path, seat), _one_or_more(buy, "drawn", path, seat))


def _one_or_more(buy: Record, key: str, path: str, seat: int) -> tuple[Card, ...]:
    """A card, or a list of them: more than one is against the rules (STU-80), not against the shape."""
    value = buy.get(key)
    if value is None:
        raise ShapeError("MISSING_KEY", detail=f"{path}.buy.{key}", seat=seat)
    return read_cards(buy, key, f"{path}.buy", seat) if isinstance(value, list) else (as_card(value, seat),)


def _deal_check(record: Record, coup: BankCoup, ruleset: Ruleset) -> dict[str, object]:
    if record.get("deal") is None:
        return {}
    seats = [seat.seat for seat in coup.seats if not seat.vacant]
    buyers = [seat.seat for seat in coup.seats if seat.purchase is not None]
    return deal_check(record, plan_deal(ruleset.game, ruleset.values, seats, buyers=buyers))


def _seat_record(seat: SeatResult) -> dict[str, object]:
    body: dict[str, object] = {"seat": seat.seat}
    if seat.hand is not None:
        body.update(_hand(seat.hand))
    if seat.comparison is not None:
        body["comparison"] = str(seat.comparison)
    body["bets"] = {str(bet.spot): _bet_record(bet) for bet in seat.bets}
    body["total"] = {"stake": seat.stake, "returned": seat.stake + seat.net, "net": seat.net}
    return body


def _bet_record(bet: BetResult) -> dict[str, object]:
    body: dict[str, object] = {
        "outcome": str(bet.outcome),
        "stake": bet.stake,
        "net": bet.net,
        "returned": bet.returned,
        "rule": bet.rule,
    }
    if bet.odds is not None:
        body["pay"] = text_from_odds(bet.odds)
        body["breakage"] = str(bet.breakage)
    return body


def _hand(hand: HandView) -> dict[str, object]:
    return {"category": str(hand.category), "tiebreak": list(hand.tiebreak)}


def _spoken(words: Spoken) -> dict[str, object]:
    said: dict[str, object] = {"say": words.say, "english": words.english}
    if words.seat is not None:
        said["seat"] = words.seat
    said["rule"] = words.rule
    return said
