"""One coup against the bank, from the stakes to the cards back in the rack, as the people at the table play it.

Owns the order of things at poker trois cartes, stud, Three Card Poker and
ultimate hold'em, and what the twin knows of the coup. Lamps and display are
waited for where people would look up; paying is in `payment`.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from sabot_tools.twin import opening
from sabot_tools.twin.bank_book import Gains, gains
from sabot_tools.twin.bank_book import Player as Settled
from sabot_tools.twin.book import Line
from sabot_tools.twin.card import Card
from sabot_tools.twin.hand import score
from sabot_tools.twin.incident import CoupVoidedError
from sabot_tools.twin.layout import Place
from sabot_tools.twin.payment import clear, is_settled, pay
from sabot_tools.twin.rig import see, see_says
from sabot_tools.twin.table import Player, Stage, Table
from sabot_tools.twin.temperament import discard, opening_stakes, plays_times, raises

HAND: Final = {"TCF": 3, "STU": 5, "TCP": 3, "UTH": 2}
RAISE: Final = {"TCF": ("play", 1), "STU": ("raise", 2), "TCP": ("play", 1)}
PURSE_UNITS: Final = (100, 800)  # a player buys below and cashes out above so many times the minimum


@dataclass(slots=True)
class BankCoup:
    """What the twin knows of the coup under way."""

    stakes: dict[int, dict[str, int]]
    hands: dict[int, list[Card]] = field(default_factory=dict)
    house: list[Card] = field(default_factory=list)
    board: list[Card] = field(default_factory=list)
    folded: set[int] = field(default_factory=set)
    bought: dict[int, Card] = field(default_factory=dict)
    discarded: dict[int, Card] = field(default_factory=dict)
    stray: list[Card] = field(default_factory=list)  # out of the shoe, for nobody
    early: list[Card] = field(default_factory=list)  # out of the shoe before the bets were closed
    is_silent: bool = False  # nobody announces a winning bonus before the dealer has shown his hand
    is_without_game: bool = False  # the dealer's hand does not qualify
    slip: Callable[[], Awaitable[None]] | None = None  # an error of the dealer's that waits for the payments
    won_in_silence: list[Place] = field(default_factory=list)  # bonuses that must be announced to be seen
    is_void: bool = False

    @property
    def out(self) -> list[Card]:
        """Every card that has left the shoe."""
        dealt = [card for hand in self.hands.values() for card in hand]
        return [*dealt, *self.house, *self.board, *self.bought.values(), *self.stray]

    def faces(self, seat: int) -> list[str]:
        """The final hand: STU-64, the bought card in the place of the discard."""
        hand = [card for card in self.hands[seat] if card != self.discarded.get(seat)]
        return [card.face for card in [*hand, *([self.bought[seat]] if seat in self.bought else [])]]


async def play_coup(table: Table) -> None:
    """Play one coup to its end and write it into the book."""
    coup = BankCoup({})
    try:
        await _play(table, coup)
    except CoupVoidedError:
        coup.is_void = True
        table.book.write(_line(table, coup, {}))
        await see_says(table.rig, "Collect the cards")
    await clear(table)
    table.coups += 1
    await table.at(Stage.CLEARED, coup)
    await opening.shuffle(table)


async def _play(table: Table, coup: BankCoup) -> None:
    await table.at(Stage.IDLE, coup)
    await _stake(table, coup)
    await table.at(Stage.STAKED, coup)
    if not coup.early:
        await _close(table)
    await table.at(Stage.CLOSED, coup)
    await _deal(table, coup)
    await table.at(Stage.DEALT, coup)
    await (_decide_ultimate if table.game == "UTH" else _decide)(table, coup)
    coup.won_in_silence = _won_bonuses(table, coup)
    coup.is_without_game = not house_plays(table, coup)
    await table.at(Stage.DECIDED, coup)
    if not coup.is_silent:
        await _claim(table, coup)
    await table.rig.press("reveal")
    results = {seat: result_of(table, coup, seat) for seat in coup.stakes}
    table.book.write(
        Line(
            table.name,
            table.coups + 1,
            {}
            if coup.is_void
            else {(seat, spot): net for seat, net_of in results.items() for spot, net in net_of.items()},
            is_void=coup.is_void,
        )
    )
    if coup.is_silent:
        await see(table.rig, is_settled, "the outcome of the coup")
        await _claim(table, coup)
        told = set(coup.won_in_silence)  # a bonus that lost stays violet: nobody has to say so
        await see(
            table.rig,
            lambda sight: is_settled(sight) and not told & set(sight.lit("violet")),
            "bonuses that are no secret",
        )
    if coup.slip is not None:
        await coup.slip()
    await table.at(Stage.SHOWN, coup)
    await pay(table, targets_of(coup, results))
    await table.at(Stage.PAID, coup)


def result_of(table: Table, coup: BankCoup, seat: int) -> Gains:
    """What a seat gains, by the twin's own book."""
    settled = Settled(
        coup.faces(seat),
        coup.stakes[seat],
        has_folded=seat in coup.folded,
        has_bought=seat in coup.bought,
        claims=frozenset({"bonus", "pair_plus"}),
    )
    house, board = [card.face for card in coup.house], [card.face for card in coup.board]
    return gains(table.game, settled, house, board, table.values)


