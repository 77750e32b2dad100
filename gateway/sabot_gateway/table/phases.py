"""THE table of transitions: for every machine and phase, what each event does and where it leads.

Rules of reading:
- A trigger is the name of an event, `key <name>` for a pressed key, or `always`
  for what follows by itself; `*` as phase stands for every phase of its machine.
- Rows are tried in order; of one machine, phase and trigger the first row whose
  guard holds is taken, all its actions run, and the machine moves to `to` (None: it stays).
  Rows of `*` are tried before the rows of the phase, and both may be taken.
- After the event, `always` rows are tried until none applies.
- An event that finds no row changes nothing but the levels it carries; a key that
  finds no row is a notice (KEY_OUT_OF_PLACE). So the machine is total.
- Nothing else in the table changes a phase. The diagrams in the docs are drawn from here.
"""

from collections.abc import Callable
from enum import StrEnum
from typing import Final, NamedTuple

from sabot_gateway.model.felt import Key
from sabot_gateway.table import (
    authority,
    clearing,
    closing,
    dealing,
    deciding,
    doubt,
    felt,
    holdem_consignment,
    holdem_draw,
    holdem_party,
    holdem_rake,
    holdem_showdown,
    links,
    paying,
    registers,
    review,
    seance,
    settling,
    shoe,
    staffing,
)
from sabot_gateway.table.state import CoupPhase, SeancePhase, ShoePhase
from sabot_gateway.table.turn import Turn

Action = Callable[[Turn], None]
Guard = Callable[[Turn], bool]

ANY: Final = "*"
ALWAYS: Final = "always"


class Machine(StrEnum):
    """In the order in which an event is offered to them."""

    LEVELS = "levels"  # felt, rack, staff, seats, links: kept in every phase
    SEANCE = "seance"
    SHOE = "shoe"
    COUP = "coup"


class Row(NamedTuple):
    machine: Machine
    phase: str
    on: str
    guard: Guard | None
    actions: tuple[Action, ...]
    to: str | None = None


def key(name: Key) -> str:
    """The trigger of a pressed key."""
    return f"key {name}"


def _levels(on: str, *actions: Action, guard: Guard | None = None) -> Row:
    return Row(Machine.LEVELS, ANY, on, guard, actions)


def _seance(phase: str, on: str, guard: Guard | None, actions: tuple[Action, ...], to: str | None = None) -> Row:
    return Row(Machine.SEANCE, phase, on, guard, actions, to)


def _shoe(phase: str, on: str, guard: Guard | None, actions: tuple[Action, ...], to: str | None = None) -> Row:
    return Row(Machine.SHOE, phase, on, guard, actions, to)


def _coup(phase: str, on: str, guard: Guard | None, actions: tuple[Action, ...], to: str | None = None) -> Row:
    return Row(Machine.COUP, phase, on, guard, actions, to)


_LEVELS: Final = (
    _levels("ChipsRead", felt.read_chips, seance.declare_float),
    _levels("ChipsDoubted", felt.doubt_chips),
    _levels("DiscardRead", shoe.read_rack),
    _levels("BadgeRead", staffing.read_badge),
    _levels("SeatSensed", registers.seat_changed, holdem_party.see_person),
    _levels("LampsApplied", links.confirm_lamps),
    _levels("DoorMoved", links.see_door),
    _levels("DeviceFaulted", links.see_fault),
    _levels("LinkLost", links.lose_link),
    _levels("LinkRestored", links.restore_link),
    _levels("LinkGap", links.see_gap),
    _levels("ControllerRebooted", links.see_reboot),
    _levels("ServiceResumed", links.resume_service),
    _levels("ClockSkewed", links.see_clock),
    _levels(
        "TimerFired", links.timer_ran_out, doubt.wait_is_over, holdem_party.absence_over, guard=links.is_current_timer
    ),
    _levels("AlertOverridden", staffing.override_alert),
    _levels("AlertCleared", staffing.clear_alert),
    _levels("PlayerSeated", registers.seat_changed, holdem_party.see_person),
    _levels("PlayerLeft", registers.seat_changed, holdem_party.see_person),
    _levels("PlayerAbsent", registers.seat_changed, holdem_party.see_person),
    _levels("PlayerReturned", registers.seat_changed, holdem_party.see_person),
    _levels("PlayerWaiting", registers.waiting_list),
    _levels("PlayerCalled", holdem_party.see_call, registers.waiting_list),
    _levels("Recaved", holdem_party.recave, guard=seance.is_holdem),
    _levels("StakeConsigned", holdem_consignment.consign, guard=seance.is_holdem),
    _levels("ConsignmentClaimed", holdem_consignment.claim_consigned, guard=seance.is_holdem),
    _levels("ButtonPlaced", holdem_party.place_button, guard=seance.is_holdem),
    _levels("RakeDropped", holdem_rake.tell_rake, guard=seance.is_holdem),
    _levels("FloatDeclared", seance.declare_float),
    _levels("DeckRegistered", registers.register),
    _levels("ChipsRegistered", registers.register),
    _levels("BadgeRegistered", registers.register),
    _levels(key(Key.OVERRIDE), staffing.override_by_key, guard=authority.has_authority),
    _levels(key(Key.OVERRIDE), staffing.lacks_authority),
    _levels(key(Key.CALL_FLOOR), staffing.call_floor),
    _levels(key(Key.SEAT_TAKEN), registers.seat_changed, holdem_party.see_person),
    _levels(key(Key.SEAT_LEFT), registers.seat_changed, holdem_party.see_person),
    _levels(key(Key.ABSENT), registers.seat_changed, holdem_party.see_person),
    _levels(key(Key.REBUY), holdem_party.rebuy_by_key, guard=seance.is_holdem),
)

