"""The beginning of a séance: badges, a deck counted in the rack, limits announced, cards shuffled; at hold'em the
button is drawn with clubs.

Owns the procedure as the dealer and the table head carry it out, reading the display as they go.
"""

from typing import Final

from sabot_tools.twin.card import rank_of
from sabot_tools.twin.chip import Tray
from sabot_tools.twin.layout import CUT_CARD
from sabot_tools.twin.rig import look_around, see, see_says
from sabot_tools.twin.sight import Sight
from sabot_tools.twin.table import Table

CAVE_BLINDS: Final = 40  # big blinds that a hold'em player sits down with
MOST_CAVE: Final = 200_000
BETWEEN_COUPS: Final = (
    "Announce",
    "place your bets",
    "Shuffle",
    "Count the cards",
    "Place the button",
    "Button",
    "Cut",
)
# At stud the cards are shuffled and cut inside the coup: the same words, beside these.
NO_DEALER: Final = "Dealer's badge"
WITHIN_COUP: Final = ("REVIEW", "Deal", "no more bets")
TRIES: Final = 8  # of the table head to let an interrupted coup pass
CUT: Final = ("TCF", "STU")  # games whose deck a player cuts


async def open_table(table: Table) -> None:
    """From a closed table, or one that somebody left, to one that waits for stakes."""
    rig = table.rig
    if table.is_again:
        table.expect("CONTROLLER_REBOOTED")
    await rig.ready()
    await rig.settle()  # a controller tells every spot after its start
    await see(rig, lambda sight: bool(sight.text), "the first picture")
    sight = await look_around(rig)
    if "Table closed" in sight.text:
        table.is_taken_over = table.is_again  # somebody closed it, perhaps in the middle of something
        await rig.hold_badge(table.staff.head)
        await rig.press("open_session")
        await see_says(rig, "Count the cards")
        await rig.hold_badge(table.staff.dealer)
    else:
        table.is_taken_over = True
        if NO_DEALER in sight.text:  # the séance was being opened
            await rig.hold_badge(table.staff.dealer)
        if not _is_between_coups(sight):
            await _end_coup(table)
    await count_deck(table)
    if "Announce" in (await look_around(rig)).text:
        await rig.press("announce")
    await see(rig, lambda sight: "Announce" not in sight.text and "Count" not in sight.text, "an open séance")
    if table.game == "THE":
        await _seat_players(table)
        await _draw_button(table)
    await shuffle(table)


async def _end_coup(table: Table) -> None:
    """Somebody was interrupted: the table head voids the coup, lets it pass as it lies, and the cards are collected."""
    await table.rig.hold_badge(table.staff.head)
    await table.rig.press("void")
    table.felt.collect(table.deck.cards)
    await table.rig.settle()
    for _ in range(TRIES):
        if _is_between_coups(await look_around(table.rig)):
            break
        # What does not lie as it should is named when the dealer says that he has paid, and then accepted as it lies.
        await table.rig.press("paid")
        await table.rig.hold_badge(table.staff.head)
        await table.rig.press("override")
        await table.rig.settle()
    await see(table.rig, _is_between_coups, "the end of an interrupted coup")
    table.felt.empty_rack()
    await table.rig.settle()


def _is_between_coups(sight: Sight) -> bool:
    text = sight.text.replace(NO_DEALER, "")
    return any(words in text for words in BETWEEN_COUPS) and not any(words in text for words in WITHIN_COUP)


async def count_deck(table: Table) -> None:
    """All 52 cards lie in the rack at once, and are taken out again."""
    await table.rig.press("new_deck")
    table.felt.collect(table.deck.cards)
    await table.rig.settle()
    if table.is_taken_over:
        await _let_deck_pass(table)
    await see(table.rig, lambda sight: "Count the cards" not in sight.text, "a counted deck")
    table.felt.empty_rack()
    await table.rig.settle()


async def _let_deck_pass(table: Table) -> None:
    """TCF-02, STU-02: a séance begins with a new deck; whoever takes over has the old one only, says the table head."""
    for _ in range(TRIES):
        if "Count the cards" not in (await look_around(table.rig)).text:
            break
        await table.rig.hold_badge(table.staff.head)
        await table.rig.press("override")


async def shuffle(table: Table) -> None:
    """The deck goes into the shoe; STU-23: at stud only once the stakes are verified."""
    if table.game != "STU":
        await shuffle_now(table)


async def shuffle_now(table: Table) -> None:
    """TCF-07, TCF-08: shuffled; then the player at the dealer's far left cuts onto the blue card."""
    table.deck.shuffle(table.chance)
    await table.rig.press("shuffle")
    if table.game in CUT and not table.has_shuffler:
        await table.rig.press("cut", min(player.seat for player in table.players))
        await table.rig.draw(CUT_CARD)


async def _seat_players(table: Table) -> None:
    seats = {player.seat for player in table.players}
    for seat in (seat for seat, spot in table.rig.layout.places if spot == "bet" and seat not in seats):
        if table.is_again:
            await table.rig.press("seat_left", seat)  # whoever sat there last night
    for player in table.players:
        await table.rig.press("seat_taken", player.seat)
        recave(table, player.seat)
    await table.rig.settle()


def recave(table: Table, seat: int) -> None:
    """THE-34, THE-38: chips from the cage, before the player."""
    stack = (seat, "stack")
    wanted = min(MOST_CAVE, CAVE_BLINDS * int(str(table.values["table_min"])))
    short = wanted - table.felt.cents(stack)
    if short > 0:
        pile = Tray(table.felt.lift(stack))
        pile.put(table.bank.take(short))
        table.felt.add(stack, pile.take_all())


async def _draw_button(table: Table) -> None:
    """THE-42, THE-43: a club to each player, the highest has the button."""
    await table.rig.press("button")
    clubs = [card for card in table.deck.cards if card.face[1] == "c"]
    drawn = table.chance.sample(clubs, len(table.players))
    for card in drawn:
        await table.rig.draw(card.uid)
    seats = sorted(player.seat for player in table.players)
    best = max(range(len(drawn)), key=lambda at: rank_of(drawn[at].face))
    table.button = seats[best]
    await see_says(table.rig, "Shuffle")