def targets_of(coup: BankCoup, results: dict[int, Gains]) -> dict[tuple[int, str], int]:
    """What must lie on each spot in the end; a bonus without a stake is paid on the ante."""
    targets: dict[tuple[int, str], int] = {}
    for seat, net_of in results.items():
        for spot, stake in coup.stakes[seat].items():
            targets[seat, spot] = stake + net_of.get(spot, 0)
        for spot in net_of.keys() - coup.stakes[seat].keys():
            targets[seat, "ante"] += net_of[spot]
    return targets


def _line(table: Table, coup: BankCoup, results: dict[int, Gains]) -> Line:
    lines = {(seat, spot): net for seat, net_of in results.items() for spot, net in net_of.items()}
    return Line(table.name, table.coups + 1, {} if coup.is_void else lines, is_void=coup.is_void)


def lay(table: Table, player: Player, spot: str, cents: int) -> None:
    """A player puts chips on one of his spots."""
    table.felt.add((player.seat, spot), player.purse.pay(cents, table.bank))


async def _stake(table: Table, coup: BankCoup) -> None:
    for player in table.players:
        _fill_purse(table, player)
        stakes = opening_stakes(table.game, player.temper, table.values, table.chance)
        coup.stakes[player.seat] = stakes
        for spot, cents in stakes.items():
            lay(table, player, spot, cents)
    await table.rig.settle()


def _fill_purse(table: Table, player: Player) -> None:
    unit = int(str(table.values["table_min"]))
    least, most = PURSE_UNITS[0] * unit, PURSE_UNITS[1] * unit
    if player.purse.cents < least:
        player.purse.put(table.bank.take(least))
    elif player.purse.cents > most:
        table.bank.put(player.purse.pay(player.purse.cents - least, table.bank))


async def _close(table: Table) -> None:
    await table.rig.press("bets_closed")
    await see_says(table.rig, "Deal")
    if table.game == "STU":
        await opening.shuffle_now(table)


async def _deal(table: Table, coup: BankCoup) -> None:
    seats = sorted(coup.stakes)
    coup.hands = {seat: [] for seat in seats}
    for at, seat in enumerate(deal_order(table, seats)):
        if at == len(seats):
            await table.at(Stage.DEALING, coup)
        card = coup.early.pop() if coup.early else await draw(table)
        (coup.hands[seat] if seat else coup.house).append(card)
    await see_says(table.rig, "To decide")


