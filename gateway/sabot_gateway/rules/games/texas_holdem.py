"""Texas hold'em (article 57): a finished coup decided to the chip.

Puts the parts together: seats and cards are judged, the actions followed (or the
recorded contributions taken), pots built, raked and awarded, and every player's
stake accounted for. Each part is a file of its own one level up.

Invariant: what players get back plus the rake is what they staked (THE-111).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from sabot_gateway.model.holdem import (
    HoldemCoup,
    HoldemSeat,
    HoldemSeatResult,
    HoldemSettlement,
    PotResult,
    Showdown,
    Street,
)
from sabot_gateway.model.settlement import Comparison, Outcome, Status
from sabot_gateway.rules.betting import follow, missing_action, start
from sabot_gateway.rules.betting_state import STREETS, Betting, Voice
from sabot_gateway.rules.blinds import blind_faults, option_faults, posts
from sabot_gateway.rules.deal import seats_from_button
from sabot_gateway.rules.hand import best5
from sabot_gateway.rules.hand_view import hand_view
from sabot_gateway.rules.holdem_config import KEYS, HoldemConfig
from sabot_gateway.rules.holdem_seating import is_misdealt, players_of, seating_faults
from sabot_gateway.rules.pots import split_pots
from sabot_gateway.rules.rake import take_rake
from sabot_gateway.rules.rejection import Fault, Refusal
from sabot_gateway.rules.showdown import award, showdown_order

__all__ = ["KEYS", "HoldemConfig", "open_betting", "settle"]

BOARD_CARDS: Final = {Street.PREFLOP: 0, Street.FLOP: 3, Street.TURN: 4, Street.RIVER: 5}  # THE-71, THE-85, THE-88


@dataclass(frozen=True, slots=True)
class _Played:
    """What the betting left behind: stakes by seat, who folded, and the last round in which somebody spoke."""

    stakes: Mapping[int, int]
    folded: frozenset[int]
    street: Street  # the round in which the last decision fell
    voice: Voice | None = None

    @property
    def live(self) -> tuple[int, ...]:
        return tuple(seat for seat in self.stakes if seat not in self.folded)


def settle(coup: HoldemCoup, config: HoldemConfig) -> HoldemSettlement | Refusal:
    """The settlement of a finished coup, or every reason why it cannot be one."""
    faults = seating_faults(coup, config)
    if faults:
        return Refusal(faults)
    is_void = coup.void is not None or is_misdealt(coup)
    played = _played(coup, config, unfinished=is_void)
    if isinstance(played, Refusal):
        return played
    if is_void:
        return _voided(played)
    faults = _ending_faults(coup, played)
    if faults:
        return Refusal(faults)
    return _settled(coup, played, config)


def open_betting(coup: HoldemCoup, config: HoldemConfig) -> Betting | Refusal:
    """The first betting round once the initial stakes are proper (THE-50)."""
    stacks = {seat.seat: seat.stack or 0 for seat in players_of(coup)}
    order = tuple(seats_from_button(tuple(stacks), coup.button))
    structure = config.structure
    faults = blind_faults(config.table_min, structure) + _option_faults(coup, config)
    if faults:
        return Refusal(faults)
    due = posts(order, structure, config.heads_up, coup.option, config.option_action)
    return start(structure, [(seat, stacks[seat]) for seat in order], due)


def _option_faults(coup: HoldemCoup, config: HoldemConfig) -> tuple[Fault, ...]:
    if coup.option is None:
        return ()  # nobody asked for one: the common case looks no further
    stacks = {seat.seat: seat.stack for seat in players_of(coup)}
    order = tuple(seats_from_button(tuple(stacks), coup.button))
    stack = stacks.get(coup.option.seat)
    return option_faults(coup.option, order, stack, config.option_allowed, config.structure.big_blind)


def _played(coup: HoldemCoup, config: HoldemConfig, unfinished: bool) -> _Played | Refusal:
    if coup.actions is None:
        faults = _option_faults(coup, config)
        if faults:
            return Refusal(faults)
        seats = players_of(coup)
        folded = frozenset(seat.seat for seat in seats if seat.folded)
        return _Played({seat.seat: seat.contributed or 0 for seat in seats}, folded, _street_of(len(coup.board)))
    opened = open_betting(coup, config)
    if isinstance(opened, Refusal):
        return opened
    final = follow(opened, coup.actions)
    if isinstance(final, Fault):
        return Refusal((final,))
    missing = None if unfinished else missing_action(final)
    if missing is not None:
        return Refusal((missing,))
    players = sorted(final.players, key=lambda player: player.seat)
    return _Played(
        {player.seat: player.total for player in players},
        frozenset(player.seat for player in players if player.folded),
        final.street,
        final.voice,
    )


def _street_of(board: int) -> Street:
    """The last round that a board of this size can have seen."""
    return max((street for street in STREETS if BOARD_CARDS[street] <= board), key=STREETS.index)


def _ending_faults(coup: HoldemCoup, played: _Played) -> tuple[Fault, ...]:
    if not played.live:
        return (Fault("EVERYBODY_FOLDED", "THE-122"),)
    count = len(coup.board)
    if len(played.live) == 1:
        # THE-89: ended early, the board has as many cards as some round needs, and those of the rounds played.
        proper = count in BOARD_CARDS.values() and count >= BOARD_CARDS[played.street]
        return () if proper else (Fault("BOARD_COUNT", "THE-89", count),)
    if count != BOARD_CARDS[Street.RIVER]:
        return (Fault("BOARD_COUNT", "THE-89", count),)
    unseen = [seat.seat for seat in players_of(coup) if seat.cards is None and seat.seat in played.live]
    return tuple(Fault("MISSING_KEY", "THE-52", "cards", seat) for seat in unseen)


def _voided(played: _Played) -> HoldemSettlement:
    """THE-125: every contribution goes back, and there is no rake."""
    seats = tuple(
        HoldemSeatResult(seat, Outcome.VOID, stake, stake, "THE-125") for seat, stake in played.stakes.items()
    )
    return HoldemSettlement(Status.VOID, seats, rule="THE-125")


def _settled(coup: HoldemCoup, played: _Played, config: HoldemConfig) -> HoldemSettlement:
    order = seats_from_button(tuple(played.stakes), coup.button)
    layers = split_pots(played.stakes, played.folded, config.return_uncalled)
    contested = len(played.live) > 1
    # THE-122: the last player wins without showing, so no card of an uncontested coup is read.
    strengths = _strengths(coup, played.live, config.wheel) if contested else {}
    rakes = take_rake([pot.amount for pot in layers.pots], config.rake, flop_seen=played.street is not Street.PREFLOP)
    results = award(layers.pots, rakes, strengths, order, config.odd_chip, config.chip_unit)
    returned = dict.fromkeys(played.stakes, 0)
    if layers.uncalled is not None:
        returned[layers.uncalled.seat] += layers.uncalled.amount
    for result in results:
        for seat, share in zip(result.winners, result.shares, strict=True):
            returned[seat] += share
    seats = tuple(
        _seat_result(seat, stake, returned[seat], results, played, strengths) for seat, stake in played.stakes.items()
    )
    showdown = showdown_order(order, played.live, played.voice, config.showdown_first) if contested else Showdown()
    return HoldemSettlement(Status.SETTLED, seats, results, layers.uncalled, showdown)


def _strengths(coup: HoldemCoup, live: Sequence[int], wheel: bool) -> dict[int, int]:
    """THE-103: the best five of seven, for every hand still in."""
    hands: dict[int, HoldemSeat] = {seat.seat: seat for seat in players_of(coup)}
    return {seat: best5((*(hands[seat].cards or ()), *coup.board), wheel) for seat in live}


def _seat_result(
    seat: int,
    stake: int,
    returned: int,
    results: Sequence[PotResult],
    played: _Played,
    strengths: Mapping[int, int],
) -> HoldemSeatResult:
    if seat in played.folded:
        # THE-58: what a folded player staked stays in the pots.
        return HoldemSeatResult(seat, Outcome.FORFEIT, stake, returned, "THE-58", Comparison.FOLDED)
    strength = strengths.get(seat)
    hand = None if strength is None else hand_view(strength)
    won = [result for result in results if seat in result.winners]
    if not won:
        return HoldemSeatResult(seat, Outcome.LOSE, stake, returned, "THE-104", Comparison.LOSE, hand)
    alone = any(len(result.winners) == 1 for result in won)
    comparison = Comparison.WIN if alone else Comparison.TIE
    return HoldemSeatResult(seat, Outcome.WIN, stake, returned, won[0].rule, comparison, hand)
