"""One coup of hold'em, from the blinds to the cards back in the rack, as the people at the table play it.

Owns the order of things and what the twin knows of the coup. Stacks lie on the felt and are read; stakes move from
stack to bet spot, are gathered into the pot after each round, and go from the pot to the winners' stacks.
"""

from dataclasses import dataclass, field
from typing import Final

from sabot_tools.twin import opening
from sabot_tools.twin.bank_coup import draw
from sabot_tools.twin.betting import Better, Betting
from sabot_tools.twin.book import Line
from sabot_tools.twin.card import Card
from sabot_tools.twin.chip import Tray
from sabot_tools.twin.holdem_strategy import wanted_total
from sabot_tools.twin.incident import CoupVoidedError
from sabot_tools.twin.layout import POT
from sabot_tools.twin.pot_book import PotPlayer, PotResult, share_out
from sabot_tools.twin.rig import StuckError, look_around, see, see_says
from sabot_tools.twin.sight import Sight
from sabot_tools.twin.table import Stage, Table

STREETS: Final = (0, 3, 1, 1)  # cards laid open before each round of betting
MOST_CHIPS: Final = 14  # in one stack; then it is changed into fewer


@dataclass(slots=True)
class HoldemCoup:
    """What the twin knows of the coup under way."""

    betting: Betting
    hands: dict[int, list[Card]] = field(default_factory=dict)
    board: list[Card] = field(default_factory=list)
    burned: list[Card] = field(default_factory=list)
    is_void: bool = False
    is_in_haste: bool = False  # the dealer forgets to gather the stakes before the flop

    @property
    def order(self) -> list[int]:
        return [better.seat for better in self.betting.betters]


async def play_coup(table: Table) -> None:
    """Play one coup to its end and write it into the book."""
    await table.at(Stage.IDLE)
    _tidy_stacks(table)
    await table.rig.settle()
    coup = _begin(table)
    await _post(table, coup)
    await table.at(Stage.STAKED, coup)
    for _ in range(2):
        for seat in coup.order:
            coup.hands.setdefault(seat, []).append(await draw(table))
    try:
        await table.at(Stage.DEALT, coup)
    except CoupVoidedError:
        coup.is_void = True
        await _give_back(table, coup)
    else:
        await _play_on(table, coup)
    await table.at(Stage.PAID, coup)
    await _clear(table)
    table.coups += 1
    if not coup.is_void:
        _move_button(table)
    await table.at(Stage.CLEARED, coup)
    await opening.shuffle(table)


async def _play_on(table: Table, coup: HoldemCoup) -> None:
    await _play_streets(table, coup)
    await table.at(Stage.DECIDED, coup)
    if len(coup.betting.live) > 1:
        await see_says(table.rig, "To show")
        await table.rig.press("reveal")
    result = result_of(table, coup)
    gains = {(each.seat, "bet"): result.returned[each.seat] - each.total for each in coup.betting.betters}
    table.book.write(Line(table.name, table.coups + 1, gains, result.rake))
    await table.at(Stage.SHOWN, coup)
    await _hand_out(table, coup, result)


async def _give_back(table: Table, coup: HoldemCoup) -> None:
    """THE-125: the coup is void, and every stake goes back."""
    table.book.write(Line(table.name, table.coups + 1, {}, is_void=True))
    for better in coup.betting.betters:
        table.felt.push((better.seat, "bet"), (better.seat, "stack"), table.felt.cents((better.seat, "bet")))
    await table.rig.settle()
    await see_says(table.rig, "Collect the cards")


def result_of(table: Table, coup: HoldemCoup) -> PotResult:
    """Who gets what, by the twin's own book."""
    players = [
        PotPlayer(each.seat, [card.face for card in coup.hands[each.seat]], each.total, each.has_folded)
        for each in coup.betting.betters
    ]
    return share_out(players, table.button, [card.face for card in coup.board], table.values)


def _begin(table: Table) -> HoldemCoup:
    seats = sorted(player.seat for player in table.players)
    order = [seat for seat in seats if seat > table.button] + [seat for seat in seats if seat <= table.button]
    small = int(str(table.values["table_min"])) // 2  # THE-46
    big = int(str(table.values["big_blind"] or 2 * small))
    return HoldemCoup(Betting([Better(seat, table.felt.cents((seat, "stack"))) for seat in order], big))


def _tidy_stacks(table: Table) -> None:
    """Between coups: who is short brings chips, and small change becomes larger chips."""
    least = 4 * int(str(table.values["table_min"]))
    most = 4 * opening.MOST_CAVE
    for player in table.players:
        stack = (player.seat, "stack")
        if table.felt.cents(stack) < least:
            opening.recave(table, player.seat)
        elif table.felt.cents(stack) > most or table.felt.count(stack) > MOST_CHIPS:
            # A winner takes half of a large stack home; the rest lies there in as few chips as may be.
            pile = Tray(table.felt.lift(stack))
            keeps = pile.cents // 2 if pile.cents > most else pile.cents
            table.bank.put(pile.take_all())
            table.felt.add(stack, table.bank.take(keeps))


