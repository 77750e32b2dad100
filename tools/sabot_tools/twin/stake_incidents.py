"""Incidents with stakes against the bank: improper before the deal, moved after it, decisions changed or forged.

Each lays or takes chips, waits for the alert, and puts the felt back as it was, so that the coup goes on by the book.
"""

from collections.abc import Callable
from typing import Final

from sabot_tools.twin.bank_coup import RAISE, BankCoup
from sabot_tools.twin.incident import BANK, Act, Incident, lay_and_take, see_alert, see_quiet
from sabot_tools.twin.layout import SPOTS_OF
from sabot_tools.twin.table import Stage, Table
from sabot_tools.twin.temperament import Temperament

OPENING: Final = {"TCF": ("pair_plus", "bonus"), "STU": ("bonus",), "TCP": ("pair_plus", "six_card"), "UTH": ("trips",)}
STRANGER: Final = bytes.fromhex("e004ff0000000001")  # a chip that no register knows


def _free_seat(table: Table) -> int:
    taken = {player.seat for player in table.players}
    seats = {seat for seat, _ in table.rig.layout.places}
    return next((seat for seat in sorted(seats) if seat and seat not in taken), 0)


def _cheats_first(table: Table, temper: Temperament) -> list[int]:
    return [player.seat for player in sorted(table.players, key=lambda player: player.temper is not temper)]


def _raise_spot(table: Table) -> str:
    return "play" if table.game == "UTH" else RAISE[table.game][0]


def _improper(code: str, stakes: Callable[[Table], dict[str, int]]) -> Act:
    """A stake before a free seat that the dealer must not accept."""

    async def act(table: Table, _coup: BankCoup) -> bool:
        seat = _free_seat(table)
        if not seat:
            return False
        table.expect(code, seat)
        for spot, cents in stakes(table).items():
            table.felt.add((seat, spot), table.bank.take(cents))
        await table.rig.settle()
        await table.rig.press("bets_closed")
        await see_alert(table, code)
        for spot in stakes(table):
            table.bank.put(table.felt.lift((seat, spot)))
        await table.rig.settle()
        await see_quiet(table)
        return True

    return act


def _opening(table: Table, cents: int) -> dict[str, int]:
    return {"ante": cents, **({"blind": cents} if table.game == "UTH" else {})}


def _least(table: Table) -> int:
    return int(str(table.values["table_min"]))


async def _late_bet(table: Table, coup: BankCoup) -> bool:
    """Past-posting: a side bet after rien ne va plus."""
    for seat in _cheats_first(table, Temperament.PAST_POSTER):
        for spot in OPENING[table.game]:
            if spot not in coup.stakes[seat]:
                return await lay_and_take(table, "LATE_BET", (seat, spot), _least(table))
    return False


async def _capped_bet(table: Table, coup: BankCoup) -> bool:
    """A chip slipped on top of the ante."""
    assert coup.stakes
    seat = _cheats_first(table, Temperament.CHIP_CAPPER)[0]
    return await lay_and_take(table, "CAPPED_BET", (seat, "ante"), _least(table))


async def _bet_before_no_hand(table: Table, _coup: BankCoup) -> bool:
    seat = _free_seat(table)
    return bool(seat) and await lay_and_take(table, "BET_BEFORE_NO_HAND", (seat, "ante"), _least(table))


async def _raise_too_early(table: Table, coup: BankCoup) -> bool:
    return await lay_and_take(table, "RAISE_TOO_EARLY", (min(coup.stakes), _raise_spot(table)), _least(table))


async def _wrong_raise(table: Table, coup: BankCoup) -> bool:
    return await lay_and_take(table, "WRONG_RAISE", (min(coup.stakes), _raise_spot(table)), 100)


async def _raise_changed(table: Table, coup: BankCoup) -> bool:
    spot = _raise_spot(table)
    seat = next((seat for seat, bets in coup.stakes.items() if spot in bets), 0)
    return bool(seat) and await lay_and_take(table, "RAISE_CHANGED", (seat, spot), 100)


async def _play_after_fold(table: Table, coup: BankCoup) -> bool:
    if not coup.folded:
        return False
    seat = min(coup.folded)
    return await lay_and_take(table, "PLAY_AFTER_FOLD", (seat, _raise_spot(table)), coup.stakes[seat]["ante"])


def _taken(code: str, keeps: int) -> Act:
    """A player draws back his ante, in part or whole."""

    async def act(table: Table, coup: BankCoup) -> bool:
        place = (min(coup.stakes), "ante")
        cents = table.felt.cents(place)
        if cents <= keeps:
            return False
        table.expect(code, *place)
        held = table.felt.lift_exactly(place, cents - keeps, table.bank)
        await table.rig.settle()
        await see_alert(table, code)
        table.felt.add(place, held)
        await table.rig.settle()
        await see_quiet(table)
        return True

    return act


