"""A hold'em table at which players and dealer play by the rules most of the time, and do anything the rest of it."""

from random import Random
from typing import Any, Final

from sabot_gateway.model.card import DECK, Card
from sabot_gateway.model.coup import Decision, Void
from sabot_gateway.model.event import (
    AlertOverridden,
    ButtonPlaced,
    CardScanned,
    ConsignmentClaimed,
    CoupVoided,
    Event,
    HandConfirmed,
    KeyPressed,
    PlayerSeated,
    RakeDropped,
    Recaved,
    StakeConsigned,
)
from sabot_gateway.model.felt import FeltSpot, Key
from sabot_gateway.model.holdem import Act
from sabot_gateway.rules.betting import legal_actions
from sabot_gateway.rules.betting_state import Legal
from sabot_gateway.rules.blinds import posts
from sabot_gateway.rules.deal import seats_from_button
from sabot_gateway.table.courses import course_of
from sabot_gateway.table.holdem_party import is_button_placed
from sabot_gateway.table.holdem_pot import gathered
from sabot_gateway.table.holdem_seats import config_of, entitled, stack_of
from sabot_gateway.table.holdem_showdown import still_to_show
from sabot_gateway.table.setup import Fitted
from sabot_gateway.table.state import CoupPhase, ShoePhase, amount_at
from table.holdem.holdem_stage import seated
from table.table_crowd import noise
from table.table_stage import Stage, tag_of

_DEAL: Final = (500, 1000, 2000, 5000, 20_000)
_MOST: Final = 300_000  # so that the purse never runs dry


class HoldemCrowd:
    """Drives a `Stage` of hold'em by chance."""

    def __init__(self, random: Random, mischief: float = 0.1, fitted: Fitted | None = None, **values: Any) -> None:
        self.random = random
        self.mischief = mischief
        seats = random.sample(range(1, 11), random.randint(2, 6))
        stacks = {seat: 50 * random.randint(1, 1000) for seat in sorted(seats)}
        self.stage = seated(stacks, random.choice(seats), fitted or Fitted(pot=random.random() < 0.7), **values)
        self.deck: list[Card] = []

    def act(self) -> None:
        if self.random.random() < self.mischief:
            self.stage.tell(mischief(self.stage, self.random))
        else:
            self.play_on()

    def play_on(self) -> None:
        stage, random, state = self.stage, self.random, self.stage.state
        held = [alert for alert in state.alerts.values() if alert.holds != "nothing"]
        if state.review is not None and random.random() < 0.5:
            self._resolve_review()
        elif held and random.random() < 0.3:
            stage.tell(AlertOverridden("H1", random.choice(held).id, "as it lies"))
        else:
            match state.coup.phase:
                case CoupPhase.IDLE | CoupPhase.BETTING:
                    self._post()
                case CoupPhase.DEALING:
                    self._draw()
                case CoupPhase.DECIDING:
                    self._decide()
                case CoupPhase.REVEALING:
                    self._show()
                case CoupPhase.PAYING:
                    self._pay()
                case CoupPhase.CLEARING:
                    stage.collect() if random.random() < 0.9 else stage.key(Key.SHUFFLE)

    def _post(self) -> None:
        stage, random, state = self.stage, self.random, self.stage.state
        if state.shoe.phase is not ShoePhase.READY:
            if state.shoe.phase in (ShoePhase.EMPTY, ShoePhase.COUNTING):
                stage.key(Key.NEW_DECK).collect()
            stage.ready()
            self.deck = random.sample(DECK, 52)
            return
        players = entitled(state)
        if len(players) < 2:
            seat = random.choice([seat for seat in range(1, 11) if seat not in players])
            stage.tell(PlayerSeated(seat, f"n{seat}")).tell(Recaved(seat, 50_000))
            return
        if not is_button_placed(state):
            stage.tell(ButtonPlaced(random.choice(players)))
            return
        config = config_of(state)
        order = tuple(seats_from_button(players, state.button))
        due = dict(posts(order, config.structure, config.heads_up, None, config.option_action).due)
        for seat in range(1, 11):
            stack = stack_of(state, seat)
            post = due.get(seat, 0) if stack is None else min(due.get(seat, 0), stack)
            if amount_at(stage.state, (seat, FeltSpot.BET)) != post:
                stage.lay(seat, "bet", post)
        if random.random() < 0.5:
            self._draw()
        else:
            stage.key(Key.BETS_CLOSED)

    def _draw(self) -> None:
        hand = self.stage.state.coup.holdem
        if hand is not None and hand.betting.turn is None and self.random.random() < 0.9:
            for seat in [seat for seat, cents in hand.residue if cents]:
                self.stage.lay(seat, "bet", 0)
            hand = self.stage.state.coup.holdem or hand
            if self.stage.state.setup.fitted.pot and gathered(self.stage.state, hand) <= _MOST:
                self.stage.lay(0, "pot", gathered(self.stage.state, hand))
        if not self.deck:
            self.deck = self.random.sample(DECK, 52)
        self.stage.tell(CardScanned(0, tag_of(self.deck.pop())))

    def _decide(self) -> None:
        stage, random, hand = self.stage, self.random, self.stage.state.coup.holdem
        legal = legal_actions(hand.betting) if hand is not None else None
        if hand is None or legal is None:
            stage.key(Key.CHECK)
            return
        quiet = Act.CHECK if Act.CHECK in legal.acts else Act.CALL
        act = random.choice((quiet, quiet, *sorted(legal.acts)))
        if act in (Act.FOLD, Act.CHECK):
            stage.key(Key(str(act)), random.choice((0, legal.seat)))
        else:
            total = _total(legal, act, random) + hand.left_on(legal.seat)
            stage.lay(legal.seat, "bet", min(total, _MOST))

    def _show(self) -> None:
        left = still_to_show(self.stage.state)
        if self.random.random() < 0.2 and left:
            self.stage.key(Key.FOLD, self.random.choice(left))
        else:
            self.stage.key(Key.REVEAL, self.random.choice((0, *left)))

    def _pay(self) -> None:
        stage, random, state = self.stage, self.random, self.stage.state
        waiting = [due for due in state.coup.dues if due.status == "pending" and due.target <= _MOST]
        if not waiting or random.random() < 0.1:
            stage.key(Key.PAID)
            for alert in list(stage.state.alerts.values()):
                if alert.holds == "pay":
                    stage.tell(AlertOverridden("H1", alert.id))
        else:
            due = random.choice(waiting)
            stage.lay(*due.place, due.target)

    def _resolve_review(self) -> None:
        stage, random, state = self.stage, self.random, self.stage.state
        if random.random() < 0.4:
            stage.tell(CoupVoided("H1", random.choice(tuple(Void))))
            return
        fresh = random.sample(DECK, 52)
        for seat in course_of(state).confirmable(state):
            size = len(state.coup.board) if seat < 0 else 2
            cards = tuple(fresh.pop() for _ in range(size))
            is_given_up = seat > 0 and random.random() < 0.2
            stage.tell(HandConfirmed("H1", seat, () if is_given_up else cards, Decision.FOLD if is_given_up else None))


