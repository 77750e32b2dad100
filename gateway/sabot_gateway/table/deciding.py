"""The decisions of a round: begun when its cards are out, ended when nobody owes one."""

from sabot_gateway.model.event import ChipsRead, KeyPressed
from sabot_gateway.table.alerts import cards, house
from sabot_gateway.table.change import replace
from sabot_gateway.table.courses import course_of
from sabot_gateway.table.dealing import cards_follow
from sabot_gateway.table.state import amount_at
from sabot_gateway.table.turn import Turn


def begin_round(turn: Turn) -> None:
    """Cards are out: chips that were laid too early are now a decision."""
    turn.clear_code(cards.TOO_FEW_CARDS.code)
    course_of(turn).begin_round(turn)


def is_decided(turn: Turn) -> bool:
    return not course_of(turn).pending(turn)


def decided_then_deals(turn: Turn) -> bool:
    return is_decided(turn) and cards_follow(turn)


def next_round(turn: Turn) -> None:
    turn.coup = replace(turn.coup, round=turn.coup.round + 1, checked=frozenset())


def may_pass(turn: Turn) -> bool:
    """The drawn card says that those who have not bet let the round pass."""
    return course_of(turn).may_pass(turn) and cards_follow(turn)


def pass_round(turn: Turn) -> None:
    for seat in course_of(turn).pending(turn):
        turn.note("decision", seat=seat, decision="check")
    next_round(turn)


def overtake(turn: Turn) -> None:
    """A card was drawn while seats still had to decide."""
    for seat in course_of(turn).pending(turn):
        turn.alert(cards.card_while_pending(turn.setup.game, seat))


def chips_moved(turn: Turn) -> None:
    """Chips moved between the closing of the bets and the settlement."""
    event = turn.event
    assert isinstance(event, ChipsRead)
    place = (event.seat, event.spot)
    if turn.felt.get(place) is turn.before.felt.get(place) and turn.alerts is turn.before.alerts:
        return
    before, after = amount_at(turn.before, place), amount_at(turn, place)
    if before == after and turn.felt is not turn.before.felt:
        # Other chips of the same worth: no stake changed, but who looks for a chip must find it (a colour-up).
        turn.note("chips_exchanged", seat=event.seat, spot=str(event.spot), amount_cents=after)
    # Also where the amount is the same: these chips may have freed another spot from doubt.
    course_of(turn).chips_moved(turn, place, before, after)


def rack_changed(turn: Turn) -> None:
    course_of(turn).rack_changed(turn)


def decide_by_key(turn: Turn) -> None:
    event = turn.event
    assert isinstance(event, KeyPressed)
    if not course_of(turn).decide(turn, event.key, event.seat):
        turn.state_alert(house.key_out_of_place(turn.setup.game, event.key, turn.coup.phase, event.seat))
