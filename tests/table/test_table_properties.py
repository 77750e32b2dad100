"""What holds for every table, whatever happens at it: stories of legal play and mischief, at all five games."""

from dataclasses import replace
from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from sabot_gateway.model.card import text_from_card
from sabot_gateway.model.coup import BankCoup, BankSeat
from sabot_gateway.model.felt import Key
from sabot_gateway.model.game import Game
from sabot_gateway.model.holdem import HoldemSettlement
from sabot_gateway.model.registers import Registers
from sabot_gateway.model.settlement import Settlement
from sabot_gateway.table.configuration import NotNow, reconfigure
from sabot_gateway.table.display import MOST_BYTES, MOST_LINES, display_of
from sabot_gateway.table.lamps import MOST_LAMPS, picture_of
from sabot_gateway.table.machine import fold, new_table, step
from sabot_gateway.table.phases import TRANSITIONS
from sabot_gateway.table.setup import Fitted, Timing
from sabot_gateway.table.snapshot import snapshot_of, state_from_snapshot
from sabot_gateway.table.state import CoupPhase, TableState
from sabot_tools.settle.line import settle_line
from table.holdem.holdem_crowd import HoldemCrowd, mischief
from table.table_crowd import BANK_GAMES, Crowd, noise
from table.table_stage import Stage

STORIES = settings(deadline=None, max_examples=30, suppress_health_check=[HealthCheck.too_slow])
randoms = st.randoms(use_true_random=False)
seeds = st.integers(0, 2**32)  # a whole story is too long to be drawn move by move
games = st.sampled_from(BANK_GAMES)
MOST_PAID = 300_000  # what the purse of a stage holds


def restored(state: TableState, registers: bool = True) -> TableState:
    setup = state.setup
    house = None if registers else Registers(setup.chips, setup.cards, setup.decks, setup.badges)
    book = {setup.ruleset.sha256: setup.ruleset}
    return state_from_snapshot(snapshot_of(state, registers=registers), book.__getitem__, house)


def ended(stage: Stage) -> None:
    """The way out of everything: void what is not settled, pay what is due, override what will not become right."""
    for _ in range(20):
        for timer in [name for name in stage.state.timers if name.startswith("two_spots")]:
            if timer in stage.state.timers:
                stage.expire(timer)
        match stage.state.coup.phase:
            case CoupPhase.IDLE | CoupPhase.BETTING:
                return
            case CoupPhase.PAYING:
                for due in stage.state.coup.dues:
                    if stage.phase == "paying" and due.target <= MOST_PAID:
                        stage.lay(*due.place, due.target)
                if stage.phase == "paying":
                    stage.key(Key.PAID).head().key(Key.OVERRIDE)
            case CoupPhase.CLEARING:
                stage.collect()
                if stage.phase == "clearing":
                    stage.key(Key.SHUFFLE)
            case _:
                stage.head().key(Key.VOID)
    raise AssertionError(f"stuck: {stage.phase}, {stage.state.coup.dues}, {list(stage.state.alerts)}")


