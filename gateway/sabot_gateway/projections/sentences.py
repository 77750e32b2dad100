"""Each fact and each conclusion as a sentence in French and English, for logs, recalls and exports.

    Siège 3 relance 20 €. / Seat 3 raises €20.

The words stand in `event_sentences`, `key_sentences` and `effect_sentences`; this is the door to them.
"""

from sabot_gateway.model.effect import (
    CancelTimer,
    ClearAlert,
    Effect,
    RaiseAlert,
    RecordDecision,
    RecordSettlement,
    SetLamps,
    StartTimer,
)
from sabot_gateway.model.event import Event
from sabot_gateway.model.review import ReviewEvent
from sabot_gateway.projections.effect_sentences import effect_sentence
from sabot_gateway.projections.event_sentences import event_sentence
from sabot_gateway.projections.sentence import NO_SCENE, UNDEALT, Scene, Sentence
from sabot_gateway.table.state import TableState


def sentence_of(happened: Event | ReviewEvent | Effect, scene: Scene = NO_SCENE) -> Sentence:
    """What happened, said in both languages; the scene gives amounts and the game's own words."""
    match happened:
        case (
            SetLamps()
            | RaiseAlert()
            | ClearAlert()
            | RecordSettlement()
            | RecordDecision()
            | StartTimer()
            | CancelTimer()
        ):
            return effect_sentence(happened, scene)
        case _:
            return event_sentence(happened, scene)


def scene_of(state: TableState) -> Scene:
    """The scene of a table as it stands."""
    return Scene(
        game=state.setup.game,
        felt={(seat, str(spot)): pile.cents for (seat, spot), pile in state.felt.items()},
        bets={(seat, str(spot)): cents for (seat, spot), cents in state.coup.bets.items()},
        street=len(state.coup.board) if any(len(hand) > 1 for hand in state.coup.hands.values()) else UNDEALT,
    )


__all__ = ["NO_SCENE", "Scene", "Sentence", "scene_of", "sentence_of"]
