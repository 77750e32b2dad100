"""A crowd at a table: plays by the rules most of the time, and does everything else the rest of the time.

`play_on` picks the next event from what the state expects, `noise` anything at
all. Both take their choices from one `Random`, so that hypothesis can shrink a
story and a plain seed can run thousands of coups.
"""

from random import Random
from typing import Final

from sabot_gateway.model.card import DECK, Card
from sabot_gateway.model.coup import Decision, Void
from sabot_gateway.model.event import (
    AlertCleared,
    AlertOverridden,
    BadgeRead,
    CardDoubted,
    CardScanned,
    ChipsDoubted,
    ChipsRead,
    ClockSkewed,
    ControllerRebooted,
    CoupVoided,
    CutCardSeen,
    DeviceFaulted,
    DiscardRead,
    DoorMoved,
    Event,
    FloatDeclared,
    HandConfirmed,
    KeyPressed,
    LampsApplied,
    LinkGap,
    LinkLost,
    LinkRestored,
    PlayerAbsent,
    PlayerCalled,
    PlayerLeft,
    PlayerReturned,
    PlayerSeated,
    PlayerWaiting,
    SeatSensed,
    ServiceResumed,
    TimerFired,
)
from sabot_gateway.model.felt import DeviceFault, Doubt, FeltSpot, Key
from sabot_gateway.model.game import Game
from sabot_gateway.table.bank_opening import opening_spots
from sabot_gateway.table.bank_stakes import RAISE_SPOTS
from sabot_gateway.table.courses import course_of
from sabot_gateway.table.state import CoupPhase, ShoePhase, amount_at
from table.table_stage import BADGES, CARDS, CHIPS, HEAD, Stage, tag_of

BANK_GAMES: Final = (Game.TCF, Game.STU, Game.TCP, Game.UTH)
_ALL_CHIPS: Final = tuple(CHIPS)
_ALL_CARDS: Final = tuple(CARDS)


class Crowd:
    """Drives a `Stage` by chance."""

    def __init__(self, game: Game, random: Random, mischief: float = 0.1, **options: object) -> None:
        self.stage = Stage(game, **options)
        self.random = random
        self.mischief = mischief
        self.deck: list[Card] = []

    def open(self) -> "Crowd":
        self.stage.open()
        self.shuffle()
        return self

    def shuffle(self) -> None:
        self.deck = list(DECK)
        self.random.shuffle(self.deck)

    def act(self) -> None:
        """One move: a legal one, or mischief."""
        if self.random.random() < self.mischief:
            self.stage.tell(noise(self.stage, self.random))
        else:
            self.play_on()

    def play_coup(self, most: int = 400) -> bool:
        """Until a coup has ended; whether it did."""
        before = sum(1 for effect in self.stage.effects if getattr(effect, "kind", "") == "coup_finished")
        for _ in range(most):
            self.act()
            after = sum(1 for effect in self.stage.effects if getattr(effect, "kind", "") == "coup_finished")
            if after > before:
                return True
        return False

    def play_on(self) -> None:
        stage, random, state = self.stage, self.random, self.stage.state
        if state.review is not None and random.random() < 0.5:
            self._resolve_review()
        elif any(alert.holds != "nothing" for alert in state.alerts.values()) and random.random() < 0.3:
            alert = random.choice([a for a in state.alerts.values() if a.holds != "nothing"])
            stage.tell(AlertOverridden("H1", alert.id, "as it lies"))
        else:
            match state.coup.phase:
                case CoupPhase.IDLE | CoupPhase.BETTING:
                    self._bet()
                case CoupPhase.DEALING:
                    self._draw()
                case CoupPhase.DECIDING:
                    self._decide()
                case CoupPhase.REVEALING:
                    self._reveal()
                case CoupPhase.PAYING:
                    self._pay()
                case CoupPhase.CLEARING:
                    stage.collect() if random.random() < 0.9 else stage.key(Key.SHUFFLE)

    def _bet(self) -> None:
        stage, random, state = self.stage, self.random, self.stage.state
        if state.coup.phase is CoupPhase.IDLE:
            for place, pile in state.felt.items():
                if pile.cents:
                    stage.lay(*place, 0)  # players take what is theirs
        state = stage.state
        if state.shoe.phase is not ShoePhase.READY:
            if state.shoe.phase in (ShoePhase.EMPTY, ShoePhase.COUNTING):
                stage.key(Key.NEW_DECK).collect()
            stage.ready()
            self.shuffle()
            return
        if random.random() < 0.3 and state.coup.phase is CoupPhase.BETTING:
            stage.key(Key.BETS_CLOSED)
            return
        seat = random.randint(1, state.setup.seats_total)
        ante = random.choice((500, 1000, 2500))
        for spot in opening_spots(state):
            if spot is FeltSpot.ANTE or spot is FeltSpot.BLIND:
                stage.lay(seat, spot, ante)
            elif state.setup.game is Game.STU:
                stage.lay(seat, spot, random.choice((0, 100)))
            else:
                stage.lay(seat, spot, random.choice((0, 500, 1000)))

    def _draw(self) -> None:
        if not self.deck:
            self.shuffle()
        self.stage.tell(CardScanned(0, tag_of(self.deck.pop())))

    def _decide(self) -> None:
        stage, random, state = self.stage, self.random, self.stage.state
        course, game = course_of(state), state.setup.game
        waiting = course.pending(state)
        if not waiting:
            stage.key(Key.REVEAL)
            return
        seat = random.choice(waiting)
        ante = state.coup.bets[seat, FeltSpot.ANTE]
        passes = course.may_pass(state)
        if passes and random.random() < 0.4:
            self._draw()
        elif not passes and random.random() < 0.3:
            stage.key(Key.FOLD, seat)
        else:
            times = {Game.STU: 2, Game.UTH: (random.choice((3, 4)), 2, 1)[min(state.coup.round, 2)]}.get(game, 1)
            if game is Game.STU and random.random() < 0.3:
                stage.lay(seat, FeltSpot.BUY, ante)
            stage.lay(seat, RAISE_SPOTS[game], times * ante)

    def _reveal(self) -> None:
        stage, state = self.stage, self.stage.state
        rack = list(state.shoe.rack)
        for seat in state.coup.bought:
            hand = [tag for tag, whose in state.coup.drawn.items() if whose == seat]
            if not set(hand) & set(rack):
                rack.append(hand[0])
        if set(rack) != set(state.shoe.rack):
            stage.tell(DiscardRead(tuple(rack)))
        else:
            stage.key(Key.REVEAL)

    def _pay(self) -> None:
        stage, random, state = self.stage, self.random, self.stage.state
        waiting = [due for due in state.coup.dues if due.status == "pending"]
        if random.random() < 0.1 or not waiting:
            stage.key(Key.PAID)
            for alert in list(state.alerts.values()):
                if alert.holds == "pay" or alert.code == "LATE_BET":
                    stage.tell(AlertOverridden("H1", alert.id))
        else:
            due = waiting[0] if random.random() < 0.8 else random.choice(waiting)
            stage.lay(*due.place, due.target)

    def _resolve_review(self) -> None:
        stage, random, state = self.stage, self.random, self.stage.state
        if random.random() < 0.5:
            stage.tell(CoupVoided("H1", random.choice(tuple(Void))))
            return
        game = state.setup.game
        fresh = list(DECK)
        random.shuffle(fresh)
        for seat in course_of(state).confirmable(state):
            size = {Game.TCF: 3, Game.STU: 5, Game.TCP: 3, Game.UTH: 2}[game]
            if seat < 0:
                size = (0, 3, 5)[min(state.coup.round, 2)]
            cards = tuple(fresh.pop() for _ in range(size))
            stage.tell(HandConfirmed("H1", seat, cards, Decision.FOLD if seat > 0 and random.random() < 0.3 else None))