class AnyTable(RuleBasedStateMachine):
    """Never raises; resent facts and snapshots change nothing; lamps follow from the state; money is conserved.

    Whatever happened, the table head's keys and the dealer's end the coup.
    """

    crowd: Crowd | HoldemCrowd

    @initialize(game=st.sampled_from(Game), random=randoms, opened=st.booleans())
    def sit_down(self, game: Game, random: Random, opened: bool) -> None:
        if game is Game.THE:
            self.crowd = HoldemCrowd(random, mischief=0.0)
            return
        self.crowd = Crowd(game, random, mischief=0.0)
        if opened:
            self.crowd.open()

    @rule(moves=st.integers(1, 12))
    def play(self, moves: int) -> None:
        for _ in range(moves):
            self.crowd.play_on()

    @rule(random=randoms)
    def mischief(self, random: Random) -> None:
        stage = self.crowd.stage
        stage.tell((mischief if stage.state.setup.game is Game.THE else noise)(stage, random))

    @rule(seat=st.integers(0, 10))
    def override(self, seat: int) -> None:
        self.crowd.stage.head().key(Key.OVERRIDE, seat)

    @rule(random=randoms)
    def let_time_pass(self, random: Random) -> None:
        stage = self.crowd.stage
        for timer in sorted(stage.state.timers):
            if timer in stage.state.timers and random.random() < 0.5:
                stage.expire(timer)

    @rule(random=randoms, cents=st.sampled_from((0, 500, 1000, 2000, 4500)))
    def move_chips_in_the_payout(self, random: Random, cents: int) -> None:
        stage = self.crowd.stage
        if stage.state.coup.dues:
            stage.lay(*random.choice(stage.state.coup.dues).place, cents)

    @rule()
    def resend(self) -> None:
        stage = self.crowd.stage
        for event in stage.events[-3:]:
            if event.seq:
                again = step(stage.state, event)
                assert again.state is stage.state
                assert again.effects == ()

    @rule(registers=st.booleans())
    def restart(self, registers: bool) -> None:
        state = restored(self.crowd.stage.state, registers)
        assert state == self.crowd.stage.state
        self.crowd.stage.state = state

    @rule(stall_ms=st.integers(1, 10**6))
    def reconfigure(self, stall_ms: int) -> None:
        state = self.crowd.stage.state
        done = reconfigure(state, replace(state.setup, timing=Timing(stall_ms=stall_ms)))
        if isinstance(done, NotNow):
            assert state.coup.phase != "idle"
        else:
            assert replace(done.state, setup=state.setup) == state
            self.crowd.stage.state = done.state

    def teardown(self) -> None:
        ended(self.crowd.stage)

    @invariant()
    def lamps_are_a_function_of_the_state(self) -> None:
        state = self.crowd.stage.state
        assert state.lamps.picture == picture_of(state)
        assert state.lamps.display == display_of(state)
        assert len(state.lamps.picture) <= MOST_LAMPS
        assert len(state.lamps.display) <= MOST_LINES
        assert all(len(text.encode()) <= MOST_BYTES for line in state.lamps.display for text in (line.fr, line.en))

    @invariant()
    def money_is_conserved(self) -> None:
        coup = self.crowd.stage.state.coup
        if isinstance(coup.settlement, Settlement):
            staked = sum(seat.stake for seat in coup.settlement.seats)
            assert staked == sum(coup.bets.values())
            assert sum(due.stake for due in coup.dues) == staked
            assert sum(due.target for due in coup.dues) == staked - coup.settlement.bank_net
        elif isinstance(coup.settlement, HoldemSettlement):
            seats = coup.settlement.seats
            assert (
                sum(seat.stake for seat in seats) == sum(seat.returned for seat in seats) + coup.settlement.rake_total
            )


AnyTable.TestCase.settings = settings(deadline=None, max_examples=50, stateful_step_count=25)
TestAnyTable = AnyTable.TestCase


@STORIES
@given(games, seeds)
def test_every_prefix_of_a_story_folds_to_the_state_it_had(game: Game, seed: int) -> None:
    random = Random(seed)
    crowd = Crowd(game, random, mischief=0.2).open()
    start = new_table(crowd.stage.state.setup)
    seen: list[tuple[int, TableState]] = []
    for _ in range(60):
        crowd.act()
        seen.append((len(crowd.stage.events), crowd.stage.state))
    cut, state = random.choice(seen)
    assert fold(start, crowd.stage.events[:cut]) == state


@STORIES
@given(games, seeds)
def test_a_finished_coup_settles_as_sabot_settle_does(game: Game, seed: int) -> None:
    random = Random(seed)
    crowd = Crowd(game, random, mischief=0.05).open()
    crowd.play_coup()
    for made in crowd.stage.settlements():
        assert isinstance(made.coup, BankCoup)
        assert isinstance(made.settlement, Settlement)
        said = settle_line(record_of(game, made.coup), {game: crowd.stage.state.setup.ruleset})
        assert said["status"] == made.settlement.status
        assert said["bank_net"] == made.settlement.bank_net
        assert said["ruleset"] == {"id": made.ruleset, "sha256": made.ruleset_sha256}
        told = {seat["seat"]: seat["total"]["net"] for seat in said["seats"]}  # type: ignore[attr-defined] # JSON
        assert told == {seat.seat: seat.net for seat in made.settlement.seats}
        rules = {bet["rule"] for seat in said["seats"] for bet in seat["bets"].values()}  # type: ignore[attr-defined] # JSON
        assert rules <= set(made.rules)


