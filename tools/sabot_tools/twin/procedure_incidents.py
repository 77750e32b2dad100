"""Incidents with procedure: authority, séances, cuts, decks, the order of things; and a coup that takes too long.

Few of them show on the display: what the table says about them goes to the surveillance room. Each is done, seen by the
readers, and put right as the house would.
"""

import asyncio
import time
from typing import Any, Final

from sabot_tools.twin import opening
from sabot_tools.twin.bank_coup import BankCoup
from sabot_tools.twin.incident import ALL, BANK, Act, Incident, see_alert, void, with_head
from sabot_tools.twin.rig import see_says
from sabot_tools.twin.table import Stage, Table

AUTHORITY_MS: Final = 21_000  # a table head's badge stands behind the keys for twenty seconds
LONGER_MS: Final = 1_000
LOOK_S: Final = 0.2


async def _no_authority(table: Table, _coup: Any) -> bool:
    """The dealer presses the table head's key by himself."""
    table.expect("AUTHORITY_MISSING")
    await _sit(table, AUTHORITY_MS)
    await table.rig.press("override")
    return True


async def _closed_too_soon(table: Table, _coup: Any) -> bool:
    """THE-112: the table head would close before the last hands were announced; the table stays open."""
    table.expect("LAST_HANDS_NOT_ANNOUNCED")
    await with_head(table, "close_session")
    return True


async def _old_deck(table: Table, _coup: Any) -> bool:
    """A new séance begins with the cards of the last one, and the table head lets it pass."""
    table.expect("DECK_NOT_NEW")
    await _close(table)
    await with_head(table, "open_session")
    await see_says(table.rig, "Count the cards")
    await table.rig.hold_badge(table.staff.dealer)
    await table.rig.press("new_deck")
    table.felt.collect(table.deck.cards)
    await table.rig.settle()
    await with_head(table, "override")
    table.felt.empty_rack()
    await table.rig.settle()
    await table.rig.press("announce")
    await see_says(table.rig, "Shuffle", "place your bets")
    return True


async def _closed_table(table: Table, _coup: Any) -> bool:
    """Somebody stakes at a closed table; then it opens after all."""
    table.expect("COUP_WITHOUT_SEANCE")
    await _close(table)
    player = table.players[0]
    for spot in ("ante", "blind"):
        table.felt.add((player.seat, spot), table.bank.take(1000))
    await table.rig.settle()
    for spot in ("ante", "blind"):
        table.bank.put(table.felt.lift((player.seat, spot)))
    await table.rig.settle()
    await with_head(table, "open_session")
    await table.rig.hold_badge(table.staff.dealer)
    await opening.count_deck(table)
    await table.rig.press("announce")
    await see_says(table.rig, "Shuffle", "place your bets")
    return True


async def _close(table: Table) -> None:
    await with_head(table, "close_session")
    await see_says(table.rig, "Table closed")


async def _wrong_cutter(table: Table, _coup: Any) -> bool:
    """STU-08: not the player whose cut it was; the deck is shuffled once more."""
    seats = sorted(player.seat for player in table.players)
    if table.has_shuffler or len(seats) < 2:
        return False
    table.expect("CUT_OUT_OF_ORDER", seats[-1])
    await table.rig.press("shuffle")
    await table.rig.press("cut", seats[-1])
    await opening.shuffle_now(table)
    return True


async def _wrong_order(table: Table, coup: BankCoup) -> bool:
    """TCF-64: the first hand is collected before the last."""
    seats = sorted(coup.hands)
    if len(seats) < 2 or coup.is_void:
        return False
    table.expect("COLLECTED_OUT_OF_ORDER")
    for place in table.felt.places:
        table.player(place[0]).purse.put(table.felt.lift(place))
    table.felt.collect(coup.hands[seats[0]])
    await table.rig.settle()
    return True


async def _other_deck(table: Table, _coup: BankCoup) -> bool:
    """A card of another table's deck comes out of the shoe: the coup is void."""
    if not table.other_deck:
        return False
    table.expect("CARD_OF_ANOTHER_DECK")
    await table.rig.draw(table.other_deck)
    await see_alert(table, "CARD_OF_ANOTHER_DECK")
    await void(table)
    return True


async def _silent(table: Table, coup: BankCoup) -> bool:
    """TCF-77: a bonus is won and not announced; the player remembers while the dealer pays."""
    if not coup.is_without_game:
        return False
    for seat, spot in coup.won_in_silence:
        table.expect("UNCLAIMED_BONUS", seat, spot)
    coup.is_silent = bool(coup.won_in_silence)
    return coup.is_silent


async def _stalled(table: Table, _coup: Any) -> bool:
    """Everybody waits for somebody."""
    table.expect("COUP_STALLED")
    await _sit(table, table.stall_ms + LONGER_MS)
    return True


async def _slow(table: Table, _coup: Any) -> bool:
    """A dispute holds the coup up; the table says so twice, when it stalls and when it is over."""
    table.expect("COUP_STALLED")
    table.expect("PACE_SLOW")
    await _sit(table, table.slowest_ms + LONGER_MS)
    return True


async def _sit(table: Table, ms: int) -> None:
    """Nobody does anything, by the table's own time and by the time of whoever watches it.

    The table's time must not fall behind the wall's meanwhile: what happens next would seem to have been on its way.
    """
    if not table.is_by_wall:
        await table.rig.wait(ms)
        return
    ends = time.monotonic() + ms / 1000
    while (now := time.monotonic()) < ends:
        await asyncio.sleep(LOOK_S)
        await table.rig.wait(int(1000 * (time.monotonic() - now)) + 1)
        await table.rig.look()


def _of(
    name: str, stage: Stage, act: Act, games: tuple[str, ...] = ALL, *, more: tuple[str, ...] = (), dealer: bool = False
) -> Incident:
    return Incident(name, (name.replace("-", "_").upper(), *more), stage, games, act, dealer)


PROCEDURE_INCIDENTS: Final = (
    _of("authority-missing", Stage.CLEARED, _no_authority, dealer=True),
    _of("last-hands-not-announced", Stage.CLEARED, _closed_too_soon, ("THE",)),
    _of("deck-not-new", Stage.CLEARED, _old_deck, ("TCF", "STU")),
    _of("coup-without-seance", Stage.CLEARED, _closed_table, ("UTH",)),
    _of("cut-out-of-order", Stage.CLOSED, _wrong_cutter, ("STU",)),
    _of("collected-out-of-order", Stage.PAID, _wrong_order, ("TCF", "STU"), dealer=True),
    _of("card-of-another-deck", Stage.DEALING, _other_deck, BANK),
    _of("unclaimed-bonus", Stage.DECIDED, _silent, ("TCF",)),
    _of("coup-stalled", Stage.DEALT, _stalled),
    _of("pace-slow", Stage.DEALT, _slow, more=("COUP_STALLED",)),
)