async def _unknown_chip(table: Table, coup: BankCoup) -> bool:
    return await _odd_chip(table, coup, "UNKNOWN_CHIP", STRANGER)


async def _foreign_chip(table: Table, coup: BankCoup) -> bool:
    """A card of the house lies on a bet spot: a tag that is known, and no chip."""
    return await _odd_chip(table, coup, "FOREIGN_CHIP", table.deck.cards[0].uid)


async def _odd_chip(table: Table, coup: BankCoup, code: str, uid: bytes) -> bool:
    seat = min(coup.stakes)
    spot = next((spot for spot in SPOTS_OF[table.game] if spot not in coup.stakes[seat]), "")
    if not spot:
        return False
    table.expect(code, seat, spot)
    table.rig.lay((seat, spot), (uid,))
    await table.rig.settle()
    await see_alert(table, code)
    table.rig.lay((seat, spot), ())
    await table.rig.settle()
    await see_quiet(table)
    return True


async def _between_spots(table: Table, coup: BankCoup) -> bool:
    """A stake lies on the line between two spots: both antennas read it, and neither can be believed."""
    seat = min(coup.stakes)
    spot = next((spot for spot in OPENING[table.game] if spot not in coup.stakes[seat]), "")
    if not spot:
        return False
    for each in ("ante", spot):
        table.expect("CHIPS_DOUBTFUL", seat, each)
    table.felt.straddle((seat, "ante"), (seat, spot))
    await table.rig.settle()
    table.felt.straighten((seat, spot))
    await table.rig.settle()
    await see_quiet(table)
    return True


async def _withdrawn(table: Table, coup: BankCoup) -> bool:
    """A chip that the house has taken out of service turns up again."""
    return bool(table.withdrawn) and await _odd_chip(table, coup, "WITHDRAWN_CHIP", table.withdrawn)


async def _no_player(table: Table, _coup: BankCoup) -> bool:
    """Rien ne va plus, and nobody has staked."""
    table.expect("NO_PLAYER")
    await table.rig.press("bets_closed")
    return True


async def _decision_pending(table: Table, coup: BankCoup) -> bool:
    """The dealer turns his hand while players still think."""
    for seat in coup.stakes:
        table.expect("DECISION_PENDING", seat)
    await table.rig.press("reveal")
    return True


def _of(name: str, stage: Stage, act: Act, games: tuple[str, ...] = BANK, by_dealer: bool = False) -> Incident:
    return Incident(name, (name.replace("-", "_").upper(),), stage, games, act, by_dealer)


STAKE_INCIDENTS: Final = (
    _of("under-limit", Stage.STAKED, _improper("UNDER_LIMIT", lambda table: _opening(table, 100))),
    _of("over-limit", Stage.STAKED, _improper("OVER_LIMIT", lambda table: _opening(table, 60_000))),
    _of(
        "bet-without-hand",
        Stage.STAKED,
        _improper("BET_WITHOUT_HAND", lambda table: {OPENING[table.game][0]: _least(table)}),
        ("TCF", "TCP"),
    ),
    _of(
        "unequal-ante-blind",
        Stage.STAKED,
        _improper("UNEQUAL_ANTE_BLIND", lambda table: {"ante": _least(table), "blind": 2 * _least(table)}),
        ("UTH",),
    ),
    _of(
        "wrong-bonus-amount",
        Stage.STAKED,
        _improper("WRONG_BONUS_AMOUNT", lambda table: {"ante": _least(table), "bonus": 200}),
        ("STU",),
    ),
    _of("no-player", Stage.IDLE, _no_player, BANK, by_dealer=True),
    _of("late-bet", Stage.DEALT, _late_bet),
    _of("capped-bet", Stage.DEALT, _capped_bet),
    _of("bet-reduced", Stage.DEALT, _taken("BET_REDUCED", 100)),
    _of("bet-removed", Stage.DEALT, _taken("BET_REMOVED", 0)),
    _of("bet-before-no-hand", Stage.DEALT, _bet_before_no_hand),
    _of("raise-too-early", Stage.DEALING, _raise_too_early),
    _of("wrong-raise", Stage.DEALT, _wrong_raise),
    _of("raise-changed", Stage.DECIDED, _raise_changed),
    _of("play-after-fold", Stage.DECIDED, _play_after_fold),
    _of("decision-pending", Stage.DEALT, _decision_pending, ("TCF", "STU", "TCP"), by_dealer=True),
    _of("unknown-chip", Stage.STAKED, _unknown_chip),
    _of("foreign-chip", Stage.STAKED, _foreign_chip),
    _of("withdrawn-chip", Stage.STAKED, _withdrawn),
    _of("chips-doubtful", Stage.STAKED, _between_spots),
)