@STORIES
@given(games, seeds)
def test_phases_change_only_as_the_table_of_transitions_says(game: Game, seed: int) -> None:
    random = Random(seed)
    crowd = Crowd(game, random, mischief=0.2).open()
    known = {(row.phase, row.to) for row in TRANSITIONS if row.machine == "coup" and row.to}
    for _ in range(80):
        before = len(crowd.stage.effects)
        phase = str(crowd.stage.state.coup.phase)
        crowd.act()
        for effect in crowd.stage.effects[before:]:
            if getattr(effect, "kind", "") == "phase":
                to = str(dict(effect.detail)["to"])  # type: ignore[union-attr] # a decision has a detail
                assert (phase, to) in known
                phase = to
        assert phase == crowd.stage.state.coup.phase


HOUSES: tuple[tuple[Game, dict[str, object]], ...] = (
    (Game.TCF, {"claim_required": True}),
    (Game.TCF, {"bonus_mode": "ante_bonus", "pair_plus_on_fold": "forfeit", "early_look": "forfeit"}),
    (Game.TCF, {"fitted": Fitted(rack=False, shuffler=True)}),
    (Game.STU, {"bonus_window": "end_of_deal", "claim_required": True}),
    (Game.STU, {"buy_allowed": False}),
    (Game.TCP, {"deal_mode": "packets"}),
    (Game.UTH, {"deal_mode": "rounds", "board_burns": True, "trips_on_fold": "forfeit"}),
)


@STORIES
@given(st.sampled_from(HOUSES), seeds)
def test_whatever_a_house_has_chosen_coups_end_and_pay_what_is_due(
    house: tuple[Game, dict[str, object]], seed: int
) -> None:
    game, choices = house
    crowd = Crowd(game, Random(seed), mischief=0.1, **choices).open()
    assert crowd.play_coup()
    state = crowd.stage.state
    assert restored(state) == state
    for made in crowd.stage.settlements():
        assert isinstance(made.coup, BankCoup)
        assert isinstance(made.settlement, Settlement)
        said = settle_line(record_of(game, made.coup), {game: state.setup.ruleset})
        assert said["bank_net"] == made.settlement.bank_net


def record_of(game: Game, coup: BankCoup) -> dict[str, object]:
    """The coup as a line for `sabot settle`, written out here so that nothing is shared with the table."""
    record: dict[str, object] = {
        "id": "live",
        "game": str(game),
        "dealer": {"cards": [text_from_card(card) for card in coup.dealer]},
        "seats": [_seat_record(game, seat) for seat in coup.seats],
        "burned": [text_from_card(card) for card in coup.burned],
    }
    if game is Game.UTH:
        record["board"] = [text_from_card(card) for card in coup.board]
    if coup.void is not None:
        record["coup"] = {"void": str(coup.void)}
    return record


def _seat_record(game: Game, seat: BankSeat) -> dict[str, object]:
    record: dict[str, object] = {
        "seat": seat.seat,
        "cards": [text_from_card(card) for card in seat.cards],
        "bets": dict(seat.bets),
    }
    if seat.decision is not None:
        record["decision"] = str(seat.decision)
    if game in (Game.TCF, Game.STU):
        record["early_look"] = seat.early_look
        record["claims"] = sorted(seat.claims)
    if seat.purchase is not None:
        record["buy"] = {
            "discard": [text_from_card(card) for card in seat.purchase.discards],
            "drawn": [text_from_card(card) for card in seat.purchase.drawn],
        }
    return record
