"""The end of a coup against the bank: the dealer pays by lamps and display, players take their chips, cards go back.

Owns what a dealer does with what he sees. Red is collected, green is paid up to the amount on the display, violet is
collected when nobody announces it, blue stays. The display names one amount at a time; for the others he
knows his pay tables, and says so when the display disagrees.
"""

import time
from collections.abc import Mapping
from typing import Final

from sabot_tools.twin.layout import Place
from sabot_tools.twin.rig import PATIENCE_S, StuckError, look_around, see, see_says
from sabot_tools.twin.sight import Sight
from sabot_tools.twin.table import Table

PUZZLED_LOOKS: Final = 20  # of more than half a second each, at lamps that ask for what lies there already
PUZZLED_S: Final = 15  # and so long by the clock on the wall: a gateway that was killed is back by then


async def pay(table: Table, targets: Mapping[Place, int]) -> None:
    """Follow the lamps until the display asks for the cards."""
    await see(table.rig, is_settled, "the outcome of the coup")
    touched: set[Place] = set()
    ends = time.monotonic() + PATIENCE_S
    looks, moved = 0, time.monotonic()  # since something was moved
    while True:
        sight = await look_around(table.rig)
        if "Collect the cards" in sight.text:
            return
        lit = set(sight.lit("red", "green", "violet"))
        looks += 1
        if handled := follow(table, sight, targets):
            looks, moved = 0, time.monotonic()
            touched |= handled
            await table.rig.settle()
        elif lit and (not lit & touched or (looks >= PUZZLED_LOOKS and time.monotonic() - moved >= PUZZLED_S)):
            # TCP-19: where bets meet, the right amount may lie there without a chip having moved. Lamps of a spot that
            # he has touched may only be late; when they stay, it is his word that is missing.
            looks, moved = 0, time.monotonic()
            touched |= lit  # said once; what is still lit then may only be late
            await table.rig.press("paid")
        if time.monotonic() >= ends:
            raise StuckError(f"the payments do not end; {sight.text!r}, lamps {dict(sight.lamps)}")


async def pay_the_others(table: Table, targets: Mapping[Place, int], place: Place) -> None:
    """Everything that the lamps ask for, but for one spot."""
    await see(table.rig, is_settled, "the outcome of the coup")
    for _ in range(3):
        sight = await look_around(table.rig)
        others = {each: colour for each, colour in sight.lamps.items() if each != place}
        if not follow(table, Sight(others, sight.text), targets):
            return
        await table.rig.settle()


def follow(table: Table, sight: Sight, targets: Mapping[Place, int]) -> set[Place]:
    """One round of the dealer's hands: the spots on which he moved something."""
    shown = sight.amount_due()
    losing = [place for place in sight.lit("red", "violet") if table.felt.count(place)]
    collected = [chip for place in losing for chip in table.felt.lift(place)]
    handled = set(losing)
    for place in sight.lit("green"):
        due = targets[place]
        if shown is not None and shown[0] == place and shown[1] != due:
            table.book.dispute(f"{table.name}: the display pays {shown[1]} on {place}, the dealer knows {due}.")
            due = shown[1]
        if bring_to(table, place, due):
            handled.add(place)
    table.bank.put(collected)
    return handled


def bring_to(table: Table, place: Place, due: int) -> bool:
    """Let exactly this amount lie on a spot; False when it did already."""
    lying = table.felt.cents(place)
    if lying < due:
        table.felt.add(place, table.bank.take(due - lying))
    elif lying > due:
        table.bank.put(table.felt.lift_exactly(place, lying - due, table.bank))
    return lying != due


async def clear(table: Table) -> None:
    """Players take what is theirs, every card goes to the rack, and the deck is taken out of it."""
    for place in table.felt.places:
        table.player(place[0]).purse.put(table.felt.lift(place))
    await table.rig.settle()
    table.felt.collect(table.deck.cards)
    await table.rig.settle()
    await see_says(table.rig, "Shuffle", "place your bets")
    table.felt.empty_rack()


def is_settled(sight: Sight) -> bool:
    """Whether the lamps have begun to say who is paid."""
    return bool(sight.lit("red", "green", "violet", "orange")) or "Collect the cards" in sight.text