def deal_order(table: Table, seats: Sequence[int]) -> list[int]:
    """TCF-29, STU-27, TCP-55: round by round; UTH-19: two at once; the dealer (0) last."""
    count = HAND[table.game]
    if table.values.get("deal_mode") == "packets":
        return [seat for seat in [*seats, 0] for _ in range(count)]
    return [*seats, 0] * count


async def draw(table: Table) -> Card:
    """One card out of the shoe."""
    card = table.deck.draw()
    await table.rig.draw(card.uid)
    return card


async def _decide(table: Table, coup: BankCoup) -> None:
    spot, times = RAISE[table.game]
    up_card = coup.house[-1].face if table.game == "STU" else ""  # STU-29: the dealer's fifth card lies open
    for player in table.players:
        seat, ante = player.seat, coup.stakes[player.seat]["ante"]
        faces = coup.faces(seat)
        if not raises(table.game, player.temper, faces, up_card):
            coup.folded.add(seat)
            continue
        coup.stakes[seat][spot] = times * ante
        lay(table, player, spot, times * ante)
        thrown = discard(faces, player.temper, table.chance) if table.game == "STU" else None
        if thrown is not None and table.values["buy_allowed"]:
            # STU-59: price and discard are laid with the raise.
            coup.stakes[seat]["buy"] = ante
            coup.discarded[seat] = next(card for card in coup.hands[seat] if card.face == thrown)
            lay(table, player, "buy", ante)
    table.felt.collect(coup.discarded.values())
    await table.rig.settle()
    for seat in sorted(coup.folded):
        await table.rig.press("fold", seat)
    for seat in sorted(coup.discarded):
        coup.bought[seat] = await draw(table)  # STU-61: in dealing order
    await see_says(table.rig, "Show the hand")


async def _decide_ultimate(table: Table, coup: BankCoup) -> None:
    """UTH-20 to UTH-24: three rounds; the next card says that the others passed."""
    for count in (3, 2, 0):
        board = [card.face for card in coup.board]
        for player in table.players:
            seat, bets = player.seat, coup.stakes[player.seat]
            if "play" in bets:
                continue
            times = plays_times(player.temper, coup.faces(seat), board, table.chance)
            if times:
                bets["play"] = times * bets["ante"]
                lay(table, player, "play", bets["play"])
            elif not count:
                coup.folded.add(seat)
        await table.rig.settle()
        for _ in range(count):
            coup.board.append(await draw(table))
        if count and any("play" not in bets for bets in coup.stakes.values()):
            await see_says(table.rig, "To decide")
    for seat in sorted(coup.folded):
        await table.rig.press("fold", seat)
    await see_says(table.rig, "Show the hand")


async def _claim(table: Table, coup: BankCoup) -> None:
    """TCF-77, TCF-78, STU-73: who holds a winning bonus announces it before the dealer shows his hand."""
    for seat in dict.fromkeys(seat for seat, _ in coup.won_in_silence):
        await table.rig.press("claim", seat)


def _won_bonuses(table: Table, coup: BankCoup) -> list[Place]:
    if table.game not in ("TCF", "STU"):
        return []
    found: list[Place] = []
    for seat, bets in coup.stakes.items():
        if seat in coup.folded or seat in coup.bought:
            continue
        hand = score(coup.faces(seat))
        found += [(seat, spot) for spot in ("bonus", "pair_plus") if spot in bets and hand.name in _lines(table, spot)]
    return found


def house_plays(table: Table, coup: BankCoup) -> bool:
    """Whether the dealer has a hand: else bonuses wait for their claim, and lamps say less."""
    if table.game not in ("TCF", "STU"):
        return True
    hand = score([card.face for card in coup.house])
    least = (12,) if table.game == "TCF" else (14, 13)
    return hand.name != "high_card" or hand.ranks[: len(least)] >= least


def _lines(table: Table, spot: str) -> tuple[str, ...]:
    paid = table.values[f"{spot}_table"]
    assert isinstance(paid, Mapping)
    return tuple(paid)