async def _post(table: Table, coup: HoldemCoup) -> None:
    small = int(str(table.values["table_min"])) // 2
    coup.betting.post(small)
    await lay(table, {better.seat: better.street for better in coup.betting.betters[:2]})


async def lay(table: Table, stakes: dict[int, int]) -> None:
    """Players push chips from their stacks before them; the dealer changes what cannot be paid exactly (A-THE-18)."""
    for seat, cents in stakes.items():
        if not table.felt.can_pay((seat, "stack"), cents):
            await _change(table, seat, cents)
    for seat, cents in stakes.items():
        table.felt.push((seat, "stack"), (seat, "bet"), cents)
    await table.rig.settle()


async def _change(table: Table, seat: int, cents: int) -> None:
    """The dealer takes the stack, and lays out the same worth in chips that make the amount."""
    stack = (seat, "stack")
    pile = Tray(table.felt.lift(stack))
    await table.rig.settle()
    wanted = pile.pay(cents, table.bank)
    table.felt.add(stack, [*wanted, *pile.take_all()])
    await table.rig.settle()


async def _play_streets(table: Table, coup: HoldemCoup) -> None:
    betting = coup.betting
    for at, count in enumerate(STREETS):
        if at:
            betting.next_round()
            coup.burned.append(await draw(table))
            for _ in range(count):
                coup.board.append(await draw(table))
            if coup.is_in_haste:
                coup.is_in_haste = False
                await _gather(table, coup)
            if at == 1:
                await table.at(Stage.DEALING, coup)
        await _bet_round(table, coup)
        if len(betting.live) < 2:
            return
        if not at:
            await table.at(Stage.CLOSED, coup)
        if not coup.is_in_haste:
            await _gather(table, coup)


async def _bet_round(table: Table, coup: HoldemCoup) -> None:
    betting = coup.betting
    while (better := betting.in_turn()) is not None:
        seat = better.seat
        await _see_word(table, seat)
        faces, board = [card.face for card in coup.hands[seat]], [card.face for card in coup.board]
        total = wanted_total(table.player(seat).temper, betting, better, faces, board, table.chance)
        if total is None:
            betting.fold(better)
            await table.rig.press("fold", seat)
        elif total == better.street:
            betting.check(better)
            await table.rig.press("check", seat)
        else:
            await lay(table, {seat: total - better.street})
            betting.stake_to(better, total)


async def _see_word(table: Table, seat: int) -> None:
    lamp, words = [(seat, "bet")], f"Seat {seat}: "
    await see(
        table.rig,
        lambda sight: sight.lit("white") == lamp or (words in sight.text and "to call" in sight.text),
        f"the word of seat {seat}",
    )


async def _gather(table: Table, coup: HoldemCoup) -> None:
    """THE-70: from the dealer's left, everything into the pot."""
    chips = [chip for seat in sorted(coup.order) for chip in table.felt.lift((seat, "bet"))]
    if chips:
        table.felt.add(POT, chips)
        await table.rig.settle()


async def _hand_out(table: Table, coup: HoldemCoup, result: PotResult) -> None:
    """THE-109 to THE-111: the levy first, then to each winner what the display says."""
    await see(table.rig, _is_settled, "the outcome of the coup")
    sight = await look_around(table.rig)
    for seat, cents in sight.shares().items():
        if cents != result.returned.get(seat):
            table.book.dispute(
                f"{table.name}: the display gives seat {seat} {cents}, {result.returned.get(seat)} known."
            )
    hand = Tray(chip for place in (POT, *((seat, "bet") for seat in coup.order)) for chip in table.felt.lift(place))
    table.bank.put(hand.pay(result.rake, table.bank))
    for seat, cents in result.returned.items():
        if cents:
            table.felt.add((seat, "stack"), hand.pay(cents, table.bank))
    await table.rig.settle()
    sight = await see_says(table.rig, "Collect the cards", "!")
    if "Collect the cards" not in sight.text:
        raise StuckError(f"the pots were handed out, and the display says {sight.text!r}")


async def _clear(table: Table) -> None:
    table.felt.collect(table.deck.cards)
    await table.rig.settle()
    await see(table.rig, lambda sight: "Collect" not in sight.text and bool(sight.text), "the end of the coup")
    table.felt.empty_rack()


def _move_button(table: Table) -> None:
    """THE-117: to the next occupied seat."""
    seats = sorted(player.seat for player in table.players)
    table.button = next((seat for seat in seats if seat > table.button), seats[0])


def _is_settled(sight: Sight) -> bool:
    return bool(sight.lit("red", "green")) or "Collect the cards" in sight.text
