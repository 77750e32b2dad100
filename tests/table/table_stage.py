"""A table for tests: registers full of chips, two decks, badges, and a dealer who does what he is told."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from sabot_gateway.model.alert import Alert
from sabot_gateway.model.card import DECK, Card, cards_from_text
from sabot_gateway.model.effect import Effect, RecordSettlement
from sabot_gateway.model.event import (
    BadgeRead,
    CardScanned,
    ChipsRead,
    CutCardSeen,
    DiscardRead,
    Event,
    KeyPressed,
    TimerFired,
)
from sabot_gateway.model.felt import FeltSpot, Key
from sabot_gateway.model.game import Game
from sabot_gateway.model.person import Person, Role
from sabot_gateway.model.tag import CardTag, Chip, ChipState, Deck, Tag
from sabot_gateway.rulebook import shipped_ruleset
from sabot_gateway.rules.cut import has_cut
from sabot_gateway.rules.ruleset import Ruleset, overridden
from sabot_gateway.table.machine import new_table, step
from sabot_gateway.table.setup import Fitted, TableSetup, Timing

VALUES: Final = (50, 100, 500, 1000, 2500, 5000, 10000, 50000)
EACH: Final = 60
HEAD, DEALER, OTHER_DEALER, OTHER_HEAD = Tag("b0"), Tag("b1"), Tag("b2"), Tag("b3")
BADGES: Final = {
    HEAD: Person("H1", Role.TABLE_HEAD),
    DEALER: Person("D1", Role.DEALER),
    OTHER_DEALER: Person("D2", Role.DEALER),
    OTHER_HEAD: Person("H2", Role.TABLE_HEAD),
}
CHIPS: Final[Mapping[Tag, Chip]] = {
    Tag(f"c{value}-{number}"): Chip(value) for value in VALUES for number in range(EACH)
} | {Tag("cw-1"): Chip(1000, ChipState.WITHDRAWN), Tag("cf-1"): Chip(1000, ChipState.FOREIGN)}
CARDS: Final[Mapping[Tag, CardTag]] = {
    Tag(f"{deck}-{card}"): CardTag(card, deck) for deck in ("red", "blue") for card in DECK
}
DECKS: Final = {"red": Deck("red", "red"), "blue": Deck("blue", "blue", uses=3)}


def tag_of(card: Card, deck: str = "red") -> Tag:
    return Tag(f"{deck}-{card}")


def setup_for(game: Game, fitted: Fitted | None = None, timing: Timing | None = None, **values: object) -> TableSetup:
    ruleset = shipped_ruleset(game)
    if values:
        changed = overridden(ruleset, values)
        assert isinstance(changed, Ruleset), changed
        ruleset = changed
    return TableSetup("T1", ruleset, CHIPS, CARDS, DECKS, BADGES, timing or Timing(), fitted or Fitted())


class Stage:
    """Plays at a table. Chips come from a purse that is never empty; time moves a second per event."""

    def __init__(self, game: Game, **options: object) -> None:
        self.state = new_table(setup_for(game, **options))  # type: ignore[arg-type] # options are named at the call
        self.effects: list[Effect] = []
        self.now = 0
        self.seq = 0
        self.events: list[Event] = []
        self._purse = {value: [tag for tag, chip in CHIPS.items() if chip == Chip(value)] for value in VALUES}
        self.lying: dict[tuple[int, FeltSpot], list[Tag]] = {}

    def tell(self, event: Event, seconds: int = 1) -> "Stage":
        self.now += seconds * 1000
        event = replace(event, at_ms=self.now)
        if not event.device:
            self.seq += 1
            event = replace(event, device="t1", boot=1, seq=self.seq)
        self.events.append(event)
        done = step(self.state, event)
        self.state = done.state
        self.effects.extend(done.effects)
        return self

    def key(self, key: Key, seat: int = 0) -> "Stage":
        return self.tell(KeyPressed(key, seat))

    def expire(self, timer: str) -> "Stage":
        """A timer of the table runs out."""
        return self.tell(TimerFired(timer, self.state.timers[timer]))

    def head(self) -> "Stage":
        """The table head shows his badge."""
        return self.tell(BadgeRead(HEAD))

    def lay(self, seat: int, spot: str, cents: int) -> "Stage":
        """Make a spot hold exactly `cents`."""
        place = (seat, FeltSpot(spot))
        tags = self.lying.get(place, [])
        while tags and sum(CHIPS[tag].value_cents for tag in tags) > cents:
            gone = tags.pop()
            self._purse[CHIPS[gone].value_cents].append(gone)
        lacking = cents - sum(CHIPS[tag].value_cents for tag in tags)
        for value in reversed(VALUES):
            while lacking >= value:
                tags.append(self._purse[value].pop())
                lacking -= value
        assert lacking == 0, f"no chips for {cents}"
        self.lying[place] = tags
        return self.tell(ChipsRead(*place, tuple(tags)))

    def deal(self, cards: str | Iterable[Card]) -> "Stage":
        for card in cards_from_text(cards) if isinstance(cards, str) else cards:
            self.tell(CardScanned(0, tag_of(card)))
        return self

    def rack(self, cards: Iterable[Card], deck: str = "red") -> "Stage":
        return self.tell(DiscardRead(tuple(tag_of(card, deck) for card in cards)))

    def open(self) -> "Stage":
        """A séance, opened by the book, with the red deck counted."""
        self.head().key(Key.OPEN_SESSION).tell(BadgeRead(DEALER))
        self.key(Key.NEW_DECK).rack(DECK)
        if not self.state.setup.fitted.rack:
            self.key(Key.CONFIRM)
        return self.key(Key.ANNOUNCE).ready()

    def ready(self) -> "Stage":
        """The deck shuffled, cut and in the shoe."""
        self.rack(()).key(Key.SHUFFLE)
        if has_cut(self.state.setup.game) and not self.state.setup.fitted.shuffler:
            self.key(Key.CUT, 1).tell(CutCardSeen())
        return self

    def collect(self) -> "Stage":
        """All cards back in the rack."""
        return self.rack(DECK)

    @property
    def phase(self) -> str:
        return self.state.coup.phase

    def alerts(self) -> dict[str, Alert]:
        """Open alerts by code, notices of pace aside."""
        return {alert.code: alert for alert in self.state.alerts.values()}

    def raised(self) -> set[str]:
        """Every code raised so far."""
        return {effect.alert.code for effect in self.effects if type(effect).__name__ == "RaiseAlert"}  # type: ignore[union-attr] # by its name

    def settlements(self) -> list[RecordSettlement]:
        return [effect for effect in self.effects if isinstance(effect, RecordSettlement)]

    def targets(self) -> dict[tuple[int, str], int]:
        return {(due.place[0], str(due.place[1])): due.target for due in self.state.coup.dues}

    def pay(self) -> "Stage":
        """The dealer makes every spot right, in the order of the lamps."""
        while self.phase == "paying":
            due = next(due for due in self.state.coup.dues if due.status == "pending")
            self.lay(*due.place, due.target)
        return self
