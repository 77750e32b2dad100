"""The `op` records of `sabot settle`: one procedural check in, its finding out.

Reads each shape strictly and hands it to the pure rule behind it. A shape that
cannot be read leaves as a `ShapeError`, which the frame answers; nothing else
ever raises.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from sabot_gateway.model.game import Game
from sabot_gateway.rules.button_draw import DRAWN_RULE, Drawn, button_of, check_draw
from sabot_gateway.rules.cut import cut_offer, has_cut
from sabot_gateway.rules.deck import DeckState, check_deck
from sabot_gateway.rules.last_hands import check_closing
from sabot_gateway.rules.phase import PhaseEvent, check_phases
from sabot_gateway.rules.published_return import PUBLISHED, is_as_published, percent_text, return_of
from sabot_gateway.rules.rejection import Fault
from sabot_gateway.rules.ruleset import Ruleset
from sabot_gateway.rules.staff import Staffing, TablePhase, check_staff
from sabot_tools.settle.refusal import rejected
from sabot_tools.settle.shape import (
    Record,
    ShapeError,
    as_card,
    as_int,
    read_cards,
    read_choice,
    read_flag,
    read_int,
    read_ints,
    read_items,
    read_optional_int,
    read_record,
    read_records,
    read_text,
    read_texts,
    refuse_unknown,
)

Check = Callable[[Record, Ruleset], dict[str, object]]

MOST_ODDS: Final = 10**9  # no pay table promises more; keeps exact fractions small
MOST_PLAYERS: Final = 10  # THE-18: the largest table of the five games


def check(record: Record, ruleset: Ruleset) -> dict[str, object]:
    """The body of the answer to one `op` record."""
    op = record.get("op")
    known = CHECKS.get(op) if isinstance(op, str) else None
    if known is None:
        raise ShapeError("UNKNOWN_OP", detail=op[:40] if isinstance(op, str) else "op")
    games, keys, judge = known
    if ruleset.game not in games:
        sentence = f"The rules of {ruleset.game} know no {op}."
        return rejected([Fault("UNKNOWN_OP", "", op if isinstance(op, str) else None, sentence=sentence)])
    refuse_unknown(record, keys)
    return judge(record, ruleset)


def _button_draw(record: Record, ruleset: Ruleset) -> dict[str, object]:
    items = read_records(record, "draw", required=True)
    draw = [_drawn(item, f"draw[{n}]") for n, item in enumerate(items)]
    faults = check_draw(draw, _seats_total(ruleset))
    if faults:
        return rejected(faults)
    return {**_OK, "button": button_of(draw), "rule": DRAWN_RULE}


def _drawn(item: Record, path: str) -> Drawn:
    refuse_unknown(item, ("seat", "card"), path)
    seat = read_int(item, "seat", path)
    return Drawn(seat, as_card(item.get("card"), seat))


def _deck_check(record: Record, ruleset: Ruleset) -> dict[str, object]:
    read_items(record, "deck", required=True)
    colours = read_texts(record, "back_colours")
    decks = read_optional_int(record, "decks")
    deck = DeckState(
        cards=read_cards(record, "deck"),
        session_start=read_flag(record, "session_start"),
        new_cards=read_flag(record, "new_cards"),
        auto_shuffler=read_flag(record, "auto_shuffler"),
        decks=1 if decks is None else decks,
        back_colours=colours,
    )
    return _verdict(check_deck(ruleset.game, deck))


def _staff_check(record: Record, ruleset: Ruleset) -> dict[str, object]:
    phase = read_choice(record, "relief_phase", tuple(TablePhase))
    tables = read_optional_int(record, "chef_tables")
    if tables is not None and tables < 0:
        raise ShapeError("BAD_VALUE", detail="chef_tables")
    staffing = Staffing(
        chef_tables=tables,
        relief_phase=None if phase is None else TablePhase(phase),
        chef_present=_presence(record, "chef"),
        dealer_present=_presence(record, "dealer_present"),
    )
    return _verdict(check_staff(ruleset.game, ruleset.values, staffing))


def _presence(record: Record, key: str) -> bool | None:
    """A badge id or true: present. Null, false or an empty id: absent. No key: not asked."""
    if key not in record:
        return None
    value = record[key]
    if value is not None and not isinstance(value, bool | str):
        raise ShapeError("BAD_TYPE", detail=key)
    return bool(value)


def _cut_offer(record: Record, ruleset: Ruleset) -> dict[str, object]:
    players = _players(record, ruleset)
    refused = read_ints(record, "refused")
    if any(seat not in players for seat in refused):
        raise ShapeError("BAD_VALUE", detail="refused")
    if not players:
        return rejected([Fault("NO_PLAYER", _START[ruleset.game])])
    offer = cut_offer(ruleset.game, players, refused)
    return {**_OK, "cutter": offer.cutter, "rule": offer.rule}


def _last_hands(record: Record, _ruleset: Ruleset) -> dict[str, object]:
    if record.get("announced_before_last_three") is None:
        raise ShapeError("MISSING_KEY", detail="announced_before_last_three")
    announced = read_flag(record, "announced_before_last_three")
    played = read_int(record, "hands_played_since")
    if played < 0:
        raise ShapeError("BAD_VALUE", detail="hands_played_since")
    return _verdict(check_closing(announced, played))


def _phase_check(record: Record, ruleset: Ruleset) -> dict[str, object]:
    players = _players(record, ruleset)
    items = read_records(record, "events", required=True)
    events = [_event(item, f"events[{n}]") for n, item in enumerate(items)]
    return _verdict(check_phases(ruleset.game, ruleset.values, players, events))


def _event(item: Record, path: str) -> PhaseEvent:
    refuse_unknown(item, ("e", "seat"), path)
    return PhaseEvent(read_text(item, "e", path)[:40], read_optional_int(item, "seat", path))


def _rtp_check(record: Record, ruleset: Ruleset) -> dict[str, object]:
    """TCP-44: a pay table that promises a published return must give it, to the last printed digit."""
    bet = read_choice(record, "bet", tuple(PUBLISHED))
    if bet is None:
        raise ShapeError("MISSING_KEY", detail="bet")
    table = _odds(read_record(record, "table"))
    try:
        exact = return_of(bet, table, six_card_wheel=bool(ruleset.values["six_card_wheel"]))
    except ValueError:
        raise ShapeError("BAD_VALUE", detail="table") from None
    published = PUBLISHED[bet]
    body: dict[str, object] = {"rtp": percent_text(exact), "rule": published.rule}
    if is_as_published(bet, exact):
        return {**_OK, **body}
    sentence = f"The table returns {percent_text(exact)} %, not the return that is published."
    return {**rejected([Fault("RTP_MISMATCH", published.rule, bet, sentence=sentence)]), **body}


def _odds(table: Record) -> dict[str, int]:
    odds = {line: as_int(value, f"table.{line[:40]}") for line, value in table.items()}
    if not all(0 <= value <= MOST_ODDS for value in odds.values()):
        raise ShapeError("BAD_VALUE", detail="table")
    return odds


def _players(record: Record, ruleset: Ruleset) -> tuple[int, ...]:
    players = read_ints(record, "players", required=True)
    for seat in players:
        if not 1 <= seat <= _seats_total(ruleset):
            raise ShapeError("SEAT_NUMBER", _SEATS[ruleset.game], seat)
    if len(set(players)) != len(players):
        raise ShapeError("SEAT_TWICE", _SEATS[ruleset.game], "players")
    return players


def _seats_total(ruleset: Ruleset) -> int:
    total = ruleset.values.get("seats_total")
    return total if isinstance(total, int) else MOST_PLAYERS


def _verdict(faults: tuple[Fault, ...]) -> dict[str, object]:
    return rejected(faults) if faults else dict(_OK)


_OK: Final[Mapping[str, object]] = MappingProxyType({"status": "ok", "errors": []})

_SEATS: Final[Mapping[Game, str]] = MappingProxyType(
    {Game.TCF: "TCF-18", Game.STU: "STU-17", Game.TCP: "TCP-55", Game.THE: "THE-18", Game.UTH: "UTH-13"}
)
_START: Final[Mapping[Game, str]] = MappingProxyType({Game.TCF: "TCF-16", Game.STU: "STU-15"})

_ALL: Final = frozenset(Game)
_CUT: Final = frozenset(game for game in Game if has_cut(game))

# Each check: the games whose rules know it, the keys it reads, the function that judges it.
CHECKS: Final[Mapping[str, tuple[frozenset[Game], frozenset[str], Check]]] = MappingProxyType(
    {
        "button_draw": (frozenset({Game.THE}), frozenset({"draw"}), _button_draw),
        "deck_check": (
            _ALL,
            frozenset({"deck", "session_start", "new_cards", "auto_shuffler", "decks", "back_colours"}),
            _deck_check,
        ),
        "staff_check": (
            _ALL,
            frozenset({"chef_tables", "relief_phase", "chef", "dealer_present"}),
            _staff_check,
        ),
        "cut_offer": (_CUT, frozenset({"players", "refused"}), _cut_offer),
        "last_hands": (
            frozenset({Game.THE}),
            frozenset({"announced_before_last_three", "hands_played_since"}),
            _last_hands,
        ),
        "phase_check": (_ALL, frozenset({"players", "events"}), _phase_check),
        "rtp_check": (frozenset({Game.TCP}), frozenset({"bet", "table"}), _rtp_check),
    }
)