_SEANCE: Final = (
    _seance(
        SeancePhase.CLOSED,
        key(Key.OPEN_SESSION),
        authority.has_authority,
        (seance.open_seance,),
        SeancePhase.OPENING,
    ),
    _seance(SeancePhase.CLOSED, key(Key.OPEN_SESSION), None, (staffing.lacks_authority,)),
    _seance(SeancePhase.OPENING, key(Key.ANNOUNCE), None, (seance.announce_limits,)),
    _seance(SeancePhase.OPENING, ALWAYS, seance.is_ready, (), SeancePhase.OPEN),
    _seance(
        SeancePhase.OPENING,
        key(Key.CLOSE_SESSION),
        authority.has_authority,
        (seance.close_seance, holdem_consignment.orphan_unclaimed),
        SeancePhase.CLOSED,
    ),
    _seance(
        SeancePhase.OPEN,
        key(Key.LAST_HANDS),
        seance.is_holdem,
        (seance.announce_last_hands,),
        SeancePhase.LAST_HANDS,
    ),
    *(
        row
        for phase in (SeancePhase.OPEN, SeancePhase.LAST_HANDS)
        for row in (
            _seance(
                phase,
                key(Key.CLOSE_SESSION),
                seance.closes,
                (seance.close_seance, holdem_consignment.orphan_unclaimed),
                SeancePhase.CLOSED,
            ),
            _seance(phase, key(Key.CLOSE_SESSION), authority.has_authority, (seance.refuse_close,)),
            _seance(phase, key(Key.CLOSE_SESSION), None, (staffing.lacks_authority,)),
        )
    ),
)

_SHOE: Final = (
    _shoe(ANY, key(Key.NEW_DECK), shoe.is_out_of_coup, (shoe.begin_count,), ShoePhase.COUNTING),
    _shoe(ShoePhase.COUNTING, "DiscardRead", shoe.is_whole_and_fit, (shoe.accept_deck,), ShoePhase.COUNTED),
    _shoe(ShoePhase.COUNTING, "DiscardRead", shoe.is_whole, (shoe.flag_deck,)),
    _shoe(ShoePhase.COUNTING, key(Key.CONFIRM), shoe.counts_by_rack, (shoe.flag_deck,)),
    _shoe(ShoePhase.COUNTING, key(Key.CONFIRM), None, (shoe.accept_deck,), ShoePhase.COUNTED),
    _shoe(ShoePhase.COUNTING, key(Key.OVERRIDE), shoe.overrides_count, (shoe.accept_deck,), ShoePhase.COUNTED),
    *(
        row
        for phase in (ShoePhase.COUNTED, ShoePhase.SHUFFLED, ShoePhase.READY)
        for row in (
            _shoe(phase, key(Key.SHUFFLE), shoe.shuffles_to_cut, (shoe.shuffle,), ShoePhase.SHUFFLED),
            _shoe(phase, key(Key.SHUFFLE), shoe.is_out_of_coup, (shoe.shuffle,), ShoePhase.READY),
        )
    ),
    _shoe(ShoePhase.SHUFFLED, key(Key.CUT), None, (shoe.take_cut,)),
    _shoe(ShoePhase.SHUFFLED, key(Key.CANCEL), shoe.needs_cut, (shoe.refuse_cut,)),
    _shoe(ShoePhase.SHUFFLED, "CutCardSeen", None, (shoe.see_cut_card,)),
    _shoe(ShoePhase.SHUFFLED, ALWAYS, shoe.is_cut, (), ShoePhase.READY),
    _shoe(ShoePhase.READY, "CutCardSeen", None, (shoe.cut_card_out,)),
)