def noise(stage: Stage, random: Random) -> Event:
    """Anything that can be told to a table."""
    seat = random.randint(0, 11)
    spot = random.choice(tuple(FeltSpot))
    some = tuple(random.sample(_ALL_CHIPS, random.randint(0, 4)))
    alerts = [alert.id for alert in stage.state.alerts.values()] or ["none"]
    near = [due.place for due in stage.state.coup.dues] + list(stage.state.coup.bets)
    place = random.choice(near) if near else (seat, spot)
    lying = tuple(stage.state.felt[place].tags) if place in stage.state.felt else ()
    choices: tuple[Event, ...] = (
        KeyPressed(random.choice(tuple(Key)), random.choice((0, seat))),
        KeyPressed(random.choice(tuple(Key)), random.choice((0, seat))),
        CardScanned(random.choice((0, 0, 0, 3)), random.choice(_ALL_CARDS)),
        CardScanned(0, tag_of(random.choice(DECK))),
        ChipsRead(seat, spot, some),
        ChipsRead(*place, lying[: len(lying) // 2]),
        ChipsRead(*place, tuple({*lying, *some})),
        ChipsRead(*place, (*lying, *lying)),
        ChipsDoubted(seat, spot, some, random.choice(tuple(Doubt))),
        CardDoubted(0, (), random.choice(tuple(Doubt))),
        DiscardRead(tuple(random.sample(_ALL_CARDS, random.randint(0, 60)))),
        DiscardRead(tuple(stage.state.coup.drawn)),
        BadgeRead(random.choice((*BADGES, HEAD, HEAD, tag_of(DECK[0])))),
        CutCardSeen(),
        SeatSensed(seat, random.random() < 0.5),
        LampsApplied(random.choice((stage.state.lamps.revision, 1, 999))),
        DoorMoved(random.random() < 0.5),
        DeviceFaulted(random.choice(tuple(DeviceFault)), 0, random.random() < 0.5),
        LinkLost(device="c1"),
        LinkRestored(device="c1"),
        LinkGap(3, 5, device="c1"),
        ControllerRebooted("watchdog", device="c1"),
        ClockSkewed(random.choice((0, 9000)), device="c1"),
        ServiceResumed(random.random() < 0.5),
        _some_timer(stage, random),
        CoupVoided("H1", random.choice(tuple(Void))),
        AlertOverridden("H1", random.choice(alerts)),
        AlertCleared("S1", random.choice(alerts)),
        HandConfirmed("H1", random.randint(-1, 7), tuple(random.sample(DECK, 3)), Decision.RAISE),
        PlayerSeated(seat, f"p{seat}"),
        PlayerLeft(seat),
        PlayerAbsent(seat),
        PlayerReturned(seat),
        PlayerWaiting("p9"),
        PlayerCalled("p9", True),
        FloatDeclared(random.randint(0, 100000)),
    )
    return random.choice(choices)


def money_on(stage: Stage, seats: tuple[int, ...]) -> int:
    """All chips on the felt before these seats."""
    return sum(amount_at(stage.state, place) for place in stage.state.felt if place[0] in seats)


def _some_timer(stage: Stage, random: Random) -> TimerFired:
    """One that runs, with its token or an older one; or one that does not run at all."""
    timer = random.choice((*stage.state.timers, "other"))
    return TimerFired(timer, stage.state.timers.get(timer, stage.state.tokens) - random.randint(0, 1))
