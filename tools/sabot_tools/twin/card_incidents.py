"""Incidents with cards against the bank: drawn too early, too many, twice, unknown; lost and found.

What can be put right is; where nobody can say any more what was dealt, the table head voids the coup.
"""

from typing import Final

from sabot_tools.twin import opening
from sabot_tools.twin.bank_coup import BankCoup, draw
from sabot_tools.twin.incident import BANK, Act, Incident, see_alert, see_quiet, void, with_head
from sabot_tools.twin.layout import CUT_CARD
from sabot_tools.twin.table import Stage, Table

STRANGER: Final = bytes.fromhex("04ee0000000001")  # a card that no register knows
RETURN_MS: Final = 21_000  # core/shoe.py: after so long a card may rightly come again


async def _card_out_of_coup(table: Table, _coup: BankCoup) -> bool:
    table.expect("CARD_OUT_OF_COUP")
    await table.rig.settle()  # the rack is empty, and its reader knows: no card is in two places
    await table.rig.draw(table.deck.cards[0].uid)  # at stud the deck is not in the shoe yet
    await opening.shuffle(table)  # the card goes back, and the deck is shuffled once more
    return True


async def _deck_not_ready(table: Table, _coup: BankCoup) -> bool:
    """The deck is counted again and dealt without a shuffle."""
    table.expect("DECK_NOT_READY")
    await table.rig.settle()  # the rack is empty
    await opening.count_deck(table)
    return True


async def _shuffle_before_close(table: Table, _coup: BankCoup) -> bool:
    table.expect("SHUFFLE_BEFORE_CLOSE")
    await table.rig.press("shuffle")
    return True


async def _card_before_bets_closed(table: Table, coup: BankCoup) -> bool:
    table.expect("CARD_BEFORE_BETS_CLOSED")
    coup.early.append(await draw(table))
    await see_alert(table, "CARD_BEFORE_BETS_CLOSED")
    await with_head(table, "override")
    await see_quiet(table)
    return True


async def _too_few(table: Table, _coup: BankCoup) -> bool:
    """The dealer would go on although hands are incomplete; then he deals the rest."""
    table.expect("TOO_FEW_CARDS")
    await table.rig.press("reveal")
    await see_alert(table, "TOO_FEW_CARDS")
    return True


async def _too_many(table: Table, coup: BankCoup) -> bool:
    table.expect("TOO_MANY_CARDS")
    coup.stray.append(await draw(table))
    await see_alert(table, "TOO_MANY_CARDS")
    await table.rig.press("burn")
    await see_quiet(table)
    return True


async def _cut_card(table: Table, _coup: BankCoup) -> bool:
    table.expect("CUT_CARD_IN_DEAL")
    await table.rig.wait(RETURN_MS)
    await table.rig.draw(CUT_CARD)
    return True


async def _burned(table: Table, coup: BankCoup) -> bool:
    """A card falls face up before it reached a hand: burned, and the next one takes its place."""
    seat = max(seat for seat, hand in coup.hands.items() if hand)
    table.expect("BURNED_CARD")
    await table.rig.press("exposed_card")
    coup.stray.append(coup.hands[seat].pop())
    coup.hands[seat].append(await draw(table))
    return True


async def _exposed(table: Table, coup: BankCoup) -> bool:
    table.expect("EXPOSED_CARD")
    await table.rig.press("exposed_card", min(coup.stakes))
    return True


async def _looked(table: Table, coup: BankCoup) -> bool:
    table.expect("HAND_LOOKED_EARLY", min(coup.stakes))
    await table.rig.press("look", min(coup.stakes))
    return True


async def _duplicate(table: Table, coup: BankCoup) -> bool:
    """A card that is out is drawn over the antenna once more, much later."""
    table.expect("DUPLICATE_CARD")
    await table.rig.wait(RETURN_MS)
    await table.rig.draw(coup.hands[min(coup.hands)][0].uid)
    await see_alert(table, "DUPLICATE_CARD")
    await with_head(table, "override")
    await see_quiet(table)
    return True


def _voided(code: str, act: Act) -> Act:
    """After it nobody can vouch for the hands: the coup is in review, and the table head voids it."""

    async def acts(table: Table, coup: BankCoup) -> bool:
        table.expect(code)
        table.expect("IN_REVIEW")
        await act(table, coup)
        await see_alert(table, code)
        await void(table)
        return True

    return acts


async def _two_at_once(table: Table, coup: BankCoup) -> bool:
    first, second = table.deck.draw(), table.deck.draw()
    coup.stray += [first, second]
    await table.rig.draw(first.uid, second.uid)
    return True


async def _unknown(table: Table, _coup: BankCoup) -> bool:
    await table.rig.draw(STRANGER)
    return True


async def _missing(table: Table, _coup: BankCoup) -> bool:
    """A card lies on the floor when the deck goes back; it is found, and the deck counted again."""
    table.expect("CARD_MISSING")
    table.felt.collect(table.deck.cards[1:])
    await table.rig.settle()
    await table.rig.press("confirm")
    await table.rig.settle()
    table.felt.empty_rack()
    await table.rig.settle()
    await opening.count_deck(table)
    return True


async def _extra(table: Table, _coup: BankCoup) -> bool:
    """A strange card is collected with the others."""
    table.expect("CARD_EXTRA")
    table.rig.fill_rack((*table.deck.uids, STRANGER))
    await table.rig.settle()
    table.felt.collect(table.deck.cards)
    await table.rig.settle()
    return True


def _of(
    name: str, stage: Stage, act: Act, games: tuple[str, ...] = BANK, *, more: tuple[str, ...] = (), dealer: bool = True
) -> Incident:
    return Incident(name, (name.replace("-", "_").upper(), *more), stage, games, act, dealer)


CARD_INCIDENTS: Final = (
    _of("card-out-of-coup", Stage.IDLE, _card_out_of_coup),
    _of("deck-not-ready", Stage.IDLE, _deck_not_ready, ("TCF", "TCP", "UTH")),
    _of("shuffle-before-close", Stage.STAKED, _shuffle_before_close, ("STU",)),
    _of("card-before-bets-closed", Stage.STAKED, _card_before_bets_closed, ("TCF",)),
    _of("too-few-cards", Stage.DEALING, _too_few),
    _of("too-many-cards", Stage.DECIDED, _too_many),
    _of("cut-card-in-deal", Stage.DEALING, _cut_card),
    _of("burned-card", Stage.DEALING, _burned),
    _of("exposed-card", Stage.DEALING, _exposed),
    _of("hand-looked-early", Stage.DEALING, _looked, ("TCP", "UTH"), dealer=False),
    _of("duplicate-card", Stage.DEALT, _duplicate, ("TCF", "STU", "TCP"), dealer=False),
    _of("card-doubtful", Stage.DEALING, _voided("CARD_DOUBTFUL", _two_at_once), more=("IN_REVIEW",)),
    _of("unknown-card", Stage.DEALING, _voided("UNKNOWN_CARD", _unknown), more=("IN_REVIEW",), dealer=False),
    _of("card-missing", Stage.PAID, _missing),
    _of("card-extra", Stage.PAID, _extra, dealer=False),
)