def _total(legal: Legal, act: Act, random: Random) -> int:
    if act is Act.CALL or legal.least_to is None or legal.most_to is None:
        return legal.call_to
    if act is Act.ALLIN:
        return legal.most_to
    raised = legal.least_to + random.choice((0, *_DEAL))
    return max(legal.least_to, min(raised, legal.most_to))


def mischief(stage: Stage, random: Random) -> Event:
    """Anything that can be told to a hold'em table."""
    seat = random.randint(-1, 11)
    state = stage.state
    if random.random() < 0.5:
        return noise(stage, random)
    choices: tuple[Event, ...] = (
        Recaved(seat, random.choice((-50, 0, 1, 50, 5000, 10**13))),
        ButtonPlaced(seat),
        RakeDropped(random.choice((-1, 0, 50, 10**9))),
        PlayerSeated(seat, random.choice(("", "p1", "p2", "x"))),
        StakeConsigned("H1", seat, random.choice((-1, 0, 5000))),
        ConsignmentClaimed("H1", random.choice(("p1", "p2", "nobody"))),
        HandConfirmed("H1", seat, (), Decision.FOLD),
        *(
            KeyPressed(key, random.choice((0, seat)))
            for key in (Key.FOLD, Key.CHECK, Key.ALL_IN, Key.CALL, Key.RAISE, Key.REVEAL, Key.BUTTON, Key.ABSENT)
        ),
    )
    if random.random() < 0.5 and state.coup.players:
        at = random.choice(state.coup.players)
        amount = random.choice((0, 50, 500, 1000, 1500, 3000, 9000))
        stage.lay(at, "bet", amount)
    return random.choice(choices)