def _closing(phase: CoupPhase, *first: Action) -> tuple[Row, ...]:
    """How bets close, from the first stake or without one having been noticed."""
    closed = key(Key.BETS_CLOSED)
    return (
        _coup(phase, closed, closing.is_proper, (*first, closing.close_bets), CoupPhase.DEALING),
        _coup(phase, closed, None, (*first, closing.flag_stakes), CoupPhase.BETTING),
        _coup(phase, key(Key.BUTTON), holdem_draw.may_draw, (holdem_draw.begin_draw,)),
        _coup(phase, "CardScanned", holdem_draw.is_drawing, (holdem_draw.draw_card,)),
        _coup(phase, "CardScanned", dealing.from_elsewhere, (dealing.confirm_place,)),
        _coup(
            phase,
            "CardScanned",
            closing.closes_by_card,
            (*first, closing.close_bets, dealing.serve_card),
            CoupPhase.DEALING,
        ),
        _coup(
            phase,
            "CardScanned",
            closing.has_players,
            (*first, closing.close_by_surprise, dealing.serve_card),
            CoupPhase.DEALING,
        ),
        _coup(phase, "CardScanned", None, (dealing.stray_card,)),
        # A card that was not read clearly has left the shoe like any other: the places behind it are not to shift.
        _coup(phase, "CardDoubted", holdem_draw.doubts_draw, (holdem_draw.break_off,)),
        _coup(
            phase,
            "CardDoubted",
            closing.closes_by_doubt,
            (*first, closing.close_bets, dealing.doubt_card),
            CoupPhase.DEALING,
        ),
        _coup(
            phase,
            "CardDoubted",
            closing.deals_by_doubt,
            (*first, closing.close_by_surprise, dealing.doubt_card),
            CoupPhase.DEALING,
        ),
    )


def _under_way(phase: CoupPhase) -> tuple[Row, ...]:
    """What can happen in every phase between the closing of the bets and the settlement."""
    return (
        _coup(phase, "CardScanned", dealing.from_elsewhere, (dealing.confirm_place,)),
        _coup(phase, "CardDoubted", None, (dealing.doubt_card,)),
        _coup(phase, "ChipsRead", None, (deciding.chips_moved,)),
        _coup(phase, "DiscardRead", None, (deciding.rack_changed, settling.check_evidence)),
        _coup(phase, "HandConfirmed", None, (review.confirm_hand,)),
        _coup(phase, "CoupVoided", None, (settling.void_coup,), CoupPhase.PAYING),
        _coup(phase, key(Key.VOID), authority.has_authority, (settling.void_coup,), CoupPhase.PAYING),
        _coup(phase, key(Key.VOID), None, (staffing.lacks_authority,)),
        _coup(phase, key(Key.EXPOSED_CARD), None, (dealing.expose_card,)),
        _coup(phase, key(Key.BURN), None, (dealing.burn_last,)),
    )


_DECISION_KEYS: Final = (Key.FOLD, Key.CHECK, Key.CALL, Key.RAISE, Key.ALL_IN, Key.BUY)

