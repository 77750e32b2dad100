"""The séance: opened and closed by the table head's badge and key, after deck, float and limits are in order."""

from sabot_gateway.model.event import ChipsRead, FloatDeclared
from sabot_gateway.model.felt import FeltSpot
from sabot_gateway.model.game import Game
from sabot_gateway.rules.last_hands import ANNOUNCED_HANDS, check_closing
from sabot_gateway.table.alerts import house
from sabot_gateway.table.authority import has_authority
from sabot_gateway.table.change import replace
from sabot_gateway.table.hours import judge_hours
from sabot_gateway.table.state import CoupPhase, ShoePhase, amount_at
from sabot_gateway.table.turn import Turn


def open_seance(turn: Turn) -> None:
    turn.seance = replace(
        turn.seance,
        number=turn.seance.number + 1,
        opened_ms=turn.event.at_ms,
        announced=False,
        deck_checked=False,
        hands_since=0,
    )
    turn.shoe = replace(turn.shoe, phase=ShoePhase.EMPTY)
    judge_hours(turn)
    turn.note("seance_opening", by=turn.staff.head)


def announce_limits(turn: Turn) -> None:
    turn.seance = replace(turn.seance, announced=True)


def is_ready(turn: Turn) -> bool:
    """Deck counted, limits announced, float sufficient, staff complete (TCF-11; the Québec page asks for no one)."""
    seance = turn.seance
    dealer = bool(turn.staff.dealer) or turn.setup.game is Game.TCP
    return seance.deck_checked and seance.announced and dealer and bool(turn.staff.head) and _float_ok(turn)


def declare_float(turn: Turn) -> None:
    """UTH-08: the table's advance, declared or read in the tray."""
    event = turn.event
    if isinstance(event, FloatDeclared):
        cents = event.amount_cents
    elif isinstance(event, ChipsRead) and event.spot is FeltSpot.FLOAT:
        cents = amount_at(turn, (event.seat, event.spot))
    else:
        return
    if cents == turn.seance.float_cents:
        return
    turn.seance = replace(turn.seance, float_cents=cents)
    judge_float(turn)


def judge_float(turn: Turn) -> None:
    """UTH-08: an advance that is too small is told between coups; during one it is at work."""
    cents, least = turn.seance.float_cents, turn.setup.ruleset.values.get("float_min")
    if cents is not None and isinstance(least, int) and cents < least and turn.coup.phase is CoupPhase.IDLE:
        turn.state_alert(house.float_too_small(turn.setup.game, cents, least))
    else:
        turn.clear_code(house.FLOAT_TOO_SMALL.code)


def may_close(turn: Turn) -> bool:
    """Between coups; hold'em only after its last three hands (THE-112)."""
    if turn.coup.phase not in (CoupPhase.IDLE, CoupPhase.BETTING):
        return False
    return turn.setup.game is not Game.THE or not check_closing(*_announced(turn))


def close_seance(turn: Turn) -> None:
    """The deck has served one séance more (TCF-02)."""
    deck = turn.setup.decks.get(turn.shoe.deck)
    if deck is not None:
        used = replace(deck, uses=deck.uses + 1)
        turn.setup = replace(turn.setup, decks={**turn.setup.decks, deck.name: used})
    turn.shoe = replace(turn.shoe, phase=ShoePhase.EMPTY, deck="", other="")
    turn.note("seance_closed", by=turn.staff.head)


def refuse_close(turn: Turn) -> None:
    if turn.setup.game is Game.THE and turn.coup.phase in (CoupPhase.IDLE, CoupPhase.BETTING):
        turn.state_alert(house.last_hands_not_announced(turn.setup.game, turn.seance.hands_since))
    else:
        turn.state_alert(house.key_out_of_place(turn.setup.game, "close_session", turn.coup.phase, 0))


def is_holdem(turn: Turn) -> bool:
    return turn.setup.game is Game.THE


def announce_last_hands(turn: Turn) -> None:
    turn.seance = replace(turn.seance, hands_since=0)
    turn.note("last_hands", hands=ANNOUNCED_HANDS)


def _float_ok(turn: Turn) -> bool:
    least = turn.setup.ruleset.values.get("float_min")
    return not isinstance(least, int) or (turn.seance.float_cents or 0) >= least


def _announced(turn: Turn) -> tuple[bool, int]:
    return turn.seance.phase == "last_hands", turn.seance.hands_since


def closes(turn: Turn) -> bool:
    return has_authority(turn) and may_close(turn)