_COUP: Final = (
    _coup(CoupPhase.IDLE, "ChipsRead", closing.is_stake, (closing.open_coup,), CoupPhase.BETTING),
    _coup(CoupPhase.IDLE, key(Key.BETS_OPEN), None, (closing.open_coup,), CoupPhase.BETTING),
    *_closing(CoupPhase.IDLE, closing.open_coup),
    _coup(CoupPhase.BETTING, "ChipsRead", None, (closing.recheck_stakes,)),
    _coup(CoupPhase.BETTING, key(Key.BETS_OPEN), None, ()),
    *_closing(CoupPhase.BETTING),
    _coup(CoupPhase.DEALING, "CardScanned", dealing.is_due_from_shoe, (dealing.serve_card,)),
    *_under_way(CoupPhase.DEALING),
    _coup(CoupPhase.DEALING, "CardScanned", None, (dealing.extra_card,)),
    _coup(CoupPhase.DEALING, key(Key.LOOK), None, (dealing.look_early,)),
    _coup(CoupPhase.DEALING, key(Key.REVEAL), None, (dealing.too_few,)),
    _coup(CoupPhase.DEALING, ALWAYS, dealing.deals_then_decides, (deciding.begin_round,), CoupPhase.DECIDING),
    _coup(CoupPhase.DEALING, ALWAYS, dealing.is_dealt_out, (), CoupPhase.REVEALING),
    *_under_way(CoupPhase.DECIDING),
    _coup(
        CoupPhase.DECIDING,
        "CardScanned",
        deciding.may_pass,
        (deciding.pass_round, dealing.serve_card),
        CoupPhase.DEALING,
    ),
    _coup(
        CoupPhase.DECIDING,
        "CardScanned",
        dealing.cards_follow,
        (deciding.overtake, deciding.next_round, dealing.serve_card),
        CoupPhase.DEALING,
    ),
    _coup(CoupPhase.DECIDING, "CardScanned", None, (dealing.extra_card,)),
    *(_coup(CoupPhase.DECIDING, key(name), None, (deciding.decide_by_key,)) for name in _DECISION_KEYS),
    _coup(CoupPhase.DECIDING, key(Key.REVEAL), None, (settling.flag_pending,)),
    _coup(
        CoupPhase.DECIDING,
        ALWAYS,
        deciding.decided_then_deals,
        (deciding.next_round,),
        CoupPhase.DEALING,
    ),
    _coup(CoupPhase.DECIDING, ALWAYS, deciding.is_decided, (deciding.next_round,), CoupPhase.REVEALING),
    *_under_way(CoupPhase.REVEALING),
    _coup(CoupPhase.REVEALING, "CardScanned", None, (dealing.extra_card,)),
    _coup(CoupPhase.REVEALING, key(Key.REVEAL), seance.is_holdem, (holdem_showdown.show_by_key,)),
    _coup(CoupPhase.REVEALING, key(Key.REVEAL), None, (settling.reveal,)),
    _coup(CoupPhase.REVEALING, key(Key.FOLD), seance.is_holdem, (holdem_showdown.muck_by_key,)),
    _coup(CoupPhase.REVEALING, ALWAYS, settling.is_uncontested, (settling.end_uncontested,)),
    _coup(CoupPhase.REVEALING, key(Key.CLAIM), None, (settling.claim_early,)),
    _coup(CoupPhase.REVEALING, ALWAYS, dealing.is_short, (), CoupPhase.DEALING),
    _coup(CoupPhase.REVEALING, ALWAYS, settling.settles, (settling.record,), CoupPhase.PAYING),
    _coup(CoupPhase.REVEALING, ALWAYS, settling.is_refused, (settling.flag_refusal,)),
    _coup(CoupPhase.PAYING, "ChipsRead", None, (paying.spot_paid,)),
    _coup(CoupPhase.PAYING, "CardScanned", dealing.from_elsewhere, ()),
    _coup(CoupPhase.PAYING, "CardScanned", None, (dealing.extra_card,)),
    _coup(CoupPhase.PAYING, "DiscardRead", None, (paying.cards_collected, clearing.watch_order)),
    _coup(CoupPhase.PAYING, key(Key.CLAIM), None, (settling.claim_bonus,)),
    _coup(CoupPhase.PAYING, key(Key.BURN), None, (dealing.burn_last,)),
    *(
        _coup(CoupPhase.PAYING, key(name), None, (paying.check_paid,))
        for name in (Key.PAID, Key.BETS_OPEN, Key.BETS_CLOSED)
    ),
    _coup(CoupPhase.PAYING, "CoupVoided", settling.may_void, (settling.void_coup,)),
    _coup(CoupPhase.PAYING, "CoupVoided", None, (settling.refuse_void,)),
    _coup(CoupPhase.PAYING, key(Key.VOID), settling.may_void_by_key, (settling.void_coup,)),
    _coup(CoupPhase.PAYING, key(Key.VOID), authority.has_authority, (settling.refuse_void,)),
    _coup(CoupPhase.PAYING, key(Key.VOID), None, (staffing.lacks_authority,)),
    _coup(CoupPhase.PAYING, ALWAYS, paying.is_paid, (), CoupPhase.CLEARING),
    _coup(CoupPhase.CLEARING, "ChipsRead", None, (paying.paid_again,)),
    _coup(CoupPhase.CLEARING, "DiscardRead", None, (clearing.watch_order,)),
    _coup(CoupPhase.CLEARING, "CardScanned", dealing.from_elsewhere, ()),
    _coup(CoupPhase.CLEARING, "CardScanned", None, ()),
    *(
        _coup(CoupPhase.CLEARING, key(name), None, (clearing.finish_coup,), CoupPhase.IDLE)
        for name in (Key.BETS_OPEN, Key.SHUFFLE, Key.NEW_DECK, Key.CONFIRM)
    ),
    _coup(CoupPhase.CLEARING, ALWAYS, clearing.is_cleared, (clearing.finish_coup,), CoupPhase.IDLE),
)

TRANSITIONS: Final[tuple[Row, ...]] = (*_LEVELS, *_SEANCE, *_SHOE, *_COUP)
